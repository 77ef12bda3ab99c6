"""Estimators beside LSPE against closed forms."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from tabular_krope.data import offline
from tabular_krope.data.dataset import Dataset, sample_dataset, sample_pairs
from tabular_krope.data.empirical import empirical_mrp
from tabular_krope.data.offline import offline_problem
from tabular_krope.errors import KropeError
from tabular_krope.estimation.estimators import _iterated, compare_estimators
from tabular_krope.estimation.importance import doubly_robust, importance_sampling
from tabular_krope.estimation.iterated import Iterated, fqe, td
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import random_policy
from tabular_krope.models.zoo import zoo
from tests.tabular_krope.data.transitions import continuous_data

TARGET = Policy([[0.9, 0.1], [0.3, 0.7]])
R = np.array([[1.0, -2.0], [0.5, 4.0]])


def every_walk(gamma=0.5):
    """Two steps, s = 0 and then s = 1, all four pairs of actions once: what the uniform policy does, exactly."""
    walks = list(product(range(2), range(2)))
    s, a = np.tile([0, 1], 4), np.array(walks).ravel()
    return Dataset(s, a, R[s, a], np.ones(8, int), np.tile([False, True], 4), 2, 2, gamma, episodes=s.cumsum() - s)


TRUTH = float(TARGET.probs[0] @ R[0] + 0.5 * TARGET.probs[1] @ R[1])


@pytest.mark.parametrize("behaviour", [None, np.full((2, 2), 0.5)])
def test_importance_sampling_is_right_over_all_walks(behaviour):
    data = every_walk()
    assert data.episode_numbers.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert importance_sampling(data, TARGET, behaviour).value == pytest.approx(TRUTH)
    q = np.array([[R[0, 0] + 1, 7.0], [3.0, -1.0]])
    value = float(TARGET.probs[0] @ q[0])  # any values: the ratios are right
    assert doubly_robust(data, TARGET, q, value, behaviour).value == pytest.approx(TRUTH)


def test_with_right_values_ratios_do_not_matter():
    data = every_walk()
    v1 = float(TARGET.probs[1] @ R[1])
    q = np.array([R[0] + 0.5 * v1, R[1]])
    wrong = [[0.2, 0.8], [0.6, 0.4]]
    out = doubly_robust(data, TARGET, q, float(TARGET.probs[0] @ q[0]), wrong)
    assert out.value == pytest.approx(TRUTH)
    assert importance_sampling(data, TARGET, wrong).value != pytest.approx(TRUTH, abs=0.1)


def test_intervals_over_episodes_and_cuts():
    data = Dataset(
        [0] * 40, [0, 1] * 20, [1.0, 3.0] * 20, [0] * 40, [True] * 39 + [False], 1, 2, 0.5, episodes=range(40)
    )
    out = importance_sampling(data, Policy.uniform(1, 2), level=0.9)
    r = np.array([1.0, 3.0] * 20)
    assert (out.high - out.low) / 2 == pytest.approx(1.684875 * r.std(ddof=1) / np.sqrt(40), rel=1e-5)  # t, 39 degrees
    assert (out.value, out.episodes, out.cut, out.effective) == (2.0, 40, 1, 40.0)
    assert importance_sampling(data, Policy([[0.0, 1.0]])).effective == 20
    few = Dataset([0], [0], [1.0], [0], [True], 1, 2, 0.5)
    assert np.isnan(importance_sampling(few, Policy.uniform(1, 2)).low)
    with pytest.raises(KropeError, match="behaviour must be positive where the data acted; got 0 in row 1"):
        importance_sampling(data, Policy.uniform(1, 2), [[1.0, 0.0]])


def test_tabular_fqe_and_lstd_are_values_of_the_empirical_model():
    mdp = garnet(5, 3, branching=2, gamma=0.8, seed=1)
    data, target = sample_dataset(mdp, Policy.uniform(5, 3), 2000, seed=0), random_policy(mdp, 2)
    mrp = empirical_mrp(data, target)
    mrp = mrp[0] if isinstance(mrp, tuple) else mrp
    truth = float((data.d0[:, None] * target.probs).reshape(-1) @ mrp.q)
    phi = np.random.default_rng(0).standard_normal((15, 15))
    for features in (None, phi):
        rows = {row.name: row for row in compare_estimators(data, target, features, replicates=20)}
        for name in ("LSPE", "FQE, linear", "FQE, tabular", "LSTD", "TD(0)", "doubly robust"):
            if name != "doubly robust":
                assert rows[name].value == pytest.approx(truth), name
        real = induce(mdp, target)
        assert abs(rows["doubly robust"].value - float(real.d0 @ real.q)) < 0.3
        assert np.isfinite(rows["LSTD"].low)


def test_iterations_of_one_weight_by_hand():
    """w -> 2w with reward 1: B = 1, C = 2, gamma = 0.9; H = -0.8."""
    data = Dataset([0] * 4, [0] * 4, [1.0] * 4, [1] * 4, [False] * 4, 2, 1, 0.9, d0=[1.0, 0.0])
    p = offline_problem(data, "uniform", [[1.0], [2.0]])
    expected = 1.8 ** np.arange(6) + (1.8 ** np.arange(6) - 1) / 0.8
    np.testing.assert_allclose(fqe(p, steps=5).values, expected)
    out = td(p, step=0.5, steps=5)
    np.testing.assert_allclose(out.values, 1.4 ** np.arange(6) + 0.5 * (1.4 ** np.arange(6) - 1) / 0.4)
    assert (out.stable, out.ever, round(out.spectral_radius, 12)) == (False, False, 1.4)
    assert out.limit == pytest.approx(-1 / 0.8)
    assert not fqe(p).stable
    rows = {row.name: row for row in compare_estimators(data, "uniform", [[1.0], [2.0]], replicates=0)}
    assert np.isnan(rows["LSPE"].value)
    assert rows["LSTD"].value == pytest.approx(-1 / 0.8)
    with pytest.raises(KropeError, match="step must be a positive number; got 0"):
        td(p, step=0)


def test_too_large_a_step_diverges_though_a_small_one_does_not():
    data = Dataset([0] * 4, [0] * 4, [1.0] * 4, [0] * 4, [False] * 4, 1, 1, 0.5)
    p = offline_problem(data)  # H = 0.5: stable below a step of 4
    assert [td(p, step=step).stable for step in (3.9, 4.1)] == [True, False]
    assert td(p, step=4.1).ever


def test_td_diverges_on_bairds_star_and_lspe_does_not():
    star = zoo("baird")
    data = sample_pairs(star.model, star.weights, 3000, seed=0)
    p = offline_problem(data, star.policy, star.features)
    for step in (1e-2, 0.1, None):
        out = td(p, step, steps=20_000)
        assert (out.stable, out.ever) == (False, False)
        assert not abs(out.values[-1]) < 1e6
    assert fqe(p).stable
    rows = {row.name: row for row in compare_estimators(data, star.policy, star.features, replicates=0)}
    assert (rows["TD(0)"].stable, rows["LSPE"].stable) == (False, True)
    assert rows["TD(0)"].note.startswith("diverges, with any step: step 0.2")


@pytest.mark.parametrize(
    ("name", "stable", "ever", "begins"),
    [
        ("TD(0)", False, False, "diverges, with any step: step 0.25, spectral radius 1.5; after 1,000 steps 7"),
        ("TD(0)", False, True, "diverges: step 0.25, spectral radius 1.5; after 1,000 steps 7"),
        ("TD(0)", True, True, "step 0.25, spectral radius 1.5; after 1,000 steps 7"),
        ("FQE, linear", False, False, "diverges: spectral radius 1.5; after 1,000 steps 7"),
        ("FQE, linear", True, True, "spectral radius 1.5; after 1,000 steps 7"),
    ],
)
def test_what_is_said_of_an_iteration(name, stable, ever, begins):
    """A step is named where there is one, and only of steps it is said that none would do."""
    out = Iterated(np.array([1.0, 7.0]), 3.0, 1.5, stable, 0.25, ever)
    found = SimpleNamespace(low=2.5, high=3.5)
    row = _iterated(name, "nothing", None, found, lambda p: out)
    assert (row.name, row.stable, row.assumes, row.note) == (name, stable, "nothing", begins)
    assert (
        (row.value, row.low, row.high) == (3.0, 2.5, 3.5) if stable else np.isnan([row.value, row.low, row.high]).all()
    )


def test_sparse_features_take_the_same_steps(monkeypatch):
    mdp = garnet(5, 3, branching=2, gamma=0.8, seed=1)
    data = sample_dataset(mdp, Policy.uniform(5, 3), 300, seed=0)
    dense = offline_problem(data, "uniform")
    monkeypatch.setattr(offline, "MOST_RESOLVED", 3)
    sparse = offline_problem(data, "uniform")
    for run in (fqe, td):
        one, other = run(dense), run(sparse)
        np.testing.assert_allclose(one.values, other.values, rtol=1e-9)
        assert (one.step, one.stable, one.ever) == (other.step, other.stable, other.ever)
        assert one.spectral_radius == pytest.approx(other.spectral_radius)
        assert one.limit == pytest.approx(other.limit)


def test_continuous_data_have_no_ratios():
    rows = compare_estimators(continuous_data(n=60, everything=True), replicates=0)
    assert [row.name for row in rows][-2:] == ["importance sampling", "doubly robust"]
    assert all("not to be had" in row.note for row in rows[-2:])
