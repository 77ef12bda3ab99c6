"""`verify_document`: check a stored proof or refutation again, from what is in its file and nothing else."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from proofs_check.conjectures.matrix_judge import verify_definite
from proofs_check.conjectures.question import Question, ask
from proofs_check.conjectures.witnesses import side_text, verify
from proofs_check.prove.best_constant.agreement import require_agreement
from proofs_check.prove.proof import check_certificate
from proofs_check.prove.small_model.recheck import recheck
from tabular_krope.data.json_files import json_word
from tabular_krope.errors import KropeError

SMALL_MODEL = (
    "the small-model theorem (B15) and the rules of curvature",
    "the reduction of the claim to polynomial inequalities (proofs_check/prove/small_model/reduction.py), done again",
    "the checker of polynomial certificates (proofs_check/prove/small_model/checker.py), rational arithmetic only",
    "not trusted: the solver and the search that found the certificates",
)
WITNESS = (
    "the parser of claims and the exact rational arithmetic of python-flint",
    "not trusted: the search that found the chain, and floating point",
)
OPERATOR = (
    "the checker of certificates (proofs_check/prove/kernel.py) and its lemmas (lemmas.json beside it, docs/proofs.md)",
    "not trusted: the finder of the certificate",
)
_BAD = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)


@dataclass(frozen=True, slots=True)
class Verified:
    """What a file establishes.

    Attributes:
        kind: "proof" or "refutation".
        says: what is established, a line each.
        trusted: what has to be believed for that, a line each.
    """

    kind: str
    says: tuple[str, ...]
    trusted: tuple[str, ...]


def read_document(text: str) -> Any:
    """What a file says, as JSON; a name that is given twice, or a number that is none, is refused.

    >>> read_document('{"claim": "life[x] >= 1", "claim": "life[x] >= 2"}')
    Traceback (most recent call last):
        ...
    tabular_krope.errors.KropeError: the document must have each name once; got 'claim' twice
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise KropeError(f"the document must have each name once; got {twice!r} twice")
        return found

    def refused(word: str) -> None:
        raise KropeError(f"the document must have numbers; got {word}")

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=refused)
    except RecursionError:
        raise KropeError("the document must not be nested so deeply") from None


def verify_document(data: Any) -> Verified:
    """What a verdict of ``krope conjecture --json``, an answer of ``krope worst --json`` or a certificate establishes.

    Raises:
        KropeError: it establishes nothing, with the reason.

    >>> from proofs_check.conjectures.judge import conjecture
    >>> verify_document(conjecture("life[x] >= 1").as_json()).says
    ('life[x] >= 1, for every chain of every size: 2 inequalities proved',)
    """
    if not isinstance(data, Mapping):
        raise KropeError(f"the document must be a JSON object; got {json_word(data)}")
    kinds = {"certificate": _operator, "conjecture": _conjecture, "worst": _worst}
    kind = data.get("kind", "conjecture" if "claim" in data and "outcome" in data else None)
    if kind not in kinds:
        raise KropeError(f"kind must be one of {', '.join(kinds)}; got {kind!r}")
    try:
        return kinds[kind](data)
    except _BAD as problem:
        if isinstance(problem, KropeError):
            raise
        raise KropeError(f"the document must be of the documented form; got {problem!r}") from None


def _operator(data: Mapping[str, Any]) -> Verified:
    from proofs_check.statements.registry import STATEMENTS  # takes longer to import than most files to check

    proof = check_certificate(data)
    if proof.statement and data.get("claim") != STATEMENTS[proof.slug].claim:
        raise KropeError(f"claim must be what {proof.slug} says; got {data.get('claim')!r}")
    says = (f"{proof.slug}, for matrices of every size", *(f"  {line}" for line in proof.conclusions))
    given = tuple(f"hypothesis: {line}" for line in proof.hypotheses)
    about = (
        () if proof.statement else ("that the hypotheses are what the claim means: no statement of that name exists",)
    )
    return Verified("proof", says, (*OPERATOR, *about, *((proof.trusted,) if proof.trusted else ()), *given))


def _question(data: Mapping[str, Any]) -> Question:
    settings = data["settings"]
    if type(settings["conservative"]) is not bool:
        raise KropeError(f"conservative must be true or false; got {settings['conservative']!r}")
    if not isinstance(data["assume"], list):
        raise KropeError(f"assume must be a list; got {type(data['assume']).__name__}")
    return ask(
        data["claim"],
        data["assume"],
        settings["conservative"],
        settings["gamma"],
        settings["dim"],
        settings.get("features"),
        settings.get("classes", ()),
    )


def _scope(question: Question) -> str:
    given = [str(premise) for premise in question.premises]
    if question.gamma is not None:
        given.append(f"gamma = {question.gamma}")
    chains = "conservative chain" if question.conservative else "chain"
    return f"for every {chains} of every size" + (f" with {', '.join(given)}" if given else "")


def _conjecture(data: Mapping[str, Any]) -> Verified:
    question = _question(data)
    by_chain, by_proof = ("refuted", "proved") if question.exists is None else ("proved", "refuted")
    if data["outcome"] == by_chain:
        finding = verify(data)
        where = ", ".join(f"{index} = {pair}" for index, pair in (finding.at or {}).items())
        sides = f"{side_text(finding.left)} against {side_text(finding.right)}"
        fails = "fails" if question.exists is None else "is met"
        kind = "refutation" if question.exists is None else "proof"
        return Verified(kind, (f"{data['claim']} {fails} at {where or 'the chain'}: {sides}",), WITNESS)
    if data["outcome"] != by_proof:
        raise KropeError(f"outcome must be proved or refuted to be verified; got {data['outcome']!r}")
    if not data.get("proof"):
        raise KropeError(f"proof must accompany the outcome {by_proof!r}; got none (ask again, with --json)")
    if not question.provable:
        got = f"gamma = {question.gamma}" if question.gamma == 1 else f"{', '.join(sorted(question.given)) or '!='}"
        raise KropeError(f"settings must be of a claim that proofs are about, on chains alone and gamma < 1; got {got}")
    theorem = data["proof"].get("theorem")
    if theorem not in ("operator", "small-model"):
        raise KropeError(f"theorem must be operator or small-model; got {theorem!r}")
    if theorem == "operator":
        kind = "proof" if question.exists is None else "refutation"
        return Verified(kind, (verify_definite(question, data["proof"]),), OPERATOR)
    n = recheck(question, data["proof"]["certificates"])
    count = f"{n} inequalit{'y' if n == 1 else 'ies'} proved"
    kind = "proof" if question.exists is None else "refutation"
    return Verified(kind, (f"{question.claim}, {_scope(question)}: {count}",), SMALL_MODEL)


def _worst(data: Mapping[str, Any]) -> Verified:
    """Both sides of a best constant: the proof that nothing exceeds it, and chains that come near."""
    require_agreement(data)
    says: list[str] = []
    trusted: tuple[str, ...] = ()
    if data.get("upper"):
        proved = verify_document(data["upper"])
        says, trusted = [*says, *proved.says], proved.trusted
    for chain in data.get("chains", ()):
        found = _conjecture(chain)
        says, trusted = [*says, *found.says], (*trusted, *(line for line in found.trusted if line not in trusted))
    if says and data["lower_bound"] is not None and not data["chains"]:
        says.append(f"not shown: the lower bound {data['lower_bound']}, for which the document has no chain")
    if not says:
        raise KropeError("the document must hold a proof or a chain; got neither")
    return Verified("proof" if data.get("upper") else "refutation", tuple(says), trusted)
