"""What float chains are read as: simple fractions where they are meant, and in the end the floats themselves."""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import floats
from proofs_check.chains.as_rationals import readings, round_row
from proofs_check.chains.case import Case
from proofs_check.chains.scope import Scope


def chain(p, gamma=0.5):
    return Case.from_matrix(np.array([[p, 1 - p], [0.0, 1.0]]), np.array([p, -p]), gamma, weights=np.array([p, 1 - p]))


@pytest.mark.parametrize(
    "meant",
    [
        "1/2",
        "1/3",
        "2/3",
        "3/4",
        "5/6",
        "3/10",
        "7/12",
        "13/20",
        "17/60",
        "37/100",
        "1/100",
        "237/1000",
        "123457/1000000",
    ],
)
def test_a_fraction_that_is_meant_is_read_before_the_float_that_stands_for_it(meant):
    p = fmpq(*map(int, meant.split("/")))
    found = list(readings(Scope(), chain(int(p.p) / int(p.q))))
    places = [k for k, case in enumerate(found) if case.P[0, 0] == p and case.r[0] == p and case.weights[0] == p]
    assert places
    assert places[0] < len(found) - 1
    coarser = [case.P[0, 0].q for case in found[: places[0]]]
    assert all(q < p.q or p.q % q for q in coarser)  # nothing finer comes first that could not say the same


@pytest.mark.parametrize("seed", range(4))
def test_readings_are_chains_come_nearer_and_end_with_the_floats(seed):
    rng = np.random.default_rng(seed)
    P, end = rng.dirichlet(np.ones(4), size=3), np.zeros(3)
    P, end = P[:, :3], P[:, 3] + end
    case = Case.from_matrix(P, rng.standard_normal(3), float(rng.random()), end=end, weights=rng.dirichlet(np.ones(3)))
    found = list(readings(Scope(), case))
    for near in found:
        near.exact_mrp()  # validates
        assert 0 <= near.gamma < 1
        assert sum(near.weights) == 1
    gaps = [np.abs(floats(near.P) - case.P).max() for near in found]
    denominators = [max(entry.q for entry in near.P.reshape(-1)) for near in found[:-1]]
    assert denominators == sorted(denominators)
    assert gaps[-2] <= 1e-6
    assert [Fraction(int(v.p), int(v.q)) for v in found[-1].r] == [Fraction(float(v)) for v in case.r]
    fixed = list(readings(Scope(gamma=fmpq(2, 7)), case))
    assert {near.gamma for near in fixed} == {fmpq(2, 7)}


@pytest.mark.parametrize("n", [1, 2, 3, 7, 100])
def test_rounded_rows_are_distributions_within_one_step(n):
    for seed in range(20):
        row = np.random.default_rng(seed).dirichlet(np.ones(4))
        found = round_row(row, n)
        assert sum(found) == 1
        assert all(value >= 0 and n % value.q == 0 for value in found)
        assert all(abs(float(Fraction(int(v.p), int(v.q))) - x) < 1 / n for v, x in zip(found, row, strict=True))
