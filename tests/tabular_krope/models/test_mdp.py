import numpy as np
import pytest
from scipy import sparse

from tabular_krope.errors import KropeError
from tabular_krope.models.mdp import MDP

P = np.array([[[0.5, 0.5], [1.0, 0.0]], [[0.0, 1.0], [0.0, 1.0]]])  # [S, A, S]
R = np.array([[1.0, 0.0], [0.0, 2.0]])


def test_sizes_defaults_and_pair_order():
    mdp = MDP(P, R, 0.9)
    assert (mdp.n_states, mdp.n_actions, mdp.n_pairs) == (2, 2, 4)
    assert mdp.d0.tolist() == [0.5, 0.5]
    assert mdp.end.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert mdp.P_pairs.tolist() == [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]  # x = s*A + a


def test_dense_and_sparse_are_the_same_model():
    csr = MDP(sparse.csr_array(P.reshape(4, 2)), R, 0.9)
    assert csr.P is csr.P_pairs
    np.testing.assert_array_equal(csr.P_pairs.toarray(), MDP(P, R, 0.9).P_pairs)


def test_it_is_frozen():
    mdp = MDP(P, R, 0.9)
    for array in (mdp.P, mdp.r, mdp.d0, mdp.end, mdp.P_pairs):
        assert not array.flags.writeable
    assert not MDP(sparse.csr_array(P.reshape(4, 2)), R, 0.9).P.data.flags.writeable


def test_gamma_one_needs_an_end_that_some_action_reaches():
    end = np.array([[0.0, 0.0], [1.0, 0.0]])
    ends = P * (1 - end)[:, :, None]
    assert MDP(ends, R, 1.0, end=end).gamma == 1.0  # action 0 of state 1 ends, and state 0 can reach it
    with pytest.raises(KropeError, match="gamma must be below 1 unless episodes end; got 1 and no end after state 1"):
        MDP(np.array([[[0.0, 0.5]], [[0.0, 1.0]]]), [[0.0], [0.0]], 1.0, end=[[0.5], [0.0]])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"P": P * 0.98}, r"P\[s=0, a=0, :\] must sum to 1; got 0.98"),
        ({"P": P[:, :, ::-1] * [2, -1]}, r"P\[s=0, a=0, 1\] must be non-negative; got -0.5"),
        ({"P": P[:1]}, r"P must have shape \(2, 2, 2\); got \(1, 2, 2\)"),
        ({"P": sparse.csr_array((4, 3))}, r"P must have shape \(4, 2\); got \(4, 3\)"),
        ({"P": [[[1.0]], [[1.0, 0.0]]]}, "P must be an array of numbers; got list"),
        ({"r": [[np.nan, 0.0], [0.0, 0.0]]}, r"r\[0, 0\] must be finite; got nan"),
        (
            {"P": np.zeros((0, 2, 0)), "r": np.zeros((0, 2))},
            r"r must have at least one state and one action; got shape",
        ),
        ({"r": [1.0, 0.0]}, r"r must have shape \[S, A\] = \(2, 2\), as P \[S, A, S\] has; got \(2,\)"),
        ({"r": np.zeros((2, 3))}, r"r must have shape \[S, A\] = \(2, 2\), as P \[S, A, S\] has; got \(2, 3\)"),
        ({"P": sparse.csr_array((4, 2)), "r": [1.0]}, r"r must have shape \(any, any\); got \(1,\)"),
        ({"gamma": 1.5}, r"gamma must lie in \[0, 1\]; got 1.5"),
        ({"end": [[0.0, 2.0], [0.0, 0.0]]}, r"end\[0, 1\] must lie in \[0, 1\]; got 2"),
        ({"end": [[0.0, 0.5], [0.0, 0.0]]}, r"P\[s=0, a=1, :\] must sum to 1 with end; got 1.5"),
        ({"d0": [1.0, -1.0]}, r"d0\[1\] must be non-negative; got -1"),
        ({"d0": [1.0]}, r"d0 must have shape \(2\); got \(1,\)"),
    ],
)
def test_bad_input(change, message):
    with pytest.raises(KropeError, match=message):
        MDP(**({"P": P, "r": R, "gamma": 0.9} | change))


def test_large_models_name_the_row_of_the_pair():
    n = 10_001
    bad = sparse.csr_array((np.full(n, 0.5), (np.arange(n), np.zeros(n, dtype=int))), shape=(n, n))
    with pytest.raises(KropeError, match=r"P\[0, :\] must sum to 1; got 0.5"):
        MDP(bad, np.zeros((n, 1)), 0.9)
