"""Sparse one-hot features say what dense ones say."""

import numpy as np
import pytest

from tabular_krope.closed_form.feature_space import feature_space_krope
from tabular_krope.closed_form.pair_krope import pair_krope
from tabular_krope.data import offline
from tabular_krope.data.dataset import Dataset, sample_dataset
from tabular_krope.data.offline import offline_problem
from tabular_krope.errors import KropeError
from tabular_krope.evaluation import pair_estimate, pair_spectrum
from tabular_krope.evaluation.value_estimate import estimate_on_rows
from tabular_krope.models.garnet import garnet
from tabular_krope.models.mdp import MDP
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import random_policy
from tabular_krope.report.diagnosis import diagnose

FAST = {"replicates": 30}


def ending_data(n=900, gamma=0.9, seed=0):
    """Rows on 160 pairs, some of which end; rewards that vary from row to row."""
    drawn = garnet(40, 4, branching=3, gamma=gamma, seed=seed)
    end = np.where(np.arange(160).reshape(40, 4) % 7 == 0, 0.3, 0.0)
    mdp = MDP(drawn.P * (1 - end)[:, :, None], drawn.r, gamma, end=end)
    data = sample_dataset(mdp, Policy.uniform(40, 4), n, seed=seed)
    noise = np.random.default_rng(seed).integers(0, 3, n) / 4
    return Dataset(
        data.s, data.a, data.r.round(1) + noise, data.s_next, data.done, 40, 4, gamma, data.d0
    ), random_policy(mdp, 1)


@pytest.fixture
def both(monkeypatch):
    """The same problem with dense and with sparse features."""

    def problems(**how):
        data, policy = ending_data(**how)
        sparse = offline_problem(data, policy)
        monkeypatch.setattr(offline, "MOST_RESOLVED", 10**6)
        dense = offline_problem(data, policy)
        monkeypatch.undo()
        assert sparse.pairs is not None
        assert dense.pairs is None
        return dense, sparse

    return problems


def test_the_rows_are_the_same(both):
    dense, sparse = both()
    np.testing.assert_array_equal(sparse.Phi.toarray(), dense.Phi)
    np.testing.assert_allclose(sparse.Phi_next.toarray(), dense.Phi_next)
    np.testing.assert_allclose(sparse.starts, dense.starts)


@pytest.mark.parametrize("gamma", [0.0, 0.5, 0.95])
def test_a_diagnosis_on_sparse_features_is_that_on_dense_ones(both, gamma):
    dense, sparse = (diagnose(p, **FAST) for p in both(gamma=gamma))
    assert (sparse.verdict, sparse.causes, sparse.facts.rank) == (dense.verdict, dense.causes, dense.facts.rank)
    for name in ("growth", "condition", "margin", "transitions", "episodes", "d"):
        assert getattr(sparse.facts, name) == pytest.approx(getattr(dense.facts, name), rel=1e-8), name
    np.testing.assert_allclose(sparse.facts.singular_values, dense.facts.singular_values, rtol=1e-10)
    for one, other in zip(sparse.routes, dense.routes, strict=True):
        close = {"rel": 1e-9 if one.dtype == "float64" else 1e-4, "abs": 1e-12}
        for name in ("spectral_radius", "norm", "value", "condition"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), **close), (one.name, name)
        # 64 random directions: right to a few percent
        np.testing.assert_allclose(one.errors[:5], other.errors[:5], rtol=0.1, atol=1e-3)
    for name in ("value", "low", "high", "standard_error", "rewards", "spectral_radius"):
        assert getattr(sparse.estimate, name) == pytest.approx(getattr(dense.estimate, name), rel=1e-8), name
    np.testing.assert_allclose(sparse.estimate.q_hat, dense.estimate.q_hat, rtol=1e-8, atol=1e-12)
    [one], [other] = sparse.cures, dense.cures
    assert (one.works, one.d, one.in_float32, one.keeps_value) == (other.works, other.d, True, True)
    assert one.norm == pytest.approx(other.norm, rel=1e-6)
    assert one.estimate.value == pytest.approx(other.estimate.value, rel=1e-6)
    assert one.estimate.low == pytest.approx(other.estimate.low, rel=1e-5)


