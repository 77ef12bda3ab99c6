"""Models whose action sets differ by state, against fractions, other forms of the same model, and QuantEcon."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

import tabular_krope as tk
from tabular_krope.errors import KropeError
from tests.tabular_krope.metrics.test_action_sets import ragged

#: Puterman (1994), figure 3.1.1: in s1 stay (a11: reward 5, half to each) or leave (a12: reward 10); s2 costs 1 a step.
PUTERMAN = {
    "P": [[0.5, 0.5], [0.0, 1.0], [0.0, 1.0]],
    "r": [5, 10, -1],
    "pair_state": [0, 0, 1],
    "pair_action": [0, 1, 2],
}


def test_putermans_two_state_example():
    mdp = tk.MDP(gamma=0.95, action_names=["a11", "a12", "a21"], **PUTERMAN)
    assert (mdp.n_states, mdp.n_actions, mdp.n_pairs) == (2, 3, 3)
    assert mdp.allowed.tolist() == [[True, True, False], [False, False, True]]
    # the book's section 6.2: v(s2) = -1/(1 - 19/20) = -20; leaving gives 10 - 19 = -9, staying -180/21 = -8.571
    v = tk.optimal_values(mdp)
    np.testing.assert_allclose(v, [float(Fraction(-180, 21)), -20.0], rtol=1e-12)
    assert tk.optimal_policy(mdp).probs.tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    leave = tk.induce(mdp, [[0, 1, 0], [0, 0, 1]])
    np.testing.assert_allclose(leave.v, [-9.0, -20.0], rtol=1e-12)


def test_a_list_in_any_order_and_sparse_is_the_same_model():
    order = [2, 0, 1]
    shuffled = {name: np.asarray(value)[order] for name, value in PUTERMAN.items()}
    one, two = tk.MDP(gamma=0.9, **PUTERMAN), tk.MDP(gamma=0.9, **shuffled | {"P": sparse.csr_array(shuffled["P"])})
    np.testing.assert_array_equal(one.P_pairs, two.P_pairs.toarray())
    np.testing.assert_array_equal(one.r, two.r)
    np.testing.assert_array_equal(one.pair_action, two.pair_action)
    assert eval(repr(one), {"MDP": tk.MDP}).allowed.tolist() == one.allowed.tolist()


@pytest.mark.parametrize("csr", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_a_forbidden_action_is_one_that_a_policy_never_takes(seed, csr):
    """The full model with anything in the rows of absent actions has the same values, occupancies and kernels."""
    mdp = ragged(seed, ending=seed % 2 == 0, few=4, csr=csr, gamma=0.9)
    rng = np.random.default_rng(seed)
    S, A = mdp.n_states, mdp.n_actions
    P, r, end = rng.dirichlet(np.ones(S), size=(S, A)), rng.normal(size=(S, A)), np.zeros((S, A))
    at = mdp.pair_state, mdp.pair_action
    P[at], r[at], end[at] = sparse.csr_array(mdp.P_pairs).toarray(), mdp.r, mdp.end
    full = tk.MDP(P, r, 0.9, end=end)
    kept = np.flatnonzero(mdp.allowed.reshape(-1))
    for kind in ("stochastic", "deterministic", "epsilon-greedy"):
        policy = tk.random_policy(mdp, seed, kind)
        assert not policy.probs[~mdp.allowed].any()
        small, large = tk.induce(mdp, policy), tk.induce(full, policy)
        np.testing.assert_allclose(small.q, large.q[kept], atol=1e-12)
        np.testing.assert_allclose(small.v, large.v, atol=1e-12)
        np.testing.assert_allclose(tk.occupancy(small), tk.occupancy(large)[kept], atol=1e-14)
        span = (float(r.min()), float(r.max()))
        K, L = (np.asarray(tk.krope_kernel(chain, reward_range=span)) for chain in (small, large))
        np.testing.assert_allclose(K, L[np.ix_(kept, kept)], atol=1e-10)
        labels = [f"({s},{a})" for s, a in zip(*at, strict=True)]
        assert [small.pair_label(x) for x in range(small.n_pairs)] == labels


def test_uniform_policies_and_samples_stay_with_the_actions_there_are():
    mdp = ragged(3, S=8, A=4, ending=True)
    policy = tk.uniform_policy(mdp)
    np.testing.assert_allclose(policy.probs * mdp.allowed.sum(axis=1)[:, None], mdp.allowed, atol=1e-15)
    data = tk.sample_dataset(mdp, policy, 4000, seed=1)
    assert mdp.allowed[data.s, data.a].all()
    mrp = tk.induce(mdp, policy)
    seen = np.bincount(data.pairs, minlength=32)[np.flatnonzero(mdp.allowed.reshape(-1))] / 4000
    np.testing.assert_allclose(seen, tk.occupancy(mrp), atol=6 * 0.5 / np.sqrt(400))
    np.testing.assert_array_equal(data.r, mdp.table(mdp.r_pairs, np.nan)[data.s, data.a])


@pytest.mark.parametrize("ending", [False, True])
@pytest.mark.parametrize("form", ["npz", "json"])
@pytest.mark.parametrize("csr", [False, True])
def test_files_give_back_the_last_bit(tmp_path, form, ending, csr):
    mdp = ragged(5, ending=ending, csr=csr)
    chain = tk.induce(mdp, tk.random_policy(mdp, 2))
    tk.save(mdp, tmp_path / f"mdp.{form}")
    tk.save(chain, tmp_path / f"chain.{form}")
    for thing, again in ((mdp, tk.load(tmp_path / f"mdp.{form}")), (chain, tk.load(tmp_path / f"chain.{form}"))):
        for name in ("r", "end", "d0", "pair_state", "pair_action"):
            np.testing.assert_array_equal(getattr(thing, name), getattr(again, name))
        np.testing.assert_array_equal(sparse.csr_array(thing.P).toarray(), sparse.csr_array(again.P).toarray())
    named = tk.MDP(gamma=0.9, action_names=["a", "b", "c"], **PUTERMAN)
    tk.save(named, tmp_path / f"named.{form}")
    assert tk.load(tmp_path / f"named.{form}").action_names == ("a", "b", "c")


def test_quantecons_example_with_different_action_sets():
    """The two-state example of QuantEcon's lecture on DiscreteDP (after Puterman), in its three forms."""
    markov = pytest.importorskip("quantecon.markov", reason="quantecon (the bench extra) is not installed")
    R, beta = np.array([[5.0, 10.0], [-1.0, -np.inf]]), 0.95
    Q = np.array([[[0.5, 0.5], [0.0, 1.0]], [[0.0, 1.0], [0.5, 0.5]]])
    dense = markov.DiscreteDP(R, Q, beta)
    pairs = dense.to_sa_pair_form()
    expected = dense.solve(method="policy_iteration").v
    np.testing.assert_allclose(expected, [-180 / 21, -20], rtol=1e-12)
    for given in (dense, pairs, dense.to_sa_pair_form(sparse=False)):
        mdp = tk.from_quantecon(given)
        assert mdp.allowed.tolist() == [[True, True], [True, False]]
        np.testing.assert_allclose(tk.optimal_values(mdp), expected, rtol=1e-12)
    again = markov.DiscreteDP(*tk.to_quantecon(tk.from_quantecon(pairs)))
    np.testing.assert_allclose(again.solve(method="policy_iteration").v, expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_quantecon_solves_random_models_alike(seed):
    markov = pytest.importorskip("quantecon.markov", reason="quantecon (the bench extra) is not installed")
    mdp = ragged(seed, S=8, A=3, few=5, ending=seed % 2 == 1)
    ddp = markov.DiscreteDP(*tk.to_quantecon(mdp))
    np.testing.assert_allclose(ddp.solve(method="policy_iteration").v[:8], tk.optimal_values(mdp), atol=1e-10)
    back = tk.from_quantecon(ddp, end_state=8 if mdp.end.any() else None)
    np.testing.assert_array_equal(back.r, mdp.r)
    np.testing.assert_array_equal(back.P_pairs, mdp.P_pairs)
    np.testing.assert_array_equal(back.end, mdp.end)


def test_gamma_one():
    mdp = tk.MDP(
        [[0, 1], [1, 0], [0, 0]], [-1, -1, -5], 1.0, end=[0, 0, 1], pair_state=[0, 1, 1], pair_action=[0, 0, 3]
    )
    assert tk.optimal_policy(mdp).probs.tolist() == [[1, 0, 0, 0], [0, 0, 0, 1]]  # round for ever would cost more
    assert tk.optimal_values(mdp).tolist() == [-6.0, -5.0]
    with pytest.raises(KropeError, match="gamma must be below 1 unless episodes end; got 1 and no end after state 0"):
        tk.MDP(gamma=1.0, **PUTERMAN)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pair_state": [0, 0]}, "pair_state must be 3 integers, one for each pair; got int64 of shape"),
        ({"pair_state": None}, "pair_state must be 3 integers, one for each pair; got float64 of shape"),
        ({"pair_state": [0, 0, 2]}, r"pair_state\[2\] must lie in 0..1; got 2"),
        ({"pair_action": [0, -1, 0]}, r"pair_action\[1\] must be at least 0; got -1"),
        ({"pair_action": [1, 1, 0]}, r"every pair must be given once; got pair \(s=0, a=1\) twice"),
        ({"pair_state": [0, 0, 0]}, "every state must have at least one action; got none for state 1"),
        ({"P": [[0.5, 0.5]]}, r"P must have shape \(3, S\) for a list of 3 pairs; got \(1, 2\)"),
        ({"P": np.eye(2)[[0, 1, 1]] * 0.5}, r"P\[s=0, a=0, :\] must sum to 1; got 0.5"),
        ({"r": [[1.0], [2.0]], "P": np.eye(2)[:, None]}, r"pair_state must be None for r \[S, A\]"),
        ({"action_names": ["a", "b"]}, r"pair_action\[2\] must lie in 0..1; got 2"),
        ({"action_names": ["a", "b", "a"]}, "action_names must differ from each other; got 'a' twice"),
        ({"action_names": "abc"}, "action_names must be a list of texts; got 'abc'"),
        ({"r": [], "P": np.zeros((0, 2))}, "r must have at least one pair; got an empty array"),
    ],
)
def test_bad_lists(change, message):
    with pytest.raises(KropeError, match=message):
        tk.MDP(**PUTERMAN | {"gamma": 0.9} | change)


