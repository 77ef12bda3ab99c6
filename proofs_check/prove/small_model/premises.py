"""Premises about rewards, discount and reward range, as conditions on the parameters."""

from collections.abc import Iterator, Mapping
from itertools import product

from proofs_check.conjectures.question import Question
from proofs_check.conjectures.tree import Claim, Comparison, Operation
from proofs_check.prove.small_model.curvature import FIXED
from proofs_check.prove.small_model.quantities import HIGH, LOW, SmallModel
from proofs_check.prove.small_model.reduction import Evaluation, Split, Void
from proofs_check.prove.small_model.region import Region
from proofs_check.prove.small_model.ring import ONE, Polynomial, Ratio
from proofs_check.prove.small_model.surds import Nested


def region_of(question: Question) -> tuple[Region | None, tuple[Claim, ...]]:
    """The parameters that a question is about, None if there are none; and the premises that it leaves aside."""
    indices = question.claim.indices
    region: Region | None = Region(len(indices), question.conservative).fixed(question.gamma)
    aside = []
    for premise in question.premises:
        if not _about_parameters(premise, question.conservative):
            aside.append(premise)
            continue
        for pairs in _instances(premise, indices):
            for comparison in premise.comparisons:
                try:
                    for p, strict in _conditions(comparison, pairs, region):
                        region = None if region is None else region.where(p, strict)
                except (Split, Void, Nested):
                    aside.append(premise)
                if region is None:
                    return None, ()
    return region, tuple(dict.fromkeys(aside))


def _about_parameters(premise: Claim, conservative: bool) -> bool:
    fixed = FIXED if conservative else FIXED - {"horizon"}
    bent = any(isinstance(node, Operation) and node.name in ("abs", "max", "min") for node in premise.nodes())
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
    p = value.top if sign >= 0 else -value.top
    yield p, comparison.sign in ("<", ">")
    if comparison.sign == "==":
        yield -p, False
