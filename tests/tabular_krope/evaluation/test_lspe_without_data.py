"""LSPE where some pairs have no data: their features still matter, as what the seen pairs lead to."""

import numpy as np
import pytest

import tabular_krope as tk
from tests.cases import all_mrps

CASES = all_mrps()


def test_full_rank_features_diverge_without_data_by_hand():
    # Both pairs lead to the second, which has no data: on the span of (1, 0) the matrix is gamma * 10.
    mrp = tk.MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 1.0], 0.9)
    for solver in ("svd", "covariance", "exact"):
        out = tk.lspe(mrp, [[1.0, 0.0], [10.0, 1.0]], weights=[1.0, 0.0], solver=solver)
        assert out.spectral_radius == pytest.approx(9.0, rel=1e-12)
        assert out.rank == 1


@pytest.mark.parametrize("name", [name for name in CASES if CASES[name].n_pairs > 2])
def test_spectral_radius_with_unseen_pairs_is_certified(name):
    mrp = CASES[name]
    X = mrp.n_pairs
    rng = np.random.default_rng(0)
    # Features of very different sizes, and no data on every second pair.
    Phi = rng.standard_normal((X, 2)) * np.array([1.0, 100.0])
    weights = rng.uniform(0.5, 1.0, X) * (np.arange(X) % 2 == 0)
    exact = tk.lspe(mrp, Phi, weights, solver="exact")
    found = tk.lspe(mrp, Phi, weights)
    assert found.spectral_radius == pytest.approx(exact.spectral_radius, rel=1e-10, abs=1e-10)
    assert found.stable == exact.stable
