from types import SimpleNamespace

import gymnasium
import numpy as np
import pytest

from tabular_krope.errors import KropeError
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models import gymnasium_tables
from tabular_krope.models.gymnasium_tables import from_gymnasium, options_of
from tabular_krope.models.induce import induce
from tabular_krope.models.optimal import optimal_policy, optimal_values
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import random_policy, uniform_policy

IDS = ("FrozenLake-v1", "FrozenLake-v1?map_name=8x8&is_slippery=false", "CliffWalking-v1", "Taxi-v4")


def q_by_a_loop(env, probs, gamma, sweeps):
    """Action values by going through ``env.P`` again and again, with no matrix and no model of ours."""
    table = env.unwrapped.P
    flat = [(s, a, p, t, reward, over) for s in table for a in table[s] for p, t, reward, over in table[s][a]]
    s, a, p, t, reward, over = (np.array(column) for column in zip(*flat, strict=True))
    q = np.zeros(probs.shape)
    for _ in range(sweeps):
        v = (probs * q).sum(axis=1)
        after = np.zeros(probs.shape)
        np.add.at(after, (s.astype(int), a.astype(int)), p * (reward + gamma * np.where(over, 0.0, v[t.astype(int)])))
        q = after
    return q


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("which", ["uniform", "random", "optimal"])
def test_values_agree_with_a_loop_over_the_table(name, which):
    gamma = 0.95
    mdp = from_gymnasium(name, gamma)
    chosen = {"uniform": Policy.uniform(*mdp.r.shape), "random": random_policy(mdp, 3), "optimal": optimal_policy(mdp)}[
        which
    ]
    with gymnasium.make(name.partition("?")[0], **options_of(name)[1]) as env:
        # what is left of the sum is below gamma^n * largest reward / (1 - gamma)
        sweeps = int(np.log(1e-13 * (1 - gamma) / 100) / np.log(gamma))
        expected = q_by_a_loop(env, chosen.probs, gamma, sweeps)
        start = env.unwrapped.initial_state_distrib
    mrp = induce(mdp, chosen)
    np.testing.assert_allclose(mrp.q.reshape(mdp.r.shape), expected, rtol=0, atol=1e-10)
    np.testing.assert_allclose(mrp.d0.reshape(mdp.r.shape).sum(axis=1), start, atol=1e-15)


@pytest.mark.parametrize("name", IDS)
def test_the_kernel_of_every_environment(name):
    mdp = from_gymnasium(name)
    assert krope_kernel(induce(mdp, optimal_policy(mdp))).evidence.error_bound < 1e-10


def test_an_environment_in_its_wrappers_and_without_discount():
    env = gymnasium.make("FrozenLake-v1", is_slippery=False)
    mdp = from_gymnasium(env, gamma=1.0)
    assert from_gymnasium(env.unwrapped).gamma == 0.99
    assert mdp.end[14].tolist() == [0.0, 0.0, 1.0, 0.0]  # to the right of state 14 is the goal
    assert mdp.r[14].tolist() == [0.0, 0.0, 1.0, 0.0]
    assert induce(mdp, optimal_policy(mdp)).v[0] == pytest.approx(1.0)
    assert env.reset() is not None  # an environment that was given is not closed


def test_what_is_made_is_closed(monkeypatch):
    closed = []
    fake = SimpleNamespace(P={0: {0: [(1.0, 0, 0.0, True)]}}, close=lambda: closed.append(1))
    monkeypatch.setattr(gymnasium, "make", lambda name, **options: fake)
    assert from_gymnasium("Anything-v0").end.tolist() == [[1.0]]
    assert closed == [1]


def test_outcomes_that_meet_add_up_and_large_tables_are_sparse(monkeypatch):
    branching = [(0.25, 1, 4.0, False), (0.25, 1, 0.0, False), (0.5, 0, 2.0, True)]
    table = {0: {0: branching}, 1: {0: [(1.0, 0, 0.0, False)]}}
    mdp = from_gymnasium(SimpleNamespace(P=table), 0.5)
    assert (mdp.P[0, 0].tolist(), mdp.end[0, 0], mdp.r[0, 0], mdp.d0.tolist()) == ([0.0, 0.5], 0.5, 2.0, [0.5, 0.5])
    monkeypatch.setattr(gymnasium_tables, "DENSE_ENTRIES", 0)
    np.testing.assert_array_equal(from_gymnasium(SimpleNamespace(P=table), 0.5).P.toarray(), mdp.P_pairs)


