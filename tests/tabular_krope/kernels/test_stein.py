import tracemalloc

import numpy as np
import pytest
import scipy.linalg
from scipy import sparse

import tabular_krope as tk
from tabular_krope.arrays import dense
from tabular_krope.errors import KropeError
from tabular_krope.kernels import stein
from tabular_krope.kernels.stein import EPS, rounding_floor, solve_stein, stein_residual
from tests.cases import all_mrps

CASES = all_mrps()


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_kronecker_and_bilinear(name):
    mrp = CASES[name]
    Q = dense(mrp.Q)
    n = len(Q)
    C = np.random.default_rng(0).standard_normal((n, n))
    C = C + C.T
    solution = solve_stein(Q, C, mrp.gamma, mrp.horizon)
    kronecker = np.linalg.solve(np.eye(n * n) - mrp.gamma * np.kron(Q, Q), C.reshape(-1)).reshape(n, n)
    bilinear = scipy.linalg.solve_discrete_lyapunov(np.sqrt(mrp.gamma) * Q, C, method="bilinear")
    allowed = rounding_floor(np.abs(C).max() * mrp.horizon, mrp.horizon, n * n)
    assert np.abs(solution.matrix - kronecker).max() <= allowed
    # The bilinear method inverts sqrt(g) Q + I, whose condition is up to twice the horizon when Q has eigenvalue -1.
    assert np.abs(solution.matrix - bilinear).max() <= 2 * mrp.horizon * allowed
    assert (solution.matrix == solution.matrix.T).all()
    assert solution.residual == stein_residual(solution.matrix, Q, C, mrp.gamma)
    assert np.abs(solution.matrix - kronecker).max() <= solution.error_bound + allowed


def test_closes_the_tail_of_a_mixed_chain():
    # Every row is already stationary: one look at the powers is enough, whatever gamma is.
    Q = np.tile([0.25, 0.75], (2, 1))
    C = np.array([[1.0, 0.5], [0.5, 2.0]])
    solution = solve_stein(Q, C, 0.999, 1000.0)
    assert solution.iterations == 0
    mean = Q[0] @ C @ Q[0]
    assert np.abs(solution.matrix - (C + 0.999 / 0.001 * mean)).max() <= solution.error_bound


def test_periodic_chain_is_not_taken_for_mixed():
    swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    C = np.array([[1.0, 0.0], [0.0, 0.0]])
    solution = solve_stein(swap, C, 0.9, 10.0)
    assert solution.matrix[0, 0] == pytest.approx(1 / (1 - 0.81), rel=1e-14)
    assert solution.matrix[1, 1] == pytest.approx(0.9 / (1 - 0.81), rel=1e-14)


def mixing(n, apart, seed=0):
    """A chain whose rows differ by about ``apart`` in the sum of absolute values."""
    rng = np.random.default_rng(seed)
    return (1 - apart) * np.tile(rng.dirichlet(np.ones(n)), (n, 1)) + apart * rng.dirichlet(np.ones(n), size=n)


def symmetric(n, seed=0):
    C = np.random.default_rng(seed).uniform(size=(n, n))
    return C + C.T


@pytest.mark.parametrize(("apart", "doublings"), [(1e-9, 0), (1e-5, 1), (1e-3, 2)])
def test_tail_is_closed_at_the_square_root_of_rounding(apart, doublings):
    """What is left out is quadratic in the distance from a mixed chain: one round, without refinement."""
    Q, C = mixing(6, apart), symmetric(6)
    M, steps = stein._double(Q, C, 0.99)
    assert steps == doublings
    assert stein_residual(M, Q, C, 0.99) <= 8 * EPS * np.abs(M).max()
    assert (M == M.T).all()


@pytest.mark.parametrize("gamma", [0.9, 0.999])
def test_square_that_is_small_is_multiplied_in_float32(gamma, monkeypatch):
    """One doubling less, and the same solution as one that takes it in float64, to rounding."""
    Q, C = mixing(120, 0.25), symmetric(120)
    tried = []
    small = stein._small_square
    monkeypatch.setattr(stein, "_small_square", lambda *given: tried.append(small(*given)) or tried[-1])
    M, steps = stein._double(Q, C, gamma)
    assert [F.dtype for F in tried] == [np.float32]
    assert np.abs(tried[0]).sum(axis=1).max() > 3 * EPS**0.5  # so large that its square tells
    monkeypatch.setattr(stein, "NEARLY", 0.0)
    other, more = stein._double(Q, C, gamma)
    assert more == steps + 1
    assert np.abs(M - other).max() <= 4 * EPS * np.abs(M).max()
    assert stein_residual(M, Q, C, gamma) <= 8 * EPS * np.abs(M).max()
    assert (M == M.T).all()


def test_square_that_is_too_large_for_float32_is_refused():
    assert stein._small_square(mixing(120, 0.5), 0.9, np.empty((120, 120))) is None


def test_equal_first_and_last_rows_are_not_taken_for_a_mixed_chain():
    Q = np.array([[0.5, 0.0, 0.5], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5]])
    M, _ = stein._double(Q, np.diag([0.0, 1.0, 0.0]), 0.9)
    assert np.abs(M - np.diag([0.0, 10.0, 0.0])).max() <= 1e-14


@pytest.mark.parametrize("leak", [1e-6, 1e-10, 1e-13])
def test_chain_that_hardly_leaks_is_right_by_the_rationals(leak):
    """Rows as good as equal, but one ends the episode now and then: what it loses adds up over the horizon."""
    P = [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.5, 0.5 - leak, 0.0]]
    mrp = tk.MRP.from_matrix(P, [1.0, 0.3, 0.0], 0.999, end=[0.0, 0.0, leak])
    K = tk.krope_kernel(mrp, "doubling")
    assert np.abs(K.matrix() - tk.krope_kernel(mrp, "exact").matrix()).max() <= K.evidence.error_bound


