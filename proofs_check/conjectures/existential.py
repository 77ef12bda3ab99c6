"""Claims that there is a chain: a witness proves them, a proof of the opposite refutes them, else none was found."""

from dataclasses import replace

from proofs_check.conjectures.conjecture_verdict import ConjectureVerdict
from proofs_check.conjectures.tree import Claim

NOT_FOUND = "not found"


def existential(opposite: ConjectureVerdict, said: Claim) -> ConjectureVerdict:
    """The verdict on ``exists claim`` from that on its opposite about every chain.

    Args:
        opposite: the verdict on the opposite; its witness, if it has one, is what was asked for.
        said: the claim.

    Returns:
        "proved" with the witness, "refuted" with the certificates of the opposite, else "inconclusive".
    """
    if opposite.outcome == "refuted":
        return replace(opposite, outcome="proved", sign=said.comparisons[0].sign)
    if opposite.outcome == "proved":
        return replace(opposite, outcome="refuted", reason=f"there is none: {opposite.reason}")
    return replace(opposite, outcome="inconclusive", reason=f"{NOT_FOUND}: the opposite is {_words(opposite)}")


def _words(opposite: ConjectureVerdict) -> str:
    if opposite.outcome == "decided":
        return "what z3 says, without a certificate"
    return opposite.reason
