import numpy as np
import pytest
import scipy.linalg

import tabular_krope as tk
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
