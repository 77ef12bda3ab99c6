import numpy as np
import pytest

from tabular_krope.data.dataset import Dataset, sample_dataset
from tabular_krope.errors import KropeError
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import random_policy
from tabular_krope.models.values import occupancy
from tabular_krope.models.zoo import zoo

FINE = {
    "s": [0, 1], "a": [1, 0], "r": [0.5, 1.0], "s_next": [1, 1], "done": [False, True],
    "n_states": 2, "n_actions": 2, "gamma": 0.9,
}  # fmt: skip


def test_episodes_begin_after_an_end_and_where_a_row_does_not_follow():
    rows = {"s": [0, 1, 0, 2, 1], "a": [0] * 5, "r": [0.0] * 5, "s_next": [1, 2, 1, 2, 1]}
    data = Dataset(**rows, done=[False, True, False, True, True], n_states=4, n_actions=1, gamma=0.9)
    assert data.episode_numbers.tolist() == [0, 0, 1, 2, 3]
    assert data.d0.tolist() == [0.5, 0.25, 0.25, 0.0]
    told = Dataset(**rows, done=[False] * 5, n_states=4, n_actions=1, gamma=0.9, episodes=[7, 7, 3, 3, 3])
    assert (told.episode_numbers.tolist(), told.d0.tolist()) == ([7, 7, 3, 3, 3], [1.0, 0.0, 0.0, 0.0])
    with pytest.raises(KropeError, match="episodes must have 5 entries like s; got 1"):
        Dataset(**rows, done=[False] * 5, n_states=4, n_actions=1, gamma=0.9, episodes=[0])


def test_fields_are_copied_checked_and_frozen():
    data = Dataset(**FINE)
    assert len(data) == 2
    assert data.pairs.tolist() == [1, 2]
    assert (data.d0.tolist(), data.d0_assumed) == ([1.0, 0.0], True)
    assert not Dataset(**FINE, d0=[1.0, 1.0]).d0_assumed
    for name, dtype in {"s": "int64", "a": "int64", "s_next": "int64", "r": "float64", "done": "bool"}.items():
        array = getattr(data, name)
        assert array.dtype == dtype
        assert not array.flags.writeable
    assert Dataset(**FINE | {"done": [0, 1], "s": np.array([0, 1], dtype=np.uint8)}).done.tolist() == [False, True]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"s": [0, 2]}, r"s\[1\] must lie in 0..1; got 2"),
        ({"a": [-1, 0]}, r"a\[0\] must lie in 0..1; got -1"),
        ({"s_next": [0, 5]}, r"s_next\[1\] must lie in 0..1; got 5"),
        ({"s": [0.0, 1.0]}, "s must be a vector of integers; got float64"),
        ({"s": [[0, 1]]}, r"s must be a vector of integers; got int64 with shape \(1, 2\)"),
        ({"s": []}, "s must hold at least one transition; got an empty array"),
        ({"a": [0]}, "a must have 2 entries like s; got 1"),
        ({"r": [0.0, np.nan]}, r"r\[1\] must be finite; got nan"),
        ({"r": [0.0]}, r"r must have shape \(2\); got \(1,\)"),
        ({"done": [0, 2]}, r"done\[1\] must be true or false; got"),
        ({"done": [True]}, r"done must have 2 entries like s; got shape \(1,\)"),
        ({"n_states": 0}, "n_states must be an integer of at least 1; got 0"),
        ({"n_actions": 1.5}, "n_actions must be an integer of at least 1; got 1.5"),
        ({"gamma": 2}, r"gamma must lie in \[0, 1\]; got 2"),
        ({"d0": [1.0]}, r"d0 must have shape \(2\); got \(1,\)"),
    ],
)
def test_bad_input(change, message):
    with pytest.raises(KropeError, match=message):
        Dataset(**FINE | change)


def ending(gamma):
    rng = np.random.default_rng(0)
    end = rng.choice([0.0, 0.3], size=(5, 3))
    P = rng.dirichlet(np.ones(5), size=(5, 3)) * (1 - end)[:, :, None]
    return MDP(P, rng.standard_normal((5, 3)), gamma, d0=[0.5, 0.5, 0.0, 0.0, 0.0], end=end)


