"""Premises about rewards, discount and reward range, as conditions on the parameters."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from proofs_check.conjectures.question import Question
from proofs_check.conjectures.tree import Claim, Comparison, Operation, walk
from proofs_check.prove.small_model.curvature import FIXED
from proofs_check.prove.small_model.quantities import HIGH, LOW, SmallModel
from proofs_check.prove.small_model.reduction import Evaluation, Split, Void
from proofs_check.prove.small_model.region import Region
from proofs_check.prove.small_model.ring import ONE, Polynomial, Ratio, used
from proofs_check.prove.small_model.surds import Nested


def region_of(question: Question) -> tuple[Region | None, tuple[Claim, ...]]:
    """The parameters that a question is about, None if there are none; and the premises that it leaves aside."""
    indices = question.claim.indices
    region: Region | None = Region(len(indices), question.conservative).fixed(question.gamma)
    aside = []
    for premise in question.premises:
        comparisons = [part for comparison in premise.comparisons for part in straightened(comparison)]
        if not _about_parameters(premise, comparisons, question.conservative):
            aside.append(premise)
            continue
        for pairs in _instances(premise, indices):
            for comparison in comparisons:
                try:
                    for p, strict in _conditions(comparison, pairs, region):
                        region = None if region is None else region.where(p, strict)
                except (Split, Void, Nested):
                    aside.append(premise)
                if region is None:
                    return None, ()
    return region, tuple(dict.fromkeys(aside))


def straightened(comparison: Comparison) -> Iterator[Comparison]:
    """A comparison without a modulus or maximum on its small side and a minimum on its large one: as several.

    >>> from proofs_check.conjectures.parse import parse
    >>> from proofs_check.conjectures.tree import show
    >>> parts = straightened(parse("1 >= abs(rmin)").comparisons[0])
    >>> [f"{show(part.left)} {part.sign} {show(part.right)}" for part in parts]
    ['rmin <= 1', '-rmin <= 1']
    """
    small, sign, large = comparison.ordered
    parts: list[Comparison] = []
    if sign in ("<=", "<") and isinstance(small, Operation) and small.name in ("abs", "max"):
        sides = (*small.parts, Operation("neg", small.parts)) if small.name == "abs" else small.parts
        parts = [Comparison(side, sign, large) for side in sides]
    elif sign in ("<=", "<") and isinstance(large, Operation) and large.name == "min":
        parts = [Comparison(small, sign, side) for side in large.parts]
    yield from (further for part in parts for further in straightened(part))
    if not parts:
        yield comparison


def _about_parameters(premise: Claim, comparisons: Sequence[Comparison], conservative: bool) -> bool:
    fixed = FIXED if conservative else FIXED - {"horizon"}
    nodes = (node for comparison in comparisons for side in (comparison.left, comparison.right) for node in walk(side))
    bent = any(isinstance(node, Operation) and node.name in ("abs", "max", "min") for node in nodes)
    return premise.names <= fixed - {"K1", "I"} and not premise.bound and not bent


def _instances(premise: Claim, indices: tuple[str, ...]) -> Iterator[Mapping[str, int]]:
    """Pairs for the indices of a premise: those of the claim are its own, any other one runs over all pairs."""
    own = {name: i for i, name in enumerate(indices)}
    foreign = [name for name in premise.indices if name not in own]
    for chosen in product((LOW, HIGH, *range(len(indices))), repeat=len(foreign)):
        yield own | dict(zip(foreign, chosen, strict=True))


def _conditions(
    comparison: Comparison, pairs: Mapping[str, int], region: Region | None
) -> Iterator[tuple[Polynomial, bool]]:
    assert region is not None
    chart = region.chart()
    if chart is None:
        return
    model = SmallModel(region.conservative, dict.fromkeys(range(region.k), 0))
    evaluation = Evaluation(model, region, chart, pairs)
    small, large = comparison.left, comparison.right
    if comparison.sign in (">=", ">"):
        small, large = large, small
    value = evaluation(Operation("-", (large, small))).plain
    sign = evaluation.sign(Ratio(value.bottom, ONE))
    p, bottom = (value.top, value.bottom) if sign >= 0 else (-value.top, -value.bottom)
    if not _surely_positive(bottom):  # a premise that is undefined is not met
        yield bottom, True
    yield p, comparison.sign in ("<", ">")
    if comparison.sign == "==":
        yield -p, False


def _surely_positive(p: Polynomial) -> bool:
    """Whether a polynomial in raw variables is a positive number plus terms that are at least 0."""
    terms = p.to_dict()
    positive = all(value >= 0 for value in terms.values()) and "lo" not in used(p)
    return positive and any(not any(powers) for powers in terms)
