import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.arrays import dense
from tabular_krope.evaluation.iteration import numerical_rank
from tests.cases import all_mrps, random_mrp

CASES = all_mrps()
SOLVERS = [
    ("svd", "float64"),
    ("covariance", "float64"),
    ("covariance", "float32"),
    ("svd", "float32"),
    ("exact", "float64"),
]


def textbook(mrp, Phi, D):
    """L = gamma B^+ C and b = B^+ Phi' D r, straight from their definitions."""
    B = Phi.T @ np.diag(D) @ Phi
    inverse = np.linalg.pinv(B, rcond=1e-12)
    L = mrp.gamma * inverse @ Phi.T @ np.diag(D) @ dense(mrp.P_pi) @ Phi
    return L, inverse @ Phi.T @ np.diag(D) @ mrp.r


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("solver", "dtype"), SOLVERS)
def test_every_solver_agrees_with_the_definition(name, solver, dtype):
    mrp = CASES[name]
    X = mrp.n_pairs
    rng = np.random.default_rng(0)
    Phi = rng.standard_normal((X, max(1, X // 2)))
    D = rng.uniform(0.5, 1.0, X)
    D /= D.sum()
    out = tk.lspe(mrp, Phi, weights=7 * D, solver=solver, dtype=dtype)
    L, b = textbook(mrp, Phi, D)
    loose = 1e-3 if dtype == "float32" else 1e-10
    assert np.abs(out.L - L).max() <= loose * max(1, np.abs(L).max())
    assert np.abs(out.b - b).max() <= loose * max(1, np.abs(b).max())
    assert out.spectral_radius == pytest.approx(np.abs(np.linalg.eigvals(L)).max(), abs=10 * loose)
    assert out.norm == pytest.approx(np.linalg.norm(L, 2), rel=10 * loose, abs=loose)
    assert out.stable == (out.spectral_radius < 1)
    assert np.abs(out.theta - out.b - out.L @ out.theta).max() <= 1e-9 * max(1, np.abs(out.theta).max())
    assert out.q_hat == pytest.approx(Phi @ out.theta)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("solver", ["svd", "covariance", "exact"])
def test_full_rank_krope_features_recover_q_at_rate_gamma(name, solver):
    mrp = CASES[name]
    phi = tk.features(tk.krope_kernel(mrp))
    out = tk.lspe(mrp, phi, solver=solver)
    P = dense(mrp.P_pi)
    inside = np.linalg.lstsq(phi.matrix, P @ phi.matrix, rcond=None)[0]
    expected = mrp.gamma if mrp.conservative else mrp.gamma * np.abs(np.linalg.eigvals(inside)).max()
    assert out.spectral_radius == pytest.approx(expected, abs=1e-11)
    assert np.abs(out.q_hat - mrp.q).max() <= 1e-9 * mrp.horizon
    assert out.stable
    assert out.rank == phi.d


def test_tsitsiklis_and_van_roy_by_hand():
    mrp = tk.MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], gamma=0.9)
    out = tk.lspe(mrp, [[1.0], [2.0]], weights=[3.0, 1.0], solver="exact")
    # L = 0.9 * (3*1*2 + 1*2*2) / (3*1 + 1*4) = 0.9 * 10/7
    assert out.enclosure[0] <= 9 / 7 <= out.enclosure[1]
    assert not out.stable


def test_zero_weights_take_the_minimum_norm_solution():
    # Only pair 0 has data, whose feature (1, 2) fixes one direction; theta must stay in its span.
    mrp = tk.MRP.from_matrix(np.eye(3), [1.0, 0.0, 0.0], 0.5)
    Phi = np.array([[1.0, 2.0], [0.0, 1.0], [1.0, 0.0]])
    for solver in ("svd", "covariance", "exact"):
        out = tk.lspe(mrp, Phi, weights=[1.0, 0.0, 0.0], solver=solver)
        assert out.rank == 1
        assert out.theta == pytest.approx([0.4, 0.8])  # q(0) = 2 along (1, 2)/5
        assert out.condition == 1


def test_covariance_in_floating_point_calls_stable_features_unstable():
    """Full-rank features with every pair in the data have rho = gamma, whatever their condition number."""
    rng = np.random.default_rng(0)
    called_unstable = {"svd": 0, "covariance": 0}
    for seed in range(10):
        mrp = random_mrp(seed, S=8, A=5, gamma=0.99)
        U, _ = np.linalg.qr(rng.standard_normal((40, 40)))
        V, _ = np.linalg.qr(rng.standard_normal((40, 40)))
        Phi = U * np.geomspace(1, 1e-8, 40) @ V
        for solver in called_unstable:
            called_unstable[solver] += not tk.lspe(mrp, Phi, solver=solver, steps=0).stable
    assert called_unstable == {"svd": 0, "covariance": 10}


def test_cut_off_of_the_pseudo_inverse_is_the_callers():
    mrp = random_mrp(0)
    Phi = np.diag(np.geomspace(1, 1e-5, 15))  # covariance with eigenvalues down to 1e-10
    full, cut = (tk.lspe(mrp, Phi, solver="covariance", rcond=rcond) for rcond in (1e-15, 1e-6))
    assert np.linalg.matrix_rank(full.L, tol=1e-9) == 5
    assert (cut.L[-1] == 0).all()
    assert (full.L[-1] != 0).any()


def test_exact_arbitrates_an_ill_conditioned_representation():
    mrp = random_mrp(3, S=3, A=2, gamma=0.99)
    rng = np.random.default_rng(1)
    Phi = rng.standard_normal((6, 6)) @ np.diag(np.geomspace(1, 1e-9, 6)) @ rng.standard_normal((6, 6))
    out = tk.lspe(mrp, Phi, solver="exact")
    assert out.stable
    assert out.enclosure[0] <= 0.99 <= out.enclosure[1]
    assert out.enclosure[1] - out.enclosure[0] <= 1e-14


def test_more_features_than_pairs():
    mrp = random_mrp(2, S=2, A=2)
    Phi = np.random.default_rng(0).standard_normal((4, 6))
    for solver in ("svd", "exact"):
        out = tk.lspe(mrp, Phi, solver=solver)
        assert out.rank == 4
        assert out.spectral_radius == pytest.approx(0.9, abs=1e-12)


def test_trace_follows_the_iteration_and_converges_or_blows_up():
    mrp = random_mrp(0)
    phi = tk.features(tk.krope_kernel(mrp), 5)
    start = np.arange(5.0)
    out = tk.lspe(mrp, phi, steps=300, theta0=start)
    assert out.trace.shape == (301, 5)
    assert (out.trace[0] == start).all()
    assert np.abs(out.trace[1] - (out.b + out.L @ start)).max() == 0
    assert np.abs(out.trace[-1] - out.theta).max() <= 1e-9
    assert len(tk.lspe(mrp, phi, steps=0).trace) == 1
    bad = tk.MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [1.0, 1.0], 0.9)
    assert np.isinf(tk.lspe(bad, [[1.0], [20.0]], weights=[1.0, 0.0], steps=400).trace[-1]).all()


