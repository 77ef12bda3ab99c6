"""What is measured in another unit is the same: thresholds are relative, and nothing but the unit changes.

Powers of two scale floats without rounding. So a function whose result should scale with what it is given (features,
weights, rewards, kernels) must give the same digits, however large or small its unit is.
"""

import flint
import numpy as np
import pytest
from flint import fmpq, fmpq_mat

import tabular_krope as tk
from tabular_krope.batched.chains import krope_features, reward_kernels, weighted_spectra
from tabular_krope.evaluation.iteration import (
    conditions,
    factored,
    fixed_point,
    inverse,
    numerical_rank,
    rank_and_condition,
    regression_matrix,
)
from tabular_krope.exact.spectra import is_stable, radius_enclosure
from tabular_krope.kernels.reward import RewardKernel
from tabular_krope.representations.layers import (
    column_scales,
    eliminated,
    graded,
    graded_svd,
    right_inverse,
    weighted_directions,
)
from tests.cases import random_mrp

UNITS = [2.0**-40, 2.0**-12, 2.0**12, 2.0**40]
RNG = np.random.default_rng(0)
#: Six rows on the plane of two directions: four singular values are rounding.
FLAT = RNG.standard_normal((6, 2)) @ RNG.standard_normal((2, 4))
#: Columns that are a billionth apart, and columns of very different sizes.
CLOSE = np.column_stack([np.ones(6), 1 + 1e-9 * np.arange(6), RNG.standard_normal(6)])
UNEVEN = RNG.standard_normal((6, 3)) * [1.0, 2.0**-30, 2.0**-60]
EVEN, GRADED = RNG.uniform(0.5, 1.0, 6), 10.0 ** -np.arange(0.0, 60.0, 10.0)
#: A kernel of rank two on six pairs, of which the data see one hardly.
KERNEL = FLAT @ FLAT.T
WEIGHTS = np.array([0.3, 0.2, 0.2, 0.2, 0.1, 1e-18])


def same(found, wanted):
    """Equal in each digit but the last ones."""
    np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=0)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("A", [FLAT, CLOSE, UNEVEN], ids=["flat", "close", "uneven"])
@pytest.mark.parametrize("root", [EVEN, GRADED], ids=["even", "graded"])
def test_features_and_weights_in_another_unit(A, root, unit):
    U, sigma, V = weighted_directions(A, root)
    for scaled in (weighted_directions(unit * A, root), weighted_directions(A, unit * root)):
        assert scaled[1].shape == sigma.shape
        same(scaled[1], unit * sigma)
        np.testing.assert_allclose(scaled[0] * scaled[1] @ scaled[2].T, unit * ((U * sigma) @ V.T), rtol=1e-9, atol=0)
    assert bool(graded(unit * root)) == bool(graded(root)) == (root is GRADED)
    plain = eliminated(A, root)
    for scaled in (eliminated(unit * A, root), eliminated(A, unit * root)):
        assert (scaled.rank, scaled.doubt) == (plain.rank, plain.doubt)
        assert (scaled.pivots.tolist(), scaled.columns.tolist()) == (plain.pivots.tolist(), plain.columns.tolist())
        same(scaled.Psi, plain.Psi)
    same(eliminated(unit * A, root).U, unit * plain.U)
    null = [eliminated(scale * A, root, 1e-3).rank for scale in (1.0, unit)]
    assert null[0] == null[1]
    same(regression_matrix(A, unit * root), regression_matrix(A, root))
    same(unit * regression_matrix(unit * A, root), regression_matrix(A, root))


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("A", [FLAT, CLOSE, UNEVEN], ids=["flat", "close", "uneven"])
def test_factors_in_another_unit(A, unit):
    plain, scaled = factored(A, A.shape), factored(unit * A, A.shape)
    assert (scaled.scale is None) == (plain.scale is None) == (A is not UNEVEN)
    if plain.scale is None:
        same(scaled.sigma, unit * plain.sigma)
    else:
        same(unit * scaled.scale, plain.scale)
    same(scaled.conditions(), plain.conditions())
    same(unit * scaled.over, plain.over)
    sigma = np.linalg.svd(A)[1]
    assert numerical_rank(unit * sigma, A.shape) == numerical_rank(sigma, A.shape)
    assert rank_and_condition(unit * sigma, A.shape) == rank_and_condition(sigma, A.shape)
    same(conditions(unit * sigma), conditions(sigma))
    same(unit * inverse(unit * sigma), inverse(sigma))
    if A is not FLAT:
        same(unit * right_inverse(unit * A.T), right_inverse(A.T))
        same(graded_svd(unit * A.T)[1], unit * graded_svd(A.T)[1])


