"""Every door of LSPE against rational arithmetic, with weights over three hundred orders of magnitude."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tabular_krope as tk
from tabular_krope.arrays import dense
from tabular_krope.batched.chains import Chains
from tabular_krope.batched.evaluation import evaluate
from tests.cases import random_mrp


def drawn(seed, S, A, d, kind):
    """A chain, features [X, d] and weights [X] of wildly different sizes, some zero."""
    rng = np.random.default_rng(seed)
    mrp = random_mrp(seed, S, A, gamma=float(rng.choice([0.5, 0.9, 0.99])), ending=seed % 3 == 0)
    X = S * A
    Phi = rng.standard_normal((X, d))
    if kind == "repeated":
        Phi[rng.integers(X, size=X // 2 + 1)] = Phi[0]
    if kind == "whole numbers":
        Phi = rng.integers(-2, 3, (X, d)).astype(float)
    D = 10.0 ** rng.uniform(-300, 0, X)
    if seed % 2:
        D = np.where(rng.random(X) < 0.5, 1.0, 1e-34)
    if seed % 5 == 0:
        D[rng.integers(X)] = 0.0
    D[rng.integers(X)] = 1.0
    return mrp, Phi, D


KINDS = st.sampled_from(["random", "repeated", "whole numbers"])


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 3), st.integers(1, 9), KINDS)
@example(219, 3, 2, 2, "repeated")
def test_every_door_agrees_with_rationals(seed, S, A, d, kind):
    mrp, Phi, D = drawn(seed, S, A, d, kind)
    exact = tk.lspe(mrp, Phi, D, solver="exact", steps=0)
    size = max(1.0, float(np.abs(exact.L).max()))
    rows = tk.lspe_on_data(Phi, dense(mrp.P_pi) @ Phi, mrp.r, mrp.gamma, D, steps=0)
    for out in (tk.lspe(mrp, Phi, D, steps=0), rows):
        assert out.rank == exact.rank
        assert np.abs(out.L - exact.L).max() <= 1e-8 * size
        assert np.abs(out.b - exact.b).max() <= 1e-8 * max(1.0, np.abs(exact.b).max())
        assert out.spectral_radius <= out.norm
        near = max(1e-9, 1e-15 * size) ** 0.5 if kind != "random" else 1e-8 * size  # repeated rows: Jordan blocks
        assert out.spectral_radius == pytest.approx(exact.spectral_radius, abs=near, rel=1e-7)
        if abs(exact.spectral_radius - 1) > 2 * near:
            assert out.stable == exact.stable
    stacked = evaluate(Chains.stack([mrp] * 2), np.stack([Phi] * 2), np.stack([D / D.sum(), np.full(S * A, 1 / S / A)]))
    assert stacked.spectral_radius[0] == pytest.approx(exact.spectral_radius, abs=near, rel=1e-7)
    assert stacked.rank[0] == exact.rank
    assert stacked.norm[1] == pytest.approx(tk.lspe(mrp, Phi, steps=0).norm, rel=1e-9, abs=1e-9)


def forty_pairs(seed, gamma=0.99):
    mdp = tk.garnet(8, 5, branching=3, gamma=gamma, seed=seed)
    return tk.induce(mdp, tk.random_policy(mdp, seed=seed + 1))


@pytest.mark.parametrize("tiny", [1e-5, 1e-7, 1e-20, 1e-32, 1e-34, 1e-40, 1e-150, 1e-300])
def test_krope_features_stay_stable_whatever_the_weights(tiny):
    mrp = forty_pairs(0)
    D = np.ones(40)
    D[::2] = tiny
    phi = tk.features(tk.krope_kernel(mrp), d=5, weights=D)
    out = tk.lspe(mrp, phi, weights=D, steps=0)
    assert out.spectral_radius == pytest.approx(0.98988, abs=1e-5)
    assert out.spectral_radius <= out.norm == pytest.approx(0.99106, abs=1e-5)
    every = tk.features(tk.krope_kernel(mrp), weights=D)  # a positive weight is not a zero
    assert every.d == 40
    assert np.abs(every.matrix @ every.matrix.T - tk.krope_kernel(mrp).matrix()).max() <= 1e-10
    assert tk.lspe(mrp, every, weights=D, steps=0).spectral_radius == pytest.approx(0.99, abs=1e-10)


@pytest.mark.parametrize("seed", range(12))
def test_random_features_with_half_the_weights_tiny(seed):
    rng, mrp = np.random.default_rng(seed), forty_pairs(seed)
    Phi, D = rng.standard_normal((40, 3 + 2 * seed)), np.ones(40)
    D[rng.permutation(40)[:20]] = 10.0 ** rng.uniform(-34, -30, 20)
    out, exact = (tk.lspe(mrp, Phi, D, solver, steps=0) for solver in ("svd", "exact"))
    assert out.stable == exact.stable
    assert out.spectral_radius == pytest.approx(exact.spectral_radius, rel=1e-8)


@pytest.mark.parametrize("seed", range(12))
def test_sparse_dirichlet_weights(seed):
    mrp = forty_pairs(seed)
    D = np.random.default_rng(seed).dirichlet(np.full(40, 0.05))
    out = tk.lspe(mrp, tk.features(tk.krope_kernel(mrp), d=5, weights=D), weights=D, steps=0)
    assert out.spectral_radius <= out.norm <= 0.99**0.5 + 1e-12


def test_what_float64_cannot_tell_is_solved_over_the_rationals():
    mrp, rng = random_mrp(1, 3, 2), np.random.default_rng(1)
    Phi = rng.standard_normal((6, 3))
    Phi[1] = Phi[0] + 3e-14 * Phi[1]  # heavy rows that differ only a little above rounding
    D = np.array([1.0, 1.0, 1e-40, 1e-40, 1e-40, 1e-40])
    rows = (Phi, dense(mrp.P_pi) @ Phi, mrp.r, mrp.gamma, D)
    for door, problem in ((tk.lspe, (mrp, Phi, D)), (tk.lspe_on_data, rows)):
        out, exact = (door(*problem, solver=solver, steps=0) for solver in ("svd", "exact"))
        assert (out.solver, out.spectral_radius) == ("exact", exact.spectral_radius)


def test_a_penalty_is_a_row_however_light():
    Phi, after, r = np.array([[1.0, 0.0], [0.0, 1.0]]), np.ones((2, 2)), np.ones(2)
    for size in (1e-20, 1e-60):
        out = tk.lspe_on_data(Phi, after, r, 0.5, [1.0, 1e-40], penalty=size * np.eye(2), steps=0)
        keeps = 1e-40 / (1e-40 + size**2)
        assert out.L == pytest.approx(0.5 * np.array([[1.0, 1.0], [keeps, keeps]]))
        padded = np.vstack([np.zeros(2), size * np.eye(2), np.zeros(2)])  # rows of zeros ask for nothing
        again = tk.lspe_on_data(Phi, after, r, 0.5, [1.0, 1e-40], penalty=padded, steps=0)
        assert np.array_equal(again.L, out.L)
        assert (again.rank, again.condition) == (out.rank, out.condition)


def test_single_precision_refuses_weights_that_would_vanish():
    mrp = random_mrp(0)
    D = np.ones(15)
    D[0] = 1e-70
    with pytest.raises(tk.KropeError, match=r"weights\[0\] must be 0 or at least .* for float32"):
        tk.lspe(mrp, np.eye(15), D, dtype="float32")
    D[0] = 1e-20
    assert tk.lspe(mrp, np.eye(15), D, dtype="float32").spectral_radius == pytest.approx(0.9, abs=1e-4)


def test_weights_beyond_the_range_of_floats_are_refused():
    for weights in ([1e200, 1e-200], [1.0, 1e-310]):
        with pytest.raises(tk.KropeError, match=r"weights\[1\] must be 0 or at least"):
            tk.lspe(tk.MRP.from_matrix(np.eye(2), [1.0, 0.0], 0.5), np.eye(2), weights)


@pytest.mark.parametrize("seed", range(8))
def test_measures_with_weights_of_any_size(seed):
    mrp, Phi, D = drawn(7 * seed, 3, 2, 2, "random")
    out = tk.lspe(mrp, Phi, D, steps=0)
    assert tk.residual_certificate(mrp, Phi, D).norm == pytest.approx(out.norm, rel=1e-6)
    D = D / D.sum()
    wanted = np.column_stack([mrp.gamma * dense(mrp.P_pi) @ Phi, mrp.r])
    rest = wanted - Phi @ np.column_stack([out.L, out.b])
    assert tk.bellman_completeness_error(mrp, Phi, D) == pytest.approx(float(D @ (rest**2).sum(axis=1)), rel=1e-9)
    assert tk.bellman_completeness_error(mrp, np.eye(6), D, kind="linear") <= 1e-9 or (D == 0).any()
