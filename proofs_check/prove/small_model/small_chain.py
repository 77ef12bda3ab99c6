r"""The chain of a point of the small model: the pairs of the claim, and two absorbing pairs.

x_1 (r_1) --b_1--> low  (rmin), for ever          x_i ends with probability 1 - b_i - c_i
    |     --c_1--> high (rmax), for ever
x_2 (r_2) --b_2--> low,  --c_2--> high
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the small model, in rationals.

    Attributes:
        w: gamma/(1 - gamma).
        lo, rho, t: rmin, rho0 and R - rho0.
        places: (r_i - rmin)/rho0 of each pair.
        low, high: probabilities of going to the least and to the largest reward.
    """

    w: fmpq
    lo: fmpq
    rho: fmpq
    t: fmpq
    places: tuple[fmpq, ...]
    low: tuple[fmpq, ...]
    high: tuple[fmpq, ...]

    @classmethod
    def of(cls, raw: Mapping[str, fmpq], k: int, conservative: bool) -> "Point":
        """From raw variables by name."""
        low = tuple(raw[f"b{i}"] for i in range(1, k + 1))
        high = tuple(1 - b for b in low) if conservative else tuple(raw[f"c{i}"] for i in range(1, k + 1))
        places = tuple(raw[f"g{i}"] for i in range(1, k + 1))
        return cls(raw["w"], raw["lo"], raw["rho"], raw["t"], places, low, high)


def chain(point: Point) -> Case:
    """The chain with ``k + 2`` pairs, those of the claim first.

    >>> half, one, none = fmpq(1, 2), fmpq(1), fmpq(0)
    >>> case = chain(Point(one, none, fmpq(2), none, (half,), (half,), (half,)))
    >>> case.P_pi, case.r, case.gamma
    (array([[0, 1/2, 1/2],
           [0, 1, 0],
           [0, 0, 1]], dtype=object), array([1, 0, 2], dtype=object), 1/2)
    """
    k = len(point.places)
    rows = [[fmpq(0)] * k + [b, c] for b, c in zip(point.low, point.high, strict=True)]
    rows += [[fmpq(0)] * k + last for last in ([fmpq(1), fmpq(0)], [fmpq(0), fmpq(1)])]
    rewards = [point.lo + point.rho * place for place in (*point.places, fmpq(0), fmpq(1))]
    limits = None if point.t == 0 else (point.lo, point.lo + point.rho + point.t)
    ends = [1 - sum(row, fmpq(0)) for row in rows]
    gamma = point.w / (1 + point.w)
    return Case.from_matrix(rationals(rows), rationals(rewards), gamma, end=rationals(ends), reward_range=limits)


def rounded(values: Sequence[float], n: int) -> list[fmpq]:
    """Weights of a simplex as multiples of ``1/n`` with sum at most 1.

    >>> rounded([0.34, 0.66], 3)
    [1/3, 2/3]
    """
    parts = [max(0, round(v * n)) for v in values]
    while sum(parts) > n:
        parts[parts.index(max(parts))] -= 1
    return [fmpq(part, n) for part in parts]