@pytest.mark.parametrize("unit", UNITS)
def test_columns_are_evened_to_about_one_in_any_unit(unit):
    assert column_scales(unit * FLAT) is None
    scale = column_scales(unit * UNEVEN)
    assert scale is not None
    assert (np.abs(unit * UNEVEN * scale).max(axis=0) >= 0.5).all()
    assert (np.abs(unit * UNEVEN * scale).max(axis=0) < 2).all()
    assert (np.log2(scale) == np.round(np.log2(scale))).all()


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("top", [None, 2])
def test_kernels_and_data_in_another_unit(unit, top):
    """``Phi = K D^1/2 U Lambda^-1/2`` grows like the root of the kernel, whatever the weights sum to."""
    Phi, values = krope_features(KERNEL[None], WEIGHTS[None], top)
    for square, (found, eigenvalues) in (
        (1.0, krope_features(KERNEL[None], unit**2 * WEIGHTS[None], top)),
        (unit, krope_features(unit**2 * KERNEL[None], WEIGHTS[None], top)),
    ):
        same(eigenvalues, unit**2 * values)
        np.testing.assert_allclose(found, square * Phi, rtol=1e-13, atol=0)
    same(
        weighted_spectra(unit * KERNEL[None], WEIGHTS[None], top)[0],
        unit * weighted_spectra(KERNEL[None], WEIGHTS[None], top)[0],
    )
    assert np.abs(Phi[0] @ Phi[0].T - KERNEL).max() <= 1e-7 * np.abs(KERNEL).max()


@pytest.mark.parametrize("unit", UNITS)
def test_rewards_in_another_unit(unit):
    r = np.array([0.0, 3.0, 1.0, 1.0, -2.5])
    kernel, scaled = RewardKernel.of(r), RewardKernel.of(unit * r)
    wide, wide_scaled = RewardKernel.of(r, (-4.0, 4.0)), RewardKernel.of(unit * r, (-4 * unit, 4 * unit))
    V = np.arange(10.0).reshape(5, 2) - 3
    for one, other in ((kernel, scaled), (wide, wide_scaled)):
        same(other.matrix(), one.matrix())
        same(other.factor(), one.factor())
        same(other.scaled, one.scaled)
        same(other.entries([0, 1], [2, 4]), one.entries([0, 1], [2, 4]))
        np.testing.assert_allclose(other.product(V), one.matrix() @ V, rtol=1e-13, atol=1e-13)
    same(reward_kernels(unit * r[None]), reward_kernels(r[None]))
    same(reward_kernels(unit * r[None], np.array([8 * unit])), wide.matrix()[None])


@pytest.mark.parametrize("far", [2.0**20, -(2.0**30), 2.0**40])
def test_rewards_from_another_zero(far):
    """Only differences of rewards count, and whole numbers lose none of theirs: products are the same in each digit."""
    r, V = np.array([0.0, 7.0, 2.0, 2.0, 5.0, 8.0]), np.arange(12.0).reshape(6, 2) ** 2 - 20
    for reward_range in (None, (-8.0, 8.0)):
        ends = None if reward_range is None else tuple(end + far for end in reward_range)
        near, moved = RewardKernel.of(r, reward_range), RewardKernel.of(r + far, ends)
        assert (moved.matrix() == near.matrix()).all()
        assert (moved.factor() == near.factor()).all()
        assert (moved.product(V) == near.product(V)).all()  # centered: multiples of a half
        np.testing.assert_allclose(near.product(V), near.matrix() @ V, rtol=1e-13, atol=1e-12)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("close", [False, True])
def test_lspe_in_another_unit_of_features_and_of_weights(unit, close):
    mrp = random_mrp(6, S=3, A=2)
    Phi, D = CLOSE if close else RNG.standard_normal((6, 3)), EVEN
    plain = tk.lspe(mrp, Phi, weights=D)
    for found, size in ((tk.lspe(mrp, Phi, weights=unit * D), 1.0), (tk.lspe(mrp, unit * Phi, weights=D), unit)):
        assert (found.rank, found.stable, found.solver) == (plain.rank, plain.stable, plain.solver)
        np.testing.assert_allclose(found.L, plain.L, rtol=1e-12, atol=1e-12 * np.abs(plain.L).max())
        np.testing.assert_allclose(size * found.b, plain.b, rtol=1e-12, atol=1e-12 * np.abs(plain.b).max())
        assert found.spectral_radius == pytest.approx(plain.spectral_radius, rel=1e-13)


@pytest.mark.parametrize("unit", [fmpq(1, 2**300), fmpq(3, 7), fmpq(2**300)])
def test_spectral_radii_in_another_unit(unit):
    """Of ``[[0, 2], [1, 0]]``: the root of two times the unit, to the promised share of it."""
    low, high = radius_enclosure(unit * fmpq_mat([[0, 2], [1, 0]]))
    with flint.ctx.workprec(200):
        wanted = flint.arb(2).sqrt() * flint.arb(unit)
        assert flint.arb(low) <= wanted <= flint.arb(high)
    assert high - low <= 1e-12 * high
    assert is_stable(unit * fmpq_mat([[0, 2], [1, 0]])) is bool(unit * unit * 2 < 1)


def test_fixed_points_in_another_unit():
    L, b = np.array([[0.5, 0.25], [0.0, 0.5]]), np.array([1.0, 2.0])
    for unit in UNITS:
        same(fixed_point(L, unit * b), unit * np.array([4.0, 4.0]))
