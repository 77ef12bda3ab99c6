import numpy as np
import pytest
import scipy.linalg

from tabular_krope.arrays import dense
from tabular_krope.errors import KropeError
from tabular_krope.kernels.stein import rounding_floor, solve_stein, stein_residual
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


def test_unreachable_tolerance_is_refused():
    with pytest.raises(KropeError, match="doubling must reach an error of 1e-30"):
        solve_stein(np.array([[0.3, 0.7], [0.6, 0.4]]), np.eye(2), 0.9, 10.0, tolerance=1e-30)


def test_endless_chain_at_gamma_one_is_refused():
    with pytest.raises(KropeError, match="doubling must end within 60 steps"):
        solve_stein(np.array([[1.0]]), np.array([[0.0]]) + 1.0, 1.0, 10.0)
