"""Comparisons as values: ``lhs <= rhs``, ``lhs < rhs`` or ``lhs == rhs``, entry by entry, with the size of the failure.

The entries are floats or rationals (python-flint's ``fmpq`` in object arrays); the same statement is judged on both.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """One comparison of two arrays that broadcast against each other.

    Attributes:
        lhs, rhs: the sides, arrays or numbers, float or rational.
        sign: "<=", "<" or "==".
        scale: size of the numbers that were added up, by which a float tolerance is multiplied.
        arbitrated: whether the statement says the same over the rationals, so that these can arbitrate a float failure.
        open: whether balls could not decide it; it neither holds nor fails, and is counted.

    >>> at_most([1.0, 3.0], 2.0).gap()
    1.0
    >>> equal([1.0, 3.0], [1.0, 2.5]).gap()
    0.5
    """

    lhs: Any
    sign: str
    rhs: Any
    scale: float = 1.0
    arbitrated: bool = True
    open: bool = False

    def gap(self) -> Any:
        """How far the relation is from holding: the largest ``lhs - rhs`` (its modulus for ``==``).

        Negative when an inequality has slack; NaN if any entry is NaN.
        """
        if isinstance(self.lhs, float) and isinstance(self.rhs, float):
            apart = float(self.lhs) - float(self.rhs)
            return abs(apart) if self.sign == "==" else apart
        difference = np.asarray(np.subtract(self.lhs, self.rhs))
        if difference.size == 0:
            return -1.0 if self.sign == "<" else 0.0
        if self.sign == "==":
            difference = np.asarray(np.abs(difference))
        largest = np.maximum.reduce(difference, axis=None)
        return float(largest) if difference.dtype.kind != "O" else largest

    def holds(self, tolerance: float) -> bool:
        """Whether the gap is within ``tolerance`` times the scale; without tolerance ``<`` is strict, NaN never holds.

        >>> below(1.0, 1.0).holds(0.0), below(1.0, 1.0).holds(1e-12), at_most(1.0, 1.0).holds(0.0)
        (False, True, True)
        """
        return self.allows(self.gap(), tolerance)

    def allows(self, gap: Any, tolerance: float) -> bool:
        """`holds` for a gap that is already known."""
        allowed = tolerance * self.scale if tolerance else 0
        return bool(gap < allowed if self.sign == "<" else gap <= allowed)

    def tightness(self, floor: float = 0.0) -> float:
        """Largest ``lhs / rhs`` over entries with a right side above ``floor``; NaN if there are none, or for ``==``.

        >>> at_most([1.0, 3.0], [4.0, 4.0]).tightness()
        0.75
        """
        if self.sign == "==":
            return float("nan")
        if isinstance(self.lhs, float) and isinstance(self.rhs, float):
            return float(self.lhs) / float(self.rhs) if self.rhs > floor else float("nan")
        lhs, rhs = _floats(self.lhs), _floats(self.rhs)
        if lhs.shape != rhs.shape:
            lhs, rhs = np.broadcast_arrays(lhs, rhs)
        there = rhs > floor
        ratios = lhs[there] / rhs[there]
        return float(np.maximum.reduce(ratios, axis=None)) if ratios.size else float("nan")


def at_most(lhs: Any, rhs: Any, scale: float = 1.0) -> Relation:
    """``lhs <= rhs`` in every entry."""
    return Relation(lhs, "<=", rhs, scale)


def below(lhs: Any, rhs: Any, scale: float = 1.0) -> Relation:
    """``lhs < rhs`` in every entry."""
    return Relation(lhs, "<", rhs, scale)


def equal(lhs: Any, rhs: Any, scale: float = 1.0) -> Relation:
    """``lhs == rhs`` in every entry."""
    return Relation(lhs, "==", rhs, scale)


def undecided() -> Relation:
    """A relation whose sides are enclosed in balls that overlap: it says nothing, for or against.

    >>> undecided().open, undecided().holds(0.0)
    (True, True)
    """
    return Relation(0, "<=", 0, open=True)


def float_only(relation: Relation) -> Relation:
    """The relation, said of floats only: a failure cannot be put before the rationals and has to count.

    >>> float_only(at_most(1.0, 2.0)).arbitrated
    False
    """
    return replace(relation, arbitrated=False)


def _floats(values: Any) -> Any:
    """An array of floats; rationals are rounded."""
    array = np.asarray(values)
    if array.dtype != object:
        return array
    return np.array([int(v.p) / int(v.q) if hasattr(v, "p") else float(v) for v in array.reshape(-1)]).reshape(
        array.shape
    )
