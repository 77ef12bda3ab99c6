"""LSPE on arrays of transitions against its definition, the tabular LSPE, and fractions."""

from fractions import Fraction

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.evaluation.tall_qr import ROWS, TallQR, rows_at_once
from tests.cases import all_mrps

ROUTES = [("svd", "float64"), ("covariance", "float64"), ("svd", "float32"), ("covariance", "float32")]


def rows(n, d, seed=0):
    rng = np.random.default_rng(seed)
    Phi, Phi_next = rng.standard_normal((2, n, d))
    Phi_next[rng.random(n) < 0.2] = 0.0  # ends of episodes
    weights = rng.uniform(0.5, 1.0, n) * (rng.random(n) < 0.8)
    return Phi, Phi_next, rng.standard_normal(n), weights


def definition(Phi, Phi_next, r, gamma, weights, penalty=None):
    D = weights / weights.sum()
    B = (Phi.T * D) @ Phi + (0 if penalty is None else penalty.T @ penalty)
    inverse = np.linalg.pinv(B, rcond=1e-12)
    return gamma * inverse @ (Phi.T * D) @ Phi_next, inverse @ (Phi.T * D) @ r


@pytest.mark.parametrize(("solver", "dtype"), ROUTES)
@pytest.mark.parametrize(("n", "d"), [(40, 3), (5, 5), (rows_at_once(2) + 7, 2), (1, 1)])
def test_every_route_agrees_with_the_definition(solver, dtype, n, d):
    Phi, Phi_next, r, weights = rows(n, d)
    weights[0] = 1.0
    out = tk.lspe_on_data(Phi, Phi_next, r, 0.9, weights=3 * weights, solver=solver, dtype=dtype)
    L, b = definition(Phi, Phi_next, r, 0.9, weights)
    loose = 1e-10 if dtype == "float64" else 1e-3 * out.condition**2
    assert np.abs(out.L - L).max() <= loose * max(1, np.abs(L).max())
    assert np.abs(out.b - b).max() <= loose * max(1, np.abs(b).max())
    assert out.spectral_radius == pytest.approx(np.abs(np.linalg.eigvals(L)).max(), abs=10 * loose)
    assert out.norm == pytest.approx(np.linalg.norm(L, 2), rel=10 * loose, abs=loose)
    assert out.stable == (out.spectral_radius < 1)
    assert (out.solver, out.dtype) == (solver, dtype)
    assert np.array_equal(out.q_hat, Phi @ out.theta)
    assert np.abs(out.theta - out.b - out.L @ out.theta).max() <= 1e-9 * max(1, np.abs(out.theta).max())
    sigma = np.linalg.svd(np.sqrt(weights)[:, None] * Phi, compute_uv=False)
    assert out.rank == np.sum(sigma > 1e-12)
    assert out.condition == pytest.approx(sigma[0] / sigma[out.rank - 1])


