import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.arrays import dense
from tabular_krope.kernels.operator import iterate
from tests.cases import all_mrps, random_mrp

CASES = all_mrps()


@pytest.mark.parametrize("name", CASES)
def test_operator_is_the_double_sum(name):
    mrp = CASES[name]
    X = mrp.n_pairs
    K = np.random.default_rng(0).standard_normal((X, X))  # not symmetric: a lost transpose shows
    P = dense(mrp.P_pi)
    K1 = tk.reward_kernel(mrp.r)
    literal = np.array(
        [[K1[x, y] + mrp.gamma * sum(P[x, u] * P[y, v] * K[u, v] for u in range(X) for v in range(X)) for y in range(X)]
         for x in range(X)] if X <= 6 else K1 + mrp.gamma * np.einsum("xu,yv,uv->xy", P, P, K)
    )  # fmt: skip
    assert np.abs(tk.krope_operator(mrp, K) - literal).max() <= 1e-13


@pytest.mark.parametrize("name", CASES)
def test_contraction_in_the_sup_norm(name):
    mrp = CASES[name]
    A, B = np.random.default_rng(1).standard_normal((2, mrp.n_pairs, mrp.n_pairs))
    after = np.abs(tk.krope_operator(mrp, A) - tk.krope_operator(mrp, B)).max()
    assert after <= mrp.gamma * np.abs(A - B).max() * (1 + 1e-14) + 1e-15


def test_iteration_stops_by_distance_not_by_step():
    mrp = random_mrp(3, gamma=0.99)
    truth = tk.krope_kernel(mrp, "exact").matrix()
    for tolerance in (1.0, 1e-3, 1e-6):
        solution = iterate(mrp, tk.reward_kernel(mrp.r), tolerance)
        error = np.abs(solution.matrix - truth).max()
        assert error <= solution.error_bound <= tolerance * (1 + 1e-9)
    assert error > 1e-9  # it did stop early: the bound is not slack by orders of magnitude


def test_iteration_that_cannot_reach_its_tolerance_is_refused():
    with pytest.raises(tk.KropeError, match="iteration must reach an error of 1e-25"):
        iterate(random_mrp(3), tk.reward_kernel(random_mrp(3).r), 1e-25)


def test_operator_refuses_a_kernel_of_another_size():
    with pytest.raises(tk.KropeError, match=r"K must have shape \(15, 15\); got \(2, 2\)"):
        tk.krope_operator(random_mrp(0), np.eye(2))
