import json
import math

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels import krope as krope_module
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mrp import MRP
from tabular_krope.report import analysis
from tabular_krope.report.analysis import STAGES, analyze_model
from tabular_krope.representations.features import features
from tests.cases import all_mrps, random_mrp

MRPS = all_mrps()
PROMISED = ("gamma", "q", "kernel_residual", "spectral_radius", "norm", "stable", "rank", "condition")


@pytest.mark.parametrize("name", MRPS)
def test_every_chain_can_be_analysed_and_written(name):
    mrp = MRPS[name]
    out = analyze_model(mrp)
    found = json.loads(json.dumps(out.as_json(), allow_nan=False))
    assert set(PROMISED) <= set(found)
    assert found["q"] == mrp.q.tolist()
    assert found["stable"] is True
    assert found["norm"] <= math.sqrt(mrp.gamma) + 1e-6
    assert out.value_error <= 1e-8 * mrp.horizon**2
    assert out.groups >= out.kernel.rank


def test_by_hand():
    out = analyze_model(MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.5, d0=[0.25, 0.75]))
    assert out.q.tolist() == [0.0, 2.0]
    assert out.value == pytest.approx(1.5)
    assert out.value_estimate == pytest.approx(1.5)
    assert (out.groups, out.kernel.rank, out.features.d) == (2, 2, 2)
    assert out.stability.spectral_radius == pytest.approx(0.5)


def test_settings_reach_every_part():
    mrp, D = random_mrp(0), np.arange(15) + 1.0
    out = analyze_model(mrp, "krope", 4, D, reward_range=(-2.0, 2.0))
    K = krope_kernel(mrp, reward_range=(-2.0, 2.0))
    expected = lspe(mrp, features(K, 4, D), D)
    assert out.stability.spectral_radius == pytest.approx(expected.spectral_radius, rel=1e-9)
    assert out.stability.norm == pytest.approx(expected.norm, rel=1e-9)
    assert out.kernel.reward_range == 4.0
    np.testing.assert_allclose(out.weights, D / D.sum())
    np.testing.assert_allclose(out.sweep.eigenvalues[:4], features(K, 4, D).eigenvalues)
    assert not np.allclose(
        analyze_model(mrp, "random", 2, seed=1).routes[0].q_hat, analyze_model(mrp, "random", 2).routes[0].q_hat
    )


def test_given_features_are_called_given():
    out = analyze_model(random_mrp(0), np.eye(15), 3)
    assert (out.features.kind, out.features.d) == ("given", 3)


def test_a_small_rational_chain_keeps_its_exact_kernel():
    chain = ExactMRP.from_matrix([["1/2", "1/2"], [0, 1]], r=[1, 0], gamma="9/10")
    out = analyze_model(chain)
    assert (out.kernel.evidence.method, out.kernel.evidence.residual) == ("exact", 0.0)


def test_a_large_rational_chain_does_not(monkeypatch):
    monkeypatch.setattr(analysis, "EXACT_STATES", 1)
    chain = ExactMRP.from_matrix([["1/2", "1/2"], [0, 1]], r=[1, 0], gamma="9/10")
    assert analyze_model(chain).kernel.evidence.method == "reduced"


def test_stages_begin_in_order():
    begun = []
    analyze_model(MRPS["absorbing"], begin=begun.append)
    assert tuple(begun) == STAGES


def test_large_models_are_spared_what_is_quadratic(monkeypatch):
    monkeypatch.setattr(analysis, "DENSE_PAIRS", 10)
    monkeypatch.setattr(analysis, "LARGE_DIMENSION", 3)
    mrp = random_mrp(0)
    out = analyze_model(mrp)
    assert (out.features.d, out.sweep.d[-1], out.kernel.rank) == (3, 3, None)
    assert (out.all_bounds, out.features.certificate) == (None, None)
    assert analyze_model(mrp, d=5).features.d == 5
    assert analyze_model(mrp, np.eye(15)).features.d == 15
    json.dumps(out.as_json(), allow_nan=False)


def test_a_large_model_of_low_rank_has_all_its_features(monkeypatch):
    monkeypatch.setattr(analysis, "DENSE_PAIRS", 1)
    mrp = MRPS["rank-deficient"]
    assert analyze_model(mrp).features.d == np.linalg.matrix_rank(krope_kernel(mrp).matrix()) < analysis.LARGE_DIMENSION


def test_a_matrix_free_model_has_the_numbers_of_the_dense_one(monkeypatch):
    mdp = tk.garnet(30, 3, 3, gamma=0.95, seed=0, sparse=True)
    mrp = tk.induce(mdp, tk.Policy.uniform(30, 3))
    dense = analyze_model(mrp, d=6)
    monkeypatch.setattr(analysis, "DENSE_PAIRS", 1)
    monkeypatch.setattr(krope_module, "DENSE_STATE_BYTES", 0)
    free = analyze_model(mrp, d=6)
    assert (free.kernel.evidence.method, dense.kernel.evidence.method) == ("matrix-free", "reduced")
    for name in ("spectral_radius", "norm", "rank"):
        assert getattr(free.stability, name) == pytest.approx(getattr(dense.stability, name), rel=1e-9)
    assert free.stability.q_hat == pytest.approx(dense.stability.q_hat, abs=1e-7)
    assert free.features.realizability == pytest.approx(dense.features.realizability, rel=1e-6)
    assert free.features.completeness_linear == pytest.approx(dense.features.completeness_linear, rel=1e-6)
    assert free.sweep.norm == pytest.approx(dense.sweep.norm[:6], rel=1e-9)
    assert (free.skipped, dense.skipped) == (analysis.SKIPPED, ())
    assert free.groups == dense.groups
    for one, other in zip(free.bounds, dense.bounds, strict=True):
        assert (one.name, one.holds) == (other.name, other.holds)
        assert 0 < one.worst_ratio <= other.worst_ratio * (1 + 1e-9)
    json.dumps(free.as_json(), allow_nan=False)


def test_unstable_features_are_reported_not_hidden():
    mrp = MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], gamma=0.9)
    out = analyze_model(mrp, [[1.0], [2.0]], weights=[1.0, 0.0])
    assert out.as_json()["stable"] is False
    assert out.as_json()["spectral_radius"] == pytest.approx(1.8)
