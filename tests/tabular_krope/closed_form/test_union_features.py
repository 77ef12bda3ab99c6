from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.closed_form.union_features import largest_degree, union_features


def inputs(n=200, k=3, seed=0):
    return np.random.default_rng(seed).standard_normal((n, k)) * [1.0, 5.0, 0.1][:k] + [0.0, 7.0, -2.0][:k]


def test_columns_are_the_constant_all_monomials_and_cosines():
    x = inputs()
    base = union_features(x, seed=4, polynomials=20, fourier=6, bandwidth=2.0)
    z = np.clip((x - x.mean(axis=0)) / x.std(axis=0), -3, 3)
    assert base.degree == 3
    assert base.polynomials == 20
    assert base.p == 26
    wanted = [np.ones(len(x))]
    wanted += [np.prod(z[:, list(m)], axis=1) for d in (1, 2, 3) for m in combinations_with_replacement(range(3), d)]
    Psi = base(x)
    assert Psi[:, :20] == pytest.approx(np.column_stack(wanted), abs=1e-12)
    rng = np.random.default_rng(4)
    frequencies, phases = rng.standard_normal((3, 6)) / 2, rng.uniform(0, 2 * np.pi, 6)
    assert Psi[:, 20:] == pytest.approx(np.sqrt(2) * np.cos(z @ frequencies + phases), abs=1e-5)


def test_inputs_beyond_three_deviations_count_as_three():
    x = inputs()
    base = union_features(x, polynomials=10, fourier=3)
    far = x.mean(axis=0) + 50 * x.std(axis=0)
    assert np.array_equal(base(far[None]), base((x.mean(axis=0) + 3.0000001 * x.std(axis=0))[None]))


def test_products_of_waves_average_to_the_gaussian_kernel():
    x = inputs(5)
    base = union_features(x, polynomials=1, fourier=40_000, bandwidth=1.5)
    waves, z = base(x)[:, 1:], base.clipped(x)
    distance = ((z[:, None] - z) ** 2).sum(axis=2)
    assert waves @ waves.T / 40_000 == pytest.approx(np.exp(-distance / (2 * 1.5**2)), abs=0.03)


def test_columns_that_do_not_vary_are_left_out_of_the_polynomials():
    x = np.column_stack([inputs(50), np.full(50, 0.1)])
    base = union_features(x, polynomials=20, fourier=2)
    assert base.polynomials == 20
    assert np.isfinite(base(x)).all()
    moved = x + np.array([0, 0, 0, 5.0])
    assert np.array_equal(base(moved), base(x))


@pytest.mark.parametrize("k", [1, 2, 6, 14, 23, 30, 519, 520])
def test_largest_degree_is_the_largest(k):
    degree = largest_degree(k, 520)
    assert comb(k + degree, degree) <= 520 < comb(k + degree + 1, degree + 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inputs": np.zeros((0, 2))}, "inputs must have at least one row"),
        ({"inputs": [[np.nan]]}, r"inputs\[0, 0\] must be finite"),
        ({"polynomials": 0}, "polynomials must be an integer of at least 1"),
        ({"fourier": -1}, "fourier must be an integer of at least 0"),
        ({"bandwidth": 0}, "bandwidth must be a positive number; got 0"),
        ({"clip": True}, "clip must be a positive number; got True"),
        ({"seed": "x"}, "seed must be"),
    ],
)
def test_bad_input(change, message):
    with pytest.raises(tk.KropeError, match=message):
        union_features(**({"inputs": inputs(10)} | change))


def test_inputs_of_another_width_are_refused():
    with pytest.raises(tk.KropeError, match=r"inputs must have shape \(any, 3\); got \(1, 2\)"):
        union_features(inputs(10))(np.zeros((1, 2)))