LONG = {
    "mixing": [[0.25, 0.75, 0.0], [0.0, 0.5, 0.5], [0.125, 0.0, 0.875]],
    "cycle": np.eye(5)[[1, 2, 3, 4, 0]],
    "absorbing": [[0.5, 0.25, 0.25], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
}


@pytest.mark.parametrize("gamma", [0.9999, 0.99999])
@pytest.mark.parametrize("name", LONG)
def test_long_horizons_cost_no_digits(name, gamma):
    """Powers of gamma and 1 - gamma^n are right to the last bits: an error of some ulps, not ulps times the horizon."""
    mrp = tk.MRP.from_matrix(LONG[name], np.arange(len(LONG[name])) / 8, gamma)
    error = np.abs(tk.krope_kernel(mrp, "doubling").matrix() - tk.krope_kernel(mrp, "exact").matrix()).max()
    assert error <= 16 * EPS * mrp.horizon


def test_error_bound_holds_where_the_residual_is_far_below_the_error():
    mrp = tk.MRP.from_matrix([[1 - 2**-10, 2**-10], [2**-11, 1 - 2**-11]], [0.0, 0.125], 0.99999)
    K = tk.krope_kernel(mrp, "doubling")
    error = np.abs(K.matrix() - tk.krope_kernel(mrp, "exact").matrix()).max()
    assert 100 * K.evidence.residual < error <= K.evidence.error_bound


@pytest.mark.parametrize("Q", [np.eye(4)[[1, 2, 3, 0]], mixing(6, 0.1)], ids=["periodic", "mixing"])
def test_last_step_does_not_square(Q, monkeypatch):
    products = []
    monkeypatch.setattr(stein, "multiply", lambda A, B, out: products.append(B is A) or np.matmul(A, B, out=out))
    M, steps = stein._double(Q, symmetric(len(Q)), 0.9)
    assert (products.count(False), products.count(True)) == (steps, steps - 1)
    assert stein_residual(M, Q, symmetric(len(Q)), 0.9) <= 8 * EPS * np.abs(M).max()


@pytest.mark.parametrize("branching", [3, 300])
def test_several_blocks_agree_with_bilinear(branching):
    """Above one block of rows, sparse and dense; the caller's matrices stay as they are."""
    n, rng = 300, np.random.default_rng(1)
    Q = np.zeros((n, n))
    for row in Q:
        row[rng.choice(n, branching, replace=False)] = rng.dirichlet(np.ones(branching))
    C, kept = symmetric(n), Q.copy()
    solution = solve_stein(Q, C, 0.95, 20.0)
    bilinear = scipy.linalg.solve_discrete_lyapunov(np.sqrt(0.95) * Q, C, method="bilinear")
    assert np.abs(solution.matrix - bilinear).max() <= rounding_floor(np.abs(bilinear).max(), 20.0, n)
    assert (solution.matrix == solution.matrix.T).all()
    assert (Q == kept).all()
    assert (C == symmetric(n)).all()
    assert (solve_stein(sparse.csr_array(Q), C, 0.95, 20.0).matrix == solution.matrix).all()


def test_solve_holds_three_arrays_besides_those_it_is_given():
    Q, C = mixing(400, 0.5), symmetric(400)
    tracemalloc.start()
    solve_stein(Q, C, 0.9, 10.0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 3.7 * C.nbytes  # and two blocks of 96 columns


def test_unreachable_tolerance_is_refused():
    with pytest.raises(KropeError, match="doubling must reach an error of 1e-30"):
        solve_stein(np.array([[0.3, 0.7], [0.6, 0.4]]), np.eye(2), 0.9, 10.0, tolerance=1e-30)


def test_endless_chain_at_gamma_one_is_refused():
    with pytest.raises(KropeError, match="doubling must end within 60 steps"):
        solve_stein(np.array([[1.0]]), np.array([[0.0]]) + 1.0, 1.0, 10.0)


@pytest.mark.parametrize("seed", range(40))
def test_periodic_chains_with_long_horizons_meet_their_tolerance(seed):
    """Rounding does not average out on a permutation; a step of refinement brings it back to the floor."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    Q = np.eye(n)[rng.permutation(n)]
    if seed % 2:  # nearly periodic: the modulus of every eigenvalue stays close to 1
        Q = 0.999 * Q + 0.001 / n
    Z = rng.uniform(size=(n, n))
    gamma = [0.99, 0.999][seed % 3 == 0]
    solution = solve_stein(Q, Z @ Z.T, gamma, 1 / (1 - gamma))
    bilinear = scipy.linalg.solve_discrete_lyapunov(np.sqrt(gamma) * Q, Z @ Z.T, method="bilinear")
    assert np.abs(solution.matrix - bilinear).max() <= 2e-12 / (1 - gamma) ** 2 * np.abs(Z @ Z.T).max()


def test_refinement_of_a_nearly_periodic_chain():
    """Errors of the squared powers double with each squaring; without refinement this one ends 15 times too far off."""
    P = [[1.1801968135043472e-07, 0.9999998819803187], [0.9999984853840052, 1.5146159948769566e-06]]
    mrp = tk.MRP.from_matrix(P, [0.7, -0.6], 0.999)
    K = tk.krope_kernel(mrp, "doubling")
    assert K.evidence.iterations > 20  # two rounds of doubling
    truth = tk.krope_kernel(mrp, "exact").matrix()
    assert np.abs(K.matrix() - truth).max() <= K.evidence.error_bound
