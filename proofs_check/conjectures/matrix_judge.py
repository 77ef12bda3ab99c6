"""The verdict on a claim about matrices: an exact chain that refutes it, a certificate, or neither."""

from collections.abc import Iterable, Mapping
from math import nan
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats, indefiniteness
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains
from proofs_check.chains.witness import case_from_witness, witness_from_case
from proofs_check.conjectures.verdict import ConjectureTrial, ConjectureVerdict
from proofs_check.prove.matrix_question import check_matrix_certificate, matrix_of, prove_matrix_claim
from proofs_check.search.evidence import Progress
from tabular_krope.errors import KropeError

#: Rational chains that are tried before a proof is looked for.
FIRST = 40


def judge_matrix(
    text: str, assume: Iterable[str], conservative: bool, gamma: Any, examples: int, seed: int, progress: Progress
) -> ConjectureVerdict:
    """The verdict on ``psd(...)``.

    >>> judge_matrix("psd(gamma*P*K*P' <= K)", (), False, None, 40, 0, lambda stage, share: None).outcome
    'proved'
    >>> judge_matrix("psd(K <= 2*K1)", (), False, None, 40, 0, lambda stage, share: None).outcome
    'refuted'
    """
    if tuple(assume) or gamma is not None:
        raise KropeError("a claim about matrices must stand alone; got assume or gamma (use --conservative)")
    settings = {"conservative": bool(conservative), "gamma": None, "dim": None, "examples": examples, "seed": seed}
    common: dict[str, Any] = {"claim": text.strip(), "assume": (), "ratio": nan, "open": 0, "settings": settings}
    progress("exact", 0.0)
    tried, case = _search(text, conservative, min(FIRST, examples), seed)
    if case is None:
        progress("proving", 0.0)
        proof = prove_matrix_claim(text, conservative)
        if proof is not None:
            check_matrix_certificate(text, conservative, proof)
            reason = "for every chain of every size, by a certificate that was checked"
            found = {"theorem": "operator", "certificate": proof}
            return ConjectureVerdict(**common, outcome="proved", reason=reason, trials=_trials(tried, 0), proof=found)
        tried, case = _search(text, conservative, examples, seed)
    if case is None:
        reason = f"not refuted by {tried} exact instances, and no certificate was found"
        return ConjectureVerdict(**common, outcome="holds", reason=reason, trials=_trials(tried, 0))
    least = float(np.linalg.eigvalsh(floats(matrix_of(text, case)))[0])
    return ConjectureVerdict(
        **common,
        outcome="refuted",
        reason=f"on a chain of {case.X} pair{'s' * (case.X > 1)} the least eigenvalue is {least:.6g}",
        trials=_trials(tried, 1),
        witness=witness_from_case(case),
        at={},
        left=f"{least:.12g}",
        sign=">=",
        right="0",
        decimals=(f"{least:.12g}", "0"),
        before=case.X,
    )


def verify_matrix(data: Mapping[str, Any]) -> str:
    """What a stored verdict on a claim about matrices establishes, from its file alone; raises if it does not."""
    text, conservative = data["claim"], data["settings"]["conservative"]
    if data["outcome"] == "proved":
        check_matrix_certificate(text, conservative, data["proof"]["certificate"])
        return f"{text}, for every {'conservative ' * conservative}chain of every size"
    case = case_from_witness(data["witness"])
    if data["outcome"] != "refuted" or (conservative and not case.conservative) or not _fails(text, case):
        raise KropeError(f"witness must refute {text}; got a chain that does not")
    return f"{text} fails on a chain of {case.X} pairs: the matrix is not positive semidefinite"


def _search(text: str, conservative: bool, count: int, seed: int) -> tuple[int, Case | None]:
    """How many chains were tried, and the smallest that refutes the claim."""
    make, found = chains(ending=False if conservative else None), []
    for k in range(count):
        case = make(np.random.default_rng([seed, k]), True)
        if case.gamma < 1 and _fails(text, case):
            found.append(case)
    return count, min(found, key=lambda case: case.X, default=None)


def _fails(text: str, case: Case) -> bool:
    matrix = matrix_of(text, case)
    if np.any(matrix != matrix.T):
        raise KropeError(f"claim must be about a symmetric matrix; got {text.strip()}")
    return bool(indefiniteness(matrix) > 0)


def _trials(tried: int, failed: int) -> tuple[ConjectureTrial, ...]:
    return (ConjectureTrial("exact", tried, 0, failed, float(failed)),)
