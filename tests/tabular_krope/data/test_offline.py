import numpy as np
import pytest

from tabular_krope.data import offline
from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.data.dataset import Dataset, sample_dataset, sample_pairs
from tabular_krope.data.offline import offline_problem
from tabular_krope.data.target import behavior
from tabular_krope.errors import KropeError
from tabular_krope.estimation.estimate_value import estimate_value
from tabular_krope.models.garnet import garnet
from tabular_krope.models.policy import Policy
from tests.tabular_krope.data.transitions import continuous_data, tabular_data


@pytest.mark.parametrize("features", [None, "given"])
def test_tabular_rows_by_hand(features):
    data = tabular_data(n=40)
    target = Policy(np.random.default_rng(0).dirichlet(np.ones(2), size=4))
    phi = np.random.default_rng(1).standard_normal((8, 3)) if features else np.eye(8)
    p = offline_problem(data, target, phi if features else None)
    seen = np.unique(data.pairs)
    columns = slice(None) if features else seen
    for i in range(40):
        np.testing.assert_array_equal(p.Phi[i], phi[data.pairs[i]][columns])
        after = sum(target.probs[data.s_next[i], a] * phi[data.s_next[i] * 2 + a] for a in range(2))
        np.testing.assert_allclose(p.Phi_next[i], 0 * after[columns] if data.done[i] else after[columns], atol=1e-15)
    d0 = (data.d0[:, None] * target.probs).reshape(-1)
    np.testing.assert_allclose(p.starts, (d0 @ phi)[None, columns], atol=1e-15)
    assert (p.base is None) == (features is None)


def test_pairs_without_data_are_counted():
    data = Dataset([0, 0, 1], [0, 0, 0], [0.0] * 3, [1, 0, 1], [False, False, True], 2, 2, 0.9)
    assert offline_problem(data, "uniform").uncovered == 0.5  # either action after 2 rows, one of them without data
    assert offline_problem(data, "behavior").uncovered == 0.0
    ends = Dataset([0], [0], [1.0], [0], [True], 1, 1, 0.9)
    assert offline_problem(ends).uncovered == 0.0


def test_policies():
    data = tabular_data(n=40)
    assert offline_problem(data).policy == offline_problem(data, "behavior").policy == "behavior (the data's own)"
    assert offline_problem(data, "behaviour").policy == "behavior (the data's own)"
    half, uniform = offline_problem(data, np.full((4, 2), 0.5)), offline_problem(data, "uniform")
    np.testing.assert_array_equal(half.Phi_next, uniform.Phi_next)
    counts = np.zeros((4, 2))
    np.add.at(counts, (data.s, data.a), 1)
    np.testing.assert_allclose(behavior(data).probs, counts / counts.sum(axis=1, keepdims=True))


def test_episodes_end_at_ends_and_at_jumps():
    data = Dataset([0, 1, 2, 0, 0], [0] * 5, [0.0] * 5, [1, 1, 0, 1, 0], [False, False, False, True, False], 3, 1, 0.9)
    assert data.episode_numbers.tolist() == [0, 0, 1, 1, 2]


def test_sampled_pairs_follow_the_weights():
    mdp, n = garnet(3, 2, gamma=0.9), 20_000
    weights = np.array([0.5, 0.0, 0.1, 0.1, 0.2, 0.1])
    data = sample_pairs(mdp, weights, n, seed=1)
    share = np.bincount(data.pairs, minlength=6) / n
    np.testing.assert_allclose(share, weights, atol=5 * 0.5 / np.sqrt(n))  # five standard errors
    first = data.pairs == 0
    law = np.bincount(data.s_next[first], minlength=3) / first.sum()
    np.testing.assert_allclose(law, mdp.P_pairs[0], atol=5 * 0.5 / np.sqrt(first.sum()))
    np.testing.assert_array_equal(data.r, mdp.r.reshape(-1)[data.pairs])


def chain(n=12, seed=0, **more):
    """Rows in which each follows the one before, with two ends and one cut."""
    rng = np.random.default_rng(seed)
    seen, actions = rng.standard_normal((n + 1, 2)), rng.standard_normal((n, 1))
    terminals, timeouts = np.zeros(n, bool), np.zeros(n, bool)
    terminals[[3, 9]], timeouts[6] = True, True
    return ContinuousDataset(seen[:-1], actions, rng.standard_normal(n), seen[1:], terminals, 0.9, timeouts, **more)


