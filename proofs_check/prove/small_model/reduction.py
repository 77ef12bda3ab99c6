r"""From a claim to polynomial inequalities: one for each order of the rewards, sign of a parameter and branch of a max.

A goal is met when all problems of one of its alternatives are solved.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from typing import Any

from proofs_check.conjectures.question import Question
from proofs_check.conjectures.tree import Comparison, Named, Node, Number, Operation, walk
from proofs_check.prove.small_model import roots
from proofs_check.prove.small_model.curvature import Outside, Shape, shape_of, varies
from proofs_check.prove.small_model.problem import Problem
from proofs_check.prove.small_model.quantities import SmallModel
from proofs_check.prove.small_model.region import Chart, Region
from proofs_check.prove.small_model.ring import ONE, Polynomial, Ratio, constant, degree, substitute, used, variable
from proofs_check.prove.small_model.signs import polynomial_sign
from proofs_check.prove.small_model.surds import Nested, Surd, Table

#: Branches that one comparison may have.
MOST_BRANCHES = 512
Branch = Mapping[Node, int]
Conditions = list[tuple[Polynomial, bool]]


class Split(Exception):
    """The sign of a parameter is needed and not known."""

    def __init__(self, p: Polynomial) -> None:
        self.p = p


class Void(Exception):
    """A side is undefined throughout."""


@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """Sets of problems, any one of which proves a branch of the claim."""

    alternatives: tuple[tuple[Problem, ...], ...]


@dataclass(slots=True)
class Evaluation:
    """One walk over a tree in raw variables.

    Attributes:
        model: the small model with the order of rewards.
        region: what is known about the parameters.
        pairs: number of the pair that each index stands for.
        branch: which part each ``abs``, ``max`` or ``min`` of quantities takes.
    """

    model: SmallModel
    region: Region
    chart: Chart
    pairs: Mapping[str, int]
    branch: Branch = field(default_factory=dict)
    table: Table = field(default_factory=Table)

    def __call__(self, node: Node) -> Surd:
        """The value of a tree."""
        if isinstance(node, Number):
            return Surd.of(self.table, Ratio(constant(node.value), ONE))
        if isinstance(node, Named):
            return Surd.of(self.table, self.model.value(node.name, tuple(self.pairs[i] for i in node.indices)))
        assert isinstance(node, Operation)
        if node.name in ("abs", "max", "min"):
            return self._bent(node)
        parts = [self(part) for part in node.parts]
        if node.name in "+-":
            return parts[0] + (parts[1] if node.name == "+" else -parts[1])
        if node.name == "neg":
            return -parts[0]
        if node.name == "*":
            return parts[0] * parts[1]
        if node.name == "/":
            if not parts[1].parts:
                raise Void
            return parts[0] * parts[1].inverse()
        if node.name == "sqrt":
            return parts[0] if parts[0].plain.top.is_zero() else parts[0].root()
        assert node.name == "power"
        result = Surd.of(self.table, Ratio(ONE, ONE))
        for _ in range(node.exponent):
            result = result * parts[0]
        return result

    def _bent(self, node: Operation) -> Surd:
        if node in self.branch:
            chosen = self.branch[node]
            if node.name == "abs":
                inner = self(node.parts[0])
                return inner if chosen == 0 else -inner
            return self(node.parts[chosen])
        parts = [self(part) for part in node.parts]
        if node.name == "abs":
            (inner,) = parts
            return inner if self.sign(inner.plain) >= 0 else -inner
        best = parts[0]
        for part in parts[1:]:
            larger = self.sign((best + -part).plain) >= 0
            best = best if larger == (node.name == "max") else part
        return best

    def sign(self, ratio: Ratio) -> int:
        """The sign of a parameter; raises `Split` if it is not the same everywhere."""
        total = 1
        for p in (ratio.top, ratio.bottom):
            if "h" in used(p):
                total *= self._sign_with_horizon(p)
                continue
            found = polynomial_sign(self.chart.problem(p))
            total *= self._sign_by_factors(p) if found is None else found
        return total

    def _sign_with_horizon(self, p: Polynomial) -> int:
        """The sign of what depends on ``h``, which lies between 0 and 1: each factor has it at both ends."""
        content, factors = p.factor()
        total = 1 if content > 0 else -1
        for factor, exponent in factors:
            if exponent % 2:
                ends = [substitute(factor, {"h": end}) for end in (ONE - ONE, ONE)]
                low, high = (polynomial_sign(self.chart.problem(end)) for end in ends)
                if degree(factor, ["h"]) > 1 or low is None or high is None or low * high < 0:
                    raise Outside("where horizon lies is needed, which is not treated when episodes may end")
                total *= low or high
        return total

    def _sign_by_factors(self, p: Polynomial) -> int:
        content, factors = p.factor()
        total = 1 if content > 0 else -1
        for factor, exponent in factors:
            if exponent % 2:
                known = [sign for sign in (1, -1) if any(sign * factor == g for g in self.region.constraints)]
                found = known[0] if known else polynomial_sign(self.chart.problem(factor))
                if found is None:
                    raise Split(factor)
                total *= found
        return total


def orders(comparison: Comparison, pairs: Mapping[str, int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every order of the rewards of pairs that are compared: groups, each from the least reward up."""
    groups: list[set[int]] = []
    for side in (comparison.left, comparison.right):
        for node in walk(side):
            together = set()
            if isinstance(node, Named) and node.name in ("U", "K", "K1", "d"):
                together = {pairs[i] for i in node.indices}
            elif isinstance(node, Operation) and node.name in ("abs", "max", "min") and not varies(node):
                together = {pairs[i] for part in walk(node) if isinstance(part, Named) for i in part.indices}
            if len(together) > 1:
                near = [group for group in groups if group & together]
                groups = [group for group in groups if not group & together] + [together.union(*near)]
    yield from product(*(permutations(sorted(group)) for group in groups))


