import numpy as np
import pytest

import tabular_krope as tk
from deep.tabular.config import GarnetConfig
from deep.tabular.evaluation import FLOAT_ROUTES, arbitrate, evaluate, evaluate_all, route_radius
from deep.tabular.problems import problem

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
