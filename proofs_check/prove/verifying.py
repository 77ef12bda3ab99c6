"""`verify_document`: check a stored proof or refutation again, from what is in its file and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from proofs_check.conjectures.matrix_judge import verify_definite
from proofs_check.conjectures.question import Question, ask
from proofs_check.conjectures.witnesses import side_text, verify
from proofs_check.prove.proof import check_certificate
from proofs_check.prove.small_model.recheck import recheck
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
    "the checker of certificates (proofs_check/prove/kernel.py) and the lemmas behind its rules",
    "not trusted: the finder of the certificate",
)
_BAD = (KeyError, TypeError, ValueError, AttributeError, IndexError)


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


def verify_document(data: Any) -> Verified:
    """What a verdict of ``krope conjecture --json``, an answer of ``krope worst --json`` or a certificate establishes.

    Raises:
        KropeError: it establishes nothing, with the reason.

    >>> from proofs_check.conjectures.judge import conjecture
    >>> verify_document(conjecture("life[x] >= 1").as_json()).says
    ('life[x] >= 1, for every chain of every size: 2 inequalities proved',)
    """
    if not isinstance(data, Mapping):
        raise KropeError(f"the document must be a JSON object; got {type(data).__name__}")
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
    proof = check_certificate(data)
    says = (f"{proof.slug}, for matrices of every size", *(f"  {line}" for line in proof.conclusions))
    given = tuple(f"hypothesis: {line}" for line in proof.hypotheses)
    about = (
        () if proof.statement else ("that the hypotheses are what the claim means: no statement of that name exists",)
    )
    return Verified("proof", says, (*OPERATOR, *about, *((proof.trusted,) if proof.trusted else ()), *given))


def _question(data: Mapping[str, Any]) -> Question:
    settings = data["settings"]
    return ask(
        data["claim"],
        data["assume"],
        settings["conservative"],
        settings["gamma"],
        settings["dim"],
        settings.get("features"),
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
    if data["outcome"] != by_proof or not data.get("proof") or not question.provable:
        raise KropeError(f"outcome must be proved or refuted to be verified; got {data['outcome']!r}")
    if data["proof"].get("theorem") == "operator":
        kind = "proof" if question.exists is None else "refutation"
        return Verified(kind, (verify_definite(question, data["proof"]),), OPERATOR)
    n = recheck(question, data["proof"]["certificates"])
    count = f"{n} inequalit{'y' if n == 1 else 'ies'} proved"
    kind = "proof" if question.exists is None else "refutation"
    return Verified(kind, (f"{question.claim}, {_scope(question)}: {count}",), SMALL_MODEL)


def _worst(data: Mapping[str, Any]) -> Verified:
    """Both sides of a best constant: the proof that nothing exceeds it, and chains that come near."""
    says: list[str] = []
    trusted: tuple[str, ...] = ()
    if data.get("upper"):
        proved = verify_document(data["upper"])
        says, trusted = [*says, *proved.says], proved.trusted
    for chain in data.get("chains", ()):
        found = _conjecture(chain)
        says, trusted = [*says, *found.says], (*trusted, *(line for line in found.trusted if line not in trusted))
    if not says:
        raise KropeError("the document must hold a proof or a chain; got neither")
    return Verified("proof" if data.get("upper") else "refutation", tuple(says), trusted)
