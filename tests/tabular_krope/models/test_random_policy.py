import numpy as np
import pytest
from scipy import stats

from tabular_krope.errors import KropeError
from tabular_krope.models.garnet import garnet
from tabular_krope.models.mdp import MDP
from tabular_krope.models.optimal import optimal_policy
from tabular_krope.models.random_policy import random_policy

MODEL = garnet(8, 5, gamma=0.9, seed=0)


def test_stochastic_is_flat_dirichlet():
    probs = random_policy(garnet(3000, 3, branching=1, sparse=True), seed=5).probs
    np.testing.assert_allclose(probs.sum(axis=1), 1, rtol=1e-15)
    assert stats.kstest(probs[:, 0], stats.beta(1, 2).cdf).pvalue > 1e-3


def test_deterministic_is_uniform_over_actions():
    probs = random_policy(garnet(3000, 3, branching=1, sparse=True), seed=5, kind="deterministic").probs
    assert set(np.unique(probs)) == {0.0, 1.0}
    assert stats.chisquare(probs.sum(axis=0)).pvalue > 1e-3


@pytest.mark.parametrize("kind", ["stochastic", "deterministic"])
def test_the_seed_decides(kind):
    same = random_policy(MODEL, seed=np.random.default_rng(1), kind=kind).probs
    np.testing.assert_array_equal(random_policy(MODEL, seed=1, kind=kind).probs, same)
    assert not np.array_equal(random_policy(MODEL, seed=2, kind=kind).probs, same)


@pytest.mark.parametrize("epsilon", [0, 0.3, 1.0])
def test_epsilon_greedy_mixes_the_optimal_policy_with_the_uniform_one(epsilon):
    probs = random_policy(MODEL, kind="epsilon-greedy", epsilon=epsilon).probs
    np.testing.assert_allclose(probs, (1 - epsilon) * optimal_policy(MODEL).probs + epsilon / 5, rtol=1e-15)


def test_bad_input():
    with pytest.raises(KropeError, match="mdp must be an MDP; got int"):
        random_policy(3)
    with pytest.raises(KropeError, match=r"kind must be one of .*; got 'greedy' \(did you mean 'epsilon-greedy'\?\)"):
        random_policy(MODEL, kind="greedy")
    for bad in (-0.1, 1.1, np.nan, "x"):
        with pytest.raises(KropeError, match=r"epsilon must lie in \[0, 1\]; got"):
            random_policy(MODEL, kind="epsilon-greedy", epsilon=bad)
    with pytest.raises(KropeError, match="seed must be a non-negative integer"):
        random_policy(MODEL, seed=-1)


@pytest.mark.parametrize("listed", [False, True])
def test_every_action_that_a_state_has_is_drawn_and_no_other(listed):
    """Three actions, one and two: listed by state, or in a table where all have three."""
    state, action = np.array([0, 0, 0, 1, 2, 2]), np.array([0, 1, 2, 1, 0, 2])
    P, r = np.full((6, 3), 1 / 3), np.arange(6.0)
    mdp = (
        MDP(P, r, 0.9, pair_state=state, pair_action=action)
        if listed
        else MDP(np.full((3, 3, 3), 1 / 3), np.eye(3), 0.9)
    )
    allowed = mdp.allowed
    for kind in ("stochastic", "deterministic"):
        probs = np.array([random_policy(mdp, seed=seed, kind=kind).probs for seed in range(60)])
        assert np.array_equal((probs > 0).any(axis=0), allowed)
        assert np.allclose(probs.sum(axis=2), 1)
        shares = probs.mean(axis=0)[allowed]
        expected = (allowed / allowed.sum(axis=1, keepdims=True))[allowed]
        assert np.abs(shares - expected).max() < 0.2


@pytest.mark.parametrize("epsilon", [-0.01, 1.01, float("nan"), "0.5", None])
def test_epsilon_outside_of_the_unit_interval_is_refused(epsilon):
    with pytest.raises(KropeError, match=r"epsilon must lie in \[0, 1\]"):
        random_policy(MODEL, kind="epsilon-greedy", epsilon=epsilon)
