r"""Float arrays that carry a bound on their rounding error, entry by entry.

Every operation adds the first-order effect of its operands' errors and half a unit in the last place of its result, so
that ``a - b > e`` means that the exact difference is positive as well, if the errors of the quantities put in are
honest. Nothing is certified by this: it tells a float violation from noise before exact arithmetic is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tabular_krope.arrays import Array

EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class Rounded:
    """Values with error bounds; both broadcast. An undefined entry (0/0, root of a negative number) is NaN.

    >>> third = Rounded.exact(1.0) / Rounded.exact(3.0)
    >>> float(third.value), bool(third.error < 1e-15)
    (0.3333333333333333, True)
    """

    value: Array
    error: Array

    @classmethod
    def exact(cls, value: Any) -> "Rounded":
        """Values that are right to the last place."""
        array = np.asarray(value, dtype=np.float64)
        return cls(array, EPS * np.abs(array))

    def __add__(self, other: "Rounded") -> "Rounded":
        return _rounded(self.value + other.value, self.error + other.error)

    def __sub__(self, other: "Rounded") -> "Rounded":
        return _rounded(self.value - other.value, self.error + other.error)

    def __mul__(self, other: "Rounded") -> "Rounded":
        spread = np.abs(self.value) * other.error + np.abs(other.value) * self.error + self.error * other.error
        return _rounded(self.value * other.value, spread)

    def __truediv__(self, other: "Rounded") -> "Rounded":
        room = np.abs(other.value) - other.error
        sure = room > 0  # a divisor that may be zero makes the entry undefined
        value = np.where(sure, self.value / np.where(sure, other.value, 1.0), np.nan)
        return _rounded(value, (self.error + np.abs(value) * other.error) / np.where(sure, room, 1.0))

    def __neg__(self) -> "Rounded":
        return Rounded(-self.value, self.error)

    def __abs__(self) -> "Rounded":
        return Rounded(np.abs(self.value), self.error)

    def power(self, n: int) -> "Rounded":
        """The ``n``-th power, ``n >= 0``."""
        result = Rounded.exact(np.ones_like(self.value))
        for _ in range(n):
            result = result * self
        return result

    def sqrt(self) -> "Rounded":
        """Square root; what may be a rounded zero counts as zero."""
        value = np.where(self.value < -self.error, np.nan, np.maximum(self.value, 0.0))
        root = np.sqrt(value)
        spread = np.maximum(np.sqrt(value + self.error) - root, root - np.sqrt(np.maximum(value - self.error, 0.0)))
        return _rounded(root, spread)

    def exp(self) -> "Rounded":
        """Exponential; an overflow is undefined."""
        value = np.exp(self.value)
        return _rounded(np.where(np.isinf(value), np.nan, value), value * np.expm1(np.minimum(self.error, 1.0)))

    def log(self) -> "Rounded":
        """Natural logarithm; undefined where the argument may be zero or less."""
        value = np.where(self.value > self.error, self.value, np.nan)
        return _rounded(np.log(value), -np.log1p(-self.error / value))

    def total(self, axis: int) -> "Rounded":
        """Sum along an axis, which is kept."""
        n = self.value.shape[axis]
        size = np.sum(np.abs(self.value), axis=axis, keepdims=True)
        spread = np.sum(self.error, axis=axis, keepdims=True) + n * EPS * size
        return Rounded(np.sum(self.value, axis=axis, keepdims=True), spread)

    def extreme(self, name: str, axis: int) -> "Rounded":
        """Least ("min") or largest ("max") entry along an axis, which is kept."""
        pick = np.min if name == "min" else np.max
        return Rounded(pick(self.value, axis=axis, keepdims=True), np.max(self.error, axis=axis, keepdims=True))


def extreme_of(name: str, parts: Sequence[Rounded]) -> Rounded:
    """Entry-wise least ("min") or largest ("max") of several arrays."""
    pick = np.minimum if name == "min" else np.maximum
    value, error = parts[0].value, parts[0].error
    for part in parts[1:]:
        value, error = pick(value, part.value), np.maximum(error, part.error)
    return Rounded(value, error)


def _rounded(value: Array, error: Array) -> Rounded:
    # The last factor covers the rounding of the bound itself.
    return Rounded(value, (error + EPS * np.abs(value)) * (1.0 + 8.0 * EPS))
