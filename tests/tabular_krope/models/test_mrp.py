import numpy as np
import pytest
from scipy import sparse

from tabular_krope.errors import KropeError
from tabular_krope.exact.rationals import float_vector
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.policy import Policy
from tests.cases import all_mrps

EPS = np.finfo(float).eps
CHAINS = all_mrps()


def rounding(mrp):
    """Error that a backward stable solve on states leaves in values of rewards of size 1."""
    return 8 * mrp.n_states * EPS * mrp.horizon**2


def test_two_states_by_hand():
    mrp = MRP.from_matrix([[0.5, 0.5], [0.0, 1.0]], r=[1.0, 0.0], gamma=0.5)
    np.testing.assert_allclose(mrp.q, [4 / 3, 0.0], rtol=4 * EPS)
    assert mrp.lifetimes.tolist() == [2.0, 2.0]
    assert mrp.conservative


def test_induce_by_hand():
    mdp = MDP(P=[[[0.5, 0.5], [1.0, 0.0]], [[0.0, 1.0], [0.0, 0.5]]], r=[[1, 2], [3, 4]], gamma=0.5, d0=[1, 0],
              end=[[0, 0], [0, 0.5]])  # fmt: skip
    mrp = induce(mdp, Policy([[0.25, 0.75], [1.0, 0.0]]))
    assert mrp.r.tolist() == [1, 2, 3, 4]
    assert mrp.end.tolist() == [0, 0, 0, 0.5]
    assert mrp.d0.tolist() == [0.25, 0.75, 0, 0]
    assert mrp.Q.tolist() == [[0.875, 0.125], [0.0, 1.0]]
    assert mrp.P_pi.tolist()[0] == [0.125, 0.375, 0.5, 0.0]
    assert (mrp.n_pairs, mrp.n_states, mrp.n_actions, mrp.conservative) == (4, 2, 2, False)
    assert [mrp.pair_label(x) for x in range(4)] == ["(0,0)", "(0,1)", "(1,0)", "(1,1)"]


@pytest.mark.parametrize("name", CHAINS)
def test_q_and_lifetimes_solve_their_equations_on_pairs(name):
    mrp = CHAINS[name]
    P_pi = sparse.csr_array(mrp.P_pi).toarray()
    identity = np.eye(mrp.n_pairs)
    q = np.linalg.solve(identity - mrp.gamma * P_pi, mrp.r)
    np.testing.assert_allclose(mrp.q, q, atol=rounding(mrp) * (1 + np.abs(mrp.r).max()))
    np.testing.assert_allclose(mrp.v, mrp.Pi @ mrp.q, atol=rounding(mrp) * (1 + np.abs(mrp.r).max()))
    lifetimes = np.linalg.solve(identity - mrp.gamma * P_pi, np.ones(mrp.n_pairs))
    np.testing.assert_allclose(mrp.lifetimes, lifetimes, atol=rounding(mrp))
    assert mrp.horizon == mrp.lifetimes.max()
    np.testing.assert_allclose(mrp.bellman(mrp.q), mrp.q, atol=rounding(mrp) * (1 + np.abs(mrp.r).max()))


@pytest.mark.parametrize("name", CHAINS)
def test_exact_and_float_agree(name):
    mrp = CHAINS[name]
    exact = float_vector(mrp.exact().q)
    np.testing.assert_allclose(mrp.q, exact, atol=rounding(mrp) * (1 + np.abs(mrp.r).max()))


def test_the_same_for_dense_and_sparse():
    dense = CHAINS["random"]
    csr = MRP(sparse.csr_array(dense.P), dense.Pi.toarray(), dense.r, dense.gamma, d0=dense.d0)
    assert sparse.issparse(csr.P_pi)
    np.testing.assert_allclose(csr.q, dense.q, atol=rounding(dense))