MODELS = {
    "garnet": garnet(6, 3, gamma=0.9),
    "sparse": garnet(6, 3, gamma=0.9, sparse=True),
    "ending": ending(0.95),
    "gamma-one": ending(1.0),
    "gamma-zero": garnet(6, 3, gamma=0.0),
    "rooms": zoo("four-rooms").model,
}


@pytest.mark.parametrize("name", MODELS)
def test_every_transition_is_possible_and_pairs_follow_the_occupancy(name):
    mdp, n = MODELS[name], 60_000
    policy = random_policy(mdp, seed=3)
    data = sample_dataset(mdp, policy, n, seed=4)
    assert len(data) == n
    P = np.asarray(mdp.P_pairs.toarray() if name == "sparse" else mdp.P_pairs)
    x, goes_on = data.pairs, ~data.done
    assert (P[x[goes_on], data.s_next[goes_on]] > 0).all()
    assert (mdp.end.reshape(-1)[x[data.done]] > 0).all()
    assert (data.s_next[data.done] == data.s[data.done]).all()
    np.testing.assert_array_equal(data.r, mdp.r.reshape(-1)[x])
    starts = np.concatenate([[True], data.done[:-1] | (data.s[1:] != data.s_next[:-1])])
    assert (mdp.d0[data.s[starts]] > 0).all()
    mrp = induce(mdp, policy)
    share = np.bincount(x, minlength=mdp.n_pairs) / n
    rho = occupancy(mrp)
    # Correlated within a trajectory: the variance of a share is at most about 2 * lifetime * rho / n.
    sigma = np.sqrt(2 * mrp.horizon * rho * (1 - rho) / n)
    assert (np.abs(share - rho) <= 5 * sigma + mrp.horizon / n).all()
    ended = np.bincount(x, weights=data.done, minlength=mdp.n_pairs)
    expected = mdp.end.reshape(-1) * np.bincount(x, minlength=mdp.n_pairs)
    assert (np.abs(ended - expected) <= 5 * np.sqrt(expected) + 1).all()
    assert (data.gamma, data.n_states, data.n_actions) == (mdp.gamma, mdp.n_states, mdp.n_actions)
    np.testing.assert_array_equal(data.d0, mdp.d0)


def test_the_seed_decides():
    mdp = MODELS["garnet"]
    policy = Policy.uniform(6, 3)
    first = sample_dataset(mdp, policy, 100, seed=np.random.default_rng(1)).pairs
    np.testing.assert_array_equal(sample_dataset(mdp, policy, 100, seed=1).pairs, first)
    assert not np.array_equal(sample_dataset(mdp, policy, 100, seed=2).pairs, first)


def test_the_first_transitions_do_not_depend_on_how_many_are_asked_for_in_law():
    """Short data sets start at d0: no bias toward long trajectories."""
    mdp = zoo("van-roy").model
    policy = Policy.uniform(4, 1)
    assert all(sample_dataset(mdp, policy, 1, seed=s).s[0] == 0 for s in range(20))


def test_restart_is_a_parameter():
    mdp, policy = MODELS["garnet"], Policy.uniform(6, 3)
    endless = sample_dataset(mdp, policy, 500, restart=0)
    assert (endless.s[1:] == endless.s_next[:-1]).all()
    assert not endless.done.any()
    for bad in (-0.1, 1.1, np.nan, "x"):
        with pytest.raises(KropeError, match=r"restart must lie in \[0, 1\]; got"):
            sample_dataset(mdp, policy, 10, restart=bad)


def test_bad_arguments():
    mdp, policy = MODELS["garnet"], Policy.uniform(6, 3)
    with pytest.raises(KropeError, match="mdp must be an MDP; got Policy"):
        sample_dataset(policy, policy, 10)
    with pytest.raises(KropeError, match="policy must be a Policy; got MDP"):
        sample_dataset(mdp, mdp, 10)
    with pytest.raises(KropeError, match=r"policy must have shape \(6, 3\) like the model's rewards; got \(6, 2\)"):
        sample_dataset(mdp, Policy.uniform(6, 2), 10)
    with pytest.raises(KropeError, match="n must be an integer of at least 1; got 0"):
        sample_dataset(mdp, policy, 0)
    with pytest.raises(KropeError, match="seed must be a non-negative integer"):
        sample_dataset(mdp, policy, 10, seed=None)
