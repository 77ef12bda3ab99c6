import cvxpy as cp
import numpy as np
import pytest

from figures.studies.nonnegative_weights import balancing_weights


@pytest.mark.parametrize("bounded", [True, False])
def test_weights_solve_the_quadratic_program(bounded):
    rng = np.random.default_rng(0)
    n, p = 60, 5
    delta, start, penalty = rng.standard_normal((n, p)) + 0.2, rng.standard_normal(p), rng.uniform(0.01, 0.1, p)
    w = cp.Variable(n, nonneg=bounded)
    gap = delta.T @ w / n - start
    program = cp.Problem(cp.Minimize(cp.sum_squares(w) / (2 * n) + cp.sum_squares(gap / np.sqrt(penalty)) / 2))
    program.solve(solver=cp.CLARABEL)
    found = balancing_weights(delta, start, penalty, bounded)
    assert found == pytest.approx(w.value, abs=2e-3 * np.abs(w.value).max())
    assert found.min() >= 0 or not bounded
