"""Points of the set of a problem, and values of polynomials there: what tells a hopeless goal from a likely one."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from proofs_check.prove.small_model.problem import Problem
from proofs_check.prove.small_model.ring import PLACE, Polynomial, used
from tabular_krope.arrays import Array

POINTS = 160
#: Values below minus this share of the sum of all moduli are negative beyond rounding.
ROUNDING = 1e-10


def values(p: Polynomial, points: dict[str, Array]) -> tuple[Array, Array]:
    """Values of a polynomial at points, and the sums of the moduli of its terms there."""
    n = len(next(iter(points.values()))) if points else 1
    total, size = np.zeros(n), np.zeros(n)
    names = used(p)
    for powers, coefficient in p.to_dict().items():
        term = np.full(n, float(coefficient.p) / float(coefficient.q))
        for name in names:
            if powers[PLACE[name]]:
                term = term * points[name] ** int(powers[PLACE[name]])
        total += term
        size += np.abs(term)
    return total, size


def fails_somewhere(problem: Problem) -> bool:
    """Whether the goal is seen to be negative at a sampled point.

    >>> from proofs_check.prove.small_model.ring import variable
    >>> fails_somewhere(Problem(variable("b1") - 1, simplices=(("b1",),)))
    True
    """
    points = sample(problem.nonnegative, problem.simplices, problem.free)
    total, size = values(problem.goal, points)
    bad = total < -ROUNDING * size
    for constraint in problem.constraints:
        if not bad.any():
            return False
        inside, scale = values(constraint, points)
        bad &= inside > ROUNDING * scale
    return bool(bad.any())


@lru_cache(maxsize=256)
def sample(
    nonnegative: tuple[str, ...], simplices: tuple[tuple[str, ...], ...], free: tuple[str, ...]
) -> dict[str, Array]:
    """Points: small and large values of unbounded variables; corners, middles and insides of simplices."""
    rng = np.random.default_rng(len(nonnegative) + 16 * len(simplices))
    points: dict[str, Array] = {}
    for name in nonnegative:
        size = 10.0 ** rng.uniform(-3, 3, POINTS)
        points[name] = np.where(rng.random(POINTS) < 0.3, rng.integers(0, 2, POINTS), size)
    for name in free:
        size = 10.0 ** rng.uniform(-2, 2, POINTS) * rng.choice([-1, 1], POINTS)
        points[name] = np.where(rng.random(POINTS) < 0.3, rng.integers(-1, 2, POINTS), size)
    for block in simplices:
        points.update(zip(block, _weights(len(block), rng), strict=True))
    return points


def _weights(n: int, rng: np.random.Generator) -> Sequence[Array]:
    weights = rng.dirichlet([0.7] * (n + 1), POINTS)
    corner = np.eye(n + 1)[rng.integers(0, n + 1, POINTS)]
    other = np.eye(n + 1)[rng.integers(0, n + 1, POINTS)]
    kind = rng.random(POINTS)[:, None]
    chosen = np.where(kind < 0.35, corner, np.where(kind < 0.55, (corner + other) / 2, weights))
    return list(chosen[:, :n].T)
