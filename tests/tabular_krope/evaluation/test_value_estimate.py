import numpy as np
import pytest
from scipy.stats import binom

from tabular_krope.data.dataset import sample_dataset, sample_pairs
from tabular_krope.data.empirical import empirical_mrp
from tabular_krope.data.offline import offline_problem
from tabular_krope.errors import KropeError
from tabular_krope.estimation.estimate_value import estimate_value
from tabular_krope.evaluation import bootstrap as bootstrapping
from tabular_krope.evaluation.bootstrap import groups_of
from tabular_krope.evaluation.value_estimate import estimate_on_rows, orthonormal_basis
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.garnet import garnet
from tabular_krope.models.gymnasium_tables import from_gymnasium
from tabular_krope.models.induce import induce
from tabular_krope.models.optimal import optimal_policy
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import random_policy
from tabular_krope.representations.features import features
from tests.tabular_krope.evaluation.coverage import measured, problems


def rows(n=60, d=4, seed=0, gamma=0.8):
    rng = np.random.default_rng(seed)
    Phi, Phi_next = rng.standard_normal((n, d)), rng.standard_normal((n, d)) / 2
    return Phi, Phi_next, rng.standard_normal(n), gamma, rng.standard_normal((3, d))


def test_the_normal_equations():
    Phi, Phi_next, r, gamma, starts = rows()
    weights = np.random.default_rng(1).random(60)
    out = estimate_on_rows(Phi, Phi_next, r, gamma, starts, [1.0, 2.0, 1.0], weights, replicates=0)
    D = np.diag(weights / weights.sum())
    theta = np.linalg.solve(Phi.T @ D @ (Phi - gamma * Phi_next), Phi.T @ D @ r)
    np.testing.assert_allclose(out.theta, theta, rtol=1e-10)
    assert out.value == pytest.approx(np.array([0.25, 0.5, 0.25]) @ starts @ theta, rel=1e-10)
    np.testing.assert_allclose(out.q_hat, Phi @ theta, rtol=1e-10)
    L = gamma * np.linalg.solve(Phi.T @ D @ Phi, Phi.T @ D @ Phi_next)
    assert out.spectral_radius == pytest.approx(np.abs(np.linalg.eigvals(L)).max(), rel=1e-10)
    assert np.isnan(out.low)
    assert np.isnan(out.standard_error)


def test_coordinates_do_not_matter():
    Phi, Phi_next, r, gamma, starts = rows()
    M = np.random.default_rng(2).standard_normal((4, 4))
    plain = estimate_on_rows(Phi, Phi_next, r, gamma, starts)
    other = estimate_on_rows(Phi @ M, Phi_next @ M, r, gamma, starts @ M)
    for name in ("value", "low", "high", "spectral_radius"):
        assert getattr(plain, name) == pytest.approx(getattr(other, name), rel=1e-8)


def test_collapsed_features_are_those_that_are_left():
    Phi, Phi_next, r, gamma, starts = rows()
    twice = [np.hstack([A, A]) for A in (Phi, Phi_next, starts)]
    out = estimate_on_rows(*twice[:2], r, gamma, twice[2], replicates=5)
    assert out.value == pytest.approx(estimate_on_rows(Phi, Phi_next, r, gamma, starts, replicates=0).value)
    E = orthonormal_basis(*twice[:2], r, np.full(60, 1 / 60))
    assert E.shape == (8, 4)
    np.testing.assert_allclose((twice[0] @ E).T @ (twice[0] @ E) / 60, np.eye(4), atol=1e-12)


MODELS = {
    "garnet": garnet(8, 5, branching=3, gamma=0.9, seed=0),
    "frozen-lake": from_gymnasium("FrozenLake-v1", 0.95),
    "cliff": from_gymnasium("CliffWalking-v1", 0.9),
}


@pytest.mark.parametrize("name", MODELS)
def test_one_hot_features_solve_the_empirical_model_and_come_near_the_true_one(name):
    mdp = MODELS[name]
    data = sample_pairs(mdp, None, 5000, seed=1)
    target = random_policy(mdp, 5)
    out = estimate_value(data, target, replicates=100)
    empirical = empirical_mrp(data, target)
    assert out.value == pytest.approx(float(empirical.d0 @ empirical.q), rel=1e-9)
    np.testing.assert_allclose(out.q_hat, empirical.q[data.pairs], rtol=1e-8, atol=1e-10)
    mrp = induce(mdp, target)
    # where nothing is random (the cliff) there is nothing to be unsure of, and all pairs have data
    assert abs(out.value - float(mrp.d0 @ mrp.q)) <= 5 * out.standard_error + 1e-9 * abs(out.value)
    assert out.unit == "episodes"


def test_complete_features_recover_taxi():
    mdp = from_gymnasium("Taxi-v4", 0.95)
    mrp = induce(mdp, optimal_policy(mdp))
    phi = features(krope_kernel(mrp))  # their span is closed under the chain, which is deterministic
    out = estimate_value(sample_pairs(mdp, None, 20_000, seed=1), optimal_policy(mdp), phi.matrix, replicates=20)
    assert out.value == pytest.approx(float(mrp.d0 @ mrp.q), rel=1e-8)


