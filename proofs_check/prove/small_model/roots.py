r"""Inequalities with square roots, as inequalities without.

``sum_i Q_i sqrt(A_i) >= 0`` follows from all ``Q_i >= 0``; and if only ``Q_1`` may be negative, from
``sum_{i>1} Q_i^2 A_i >= Q_1^2 A_1``, since the square of a sum of non-negative terms is at least the sum of squares.
With two other terms ``u`` and ``v`` it also follows from ``P_1^2 <= u^2`` and ``P_2^2 <= v^2`` for any ``P_1 + P_2``
that is the first one. Triangle inequalities split so: ``P_1`` is the first term with one pair in the place of another.
"""

from collections.abc import Iterator
from itertools import permutations

from proofs_check.prove.small_model.ring import ONE, ZERO, Ratio, substitute, used, variable
from proofs_check.prove.small_model.surds import Surd

#: A quotient that has to be at least 0, or above 0.
Condition = tuple[Ratio, bool]


def alternatives(value: Surd, strict: bool) -> list[list[Condition]]:
    """Sets of conditions, each of which is enough for an expression to be at least 0 (above 0)."""
    items = sorted(value.parts.items(), key=lambda item: (len(item[0]), sorted(item[0])))
    zero = Ratio(ZERO, ONE)
    if not items:
        return [[(zero, strict)]]
    if len(items) == 1:
        ((roots, Q),) = items
        rooted = [(value.table.product(roots), True)] if strict and roots else []
        return [[(Q, strict), *rooted]]
    found: list[list[Condition]] = [] if strict else [[(Q, False) for _, Q in items]]
    squares = [Q * Q * value.table.product(roots) for roots, Q in items]
    for k in range(len(items)):
        others = [i for i in range(len(items)) if i != k]
        signs = [(items[i][1], False) for i in others]
        rest = -squares[k]
        for i in others:
            rest = rest + squares[i]
        found.append([*signs, (rest, strict)])
        if len(others) == 2 and not items[k][0] and not strict:
            one, two = (squares[i] for i in others)
            pairs = {int(name[1:]) for square in squares for name in used(square.top) if name[0] == "b"}
            for first in _split(items[k][1], pairs):
                second = items[k][1] - first
                found.append([*signs, (one - first * first, False), (two - second * second, False)])
    return found


def _split(P: Ratio, pairs: set[int]) -> Iterator[Ratio]:
    """A term with one of the pairs in the place of another, in every way that changes it."""
    for y, z in permutations(sorted(pairs), 2):
        if f"b{y}" in used(P.top):
            moved = {f"{letter}{y}": variable(f"{letter}{z}") for letter in "gbc"}
            yield Ratio.of(substitute(P.top, moved), P.bottom)