def branches(node: Node, sign_of: Any) -> Iterator[dict[Node, int]]:
    """Every choice for ``abs``, ``max`` and ``min`` of quantities."""
    bent: dict[Node, int] = {}
    for part in walk(node):
        if isinstance(part, Operation) and part.name in ("abs", "max", "min") and varies(part):
            bent[part] = len(part.parts) if part.name != "abs" else _ways(shape_of(part.parts[0], sign_of))
    total = 1
    for n in bent.values():
        total *= abs(n)
    if total > MOST_BRANCHES:
        raise Outside(f"it has {total} branches; at most {MOST_BRANCHES} are tried")
    for chosen in product(*(range(n) if n > 0 else (1,) for n in bent.values())):
        yield dict(zip(bent, chosen, strict=True))


def _ways(shape: Shape) -> int:
    """2 if an absolute value may take either sign; 1 (or -1) if it is what it is of (or its negative)."""
    return 2 if shape.flat else 1 if shape.sign == 1 else -1


def goals(question: Question, comparison: Comparison, region: Region, sign_of: Any, flat: bool) -> Iterator[Goal]:
    """Everything that has to be shown for one comparison; ``flat`` for R = 0 instead of R > 0."""
    small, large = comparison.left, comparison.right
    if comparison.sign in (">=", ">"):
        small, large = large, small
    strict = comparison.sign in ("<", ">")
    ways = [(small, large)] if comparison.sign != "==" else [(small, large), (large, small)]
    pairs = {name: i for i, name in enumerate(question.claim.indices)}
    for less, more in ways:
        difference = Operation("-", (more, less))
        for branch in branches(difference, sign_of):
            if flat:
                part = region.flat()
                yield from _cells(difference, SmallModel(question.conservative, {}, True), part, pairs, branch, strict)
                continue
            for order in orders(comparison, pairs):
                rank = {i: place for group in order for place, i in enumerate(group)}
                model = SmallModel(question.conservative, rank)
                part = replace(region, orders=order)
                yield from _cells(difference, model, part, pairs, branch, strict)