def test_the_behavior_policy_of_continuous_data_is_the_next_row():
    data = chain()
    p = offline_problem(data, "behavior", seed=4)
    kept = [0, 1, 2, 3, 4, 5, 7, 8, 9, 10]  # row 6 was cut off, row 11 is the last
    assert p.r.tolist() == data.rewards[kept].tolist()
    assert p.episodes.tolist() == data.episodes[kept].tolist()
    for j, i in enumerate(kept):
        if data.terminals[i]:
            assert not p.Phi_next[j].any()
        else:  # next observation and next action are the next row's
            follow = kept.index(i + 1) if i + 1 in kept else None
            if follow is not None:
                np.testing.assert_allclose(p.Phi_next[j], p.Phi[follow], atol=1e-12)
    assert p.features == "random Fourier"
    np.testing.assert_array_equal(p.starts, p.Phi[[0, 4, 6, 9]])
    assert "the action in the data" in p.start


def test_features_in_the_data_and_given_ones():
    data = continuous_data(everything=True)
    p = offline_problem(data)
    np.testing.assert_array_equal(p.Phi_next, np.where(data.terminals[:, None], 0.0, data.next_features))
    np.testing.assert_array_equal(p.starts, data.initial_features)
    assert p.base is not None  # with next actions there are Fourier features beside them
    assert p.base.rows[2].shape == (2, 128)
    other = offline_problem(data, features=(data.features[:, :2], data.next_features[:, :2]))
    assert other.Phi.shape == (7, 2)
    assert "first row" in other.start
    three = offline_problem(data, features=(data.features, data.next_features, data.features[:1]))
    assert (three.start, three.starts.shape) == ("the given starts", (1, 4))


def test_next_actions_make_fourier_features():
    rng = np.random.default_rng(0)
    data = chain(next_actions=rng.standard_normal((12, 1)), initial_observations=[[0.0, 0.0]], initial_actions=[[0.0]])
    p = offline_problem(data, seed=1)
    assert (p.features, p.policy, p.start) == ("random Fourier", "given by its next actions", "the given starts")
    assert p.starts.shape == (1, 128)
    assert np.isfinite(estimate_value(data, replicates=10).value)
    assert (offline_problem(data, seed=1).Phi == p.Phi).all()
    assert not (offline_problem(data, seed=2).Phi == p.Phi).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: offline_problem("x"), "data must be a Dataset or a ContinuousDataset; got str"),
        (lambda: offline_problem(tabular_data(), "unifrom"), "policy must be one of behavior, uniform; got"),
        (lambda: offline_problem(tabular_data(), np.ones((1, 1))), r"policy must have shape \(4, 2\) like the data"),
        (lambda: offline_problem(tabular_data(), None, np.eye(3)), r"features must have shape \(8, any\)"),
        (lambda: offline_problem(chain()), "data must say what the target policy does next: .* none of them"),
        (lambda: offline_problem(chain(), "uniform"), "policy of continuous data must be one of behavior; got"),
        (lambda: offline_problem(continuous_data(everything=True), "behavior"), "policy must be None with features"),
        (lambda: offline_problem(chain(), None, np.eye(3)), r"must be \(features, next_features\) and perhaps initial"),
        (lambda: offline_problem(chain(), None, (np.eye(3), np.eye(3))), r"features must have shape \(12, any\)"),
        (lambda: offline_problem(chain(n=12).rows([6]), "behavior"), "must have a row that is followed by another"),
        (lambda: sample_pairs("x", [1.0], 1), "mdp must be an MDP; got str"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said(call, message):
    with pytest.raises(KropeError, match=message):
        call()


def test_features_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(offline, "MOST_NUMBERS", 100)
    data = sample_dataset(garnet(3, 2), Policy.uniform(3, 2), 50)
    with pytest.raises(KropeError, match="features must have at most 100 entries, take fewer of them; got 50 x 6"):
        offline_problem(data)
    p = offline_problem(data, None, np.ones((6, 2)))
    assert p.base is None  # one-hot pairs would not fit, and are not needed
