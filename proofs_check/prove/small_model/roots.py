r"""Inequalities with square roots, as inequalities without.

``sum_i Q_i sqrt(A_i) >= 0`` follows from all ``Q_i >= 0``; and if only ``Q_1`` may be negative, from
``sum_{i>1} Q_i^2 A_i >= Q_1^2 A_1``. With two other terms ``u = Q_2^2 A_2``, ``v = Q_3^2 A_3`` it is enough that
``4 u v >= (u + v - Q_1^2 A_1)^2``, since ``(sqrt u + sqrt v)^2 = u + v + 2 sqrt(u v)``.
"""

from flint import fmpq

from proofs_check.prove.small_model.ring import ONE, ZERO, Ratio, constant
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
        if len(others) == 2:
            four = Ratio(constant(fmpq(4)), ONE)
            found.append([*signs, (four * squares[others[0]] * squares[others[1]] - rest * rest, strict)])
    return found
