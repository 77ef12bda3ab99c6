"""Where in the small model a quotient is largest: climbed to in floats at fixed parameters, then read as fractions."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from proofs_check.prove.best_constant.ratio import Asked
from proofs_check.prove.small_model.attack import Cloud, Points
from proofs_check.prove.small_model.parameter_conditions import region_of
from proofs_check.prove.small_model.small_chain import rounded
from tabular_krope.arrays import Array

CLOUD, CLIMBERS, TRIALS, ROUNDS = 4000, 24, 24, 70
#: Denominators of extremal points, simplest first, and what a simpler point may lose.
DENOMINATORS, LOSS = (1, 2, 3, 4, 5, 6, 8, 12, 20, 60, 360), 1e-5
COARSE = 2
#: Denominators below this share of what they could be are lost in rounding.
FLOOR = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class Extremal:
    """The largest quotient found at given parameters.

    Attributes:
        value: as a float.
        places: coordinates of the point, as fractions: masses ``b_i``, ``c_i`` and positions ``g_i``.
        parameters: ``w, lo, rho, t`` there.
        coarse: the coordinates rounded to halves, where the denominator may vanish.
    """

    value: float
    places: dict[str, fmpq]
    parameters: dict[str, fmpq]
    coarse: dict[str, fmpq]


class Climb(Cloud):
    """Points of the small model scored by the quotient of a claim's sides."""

    def score(self, points: Points) -> Array:
        """``small / large`` of the only comparison; -inf where the larger side is not positive."""
        (comparison,) = self.question.claim.comparisons
        arrays = self.arrays(points)
        with np.errstate(all="ignore"):
            top, bottom = arrays(comparison.left), arrays(comparison.right)
            floor = FLOOR * self._sizes(points)
            value = np.where(bottom > floor, top / bottom, -np.inf)
        return np.where(np.isnan(value), -np.inf, value)

    def _sizes(self, points: Points) -> Array:
        """How large the terms of the larger side may be, so that rounding is not taken for a small denominator."""
        raw = self.raw(points)
        size: Array = (1 + raw["w"]) * (1 + raw["rho"] + raw["t"])
        return size


def climb(asked: Asked, seed: int = 0, rounds: int = ROUNDS) -> Extremal | None:
    """The largest quotient found; None if the quotient is nowhere defined. Parameters are those of the premises."""
    question = asked.claim("1")
    region, _ = region_of(question)
    chart = None if region is None else region.chart()
    if region is None or chart is None:
        return None
    cloud = Climb(question, chart, region)
    rng = np.random.default_rng(seed)
    start = cloud.draw(CLOUD, rng)
    before = cloud.score(start)
    points, score = cloud.climb(start, before, rounds, rng)
    points, score = {name: np.concatenate([v, start[name]]) for name, v in points.items()}, np.append(score, before)
    most = float(np.max(score))
    if not np.isfinite(most):
        return None
    # Of those that are as good, one with a large denominator: it suffers least from rounding.
    bottom = cloud.arrays(points)(question.claim.comparisons[0].right)
    best = int(np.argmax(np.where(score >= most - LOSS / 10 * abs(most), bottom, -np.inf)))
    return _simplest(cloud, {name: float(v[best]) for name, v in points.items()}, float(score[best]))


def _simplest(cloud: Climb, point: dict[str, float], value: float) -> Extremal:
    """The point with the smallest denominators that is as good."""
    coarse: dict[str, fmpq] = {}
    for n in DENOMINATORS:
        exact: dict[str, fmpq] = {}
        for block in cloud.shape.simplices:
            exact.update(zip(block, rounded([point[v] for v in block], n), strict=True))
        for name in (*cloud.shape.nonnegative, *cloud.shape.free):
            exact[name] = fmpq(round(point[name] * n), n)
        there = float(cloud.score({name: np.array([float(v.p) / float(v.q)]) for name, v in exact.items()})[0])
        if n == COARSE:
            coarse = {name: v for name, v in cloud.exact_raw(exact).items() if name[0] in "gbc"}
        if there >= value - LOSS * abs(value) or n == DENOMINATORS[-1]:
            raw = cloud.exact_raw(exact)
            places = {name: v for name, v in raw.items() if name[0] in "gbc"}
            parameters = {name: raw[name] for name in ("w", "lo", "rho", "t")}
            return Extremal(max(there, value), places, parameters, coarse or places)
    raise AssertionError


def settings(asked: Asked) -> list[tuple[str, ...]]:
    """Premises that fix all parameters that the question leaves open, in a few ways."""
    found: list[tuple[str, ...]] = []
    for gamma, rho, R, low in (
        ("9/10", "1", "1", "0"),
        ("1/2", "1", "2", "-1/2"),
        ("3/4", "2", "2", "-3"),
        ("1/3", "1", "5/4", "1"),
    ):
        premises = [f"rho0 == {rho}", f"R == {R}", f"rmin == {low}"]
        if asked.gamma is None:
            premises.append(f"gamma == {gamma}")
        found.append(tuple(premises))
    return found


def compatible(asked: Asked, premises: tuple[str, ...]) -> bool:
    """Whether some chain meets these premises beside those of the question."""
    region, _ = region_of(asked.narrowed(*premises).claim("1"))
    return region is not None and region.chart() is not None
