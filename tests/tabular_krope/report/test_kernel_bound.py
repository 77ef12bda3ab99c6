import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.report import kernel_bound as module
from tabular_krope.report.kernel_bound import bounded_kernel, kernel_bound


@pytest.mark.parametrize("doublings", [0, 1, 2, 5])
@pytest.mark.parametrize("branching", [1, 30])
def test_counts_the_products_of_the_solver(doublings, branching, monkeypatch):
    """With a second for every job the bound counts them: the copy, P M, half of P M P', and those of the doublings."""
    monkeypatch.setattr(module, "batch_time", lambda action, repeats: 1.0)
    mdp = tk.garnet(30, 2, branching=branching, seed=0)
    mrp = tk.induce(mdp, tk.random_policy(mdp, seed=1))
    products = {0: 0.0, 1: 1.5, 2: 3.0 + 1.0, 5: 7.5 + 4.0}[doublings]
    assert kernel_bound(mrp, doublings, repeats=1) == 2.5 + products


@pytest.mark.parametrize("branching", [1, 30])
def test_the_last_product_is_the_one_of_the_kernel(branching):
    mdp = tk.garnet(30, 2, branching=branching, seed=0)
    mrp = tk.induce(mdp, tk.random_policy(mdp, seed=1))
    P = module.cheapest(mrp.P)
    W, K = np.random.default_rng(0).random((30, 60)), np.empty((60, 60))
    assert np.abs(module._smoothed(P, W, K) - module.dense(mrp.P) @ W).max() <= 1e-14


def test_ours_and_the_bound_are_both_measured():
    ours, bound, residual = bounded_kernel(30, 2, branching=3, gamma=0.9, repeats=2)
    assert ours > 0
    assert bound > 0
    assert residual < 1e-13