def test_weights_are_normalized_and_values_frozen():
    mrp = MRP([[1.0], [1.0]], [[0.5, 0.5]], [0.0, 1.0], 0.5, weights=[1, 3])
    assert mrp.weights.tolist() == [0.25, 0.75]
    for array in (
        mrp.P,
        mrp.r,
        mrp.end,
        mrp.d0,
        mrp.weights,
        mrp.q,
        mrp.v,
        mrp.lifetimes,
        mrp.Q,
        mrp.P_pi,
        mrp.Pi.data,
    ):
        assert not array.flags.writeable
    assert mrp.q is mrp.q


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1.0]], [[1.0]], [], 0.9), "r must have at least one pair; got an empty array"),
        (([[1.0], [1.0]], [[1.0]], [0.0], 0.9), r"P must have shape \(1, any\) with at least one state; got \(2, 1\)"),
        ((np.ones((1, 0)), np.ones((0, 1)), [0.0], 0.9, [1.0]), r"at least one state; got \(1, 0\)"),
        (([1.0], [[1.0]], [0.0], 0.9), r"P must have shape \(1, any\) with at least one state; got \(1,\)"),
        (([[1.0], [1.0, 2.0]], [[1.0]], [0.0], 0.9), "P must have rows of one length; got rows of different"),
        (([[1.0]], [[0.5]], [0.0], 0.9), r"Pi\[0, :\] must sum to 1; got 0.5"),
        (([[1.0]], [[1.0, 0.0]], [0.0], 0.9), r"Pi must have shape \(1, 1\); got \(1, 2\)"),
        (([[1.0]], sparse.eye_array(2), [0.0], 0.9), r"Pi must have shape \(1, 1\); got \(2, 2\)"),
        (([[0.5]], [[1.0]], [0.0], 0.9), r"P\[0, :\] must sum to 1; got 0.5"),
        (([[0.5]], [[1.0]], [0.0], 0.9, [-0.5]), r"end\[0\] must lie in \[0, 1\]; got -0.5"),
        (([[1.0]], [[1.0]], [0.0], -1), r"gamma must lie in \[0, 1\]; got -1"),
        (([[1.0]], [[1.0]], [0.0], 1), "gamma must be below 1 unless every chain ends; got 1 and state 0 never ends"),
        (([[1.0]], [[1.0]], [0.0], 0.9, None, [0.0]), "d0 must have a positive sum; got 0"),
        (([[1.0]], [[1.0]], [0.0], 0.9, None, None, [np.nan]), r"weights\[0\] must be finite; got nan"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(KropeError, match=message):
        MRP(*arguments)


@pytest.mark.parametrize(
    ("P_pi", "message"),
    [
        ([[1.0, 0.0]], r"P_pi must be a square matrix; got shape \(1, 2\)"),
        ([[1.0], [0.0, 1.0]], "P_pi must have rows of one length"),
        (None, r"P_pi must be a square matrix; got shape \(\)"),
        (np.array([[1j]]), "P must be real; got complex128 numbers"),
    ],
)
def test_bad_matrix(P_pi, message):
    with pytest.raises(KropeError, match=message):
        MRP.from_matrix(P_pi, [0.0], 0.9)


def test_induce_refuses():
    mdp, policy = MDP([[[1.0]]], [[0.0]], 0.9), Policy([[1.0]])
    with pytest.raises(KropeError, match="mdp must be an MDP; got Policy"):
        induce(policy, policy)
    with pytest.raises(KropeError, match="policy must be a Policy; got MDP"):
        induce(mdp, mdp)
    with pytest.raises(KropeError, match=r"policy must have shape \(1, 1\) like the model's rewards; got \(1, 2\)"):
        induce(mdp, Policy([[0.5, 0.5]]))
    with pytest.raises(KropeError, match=r"f must have shape \(1\); got \(2,\)"):
        induce(mdp, policy).bellman([1.0, 2.0])


@pytest.mark.parametrize("zeros", [False, True])
def test_an_induced_process_is_the_one_that_is_checked_part_by_part(zeros):
    mdp = garnet(5, 3, seed=4)
    probs = np.random.default_rng(0).dirichlet(np.ones(3), size=5)
    probs[1] = [0.0, 1.0, 0.0] if zeros else probs[1]
    policy = Policy(probs)
    quick = induce(mdp, policy)
    d0 = (mdp.d0[:, None] * policy.probs).reshape(-1)
    whole = MRP(mdp.P_pairs, policy.matrix(), mdp.r.reshape(-1), mdp.gamma, mdp.end.reshape(-1), d0)
    for name in ("P", "r", "end", "d0"):
        assert np.array_equal(getattr(quick, name), getattr(whole, name))
        assert not getattr(quick, name).flags.writeable
    assert np.array_equal(quick.Pi.toarray(), whole.Pi.toarray())
    assert not quick.Pi.data.flags.writeable
    assert (quick.gamma, quick.weights, quick.pair_state) == (whole.gamma, None, None)
    assert np.array_equal(quick.q, whole.q)


def test_rewards_beyond_what_values_can_hold_are_refused_when_a_policy_is_chosen():
    mdp = MDP([[[1.0]]], [[1e101]], 0.5)
    with pytest.raises(KropeError, match=r"r\[0\] must be at most 1e\+100 in size"):
        induce(mdp, Policy([[1.0]]))