def test_no_fixed_point_gives_the_least_squares_one():
    # L = 1 exactly and b = 1: theta = 1 + theta has no solution.
    mrp = tk.MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [1.0, 0.0], 0.5)
    for solver in ("svd", "exact"):
        out = tk.lspe(mrp, [[1.0], [2.0]], weights=[1.0, 0.0], solver=solver)
        assert not out.stable
        assert out.theta == pytest.approx([0.0])


def test_features_that_vanish_on_the_data():
    mrp = tk.MRP.from_matrix(np.eye(2), [1.0, 1.0], 0.5)
    for solver in ("svd", "covariance", "exact"):
        out = tk.lspe(mrp, [[0.0], [1.0]], weights=[1.0, 0.0], solver=solver)
        assert (out.rank, out.condition, out.spectral_radius) == (0, np.inf, 0.0)


def test_numerical_rank_of_nothing():
    assert numerical_rank(np.zeros(2), (2, 2)) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"phi": [[1.0]]}, r"phi must have shape \(15, any\); got \(1, 1\)"),
        ({"phi": np.zeros((15, 0))}, "phi must have at least one column"),
        ({"phi": np.full((15, 1), np.nan)}, r"phi\[0, 0\] must be finite; got nan"),
        ({"solver": "sdv"}, r"solver must be one of covariance, exact, svd; got 'sdv' \(did you mean 'svd'\?\)"),
        ({"dtype": "float16"}, "dtype must be one of float32, float64; got 'float16'"),
        ({"solver": "exact", "dtype": "float32"}, "dtype must be one of float64; got 'float32'"),
        ({"weights": np.zeros(15)}, "weights must have a positive sum"),
        ({"steps": -1}, "steps must be an integer of at least 0; got -1"),
        ({"theta0": [1.0]}, r"theta0 must have shape \(2\)"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(tk.KropeError, match=message):
        tk.lspe(random_mrp(0), **{"phi": np.ones((15, 2)), **arguments})


def test_rational_chain_features_and_weights():
    """C4: the top eigenvector of the unweighted kernel, rho = 171/10, with no rounding anywhere."""
    chain = tk.ExactMRP.from_matrix([[0, 0, 1], [0, 0, 1], [0, 1, 0]], [0, -1, 1], "9/10")
    phi = [["1/3"], ["19/3"], ["1/3"]]
    out = tk.lspe(chain, phi, weights=["0", "0", "1/7"], solver="exact")
    assert out.L[0, 0] == 171 / 10
    assert out.q_hat.shape == (3,)
    floats = tk.lspe(chain, [[1.0], [19.0], [1.0]], weights=[0.0, 0.0, 1.0])
    assert floats.spectral_radius == pytest.approx(17.1)
    with pytest.raises(tk.KropeError, match=r"phi\[0, 0\] must be a rational such as .*; got 'a'"):
        tk.lspe(chain, [["a"], [1], [1]], solver="exact")
    with pytest.raises(tk.KropeError, match=r"weights\[0\] must be non-negative; got -1"):
        tk.lspe(chain, phi, weights=["-1", 1, 1], solver="exact")
