"""Bounds around optimal values: their width by hand where the values are exact."""

import numpy as np
import pytest
from scipy import sparse

from tabular_krope.models.mdp import MDP
from tabular_krope.models.solving import _bounds, policy_iteration, value_iteration

EPS = 2.0**-52


@pytest.mark.parametrize("csr", [False, True])
@pytest.mark.parametrize("S", [1, 2, 5])
def test_what_rounding_leaves_of_exact_values(S, csr):
    """Each state stays, for a reward of 3 or less: ``v = 3 / (1 - 3/4) = 12``, and only rounding is left.

    A sum has as many terms as a row has entries, S or 1; each number is at most 3 + 12 + 12.
    """
    stay = np.stack([np.eye(S)] * 3, axis=1)
    r = np.tile([3.0, 1.0, -2.0], (S, 1))
    mdp = MDP(sparse.csr_array(stay.reshape(3 * S, S)) if csr else stay, r, 0.75)
    lower, upper = _bounds(mdp, np.full(S, 12.0))
    rounding = EPS * (2 * (1 if csr else S) + 8) * 27
    wanted = 3 * rounding + rounding * (1 + 3)
    assert 12 - lower == pytest.approx(wanted, rel=0.02, abs=4 * EPS)
    assert upper - 12 == pytest.approx(wanted, rel=0.02, abs=4 * EPS)
    for found in (policy_iteration(mdp), value_iteration(mdp, 1e-9)):
        assert (found.lower <= 12).all()
        assert (found.upper >= 12).all()
        assert found.policy.probs.argmax(axis=1).tolist() == [0] * S


def test_where_episodes_end_nothing_more_may_come():
    """One state whose only action ends: its value is the reward, whatever was taken for it."""
    mdp = MDP(np.zeros((1, 1, 1)), [[2.0]], 0.5, end=[[1.0]])
    for v in (0.0, 2.0, 5.0):
        lower, upper = _bounds(mdp, np.array([v]))
        assert lower[0] <= 2.0 <= upper[0]
    lower, upper = _bounds(mdp, np.array([2.0]))
    assert upper - lower < 1e-12
