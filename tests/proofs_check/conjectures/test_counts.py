"""Numbers of actions, groups and rewards: by hand, in floats as in fractions, and where floats cannot tell."""

import numpy as np
import pytest

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.arithmetic.reals import UNDEFINED
from proofs_check.arithmetic.rounding import Rounded
from proofs_check.chains.case import Case
from proofs_check.conjectures.counts import CLEAR, actions, float_groups, float_rewards, groups

PARTITIONS = [[0], [0, 0], [0, 1], [0, 1, 0, 1], [0, 0, 0], [0, 1, 2, 1, 0], [2, 2, 0, 1, 1, 1]]


def distances(labels, apart=1.0):
    at = np.array(labels)
    return apart * (at[:, None] != at[None, :])


@pytest.mark.parametrize("labels", PARTITIONS)
def test_groups_are_the_blocks_of_a_partition(labels):
    d = distances(labels)
    assert groups(rationals(d.astype(int))) == len(set(labels))
    assert float_groups(Rounded(d[None], np.full((1, *d.shape), 1e-12))).value.tolist() == [len(set(labels))]
    assert groups(rationals(distances(labels, -1.0).astype(int))) == len(set(labels))


@pytest.mark.parametrize(("times", "sure"), [(0.5, False), (0.99, False), (1.01, True), (100.0, True)])
def test_a_distance_that_may_be_rounding_is_none_that_can_be_counted(times, sure):
    """Each chain of a stack for itself."""
    error = 1e-14
    near, clear = distances([0, 1, 2]), distances([0, 1, 1])
    near[0, 1] = near[1, 0] = times * CLEAR * error
    found = float_groups(Rounded(np.stack([near, clear]), np.full((2, 3, 3), error))).value
    assert found[1] == 2
    assert found[0] == 3 if sure else np.isnan(found[0])


@pytest.mark.parametrize("r", [[1.0], [1.0, 1.0], [2.0, 1.0, 2.0, 3.0], [0.0, -1.0, 1.0, -1.0], [1.0, 1.0 + 2**-52]])
def test_different_rewards_are_counted(r):
    assert float_rewards(np.array([r, r[::-1]])).value.tolist() == [len(set(r))] * 2


def chain(Pi):
    S, X = np.shape(Pi)
    P = rationals([[int(s == 0) for s in range(S)]] * X)
    return Case(
        P, rationals(Pi), rationals([0] * X), rationals("1/2")[()], rationals([0] * X), rationals([1] + [0] * (X - 1))
    )


def test_actions_are_pairs_of_a_state_that_stand_together():
    half = "1/2"
    assert actions(chain([[1, 0], [0, 1]])) == 1
    assert actions(chain([[half, half]])) == 2
    assert actions(chain([[half, half, 0, 0], [0, 0, 1, 0]])) == 2
    assert actions(chain([[half, 0, half, 0, 0, 0], [0, 0, 0, 0, 0, 1]])) == 3
    for foreign in ([[half, 0, half, 0], [0, 1, 0, 0]], [[1, 0, 0], [0, half, half]], [[0, 0, 1, 0], [1, 0, 0, 0]]):
        assert actions(chain(foreign)) is UNDEFINED
