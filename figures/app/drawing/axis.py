"""One axis of a chart: from numbers to places, with ticks that are round numbers or powers of ten."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, isnan, log10

SUPERSCRIPT = str.maketrans("-0123456789", "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis.

    Attributes:
        label: what is measured.
        low, high: its ends.
        log: whether equal factors are equally far apart; ``low`` is positive then.
        ticks: marked numbers; round ones are chosen if None.
        words: how the ticks are written; their numbers if None.
    """

    label: str
    low: float
    high: float
    log: bool = False
    ticks: Sequence[float] | None = None
    words: Sequence[str] | None = None

    def share(self, value: float) -> float:
        """Where a number lies between the ends: 0 at the lower one, 1 at the upper one, cut off well outside.

        >>> Axis("t", 0, 10).share(5), Axis("t", 1, 100, log=True).share(10), Axis("t", 0, 1).share(float("inf"))
        (0.5, 0.5, 3.0)
        """
        if isnan(value):
            return 3.0
        if self.log:
            value = max(value, 1e-300)
            found = (log10(min(value, 1e300)) - log10(self.low)) / (log10(self.high) - log10(self.low))
        else:
            found = (value - self.low) / (self.high - self.low)
        return min(max(found, -2.0), 3.0)

    def marks(self, most: int) -> list[tuple[float, str]]:
        """Up to about ``most`` ticks with their words.

        >>> Axis("t", 0, 1).marks(4)
        [(0.0, '0'), (0.5, '0.5'), (1.0, '1')]
        """
        if self.ticks is not None:
            words = [f"{tick:g}" for tick in self.ticks] if self.words is None else list(self.words)
            every = -(-len(words) // max(most, 2)) if len(words) > 1.5 * most else 1
            return list(zip(self.ticks, words, strict=True))[::every]
        if self.log:
            first, last = floor(log10(self.low) + 1 - 1e-9), floor(log10(self.high) + 1e-9)
            every = max(1, -(-(last - first) // max(most, 2)))
            return [(10.0**k, power(k)) for k in range(first, last + 1) if k % every == 0]
        step = round_step((self.high - self.low) / max(most, 2))
        first = -floor(-self.low / step + 1e-9)
        last = floor(self.high / step + 1e-9)
        return [(k * step, f"{round(k * step, 12):g}".replace("-", "\u2212")) for k in range(first, last + 1)]


def round_step(rough: float) -> float:
    """The least of 1, 2, 5 times a power of ten that is not below ``rough``.

    >>> round_step(0.13), round_step(3.0), round_step(1.0)
    (0.2, 5.0, 1.0)
    """
    base = 10.0 ** floor(log10(rough))
    return float(next(f"{m * base:.12g}" for m in (1, 2, 5, 10) if m * base >= rough * (1 - 1e-9)))


def power(k: int) -> str:
    """A power of ten as it is printed.

    >>> power(-3), power(0), power(1)
    ('10\u207b\u00b3', '1', '10')
    """
    return {0: "1", 1: "10"}.get(k, "10" + str(k).translate(SUPERSCRIPT))
