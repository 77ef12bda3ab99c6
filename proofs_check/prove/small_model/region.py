r"""The parameters that a claim is about: discount, least reward, reward range, and where the rewards of its pairs lie.

Premises that are linear in (rmin, rho0, R - rho0), in gamma alone, or in the positions ``a_i = (r_i - rmin)/rho0`` cut
a polyhedron out; each point of it is a mean of corners plus a combination of rays, so that the weights are variables in
simplices and non-negative variables. Other premises stay as constraints.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from flint import fmpq

from proofs_check.prove.small_model.polytope import HalfSpace, Vector, generators
from proofs_check.prove.small_model.problem import Problem
from proofs_check.prove.small_model.ring import (
    CORNERS,
    RAYS,
    ZERO,
    Polynomial,
    constant,
    degree,
    substitute,
    used,
    variable,
)

SCALES = ("lo", "rho", "t")
NOTHING = fmpq(0)


class TooManyCorners(Exception):
    """A polyhedron that has more corners or rays than there are variables for."""


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """Conditions on parameters, in the raw variables ``w, lo, rho, t`` and ``g1 .. gk`` (the positions of rewards).

    Attributes:
        k: number of pairs of the claim.
        conservative: whether no episode ends.
        least, most: bounds of ``w``; None for no upper one.
        scales: half-spaces of (lo, rho, t) besides ``rho >= 0`` and ``t >= 0``.
        rewards: half-spaces of the positions besides the unit cube.
        orders: groups of pairs, each in the order of their rewards.
        constraints: other polynomials that are at least 0.
        positive: raw variables that are above 0.
        above: raw polynomials that are above 0.
    """

    k: int
    conservative: bool
    least: fmpq = NOTHING
    most: fmpq | None = None
    scales: tuple[HalfSpace, ...] = ()
    rewards: tuple[HalfSpace, ...] = ()
    orders: tuple[tuple[int, ...], ...] = ()
    constraints: tuple[Polynomial, ...] = ()
    positive: frozenset[str] = frozenset()
    above: tuple[Polynomial, ...] = ()

    def where(self, p: Polynomial, strict: bool = False) -> "Region | None":
        """The part where a raw polynomial is at least 0 (above 0); None if it is seen to be empty."""
        names = set(used(p))
        if strict:
            return None if (part := self.where(p)) is None else part._above(p)
        if not names:
            value = p.leading_coefficient() if not p.is_zero() else fmpq(0)
            return self if value >= 0 else None
        if names == {"w"} and degree(p, ["w"]) == 1:
            return self._discounted(p)
        if names in ({"rho"}, {"t"}) and p == variable(next(iter(names))):
            return self
        if names <= set(SCALES) and degree(p, SCALES) == 1:
            return replace(self, scales=(*self.scales, _half_space(p, SCALES)))
        places = [f"g{i + 1}" for i in range(self.k)]
        bare, rest = divmod(p, variable("rho"))
        if rest.is_zero() and set(used(bare)) <= set(places) and degree(bare, places) <= 1:
            p, names = bare, set(used(bare))  # where rho = 0 the positions do not matter
        if names <= set(places) and degree(p, places) == 1:
            return replace(self, rewards=(*self.rewards, _half_space(p, places)))
        return replace(self, constraints=(*self.constraints, p))

    def _above(self, p: Polynomial) -> "Region | None":
        names = set(used(p))
        if not names:
            return self if _at_zero(p) > 0 else None
        alone = len(names) == 1 and p.total_degree() == 1 and _at_zero(p) <= 0 < p.leading_coefficient()
        return replace(self, above=(*self.above, p), positive=self.positive | (names if alone else set()))

    def flat(self) -> "Region | None":
        """The part with R = 0."""
        nothing = {"rho": ZERO, "t": ZERO}
        for p in self.above:
            rest = substitute(p, nothing)
            if not used(rest) and _at_zero(rest) <= 0:
                return None
        part = self.where(-variable("rho"))
        part = None if part is None else part.where(-variable("t"))
        return None if part is None else replace(part, rewards=(), orders=())

    def _discounted(self, p: Polynomial) -> "Region | None":
        slope = p.derivative("w").leading_coefficient()
        root = -_at_zero(p) / slope
        if slope > 0:
            region = replace(self, least=max(self.least, root))
        else:
            region = replace(self, most=root if self.most is None else min(self.most, root))
        return region if region.most is None or region.most >= region.least else None

    def fixed(self, gamma: fmpq | None) -> "Region":
        """The part with one discount factor."""
        if gamma is None:
            return self
        w = gamma / (1 - gamma)
        return replace(self, least=w, most=w)

    def chart(self, scaled: bool = False) -> "Chart | None":
        """Coordinates of the region; None if it is empty.

        Args:
            scaled: whether R is a positive variable of its own, here called ``rho``, and rho0 a share of it (for strict
                claims; only if the premises on rewards are homogeneous).
        """
        simplices: list[tuple[str, ...]] = []
        nonnegative, values = self._discount(simplices)
        free: list[str] = []
        scaled = scaled and "rho" not in self.positive and "t" not in self.positive
        scaled = scaled and self._shares(values, nonnegative, simplices, free)
        if not scaled and not self._scale(values, nonnegative, simplices, free):
            return None
        if not self._place(values, simplices):  # only where all rewards are equal, and their positions do not matter
            same = replace(self, rewards=(), orders=()).where(-variable("rho"))
            return None if same is None else same.chart()
        for i in range(1, self.k + 1):
            simplices.append((f"b{i}",) if self.conservative else (f"b{i}", f"c{i}"))
        kept = frozenset(name for name in self.positive if name in nonnegative and name not in values)
        if scaled:
            kept |= {"rho"}
        shape = Problem(ZERO, tuple(nonnegative), tuple(simplices), tuple(free), (), False, kept)
        found, above = (tuple(substitute(g, values) for g in known) for known in (self.constraints, self.above))
        if any(_never_above(p, free) for p in above):
            return None
        return Chart(values, replace(shape, constraints=found, above=above))

    def _discount(self, simplices: list[tuple[str, ...]]) -> tuple[list[str], dict[str, Polynomial]]:
        w, least = variable("w"), constant(self.least)
        if self.most is None:
            return ["w"], ({"w": w + least} if self.least else {})
        if self.most == self.least:
            return [], {"w": least}
        simplices.append(("w",))
        return [], {"w": least + constant(self.most - self.least) * w}

    def _generators(self) -> tuple[tuple[str, ...], list[Vector], list[Vector]]:
        """Those of (lo, rho, t) that are bounded, with the corners and rays of their polyhedron."""
        signs = [tuple(fmpq(i == j) for j in (0, 1, 2, 3)) for i in (1, 2)]
        bounded = any(half[0] != 0 for half in self.scales)
        names = SCALES if bounded else SCALES[1:]
        halves = [half if bounded else half[1:] for half in (*signs, *self.scales)]
        return names, *generators(halves, len(names))

    def _shares(
        self, values: dict[str, Polynomial], nonnegative: list[str], simplices: list[tuple[str, ...]], free: list[str]
    ) -> bool:
        """``R`` times a mean of the rays with ``rho + t = 1``, plus rays along which R stays; False if none."""
        names, corners, rays = self._generators()
        if any(v != 0 for corner in corners for v in corner) or len(rays) > RAYS:
            return False
        wide = [tuple(v / (ray[-2] + ray[-1]) for v in ray) for ray in rays if ray[-2] + ray[-1] > 0]
        still = [ray for ray in rays if ray[-2] + ray[-1] == 0]
        if not wide:
            return False
        mean, block = _mean(wide, "v", RAYS)
        for j, name in enumerate(names):
            moves = (variable(f"p{i}") * ray[j] for i, ray in enumerate(still, 1))
            values[name] = variable("rho") * mean[j] + sum(moves, ZERO)
        nonnegative += ["rho", *(f"p{i}" for i in range(1, len(still) + 1))]
        if "lo" not in names:
            free.append("lo")
        if block:
            simplices.append(block)
        return True

    def _scale(
        self, values: dict[str, Polynomial], nonnegative: list[str], simplices: list[tuple[str, ...]], free: list[str]
    ) -> bool:
        """Corners and rays of (lo, rho, t)."""
        if not self.scales:
            nonnegative += ["rho", "t"]
            free.append("lo")
            return True
        names, corners, rays = self._generators()
        if not corners:
            return False
        if "lo" not in names:
            free.append("lo")
        mean, block = _mean(corners, "v", RAYS)
        if len(rays) > RAYS:
            raise TooManyCorners
        for j, name in enumerate(names):
            values[name] = mean[j] + sum((variable(f"p{i}") * ray[j] for i, ray in enumerate(rays, 1)), ZERO)
        nonnegative += [f"p{i}" for i in range(1, len(rays) + 1)]
        if block:
            simplices.append(block)
        return True

    def _place(self, values: dict[str, Polynomial], simplices: list[tuple[str, ...]]) -> bool:
        """Corners of the rewards' positions."""
        n = self.k
        if not self.rewards:
            grouped = {i for order in self.orders for i in order}
            simplices += [(f"g{i + 1}",) for i in range(n) if i not in grouped]
            for order in self.orders:  # steps from one reward to the next
                steps = [variable(f"g{i + 1}") for i in sorted(order)]
                values.update({f"g{i + 1}": sum(steps[: at + 1], ZERO) for at, i in enumerate(order)})
                simplices.append(tuple(f"g{i + 1}" for i in sorted(order)))
            return True
        halves = list(self.rewards)
        for i in range(n):
            unit = [fmpq(i == j) for j in range(n)]
            halves += [(*unit, fmpq(0)), (*(-v for v in unit), fmpq(1))]
        for order in self.orders:
            for low, high in pairwise(order):
                halves.append((*(fmpq((j == high) - (j == low)) for j in range(n)), fmpq(0)))
        corners, _ = generators(halves, n)
        if not corners:
            return False
        mean, block = _mean(corners, "g", CORNERS)
        values.update({f"g{j + 1}": mean[j] for j in range(n)})
        if block:
            simplices.append(block)
        return True


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """Coordinates of a region: raw variables in terms of new ones, and the bounds of the new ones.

    Attributes:
        values: raw variables that are not their own coordinate.
        shape: a problem without goal.
    """

    values: dict[str, Polynomial]
    shape: Problem

    def problem(self, p: Polynomial, strict: bool = False) -> Problem:
        """A raw polynomial as a goal."""
        return self.shape.about(substitute(p, self.values), strict)


def _mean(corners: Sequence[Vector], letter: str, most: int) -> tuple[list[Polynomial], tuple[str, ...]]:
    """Coordinates of a weighted mean of corners, and the names of all weights but the last."""
    if len(corners) - 1 >= most:
        raise TooManyCorners
    names = tuple(f"{letter}{i}" for i in range(1, len(corners)))
    last = corners[-1]
    coordinates = []
    for j, base in enumerate(last):
        moves = (variable(name) * (corner[j] - base) for name, corner in zip(names, corners, strict=False))
        coordinates.append(constant(base) + sum(moves, ZERO))
    return coordinates, names


def _half_space(p: Polynomial, names: Sequence[str]) -> HalfSpace:
    slopes = [p.derivative(name) for name in names]
    return (*(s.leading_coefficient() if not s.is_zero() else fmpq(0) for s in slopes), _at_zero(p))


def _never_above(p: Polynomial, free: Sequence[str]) -> bool:
    """Whether a polynomial has no positive term where all variables but the free ones are at least 0."""
    return not set(used(p)) & set(free) and all(value <= 0 for value in p.to_dict().values())


def _at_zero(p: Polynomial) -> fmpq:
    return p.to_dict().get((0,) * len(p.degrees()), fmpq(0))
