import numpy as np
import pytest
from scipy import sparse

from tabular_krope.errors import KropeError
from tabular_krope.models.garnet import garnet
from tabular_krope.models.layouts import from_mdptoolbox, from_quantecon, to_mdptoolbox, to_quantecon
from tabular_krope.models.mdp import MDP
from tabular_krope.models.optimal import optimal_values
from tabular_krope.models.zoo import zoo


def models():
    ending = zoo("van-roy").model
    discounted = MDP(ending.P, ending.r, 0.9, ending.d0, ending.end)
    return {"garnet": garnet(5, 3, seed=1), "sparse": garnet(5, 3, sparse=True), "ending": discounted}


def same(one, two):
    np.testing.assert_array_equal(np.asarray(sparse.csr_array(one.P_pairs).toarray()), two.P_pairs)
    np.testing.assert_array_equal(one.r, two.r)
    np.testing.assert_array_equal(one.end, two.end)
    np.testing.assert_array_equal(one.d0, two.d0)
    assert one.gamma == two.gamma


@pytest.mark.parametrize("name", models())
def test_out_and_in_again_to_the_last_bit(name):
    mdp = models()[name]
    end_state = mdp.n_states if mdp.end.any() else None
    P, R = to_mdptoolbox(mdp)
    assert P.shape == (mdp.n_actions, len(R), len(R))
    np.testing.assert_allclose(P.sum(axis=2), 1.0, atol=1e-12)
    same(mdp, from_mdptoolbox(P, R, mdp.gamma, mdp.d0, end_state))
    R, Q, beta = to_quantecon(mdp)
    same(mdp, from_quantecon(R, Q, beta, d0=mdp.d0, end_state=end_state))


def test_rewards_of_states_of_transitions_and_sparse_matrices():
    mdp = garnet(4, 2, seed=3)
    P, _ = to_mdptoolbox(mdp)
    by_transition = np.random.default_rng(0).standard_normal(P.shape)
    expected = np.array([[P[a, s] @ by_transition[a, s] for a in range(2)] for s in range(4)])
    np.testing.assert_allclose(from_mdptoolbox(P, by_transition, 0.9).r, expected, atol=1e-15)
    csr, csr_R = tuple(map(sparse.csr_array, P)), list(map(sparse.csr_array, by_transition))
    np.testing.assert_allclose(from_mdptoolbox(csr, csr_R, 0.9).r, expected, atol=1e-15)
    np.testing.assert_array_equal(from_mdptoolbox(csr, [1.0, 2.0, 3.0, 4.0], 0.9).r[:, 1], [1.0, 2.0, 3.0, 4.0])
    R = np.arange(8.0).reshape(4, 2)
    np.testing.assert_array_equal(from_mdptoolbox(P, sparse.csr_array(R), 0.9).r, R)


def test_pymdptoolbox_forest():
    # the forest example of that library (3 states, fire 0.1): its documented optimal policy is to wait, wait, wait
    P = [[[0.1, 0.9, 0.0], [0.1, 0.0, 0.9], [0.1, 0.0, 0.9]], [[1.0, 0.0, 0.0]] * 3]
    mdp = from_mdptoolbox(P, [[0.0, 0.0], [0.0, 1.0], [4.0, 2.0]], gamma=0.9)
    # by hand: v2 = 4 + .9 (.1 v0 + .9 v2), v1 = .9 (.1 v0 + .9 v2), v0 = .9 (.1 v0 + .9 v1)
    system = np.array([[1 - 0.09, -0.81, 0.0], [-0.09, 1.0, -0.81], [-0.09, 0.0, 1 - 0.81]])
    np.testing.assert_allclose(optimal_values(mdp), np.linalg.solve(system, [0.0, 0.0, 4.0]), atol=1e-12)