def test_bad_policies_masks_and_actions():
    mdp = tk.MDP(gamma=0.9, **PUTERMAN)
    with pytest.raises(KropeError, match=r"policy\[1, 0\] must be 0 for an action the state lacks; got 0.5"):
        tk.induce(mdp, [[1, 0, 0], [0.5, 0, 0.5]])
    with pytest.raises(KropeError, match=r"policy must have shape \(2, 3\) like the model's rewards; got \(2, 2\)"):
        tk.induce(mdp, np.full((2, 2), 0.5))
    with pytest.raises(KropeError, match=r"actions\[1\] must be one that the state has; got 0"):
        mdp.pairs_of([0, 0])
    with pytest.raises(KropeError, match="allowed must be true or false"):
        tk.MDP.from_mask(np.ones((1, 1, 1)), [[0.0]], 0.9, [[0.5]])
    with pytest.raises(KropeError, match=r"P must have shape \(1, 1, 1\) or \(1, 1\); got \(2,\)"):
        tk.MDP.from_mask([1, 2], [[0.0]], 0.9, [[1]])
    with pytest.raises(KropeError, match="action_names must name the 1 actions; got 2"):
        tk.MDP([[[1.0]]], [[0.0]], 0.9, action_names=["a", "b"])
    chain = tk.induce(mdp, tk.uniform_policy(mdp))
    with pytest.raises(KropeError, match="must be sorted by state and action; got another order"):
        tk.MRP(chain.P, chain.Pi, chain.r, 0.9, pair_state=[1, 0, 0], pair_action=[2, 0, 1])


