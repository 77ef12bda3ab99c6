from dataclasses import replace

import numpy as np
import pytest

import tabular_krope as tk
from deep.tabular.feature_worth import FLOAT_ROUTES, arbitrate, evaluate, evaluate_all, route_radius
from deep.tabular.problems import Problem, problem
from deep.tabular.run_settings import GarnetConfig
from tabular_krope.data.dataset import Dataset

ONE = problem(GarnetConfig(n_states=3, n_actions=2, branching=2, transitions=300, gamma=0.9), 0)
MRP = tk.empirical_mrp(ONE.dataset, ONE.policy)


def test_every_route_agrees_on_harmless_features():
    phi = np.random.default_rng(0).normal(size=(6, 3))
    expected = tk.lspe(MRP, phi, MRP.weights).spectral_radius
    for route in FLOAT_ROUTES:
        assert route_radius(MRP, phi, route) == pytest.approx(expected, rel=1e-3)


def test_full_rank_is_arbitrated_by_its_rank_as_rational_arithmetic_would():
    bad = np.random.default_rng(1).normal(size=(6, 6)) * 10.0 ** -np.arange(6)
    found = arbitrate(MRP, bad, disputed=True)
    assert (found["exact_by"], found["exact_rank"], found["exact_stable"]) == (1, 6, 1)
    exact = tk.lspe(MRP, bad, MRP.weights, solver="exact")
    assert exact.enclosure[0] <= found["radius_exact"] <= exact.enclosure[1] or exact.spectral_radius == pytest.approx(
        found["radius_exact"], rel=1e-12
    )


def test_a_dispute_below_full_rank_goes_to_rational_arithmetic():
    phi = np.random.default_rng(2).normal(size=(6, 2))
    found = arbitrate(MRP, phi, disputed=True)
    exact = tk.lspe(MRP, phi, MRP.weights, solver="exact")
    assert found["exact_by"] == 2
    assert found["radius_exact"] == exact.spectral_radius
    assert (found["exact_low"], found["exact_high"]) == exact.enclosure
    assert found["exact_stable"] == exact.stable
    undisputed = arbitrate(MRP, phi, disputed=False)
    assert undisputed["exact_by"] == 0
    assert np.isnan(undisputed["radius_exact"])


def test_the_covariance_route_loses_what_svd_and_rationals_keep():
    rng = np.random.default_rng(3)
    phi = rng.normal(size=(6, 6)) @ np.diag(10.0 ** -np.linspace(0, 8, 6)) @ rng.normal(size=(6, 6))
    found = evaluate(ONE, phi)
    assert found["radius_svd"] == pytest.approx(0.9, abs=1e-3)
    assert found["radius_exact"] == 0.9
    assert abs(found["radius_covariance32"] - 0.9) > 0.01


def test_measures_are_those_of_the_toolkit_and_are_stacked():
    phi = np.random.default_rng(4).normal(size=(2, 6, 3))
    found = evaluate_all((ONE, ONE), phi)
    true = tk.induce(ONE.mdp, ONE.policy)
    assert found["orthogonality"][1] == tk.orthogonality_correlation(true, phi[1])
    assert found["realizability"][0] == tk.realizability_error(true, phi[0])
    assert found["completeness"][1] == tk.bellman_completeness_error(MRP, phi[1], MRP.weights)
    assert found["rank"].tolist() == [3.0, 3.0]


def test_what_every_route_calls_unstable_is_certified():
    """One feature that doubles on the way from the only pair with much data: LSPE doubles too."""
    mdp = tk.MDP(np.array([[[0.0, 1.0]], [[0.0, 1.0]]]), np.zeros((2, 1)), 0.9)
    zero, ends = [0.0] * 100, [False] * 100
    often = Dataset([0] * 99 + [1], [0] * 100, zero, [1] * 100, ends, n_states=2, n_actions=1, gamma=0.9)
    found = evaluate(Problem(mdp, tk.Policy.uniform(2, 1), often), np.array([[1.0], [2.0]]))
    assert all(found[f"radius_{route}"] > 1.5 for route in FLOAT_ROUTES)
    assert (found["exact_by"], found["exact_stable"]) == (2, 0)
    # 0.9 * (99 * 1 * 2 + 1 * 2 * 2) / (99 * 1 + 1 * 4)
    assert found["exact_low"] <= 0.9 * 202 / 103 * (1 + 1e-12)
    assert found["exact_high"] >= 0.9 * 202 / 103 * (1 - 1e-12)


def test_full_rank_settles_nothing_where_pairs_have_no_data():
    """THEORY's last witness: both pairs go to the second, all data are on the first, and the radius is 9."""
    mrp = tk.MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], 0.9)
    phi, D = np.array([[1.0, 0.0], [10.0, 1.0]]), np.array([1.0, 0.0])
    found = arbitrate(replace(mrp, weights=D), phi, disputed=True)
    assert (found["exact_rank"], found["exact_by"], found["exact_stable"]) == (2, 2, 0)
    assert found["radius_exact"] == pytest.approx(9.0)