def test_quantecon_solves_the_same_problem():
    markov = pytest.importorskip("quantecon.markov", reason="quantecon (the bench extra) is not installed")
    for mdp in (garnet(6, 3, gamma=0.9, seed=2), models()["ending"]):
        R, Q, beta = to_quantecon(mdp)
        ddp = markov.DiscreteDP(R, Q, beta)
        v = ddp.solve(method="policy_iteration").v
        np.testing.assert_allclose(v[: mdp.n_states], optimal_values(mdp), atol=1e-10)
        assert np.all(v[mdp.n_states :] == 0)
        end_state = mdp.n_states if mdp.end.any() else None
        same(mdp, from_quantecon(ddp, d0=mdp.d0, end_state=end_state))
        same(mdp, from_quantecon(ddp.to_sa_pair_form(), d0=mdp.d0, end_state=end_state))


def test_state_action_pairs_in_any_order():
    mdp = garnet(3, 2, seed=5)
    R, Q, beta = to_quantecon(mdp)
    s, a = np.divmod(np.random.default_rng(0).permutation(6), 2)
    assert np.any(np.diff(2 * s + a) != 1)
    same(mdp, from_quantecon(R[s, a], sparse.csr_array(Q[s, a]), beta, s, a))


P2, R2 = [[[0.5, 0.5], [0.0, 1.0]]], [[1.0], [0.0]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: from_mdptoolbox([], R2, 0.9), "P must be one square matrix for each action; got list"),
        (lambda: from_mdptoolbox(sparse.eye_array(2), R2, 0.9), "P must be one square matrix for each action"),
        (lambda: from_mdptoolbox([[[1.0, 0.0]]], R2, 0.9), r"P\[0\] must be a square matrix of 1 states"),
        (lambda: from_mdptoolbox(P2, [P2[0], P2[0]], 0.9), "R must have a reward for every transition of P"),
        (lambda: from_mdptoolbox(P2, [[1.0]], 0.9), r"R must have shape \(2, 1\); got \(1, 1\)"),
        (lambda: from_mdptoolbox([[[0.5, 0.4], [0.0, 1.0]]], R2, 0.9), r"P\[s=0, a=0, :\] must sum to 1; got 0.9"),
        (lambda: from_mdptoolbox(P2, R2, 0.9, end_state=2), "end_state must be one of 2 states"),
        (lambda: from_mdptoolbox(P2, R2, 0.9, end_state=0), "end_state must absorb and pay nothing; got state 0"),
        (lambda: from_mdptoolbox([[[1.0]]], [[0.0]], 0.9, end_state=0), "and not the only one; got 0"),
        (lambda: from_quantecon("x"), "R must be a DiscreteDP, or given with Q and beta; got str"),
        (lambda: from_quantecon(R2, [[[1.0, 0.0]], [[0.0, 1.0]]]), "beta must be given with R and Q; got None"),
        (lambda: from_quantecon([[-np.inf]], [[[1.0]]], 0.9), "R must have a feasible pair; got none"),
        (lambda: from_quantecon([1.0], np.eye(2)[:1], 0.9, [0], [0]), "every state must have at least one action"),
        (lambda: to_mdptoolbox(from_quantecon([1.0] * 3, np.eye(2)[[0, 1, 1]], 0.9, [0, 1, 1], [0, 0, 1])), "s=0, a=1"),
        (lambda: from_quantecon([1.0, 1.0], np.ones((2, 1)), 0.9, [0, 0], [0, 0]), "every pair must be given once"),
        (lambda: from_quantecon([1.0], np.ones((1, 1)), 0.9, [0], [-5]), "and the actions from 0"),
        (lambda: from_quantecon([1.0], np.ones((1, 1)), 0.9, [0.5], [0]), "s_indices and a_indices must be integers"),
        (lambda: from_quantecon([1.0], np.ones((1, 1)), 0.9, [0], [0, 1]), "must have one entry a pair; got shapes"),
        (lambda: to_quantecon("x"), "mdp must be an MDP; got str"),
    ],
)  # fmt: skip
def test_bad_arrays(call, message):
    with pytest.raises(KropeError, match=message):
        call()