def _cells(
    difference: Node,
    model: SmallModel,
    region: Region | None,
    pairs: Mapping[str, int],
    branch: Branch,
    strict: bool,
    depth: int = 0,
) -> Iterator[Goal]:
    if region is None:
        return
    for part in _factored(region, depth):
        yield from _cells(difference, model, part, pairs, branch, strict, depth + 1)
        region = None
    if region is None:
        return
    chart = region.chart(scaled=strict and not model.flat)
    if chart is None:
        return
    evaluation = Evaluation(model, region, chart, pairs, branch)
    try:
        yield _goal(evaluation, difference, strict)
    except Split as split:
        if depth >= 6:
            raise Outside("the signs of too many parameters matter") from None
        for sign in (1, -1):
            part = region.where(sign * split.p)
            yield from _cells(difference, model, part, pairs, branch, strict, depth + 1)
    except Void:
        return
    except Nested:
        raise Outside("roots of roots, or of sums with roots, are not treated") from None


def _factored(region: Region, depth: int) -> Iterator[Region | None]:
    """The parts of a region by the sign of a factor, where a constraint is a product; nothing if none is."""
    for g in region.constraints:
        factors = [factor for factor, exponent in g.factor()[1] if exponent % 2]
        if len(factors) < 2 or depth >= 6:
            continue
        rest = replace(region, constraints=tuple(other for other in region.constraints if other is not g))
        first = factors[0]
        for sign in (1, -1):
            part = rest.where(sign * first)
            yield None if part is None else part.where(sign * (g / first))
        return


def _goal(evaluation: Evaluation, difference: Node, strict: bool) -> Goal:
    value = evaluation(difference)
    alternatives = []
    for ratios in roots.alternatives(value, strict):
        polynomials = []
        for ratio, above in ratios:
            sign = evaluation.sign(Ratio(ratio.bottom, ONE))
            polynomials.append((ratio.top if sign >= 0 else -ratio.top, above))
        alternatives.append(polynomials)
    if not evaluation.model.conservative:
        alternatives = list(_without_horizon(evaluation, alternatives))
    radicands = [radicand.top * radicand.bottom for radicand in value.table.radicands]
    fixed = [p for p in radicands if not moves(p)]
    chart = evaluation.chart
    if fixed:  # where the root of a parameter is undefined nothing is claimed
        known = tuple(chart.problem(p).goal for p in fixed)
        chart = replace(chart, shape=replace(chart.shape, constraints=(*chart.shape.constraints, *known)))
    moving = [(p, False) for p in radicands if moves(p)]
    return Goal(tuple(tuple(chart.problem(*part) for part in (*parts, *moving)) for parts in alternatives))


def moves(p: Polynomial) -> bool:
    """Whether a polynomial depends on where the pairs go."""
    return any(name[0] in "bc" for name in used(p))


def _without_horizon(evaluation: Evaluation, alternatives: list[Conditions]) -> Iterator[Conditions]:
    """Conditions without ``h``, which lies between the share of life of every pair and 1.

    A condition that grows with ``h`` is shown with a smaller value in its place: the life of one pair, the mean of all,
    or nothing. That of a pair keeps the condition concave only if what multiplies ``h`` is a parameter.
    """
    k = evaluation.region.k
    lives = [variable(f"b{i}") + variable(f"c{i}") for i in range(1, k + 1)]
    low = [*lives, *([sum(lives, ONE - ONE) / k] if k > 1 else []), ONE - ONE]
    for conditions in alternatives:
        if not any("h" in used(p) for p, _ in conditions):
            yield conditions
            continue
        if len(conditions) > 1 or degree(conditions[0][0], ["h"]) > 1:
            raise Outside("horizon under a root or power is not treated when episodes may end")
        ((p, above),) = conditions
        slope = p.derivative("h")
        if moves(slope):
            raise Outside("horizon times a quantity is not treated when episodes may end")
        sign = evaluation.sign(Ratio(slope, ONE))
        for share in low if sign > 0 else [ONE]:
            yield [(substitute(p, {"h": share}), above)]
