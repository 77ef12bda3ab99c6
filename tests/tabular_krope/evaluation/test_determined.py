"""Every LSPE result is right to 1e-6 against rational arithmetic, or says that float64 does not determine it."""

import warnings

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tabular_krope as tk
from tabular_krope.arrays import dense
from tabular_krope.batched.chains import Chains
from tabular_krope.batched.evaluation import evaluate
from tabular_krope.evaluation import determined
from tabular_krope.evaluation.determined import radius_caveat, rank_caveat, settled
from tabular_krope.evaluation.iteration import Iteration
from tests.cases import random_mrp

KINDS = ("near", "columns", "rows", "sum", "product", "line")


def drawn(seed, kind):
    """A chain, features that float64 has trouble with, and weights over up to 300 orders of magnitude."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    S, A, d = (int(rng.integers(1, most)) for most in (6, 4, 9))
    X = S * A
    mrp = random_mrp(seed, S, A, gamma=float(rng.choice([0.5, 0.9, 0.99])), ending=seed % 3 == 0)
    Phi = rng.standard_normal((X, d))
    if kind == "near" and d > 1:
        Phi[:, 1] = Phi[:, 0] + 10.0 ** rng.uniform(-17, -8) * Phi[:, 1]
    if kind == "columns":
        Phi = Phi * 10.0 ** rng.uniform(-16, 16, d)
    if kind == "rows":
        Phi = Phi * 10.0 ** rng.uniform(-16, 16, (X, 1))
    if kind == "sum" and d > 2:
        Phi[:, 2] = Phi[:, 0] + Phi[:, 1]
    if kind == "product" and d > 1:
        Phi = rng.standard_normal((X, d - 1)) @ rng.standard_normal((d - 1, d))
    if kind == "line":  # one large Jordan block
        mrp = tk.MRP.from_matrix(np.eye(X, k=1), rng.standard_normal(X), 0.9, end=np.eye(X)[-1])
    D = (np.ones(X), 10.0 ** rng.uniform(-300, 0, X), np.where(rng.random(X) < 0.5, 1.0, 1e-34))[seed % 3]
    if seed % 5 == 0:
        D[rng.integers(X)] = 0.0
    D[rng.integers(X)] = 1.0
    return mrp, Phi, D


def right(radius, rank, exact):
    near = abs(radius - exact.spectral_radius) <= 1e-6 * max(1.0, exact.spectral_radius)
    return near and rank == exact.rank


@pytest.mark.parametrize("entries", [determined.EXACT_ENTRIES, 0])
@given(st.integers(0, 10**6), st.sampled_from(KINDS))
@example(1025, "columns")
@example(478, "rows")
@example(19, "line")
def test_right_or_flagged(entries, seed, kind):
    mrp, Phi, D = drawn(seed, kind)
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore", tk.PrecisionWarning)
        patch.setattr(determined, "EXACT_ENTRIES", entries)
        exact = tk.lspe(mrp, Phi, D, solver="exact", steps=0)
        out = tk.lspe(mrp, Phi, D, steps=0)
        assert out.caveat or right(out.spectral_radius, out.rank, exact)
        assert out.spectral_radius <= out.norm
        stacked = evaluate(Chains.stack([mrp]), Phi[None], (D / D.sum())[None])
        assert not stacked.determined[0] or right(stacked.spectral_radius[0], stacked.rank[0], exact)
        rows = (Phi, dense(mrp.P_pi) @ Phi, mrp.r, mrp.gamma, D)
        exact, out = (tk.lspe_on_data(*rows, solver=solver, steps=0) for solver in ("exact", "svd"))
        assert out.caveat or right(out.spectral_radius, out.rank, exact)


@given(st.integers(0, 10**6))
@example(1025)
def test_columns_of_any_sizes_are_never_flagged(seed):
    mrp, Phi, D = drawn(seed, "columns")
    assert tk.lspe(mrp, Phi, D, steps=0).caveat == ""  # a warning would be an error here


@pytest.mark.parametrize("seed", range(24))
def test_ordinary_models_are_never_flagged_and_stay_in_float64(seed):
    rng = np.random.default_rng(seed)
    mdp = tk.garnet(int(rng.integers(3, 20)), int(rng.integers(1, 4)), 3, gamma=(0.9, 0.99, 0.999)[seed % 3], seed=seed)
    mrp = tk.induce(mdp, tk.random_policy(mdp, seed=seed))
    X = mrp.n_pairs
    D = (np.ones(X), rng.dirichlet(np.full(X, 0.1)), 10.0 ** rng.uniform(-30, 0, X))[seed % 3]
    every = tk.features(tk.krope_kernel(mrp), weights=D)
    groups = np.eye(X)[:, np.arange(X) // 2]  # columns twice
    for phi in (every, every.matrix[:, :3], rng.standard_normal((X, 5)), np.eye(X), groups):
        assert tk.lspe(mrp, phi, D, steps=0).solver == "svd"


def test_dependent_decimals_keep_their_rank_and_say_so():
    mrp = random_mrp(1, 4, 1)
    Phi = np.array([[0.1, 0.2, 0.3], [0.7, 0.1, 0.8], [0.3, 0.3, 0.6], [0.1, 0.7, 0.8]])
    with pytest.warns(tk.PrecisionWarning, match=r"rank is not determined in float64: 2 .* 3 for the floats"):
        out = tk.lspe(mrp, Phi, steps=0)
    assert (out.rank, out.solver) == (2, "svd")
    assert out.spectral_radius == pytest.approx(tk.lspe(mrp, Phi[:, :2], steps=0).spectral_radius)
    exact = tk.lspe(mrp, Phi, solver="exact", steps=0)
    assert exact.rank == 3
    assert f"radius is {exact.spectral_radius:.6g}" in out.caveat
    assert tk.lspe(mrp, (10 * Phi).round(), steps=0).caveat == ""  # whole numbers are what they are meant to be


def test_columns_of_different_sizes_give_the_least_norm():
    mrp = random_mrp(2, 3, 1)
    Phi = np.array([[1.0, 3e-16, 2e16, 1.0], [2.0, 1e-16, 1e16, 0.0], [4.0, 5e-16, 1e16, 7.0]])
    out, exact = (tk.lspe(mrp, Phi, [1, 1, 0], solver, steps=0) for solver in ("svd", "exact"))
    assert out.L == pytest.approx(exact.L, rel=1e-9)
    assert out.b == pytest.approx(exact.b, rel=1e-9)
    assert out.condition == pytest.approx(5e32 / 1e33**0.5, rel=1e-6)  # trace over root of determinant of Phi Phi'


def test_measures_do_not_depend_on_the_sizes_of_columns():
    mrp, Phi = random_mrp(3, 3, 2), np.random.default_rng(3).standard_normal((6, 3))
    uneven = Phi * [1.0, 1e-20, 1e20]
    assert tk.realizability_error(mrp, uneven) == pytest.approx(tk.realizability_error(mrp, Phi))
    linear = [tk.bellman_completeness_error(mrp, F, kind="linear") for F in (Phi, uneven)]
    assert linear[0] == pytest.approx(linear[1])


def test_what_is_said():
    assert radius_caveat(0.9999, 1e-3).endswith("it may lie on either side of 1")
    assert "of any size" in radius_caveat(2.0, np.inf)
    assert rank_caveat(np.array([[1.0, 0.0], [0.0, 0.0]]), 1) == ""


def stacked_and_exact(mrp, Phi):
    """Spectral radii of one chain under uniform weights: through the stacked door, and in rational arithmetic."""
    D = np.full(mrp.n_pairs, 1 / mrp.n_pairs)
    (radius,) = evaluate(Chains.stack([mrp]), Phi[None], D[None]).spectral_radius
    return radius, tk.lspe(mrp, Phi, weights=D, solver="exact").spectral_radius


@pytest.mark.parametrize("seed", range(3))
def test_stacks_solve_nearly_dependent_columns_one_by_one(seed):
    """The stack's own singular values are wrong by 1e-5 here, in whichever way they are rounded."""
    rng = np.random.default_rng(seed)
    mrp = tk.MRP.from_matrix(rng.dirichlet(np.ones(5), 5), rng.normal(size=5), 0.9)
    Phi = rng.integers(-4, 5, (5, 3)).astype(float)
    Phi[:, 2] = Phi[:, 0] + 2.0**-40 * rng.integers(-4, 5, 5)
    radius, exact = stacked_and_exact(mrp, Phi)
    assert radius == pytest.approx(exact, rel=1e-9)


def test_stacks_solve_large_jordan_blocks_one_by_one():
    """A walk that ends after eight steps has radius 0; the eigenvalues of the perfectly conditioned stack say 0.008."""
    walk = tk.MRP.from_matrix(np.eye(8, k=1), np.arange(8.0), 0.9, end=np.eye(8)[-1])
    rotation = np.linalg.qr(np.random.default_rng(0).normal(size=(8, 8)))[0]
    assert stacked_and_exact(walk, rotation) == (0, 0)


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("error", [0.0, 1e-9])
def test_a_radius_within_a_thousand_errors_of_one_is_solved_exactly(side, error):
    """Or within 1e-12, where no error is known of; one column, whose radius is wrong as its matrix is."""
    reach = max(1e3 * error, 1e-12)
    for share, expected in ((0.9, "exact"), (1.2, "float")):
        radius = 1 + side * share * reach
        core = np.array([[radius]])
        found = Iteration(core, np.ones(1), core, 1, 1.0, error / min(radius, 1.0))
        Phi = np.ones((2, 1))
        assert settled(found, Phi, Phi, pytest.fail, lambda: "exact", lambda caveat: "float") == expected