@pytest.mark.parametrize("name", ["tabular", "one-hot", "ending", "Fourier"])
def test_intervals_cover_the_truth_as_often_as_they_say(name):
    """`coverage` has the shares of 400 data sets. If a share was 0.87 or more (0.93 or less), 120 others, which nobody
    chose, would fail this with probability below 1e-3 on either side."""
    plain, warned = measured(problems()[name], range(10_000, 10_120))
    if name != "ending":  # some sixty rewards of equal share, on which other intervals are too narrow
        assert len(warned) <= 3
    assert binom.ppf(1e-3, 120, 0.87) <= plain.sum() + warned.sum() <= binom.ppf(1 - 1e-3, 120, 0.93)


def test_values_that_rest_on_few_rewards_are_marked():
    """FrozenLake with 3,000 transitions of a uniform policy: some seven rewards, which no interval can make more of."""
    _, warned = measured(problems()["FrozenLake, 3,000 transitions"], range(10_000, 10_100))
    assert len(warned) >= 90
    assert warned.sum() <= binom.ppf(1 - 1e-3, len(warned), 0.78)  # that is why
    plain, warned = measured(problems()["rare, 1,200 transitions"], range(10_000, 10_060))  # some fifty: 0.87 covered
    assert (len(plain), len(warned)) == (0, 60)
    never = estimate_on_rows([[1.0]] * 30, [[0.0]] * 30, [0.0] * 30, 0.9, [[1.0]])
    assert (never.rewards, never.low, never.high) == (0.0, 0.0, 0.0)
    even = estimate_on_rows([[1.0]] * 30, [[0.0]] * 30, [2.0] * 30, 0.9, [[1.0]])
    assert even.rewards == pytest.approx(30)


def sandwich(Phi, Phi_next, r, gamma, start, groups):
    """Standard error by the delta method, group by group, from scratch."""
    n = len(r)
    H = Phi.T @ (Phi - gamma * Phi_next) / n
    theta = np.linalg.solve(H, Phi.T @ r / n)
    z = np.linalg.solve(H.T, start)
    scores = [sum((Phi[i] @ z) * (r[i] + gamma * Phi_next[i] @ theta - Phi[i] @ theta) / n
                  for i in np.flatnonzero(groups == g)) for g in range(groups.max() + 1)]  # fmt: skip
    return float(np.sqrt(np.sum(np.square(scores))))


@pytest.mark.parametrize("most", [128, 0])
def test_the_spread_of_replicates_is_that_of_the_delta_method(monkeypatch, most):
    monkeypatch.setattr(bootstrapping, "MOST_RESOLVED", most)
    Phi, noise, r, gamma, starts = rows(n=4000, gamma=0.5)
    Phi_next = Phi @ (1.5 * np.eye(4, k=1)) + noise / 2  # what comes next depends on what is, and not symmetrically
    episodes = np.arange(4000) // 10
    out = estimate_on_rows(Phi, Phi_next, r, gamma, starts, episodes=episodes, replicates=4000)
    expected = sandwich(Phi, Phi_next, r, gamma, starts.mean(axis=0), groups_of(episodes).of_row)
    # 4000 replicates know a standard deviation to 1/sqrt(8000) = 1.1%: four of those, and 3% for what is not linear
    assert out.standard_error == pytest.approx(expected, rel=0.075)
    assert (out.groups, out.replicates) == (200, 4000)
    assert out.low < out.value < out.high


def test_groups():
    few = groups_of(np.repeat(np.arange(5), 100))
    assert (few.count, few.unit) == (200, "blocks of transitions")
    assert np.all(np.diff(few.of_row) >= 0)
    many = groups_of(np.repeat(np.arange(1000) * 7, 3))
    assert (many.count, many.unit) == (200, "episodes")
    assert np.bincount(many.of_row).tolist() == [15] * 200
    assert groups_of(np.arange(30)).of_row.tolist() == list(range(30))


def test_a_singular_system_has_its_solution_of_least_norm():
    # one state that stays where it is, gamma = 1: B - gamma C = 0
    out = estimate_on_rows([[1.0]] * 3, [[1.0]] * 3, [0.0] * 3, 1.0, [[1.0]], replicates=5)
    assert (out.value, out.low, out.stable) == (0.0, 0.0, False)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"level": 1.0}, "level must lie strictly between 0 and 1; got 1.0"),
        ({"replicates": -1}, "replicates must be an integer of at least 0; got -1"),
        ({"replicates": 1}, "replicates must be 0 for no interval, or at least 2; got 1"),
        ({"weights": [1.0] * 59 + [1e-20]}, r"weights must lie within a factor of 1e\+12 of each other .*; got 1e\+20"),
        ({"episodes": [0]}, r"episodes must have 60 entries like r; got shape \(1,\)"),
        ({"Phi": np.zeros((60, 4))}, "Phi must have a non-zero row with positive weight; got zeros only"),
        ({"starts": [[1.0]]}, r"starts must have shape \(any, 4\); got \(1, 1\)"),
    ],
)
def test_bad_input(change, message):
    names = ("Phi", "Phi_next", "r", "gamma", "starts")
    with pytest.raises(KropeError, match=message):
        estimate_on_rows(**(dict(zip(names, rows(), strict=True)) | change))


def test_the_problem_is_what_the_estimate_is_made_of():
    mdp = garnet(3, 2, gamma=0.9)
    data = sample_dataset(mdp, Policy.uniform(3, 2), 200)
    p = offline_problem(data, "uniform")
    direct = estimate_on_rows(p.Phi, p.Phi_next, p.r, p.gamma, p.starts, p.start_weights, None, p.episodes, seed=3)
    assert direct.low == estimate_value(data, "uniform", seed=3).low != estimate_value(data, "uniform", seed=4).low