def test_krope_of_pairs_is_krope_of_their_features(both):
    dense, sparse = both()
    one, other = (
        pair_krope(sparse.pairs, d=7),
        feature_space_krope(dense.Phi, dense.Phi_next, dense.r, dense.gamma, d=7),
    )
    np.testing.assert_allclose(one.eigenvalues, other.eigenvalues, rtol=1e-10)
    np.testing.assert_allclose(one.map @ one.map.T, other.map @ other.map.T, atol=1e-8)
    for name in ("norm", "spectral_radius", "condition", "rank", "span", "base_radius", "transitions"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-8), name
    assert one.certified


def test_many_rewards_are_shared_out_on_a_grid():
    data, policy = ending_data()
    noisy = Dataset(
        data.s, data.a, data.r + np.random.default_rng(1).random(len(data)), data.s_next, data.done, 40, 4, 0.9
    )
    made = pair_krope(offline_problem(noisy, policy).pairs)
    assert made.certified
    assert 0 < made.reward_error < 0.01


def test_without_arpack_and_with_it(both, monkeypatch):
    _, sparse = both()
    model = sparse.pairs.model
    whole = [f(model) for f in (pair_spectrum.radius_of_pairs, pair_spectrum.norm_of_pairs)]
    monkeypatch.setattr(pair_spectrum, "DENSE", 10)
    parts = [f(model) for f in (pair_spectrum.radius_of_pairs, pair_spectrum.norm_of_pairs)]
    np.testing.assert_allclose(parts, whole, rtol=1e-8)
    monkeypatch.setattr(pair_estimate, "COLUMNS", 7)
    blocks = pair_estimate.leverages(sparse.pairs)
    monkeypatch.undo()
    np.testing.assert_allclose(blocks, pair_estimate.leverages(sparse.pairs))
    monkeypatch.setattr(pair_estimate, "MOST_STATES", 3)
    np.testing.assert_array_equal(pair_estimate.leverages(sparse.pairs), 1 / sparse.pairs.counts[sparse.pairs.pair])


def test_rows_that_repeat_may_be_given_once():
    rng = np.random.default_rng(0)
    Phi, Phi_next, which = rng.random((5, 3)), rng.random((5, 3)) / 2, rng.integers(0, 5, 60)
    r, start, episodes = rng.random(60), rng.random((1, 3)), np.arange(60) // 2
    once = estimate_on_rows(Phi, Phi_next, r, 0.5, start, episodes=episodes, which=which)
    whole = estimate_on_rows(Phi[which], Phi_next[which], r, 0.5, start, episodes=episodes)
    for name in ("value", "low", "high", "rewards"):
        assert getattr(once, name) == pytest.approx(getattr(whole, name)), name
    np.testing.assert_allclose(once.q_hat, whole.q_hat)
    with pytest.raises(KropeError, match=r"which must be a vector of integers in 0\.\.4; got \[5\]"):
        estimate_on_rows(Phi, Phi_next, [1.0], 0.5, start, which=[5])


def test_a_base_of_many_pairs_cures_given_features():
    """80 copies of Van Roy's example: five rows from an even state to the odd one, one from that to itself."""
    even, odd = np.repeat(np.arange(0, 160, 2), 5), np.arange(1, 160, 2)
    s, s_next = np.concatenate([even, odd]), np.concatenate([even + 1, odd])
    data = Dataset(s, 0 * s, (s % 2).astype(float), s_next, s < 0, n_states=160, n_actions=1, gamma=0.9)
    out = diagnose(offline_problem(data, "uniform", 1.0 + np.arange(160)[:, None] % 2), **FAST)
    assert out.verdict == "diverges"
    assert out.routes[0].spectral_radius == pytest.approx(0.9 * 14 / 9)
    assert out.cure.name == "KROPE of one-hot pairs"
    assert out.cure.estimate.q_hat[:5] == pytest.approx([9.0] * 5)  # 0.9 / (1 - 0.9)
    np.testing.assert_allclose(out.cure.map.values(np.eye(160)), np.where(np.arange(160) % 2, 10.0, 9.0))


def test_a_hundred_thousand_rows_of_taxi_take_seconds():
    import time

    from tabular_krope.models.gymnasium_tables import from_gymnasium

    taxi = from_gymnasium("Taxi-v4", 0.99)
    data = sample_dataset(taxi, Policy.uniform(500, 6), 100_000, seed=0)
    before = time.process_time()
    out = diagnose(offline_problem(data, "uniform"))
    assert time.process_time() - before < 20  # about two on an idle core
    assert (out.verdict, out.facts.d) == ("stable", 2400)