@pytest.mark.parametrize("name", all_mrps())
def test_expected_successors_as_rows_give_the_tabular_lspe(name):
    mrp = all_mrps()[name]
    rng = np.random.default_rng(1)
    X = mrp.n_pairs
    Phi, weights = rng.standard_normal((X, max(1, X // 2))), rng.uniform(size=X) * (np.arange(X) != 1)
    ours = tk.lspe_on_data(Phi, mrp.P_pi @ Phi, mrp.r, mrp.gamma, weights)
    tabular = tk.lspe(mrp, Phi, weights)
    scale = max(1.0, np.abs(tabular.L).max())
    assert np.abs(ours.L - tabular.L).max() <= 1e-9 * scale
    assert ours.spectral_radius == pytest.approx(tabular.spectral_radius, rel=1e-8, abs=1e-8)
    assert ours.rank == tabular.rank
    assert np.abs(ours.trace[:3] - tabular.trace[:3]).max() <= 1e-8 * max(1.0, np.abs(tabular.trace[:3]).max())


def test_a_small_case_in_fractions():
    phi, phi_next, r, w = [1, 2, 3], [2, 0, 1], [1, 0, 2], [1, 2, 1]
    B = Fraction(sum(w * a * a for w, a in zip(w, phi, strict=True)))  # 1 + 8 + 9
    C = Fraction(sum(w * a * b for w, a, b in zip(w, phi, phi_next, strict=True)))  # 2 + 0 + 3
    c = Fraction(sum(w * a * b for w, a, b in zip(w, phi, r, strict=True)))  # 1 + 6
    L = Fraction(9, 10) * C / B
    out = tk.lspe_on_data(np.reshape(phi, (3, 1)), np.reshape(phi_next, (3, 1)), r, 0.9, w)
    assert (B, C, c) == (18, 5, 7)
    assert out.L[0, 0] == pytest.approx(float(L), rel=1e-14)
    assert out.theta[0] == pytest.approx(float(c / B / (1 - L)), rel=1e-14)


def test_duplicated_columns_take_the_solution_of_least_norm():
    Phi, Phi_next, r, weights = rows(30, 1)
    double = tk.lspe_on_data(np.hstack([Phi, Phi]), np.hstack([Phi_next, Phi_next]), r, 0.9, weights)
    single = tk.lspe_on_data(Phi, Phi_next, r, 0.9, weights)
    assert double.rank == 1
    assert double.theta == pytest.approx(np.repeat(single.theta / 2, 2))
    assert double.q_hat == pytest.approx(single.q_hat)


@pytest.mark.parametrize(("solver", "dtype"), ROUTES)
def test_penalty_enters_the_covariance(solver, dtype):
    Phi, Phi_next, r, weights = rows(50, 3)
    penalty = np.random.default_rng(3).standard_normal((5, 3))
    out = tk.lspe_on_data(Phi, Phi_next, r, 0.9, weights, solver, dtype, penalty=penalty)
    L, b = definition(Phi, Phi_next, r, 0.9, weights, penalty)
    assert np.allclose(out.L, L, atol=1e-10 if dtype == "float64" else 1e-5)
    assert np.allclose(out.b, b, atol=1e-10 if dtype == "float64" else 1e-5)


def test_single_precision_is_single():
    # Columns that agree to 1e-4 can be told apart in double precision only, once their covariance is formed.
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 500))
    Phi = np.stack([a, a + 1e-4 * b], axis=1)
    gaps = {
        (solver, dtype): np.abs(tk.lspe_on_data(Phi, 0.5 * Phi, a, 0.9, None, solver, dtype).L - 0.45 * np.eye(2)).max()
        for solver, dtype in ROUTES
    }
    assert gaps["svd", "float64"] < 1e-9 < gaps["covariance", "float64"] < 1e-3
    assert 1e-9 < gaps["svd", "float32"] < 0.2 * gaps["covariance", "float32"]


def test_blocks_of_any_size_give_one_triangle():
    M = np.random.default_rng(0).standard_normal((rows_at_once(3) + 5, 3))
    qr = TallQR(3)
    for block in np.split(M, [1, 2, 5, ROWS, ROWS + 1]):
        qr.add(block)
    assert qr.R.shape == (3, 3)
    assert qr.R.T @ qr.R == pytest.approx(M.T @ M)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"Phi": np.zeros((3, 0))}, "Phi must have at least one column"),
        ({"Phi": np.zeros((0, 2))}, "Phi must have at least one row"),
        ({"Phi_next": np.zeros((3, 1))}, r"Phi_next must have shape \(3, 2\)"),
        ({"r": [0, 1]}, r"r must have shape \(3\)"),
        ({"Phi_next": np.full((3, 2), np.nan)}, r"Phi_next\[0, 0\] must be finite"),
        ({"weights": [0, 0, 0]}, "weights must have a positive sum"),
        ({"solver": "qr"}, "solver must be one of covariance, exact, svd"),
        ({"dtype": "float16"}, "dtype must be one of"),
        ({"rcond": 0.1}, "rcond must be None"),
        ({"gamma": 1.5}, "gamma must lie"),
        ({"penalty": [[1.0]]}, r"penalty must have shape \(any, 2\)"),
        ({"Phi_next": np.full((3, 2), 1e30), "dtype": "float32"}, r"Phi_next\[0, 0\] must be at most"),
        ({"steps": -1}, "steps must be"),
    ],
)
def test_bad_input(change, message):
    given = {"Phi": np.ones((3, 2)), "Phi_next": np.ones((3, 2)), "r": [0, 1, 2], "gamma": 0.9} | change
    with pytest.raises(tk.KropeError, match=message):
        tk.lspe_on_data(**given)