def test_masks():
    full = tk.garnet(4, 3, gamma=0.9, seed=1)
    mask = np.array([[1, 0, 1], [1, 1, 1], [0, 0, 1], [0, 1, 0]], dtype=bool)
    dense = tk.MDP.from_mask(full.P, full.r, 0.9, mask)
    csr = tk.MDP.from_mask(sparse.csr_array(full.P_pairs), full.r, 0.9, mask, end=np.zeros((4, 3)))
    np.testing.assert_array_equal(dense.r, full.r[mask])
    np.testing.assert_array_equal(dense.P, full.P[mask])
    np.testing.assert_array_equal(csr.P.toarray(), dense.P)
    assert tk.MDP.from_mask(full.P, full.r, 0.9, np.ones((4, 3))).r.shape == (4, 3)


def test_float32_models_are_normalized_when_asked():
    P = np.random.default_rng(0).dirichlet(np.ones(50), size=(20, 3)).astype(np.float32)[:, :, :20]
    P /= P.sum(axis=2, keepdims=True)
    off = np.abs(P.astype(np.float64).sum(axis=2) - 1).max()
    assert off > 1e-9
    with pytest.raises(KropeError, match="must sum to 1"):
        tk.MDP(P, np.zeros((20, 3)), 0.9)
    mdp = tk.MDP(P, np.zeros((20, 3)), 0.9, normalize=True)
    np.testing.assert_allclose(mdp.P.sum(axis=2), 1, atol=1e-15)
    np.testing.assert_allclose(mdp.P, P, rtol=2 * off)
    halves = tk.MDP([[[1.0]]], [[0.0]], 0.9, end=[[1.0]], normalize=True)
    assert (halves.P.tolist(), halves.end.tolist()) == ([[[0.5]]], [[0.5]])
    probs = np.array([[0.1, 0.2, 0.7]], dtype=np.float32)
    assert tk.Policy(probs, normalize=True).probs.sum() == pytest.approx(1, abs=1e-15)
    chain = tk.MRP.from_matrix(P[:, 0], np.zeros(20), 0.9, normalize=True)
    np.testing.assert_allclose(chain.P.sum(axis=1), 1, atol=1e-15)
    with pytest.raises(KropeError, match="must sum to 1; got 0"):
        tk.MDP([[[0.0]]], [[0.0]], 0.9, normalize=True)


def test_fractions_are_not_rounded_without_a_word():
    third = Fraction(1, 3)
    with pytest.raises(KropeError, match=r"P\[0, 0, 0\] must be a float64, exact models keep fractions .* got 1/3"):
        tk.MDP([[[third, 1 - third]], [[0, 1]]], [[0], [0]], 0.9)
    with pytest.raises(KropeError, match=r"probs\[0, 0\] must be a float64"):
        tk.Policy([[third, 1 - third]])
    assert tk.MDP([[[Fraction(1, 2), Fraction(1, 2)]], [[0, 1]]], [[0], [0]], 0.9).P[0, 0, 0] == 0.5