@pytest.mark.parametrize(
    ("env", "message"),
    [
        ("CartPole-v1", r"env must be tabular, with its law in env.unwrapped.P; got CartPoleEnv"),
        (
            "NoSuchThing-v1",
            r"env must be the id and options .* got 'NoSuchThing-v1': Environment `NoSuch",
        ),
        ("FrozenLake-v1?nothing=1", "unexpected keyword argument 'nothing'"),
        ("FrozenLake-v1?map_name", r"env must be ID\?name=value&name=value; got"),
        ("FrozenLake-v1?a=1&a=2", "env must give each option once; got"),
        ({}, "env must be tabular"),
        ({0: {0: [(1.0, 5, 0.0, False)]}}, r"env.P\[0\]\[0\] must lead to states 0..0; got 5"),
        ({0: {0: [(1.0, 0)]}}, r"env.P\[0\]\[0\] must list \(probability, state, reward, terminated\); got \(1.0, 0\)"),
        ({0: {0: [("1", 0, 0.0, False)]}}, r"env.P\[0\]\[0\] must have probabilities and rewards that are numbers"),
        ({0: {0: [(0.5, 0, 0.0, False)]}}, r"P\[s=0, a=0, :\] must sum to 1; got 0.5"),
        ({0: {0: []}, 1: {}}, r"env.P\[1\] must have actions numbered from 0; got \[\]"),
        ({0: {"left": []}}, r"env.P\[0\] must have actions numbered from 0; got \['left'\]"),
        ({1: {0: []}}, "env.P must number its states and actions from 0; got no state 0"),
    ],
)
def test_what_is_no_table(env, message):
    with pytest.raises(KropeError, match=message):
        from_gymnasium(env if isinstance(env, str) else SimpleNamespace(P=env))


def test_action_masks_and_tables_with_different_actions():
    table = {0: {0: [(1.0, 1, 2.0, False)], 2: [(1.0, 0, 1.0, False)]}, 1: [[(1.0, 1, 0.0, False)]]}
    mdp = from_gymnasium(SimpleNamespace(P=table), 0.5)
    assert mdp.allowed.tolist() == [[True, False, True], [True, False, False]]
    assert induce(mdp, optimal_policy(mdp)).v.tolist() == [2.0, 0.0]  # 2 + 0 at once, or 1 for ever: 2 as well
    env = gymnasium.make("Taxi-v4").unwrapped
    full, masked = from_gymnasium(env, 0.9), from_gymnasium(env, 0.9, masked=True)
    np.testing.assert_array_equal(masked.allowed, [env.action_mask(s) == 1 for s in range(500)])
    np.testing.assert_array_equal(masked.r_pairs, full.r[masked.allowed])
    np.testing.assert_array_equal(masked.P_pairs, full.P[masked.allowed])
    # a masked move runs into a wall and costs a step: the optimum does not need it, and the uniform policy does better
    np.testing.assert_allclose(optimal_values(masked), optimal_values(full), atol=1e-12)
    assert np.all(induce(masked, uniform_policy(masked)).v >= induce(full, uniform_policy(full)).v)
    with pytest.raises(KropeError, match=r"env must have an action_mask\(state\) to be masked; got SimpleNamespace"):
        from_gymnasium(SimpleNamespace(P=table), masked=True)
    with pytest.raises(KropeError, match=r"env.action_mask\(0\) must be a vector of 0 and 1; got array"):
        from_gymnasium(SimpleNamespace(P=table, action_mask=lambda s: [2]), masked=True)


def test_options_keep_their_types():
    assert options_of("A-v1") == ("A-v1", {})
    assert options_of("A-v1?a=true&b=none&c=3&d=0.5&e=x%20y")[1] == {"a": True, "b": None, "c": 3, "d": 0.5, "e": "x y"}


def test_one_action_that_is_no_number_is_refused_among_others_that_are():
    stays = [(1.0, 0, 0.0, False)]
    env = SimpleNamespace(P={0: {0: stays, "left": stays}})
    with pytest.raises(KropeError, match="numbered from 0; got"):
        gymnasium_tables._actions(env, env.P, 0, masked=False)
