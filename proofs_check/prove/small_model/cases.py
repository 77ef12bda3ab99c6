"""Premises with a modulus, maximum or minimum of parameters, taken apart: one question for each sign."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

from proofs_check.conjectures.question import Question
from proofs_check.conjectures.tree import Claim, Comparison, Node, Number, Operation, walk
from proofs_check.prove.small_model.curvature import FIXED
from proofs_check.prove.small_model.parameter_conditions import straightened

#: Questions that one is taken apart into.
MOST_CASES = 16
BENT = ("abs", "max", "min")


def cases(question: Question) -> tuple[Question, ...]:
    """Questions that together say what a question says, with fewer bent premises; the question alone if there are none.

    >>> from proofs_check.conjectures.question import ask
    >>> for case in cases(ask("U[x,y] > 1", ["2*abs(r[x]-r[y]) > 2"])):
    ...     print(*case.premises, sep=", ")
    2 * (r[x] - r[y]) > 2, r[x] - r[y] >= 0
    2 * -(r[x] - r[y]) > 2, r[x] - r[y] <= 0
    """
    ways: list[list[tuple[Claim, ...]]] = [[(premise,)] for premise in question.premises]
    for i, premise in enumerate(question.premises):
        own = set(premise.indices) <= set(question.claim.indices)  # else every pair has a sign of its own
        if own and not premise.bound and premise.names <= FIXED:
            parts = [part for comparison in premise.comparisons for part in straightened(comparison)]
            if any(_bent(comparison) for comparison in parts):
                ways[i] = [tuple(Claim("", (part,)) for part in case) for case in _unbent(parts)]
    total = 1
    for way in ways:
        total *= len(way)
    if total == 1 or total > MOST_CASES:
        return (question,)
    return tuple(replace(question, premises=tuple(p for part in chosen for p in part)) for chosen in product(*ways))


def _bent(comparison: Comparison) -> list[Operation]:
    """The bent nodes of a comparison."""
    nodes = (node for side in (comparison.left, comparison.right) for node in walk(side))
    return [node for node in nodes if isinstance(node, Operation) and node.name in BENT]


def _unbent(comparisons: Sequence[Comparison]) -> Iterator[tuple[Comparison, ...]]:
    """Comparisons without bent nodes, once for each part that such a node may take."""
    node = next((node for comparison in comparisons for node in _bent(comparison)), None)
    if node is None:
        yield tuple(comparisons)
        return
    for value, conditions in _ways(node):
        flat = [Comparison(_put(c.left, {node: value}), c.sign, _put(c.right, {node: value})) for c in comparisons]
        yield from _unbent((*flat, *conditions))


def _ways(node: Operation) -> Iterator[tuple[Node, tuple[Comparison, ...]]]:
    """What a bent node may be, and when."""
    if node.name == "abs":
        (inner,) = node.parts
        yield inner, (Comparison(inner, ">=", Number(Fraction(0))),)
        yield Operation("neg", (inner,)), (Comparison(inner, "<=", Number(Fraction(0))),)
        return
    sign = ">=" if node.name == "max" else "<="
    for i, part in enumerate(node.parts):
        yield part, tuple(Comparison(part, sign, other) for j, other in enumerate(node.parts) if j != i)


def _put(node: Node, values: Mapping[Node, Node]) -> Node:
    """A tree with others in place of some of its nodes."""
    if node in values:
        return values[node]
    if isinstance(node, Operation):
        return replace(node, parts=tuple(_put(part, values) for part in node.parts))
    return node
