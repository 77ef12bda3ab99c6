import numpy as np
import pytest

from tabular_krope.errors import KropeError
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.policy import Policy


def test_matrix_by_hand():
    policy = Policy([[0.5, 0.5], [1.0, 0.0]])
    assert (policy.n_states, policy.n_actions) == (2, 2)
    assert policy.matrix().toarray().tolist() == [[0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]
    assert policy.matrix().nnz == 3


def test_matrix_picks_the_pairs_of_its_state():
    probs = np.random.default_rng(0).dirichlet(np.ones(3), size=4)
    f = np.random.default_rng(1).standard_normal((4, 3))
    np.testing.assert_allclose(Policy(probs).matrix() @ f.reshape(-1), np.einsum("sa,sa->s", probs, f), rtol=1e-14)


def test_deterministic_and_uniform():
    assert Policy.deterministic([1, 0], 2).probs.tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert Policy.uniform(2, 4).probs.tolist() == [[0.25] * 4] * 2


def test_it_cannot_be_changed():
    policy = Policy.uniform(1, 2)
    with pytest.raises(ValueError, match="read-only"):
        policy.probs[0, 0] = 1.0
    with pytest.raises(AttributeError):
        policy.probs = np.eye(2)


@pytest.mark.parametrize(
    ("probs", "message"),
    [
        ([[0.5, 0.4]], r"probs\[s=0, :\] must sum to 1; got 0.9"),
        ([[1.0, 0.0], [1.5, -0.5]], r"probs\[s=1, 1\] must be non-negative; got -0.5"),
        ([[np.nan, 1.0]], r"probs\[0, 0\] must be finite; got nan"),
        ([0.5, 0.5], r"probs must have shape \(any, any\); got \(2,\)"),
        (np.zeros((0, 2)), r"probs must have at least one state and one action; got shape \(0, 2\)"),
    ],
)
def test_bad_probabilities(probs, message):
    with pytest.raises(KropeError, match=message):
        Policy(probs)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 2], r"actions\[1\] must lie in 0..1; got 2"),
        ([-1, 0], r"actions\[0\] must lie in 0..1; got -1"),
        ([0.5], "actions must be a vector of integers; got float64"),
        ([[0]], r"actions must be a vector of integers; got int64 with shape \(1, 1\)"),
    ],
)
def test_bad_actions(actions, message):
    with pytest.raises(KropeError, match=message):
        Policy.deterministic(actions, 2)


def test_actions_by_state_are_a_policy():
    mdp = MDP(np.full((2, 2, 2), 0.5), [[0.0, 1.0], [2.0, 3.0]], 0.5)
    for given in ([1, 0], (1, 0), np.array([1, 0], dtype=np.uint8)):
        np.testing.assert_array_equal(induce(mdp, given).q, induce(mdp, [[0.0, 1.0], [1.0, 0.0]]).q)
    exact = ExactMDP([[["1/2", "1/2"]] * 2] * 2, [[0, 1], [2, 3]], "1/2")
    assert induce(exact, [1, 0]).q == induce(exact, [[0, 1], [1, 0]]).q
    for model in (mdp, exact):
        with pytest.raises(KropeError, match=r"actions\[1\] must lie in 0..1; got 2"):
            induce(model, [1, 2])
        with pytest.raises(KropeError, match=r"must have shape"):
            induce(model, [1.0, 0.0]) if model is mdp else induce(model, [[1], [0]])
