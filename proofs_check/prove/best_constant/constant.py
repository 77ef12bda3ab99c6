"""`best_constant`: the supremum of an expression over all chains, from below by a chain and from above by a proof.

The extremal point of the small model is climbed to at a few parameters. What the expression is there, as a function of
the parameters, is the guess; the small-model prover proves that nothing exceeds it. Where no guess can be proved, both
bounds are given at fixed parameters.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from flint import fmpq

from proofs_check.arithmetic.reals import decimal, divide, sign, subtract
from proofs_check.chains.case import Case
from proofs_check.chains.witness import witness_from_case
from proofs_check.conjectures.conjecture_verdict import ConjectureVerdict
from proofs_check.conjectures.judge import conjecture
from proofs_check.conjectures.parse import parse
from proofs_check.conjectures.tree import show
from proofs_check.prove.best_constant.chains import chain_at, refutation, value_on
from proofs_check.prove.best_constant.closed_form import quotient_at, text_of
from proofs_check.prove.best_constant.extremal import Extremal, climb, compatible, settings
from proofs_check.prove.best_constant.family import approached, growing
from proofs_check.prove.best_constant.ratio import ONE, Asked, read
from proofs_check.prove.best_constant.searched import largest_found
from proofs_check.prove.proof import check_certificate, load_certificate
from proofs_check.prove.small_model.curvature import Outside
from proofs_check.prove.small_model.decide import all_goals
from proofs_check.prove.small_model.prover import decide
from tabular_krope.errors import KropeError
from tabular_krope.looks import Tabled
from tabular_krope.models.model_grids import witness_grid
from tabular_krope.notebook_tables import Grid

#: Bounds that a stored certificate proves: expression, constant, slug without and with ``dim``.
CERTIFIED = {
    "norm / sqrt(gamma)": ("1", "rkhs-contraction", "truncation-stable"),
    "norm**2 / gamma": ("1", "rkhs-contraction", "truncation-stable"),
    "norm_data / sqrt(gamma)": ("1", "truncation-stable", "truncation-stable"),
    "norm_data**2 / gamma": ("1", "truncation-stable", "truncation-stable"),
}
#: By how much an upper bound may exceed the value found, tried in turn.
SLACKS = ("1", "1000001/1000000", "1001/1000", "101/100", "11/10", "3/2", "2", "4")
#: Limits that are tried as constants.
MOST_LIMITS = 8
#: How far below a constant a chain has to get.
NEARLY = "999/1000"


@dataclass(frozen=True, slots=True, eq=False)
class BestConstant(Tabled):
    """What is known about the supremum of an expression.

    Attributes:
        asked: the expression and the chains that it is about.
        status: "best" (both bounds agree), "bounds", "unbounded", or "lower bound" (no proof from above).
        upper: the upper bound as an expression in gamma, R, rho0 and rmin; empty if there is none.
        lower: the lower bound, likewise or as a number.
        why: a sentence.
        case: an exact chain that attains or approaches the lower bound.
        at: what the expression is on it.
        attained: whether the chain attains the bound.
        proof: the verdict on the upper bound, as a document; None if there is none.
        chains: documents, each a chain that exceeds a smaller constant.
        fixed: premises that were added because no closed form was found.
    """

    asked: Asked
    status: str
    upper: str
    lower: str
    why: str
    case: Case | None = None
    at: str = ""
    attained: bool = False
    proof: dict[str, Any] | None = None
    chains: tuple[dict[str, Any], ...] = ()
    fixed: tuple[str, ...] = ()

    def _table(self) -> tuple[str, dict[str, Any], Grid | None]:
        facts = {"status": self.status, "upper bound": self.upper or "-", "lower bound": self.lower or "-"}
        facts |= {"gap": self.gap, "because": self.why}
        return (
            f"sup of {self.asked.text}",
            facts,
            None if self.case is None else witness_grid(witness_from_case(self.case)),
        )

    @property
    def gap(self) -> str:
        """The gap between the bounds, relative to the lower one; "0" if they agree, "unknown" without an upper one."""
        if self.status == "best":
            return "0"
        slack, _, rest = self.upper.partition(" * ")
        if rest and rest == self.lower:
            top, bottom = _fraction(slack)
            return f"{(top - bottom) / bottom:.3g} of the lower bound"
        try:
            low, high = fmpq(*_fraction(self.lower)), fmpq(*_fraction(self.upper))
        except ValueError:
            return "unknown" if self.status != "unbounded" else "infinite"
        return f"{float((high - low).p) / float((high - low).q):.3g}"

    def as_json(self) -> dict[str, Any]:
        """Plain values for a file; ``krope verify`` checks the proof and the chains in it."""
        return {
            "kind": "worst",
            "expression": self.asked.text,
            "assume": list(self.asked.assume),
            "conservative": self.asked.conservative,
            "gamma": None if self.asked.gamma is None else str(self.asked.gamma),
            "dim": self.asked.dim,
            "status": self.status,
            "upper_bound": self.upper or None,
            "lower_bound": self.lower or None,
            "gap": self.gap,
            "why": self.why,
            "attained": self.attained,
            "at": self.at or None,
            "fixed": list(self.fixed),
            "upper": self.proof,
            "chains": list(self.chains),
        }


def _fraction(text: str) -> tuple[int, int]:
    top, _, bottom = text.partition("/")
    return int(top), int(bottom or 1)


def best_constant(
    text: str,
    assume: Iterable[str] = (),
    conservative: bool = False,
    gamma: Any = None,
    R: str | None = None,
    dim: int | None = None,
    seed: int = 0,
) -> BestConstant:
    """The supremum of an expression over all chains, pairs included.

    Args:
        text: the expression, such as ``"(q[x]-q[y])**2 / d[x,y]"``.
        assume: premises, as those of a conjecture.
        conservative: only chains in which no episode ends.
        gamma: only this discount factor; a function of it if None.
        R: only this divisor of the reward kernel, such as "rho0" or "2".
        dim: number of KROPE features that spectral quantities are about.
        seed: of what is random in the search.

    >>> best_constant("d[x,z] / (d[x,y] + d[y,z])").upper
    '2'
    """
    asked = read(text, assume, conservative, gamma, dim)
    if R is not None:
        try:
            asked = asked.narrowed(f"R == {R}")
            asked.claim("1")  # reads the premise
        except KropeError:
            raise KropeError(f"R must be rho0, a multiple of it or a number; got {R!r}") from None
    reason = _outside(asked)
    if reason:
        return _searched(asked, reason, seed)
    if not asked.claim("1").claim.indices:
        raise KropeError(
            f"expression must name a pair, such as q[x]: the parameters alone have no supremum; got {text!r}"
        )
    found = [x for s in settings(asked) if compatible(asked, s) and (x := climb(asked.narrowed(*s), seed)) is not None]
    if not found:
        found = [x for x in (climb(asked, seed),) if x is not None]
    for extremal in found:
        family = growing(asked, extremal)
        if family is not None:
            why = f"with {', '.join(family.moves)} it is {family.text}, which grows without bound as epsilon goes to 0"
            documents = tuple(document for *_, document in family.members)
            return BestConstant(asked, "unbounded", "", "", why, family.members[-1][1], chains=documents)
    for constant, extremal in _guesses(asked, found):
        verdict = _proved(asked, constant)
        if verdict is not None:
            return _best(asked, constant, extremal, verdict)
    return _bounds(asked, found)


def _outside(asked: Asked) -> str:
    """Why the theorem does not cover a quotient; empty if it does."""
    try:
        list(all_goals(asked.claim("1")))
    except Outside as reason:
        return str(reason)
    if asked.bottom != ONE:
        positive = decide(asked.question(f"{show(asked.bottom)} >= 0"))
        if positive.outcome not in ("proved", "decided"):
            return "the denominator may be negative"
    return ""


def _guesses(asked: Asked, found: list[Extremal]) -> Iterator[tuple[str, Extremal]]:
    """Closed forms at the extremal points, simplest first, then limits on ways into them, then the larger of two."""
    texts: dict[str, Extremal] = {}
    for extremal in found:
        ratio = quotient_at(asked, extremal)
        if ratio is not None:
            texts.setdefault(text_of(ratio), extremal)
    yield from sorted(texts.items(), key=lambda item: len(item[0]))
    limits = {text: near for extremal in found for text, near in approached(asked, extremal) if text not in texts}
    yield from sorted(limits.items(), key=lambda item: len(item[0]))[:MOST_LIMITS]
    for (one, extremal), (other, _) in combinations(texts.items(), 2):
        yield f"max({one}, {other})", extremal


def _proved(asked: Asked, constant: str) -> ConjectureVerdict | None:
    question = asked.claim(constant)
    decision = decide(question)
    if decision.outcome != "proved":
        return None
    return conjecture(str(question.claim), asked.assume, asked.conservative, asked.gamma, asked.dim)


def _best(asked: Asked, constant: str, extremal: Extremal, verdict: ConjectureVerdict) -> BestConstant:
    case = chain_at(asked, extremal.places, extremal.parameters)
    top, bottom = (value_on(asked, case, node) for node in (asked.top, asked.bottom))
    document = refutation(asked, case, f"{NEARLY} * ({constant})")
    bound = value_on(asked, case, parse(f"{constant} <= 1").comparisons[0].left)
    value = divide(top, bottom)
    attained = sign(subtract(value, bound)) == 0
    why = "nothing exceeds it, and the chain attains it" if attained else "nothing exceeds it, and the chain comes near"
    at = str(value) if isinstance(value, fmpq) else decimal(value, 12)
    documents = (document,) if document else ()
    return BestConstant(asked, "best", constant, constant, why, case, at, attained, verdict.as_json(), documents)


def _bounds(asked: Asked, found: list[Extremal]) -> BestConstant:
    """Both bounds at the first parameters that were tried."""
    if not found:
        return BestConstant(asked, "lower bound", "", "", "the expression is nowhere defined in the small model")
    extremal = found[0]
    fixed = next((s for s in settings(asked) if compatible(asked, s)), ())
    narrowed = asked.narrowed(*fixed)
    case = chain_at(asked, extremal.places, extremal.parameters)
    exact = divide(value_on(asked, case, asked.top), value_on(asked, case, asked.bottom))
    lower = str(exact) if isinstance(exact, fmpq) else decimal(exact, 12)
    document = refutation(narrowed, case, f"{NEARLY} * ({lower})")
    for slack in SLACKS:
        constant = str(fmpq(*_fraction(slack)) * exact) if isinstance(exact, fmpq) else f"{slack} * {lower}"
        verdict = _proved(narrowed, constant)
        if verdict is not None:
            why = "at these parameters; no closed form was found"
            return BestConstant(
                asked, "best" if slack == "1" else "bounds", constant, lower, why, case, lower, slack == "1",
                verdict.as_json(), (document,) if document else (), fixed,
            )  # fmt: skip
    why = "the largest value found at these parameters; no upper bound was proved"
    return BestConstant(asked, "lower bound", "", lower, why, case, lower, fixed=fixed)


def _searched(asked: Asked, reason: str, seed: int) -> BestConstant:
    """The search's lower bound beside an upper bound that a stored certificate proves, where there is one."""
    found = largest_found(asked, seed)
    lower, case = found if found is not None else ("", None)
    if asked.text in CERTIFIED:
        upper, whole, truncated = CERTIFIED[asked.text]
        slug = whole if asked.dim is None else truncated
        proof = check_certificate(load_certificate(slug))
        why = f"the upper bound is {slug}, by a certificate of {proof.steps} steps; the lower one is from a search"
        return BestConstant(asked, "bounds", upper, lower, why, case, lower, proof=load_certificate(slug))
    why = f"the largest value that was found, a lower bound: {reason}"
    return BestConstant(asked, "lower bound", "", lower, why, case, lower)
