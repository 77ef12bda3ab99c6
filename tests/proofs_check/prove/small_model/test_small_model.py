"""The small model against chains: its formulas are exact, and no chain leaves the hull of its points."""

import random

import numpy as np
import pytest
from flint import fmpq

from proofs_check.conjectures.exact_quantities import ExactQuantities
from proofs_check.conjectures.question import ask
from proofs_check.prove.small_model.quantities import SmallModel
from proofs_check.prove.small_model.ring import used
from proofs_check.prove.small_model.small_chain import Point, chain
from proofs_check.search.draws import random_cases

ARITY = (("gamma", "R", "rho0", "rmin", "rmax"), ("q", "r", "life"), ("U", "K", "K1", "d", "mmd2"))
NAMES = {name: arity for arity, names in enumerate(ARITY) for name in names}


def point_of(rng, conservative, k=2):
    """A random point with small fractions, ties and zeros among them."""

    def fraction(low=0, high=1):
        return low + (high - low) * fmpq(rng.randrange(7), 6)

    low = tuple(fraction() for _ in range(k))
    high = tuple(1 - b if conservative else (1 - b) * fraction() for b in low)
    scales = [fraction(*limits) for limits in ((0, 5), (-2, 2), (0, 3), (0, 2))]
    return Point(*scales, tuple(fraction() for _ in range(k)), low, high)


def value(ratio, raw):
    parts = []
    for p in (ratio.top, ratio.bottom):
        at = p.subs({name: raw[name] for name in used(p)})
        parts.append(at.leading_coefficient() if not at.is_zero() else fmpq(0))
    return parts[0] / parts[1]


@pytest.mark.parametrize("conservative", [True, False])
def test_the_formulas_are_those_of_the_chain(conservative):
    rng = random.Random(11)
    for _ in range(30):
        point = point_of(rng, conservative)
        case = chain(point)
        assert case.X == 4
        flat = point.rho + point.t == 0
        raw = {"w": point.w, "lo": point.lo, "rho": point.rho, "t": point.t}
        for i, (a, b, c) in enumerate(zip(point.places, point.low, point.high, strict=True), start=1):
            raw |= {f"g{i}": a, f"b{i}": b, f"c{i}": c}
        rank = {i: place for place, i in enumerate(sorted((0, 1), key=lambda i: point.places[i]))}
        model = SmallModel(conservative, rank, flat)
        exact = ExactQuantities(case)
        for name, arity in NAMES.items():
            for at in ((), (0,), (1,)) if arity < 2 else ((0, 0), (0, 1), (1, 0), (1, 1)):
                if len(at) == arity:
                    assert value(model.value(name, at), raw) == (exact(name)[at] if arity else exact(name)), name


@pytest.mark.parametrize("conservative", [True, False])
def test_no_chain_is_beyond_the_points_for_a_linear_claim(conservative):
    rng = np.random.default_rng(3)
    grid = np.stack(np.meshgrid(*[np.linspace(0, 1, 21)] * 2), axis=-1).reshape(-1, 2)
    mass = np.ones_like(grid)
    if not conservative:
        mass = rng.integers(0, 5, (20000, 2)) / 4
        grid = mass * rng.integers(0, 21, (20000, 2)) / 20
    for case in random_cases(ask("q[x] + q[y] <= U[x,y]", (), conservative), 40, 7, exact=False):
        if case.X < 2 or case.own_range == 0:
            continue
        w, lo, rho, r = case.gamma / (1 - case.gamma), min(case.r), case.own_range, case.r[:2]
        f, m = grid.T, mass.T
        model_q = r[:, None] + w * (lo * f + (lo + rho) * (m - f))
        cross = f[0] * (m[1] - f[1]) + f[1] * (m[0] - f[0])
        model = np.stack([*model_q, abs(r[0] - r[1]) + w * rho * cross, *(w * rho * 2 * f * (m - f))])
        truth = np.array([*case.q[:2], case.U[0, 1], case.U[0, 0], case.U[1, 1]])
        for _ in range(20):
            c = rng.normal(size=5)
            slack = 0.02 * (1 + w) * (rho + abs(lo)) * np.abs(c).sum()  # of the grid
            assert (c @ model).min() <= c @ truth + slack
