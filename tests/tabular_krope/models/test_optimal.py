from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from tabular_krope.errors import KropeError
from tabular_krope.models import optimal
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.optimal import optimal_policy, optimal_values
from tabular_krope.models.policy import Policy

EPS = np.finfo(float).eps


def ending_mdp(seed, S=4, A=3, gamma=1.0):
    rng = np.random.default_rng(seed)
    end = rng.choice([0.0, 0.3], size=(S, A))
    end[:, 0] = 0.2
    P = rng.dirichlet(np.ones(S), size=(S, A)) * (1 - end)[:, :, None]
    return MDP(P, -rng.random((S, A)), gamma, end=end)


def best_by_enumeration(mdp):
    best = np.full(mdp.n_states, -np.inf)
    for actions in product(range(mdp.n_actions), repeat=mdp.n_states):
        try:
            best = np.maximum(best, induce(mdp, Policy.deterministic(actions, mdp.n_actions)).v)
        except KropeError:  # a policy that need not end, with gamma = 1
            continue
    return best


def test_by_hand():
    mdp = MDP(P=[[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]], r=[[0.0, -1.0], [1.0, 0.0]], gamma=0.5)
    assert optimal_values(mdp).tolist() == [0.0, 2.0]  # staying and moving (-1 + 2/2) tie in state 0
    assert optimal_policy(mdp).probs.tolist() == [[1.0, 0.0], [1.0, 0.0]]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("gamma", [0.0, 0.9, 0.999])
def test_against_enumeration(seed, gamma):
    mdp = garnet(4, 3, branching=2, gamma=gamma, seed=seed)
    bound = 64 * EPS / (1 - gamma) ** 2
    best = best_by_enumeration(mdp)
    np.testing.assert_allclose(optimal_values(mdp), best, atol=bound)
    np.testing.assert_allclose(induce(mdp, optimal_policy(mdp)).v, best, atol=bound)


@pytest.mark.parametrize("seed", range(5))
def test_with_gamma_one_against_enumeration_of_the_policies_that_end(seed):
    mdp = ending_mdp(seed)
    best = best_by_enumeration(mdp)
    np.testing.assert_allclose(optimal_values(mdp), best, atol=64 * EPS * 25)
    np.testing.assert_allclose(induce(mdp, optimal_policy(mdp)).v, best, atol=64 * EPS * 25)


@pytest.mark.parametrize("sparse", [False, True])
def test_against_linear_programming(sparse):
    mdp = garnet(30, 4, gamma=0.95, seed=3, sparse=sparse)
    P = garnet(30, 4, gamma=0.95, seed=3, sparse=False).P_pairs
    A = 0.95 * P - np.repeat(np.eye(30), 4, axis=0)  # v >= r + gamma P v
    lp = linprog(np.ones(30), A_ub=A, b_ub=-mdp.r.reshape(-1), bounds=(None, None), method="highs")
    np.testing.assert_allclose(optimal_values(mdp), lp.x, atol=1e-6)  # the accuracy of the LP's own stopping rule


def test_ties_take_the_lowest_action():
    mdp = MDP(P=np.ones((1, 4, 1)), r=[[0.0, 1.0, 1.0, 0.5]], gamma=0.9)
    assert optimal_policy(mdp).probs.tolist() == [[0.0, 1.0, 0.0, 0.0]]
    # 0.1 + 0.2 and 0.3 differ in the last bit only: they count as a tie, whatever their order
    for r in ([0.3, 0.1 + 0.2], [0.1 + 0.2, 0.3]):
        assert optimal_policy(MDP(P=np.ones((1, 2, 1)), r=[r], gamma=0.9)).probs.tolist() == [[1.0, 0.0]]


def test_with_gamma_one_a_tie_never_chooses_the_endless_loop():
    # state 0: stay (r 0) or go to 1 (r 0); state 1: back to 0 (r 0) or end (r 0)
    P = [[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 0.0]]]
    mdp = MDP(P, np.zeros((2, 2)), 1.0, end=[[0.0, 0.0], [0.0, 1.0]])
    assert optimal_policy(mdp).probs.tolist() == [[0.0, 1.0], [0.0, 1.0]]
    assert optimal_values(mdp).tolist() == [0.0, 0.0]


def test_with_gamma_one_the_best_policy_that_ends_even_if_staying_is_free():
    mdp = MDP([[[1.0], [0.0]]], [[0.0, -1.0]], 1.0, end=[[0.0, 1.0]])
    assert optimal_values(mdp).tolist() == [-1.0]
    assert optimal_policy(mdp).probs.tolist() == [[0.0, 1.0]]


def test_with_gamma_one_a_loop_that_pays_is_refused():
    mdp = MDP([[[1.0], [0.0]]], [[0.5, -1.0]], 1.0, end=[[0.0, 1.0]])
    with pytest.raises(KropeError, match="r must not pay an endless loop when gamma is 1; got one after state 0"):
        optimal_values(mdp)


def test_long_horizons_end():
    mdp = garnet(60, 5, gamma=1 - 1e-6, seed=0)
    v = optimal_values(mdp)
    q = mdp.r + mdp.gamma * (mdp.P_pairs @ v).reshape(mdp.r.shape)
    assert np.abs(q.max(axis=1) - v).max() <= 8 * mdp.n_states * EPS * 1e6 * np.abs(v).max()


def test_rounding_cannot_make_it_go_round_in_circles(monkeypatch):
    # Two equal actions, and values whose errors favor now one state, now the other; the stated error covers it.
    mdp = MDP(P=[[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]], r=np.zeros((2, 2)), gamma=0.5)
    calls = []

    def shaky(mdp, actions):
        calls.append(actions)
        assert len(calls) < 20
        return np.array([1e-15, 0.0]) if actions[0] else np.array([0.0, 1e-15]), 2e-15

    monkeypatch.setattr(optimal, "_evaluate", shaky)
    assert optimal_policy(mdp).probs.tolist() == [[1.0, 0.0], [1.0, 0.0]]
    assert len(calls) == 1


def test_only_an_mdp_has_optimal_values():
    with pytest.raises(KropeError, match="mdp must be an MDP; got list"):
        optimal_values([])


def test_rounds_are_limited(monkeypatch):
    monkeypatch.setattr("tabular_krope.models.optimal.MOST_ROUNDS", 1)
    mdp = MDP(P=[[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 1.0]]], r=[[1.0, 0.0], [5.0, 5.0]], gamma=0.9)
    with pytest.raises(KropeError, match="policy iteration must end within 1 rounds"):
        optimal_values(mdp)
