"""Numbers of actions, groups and rewards: by hand, in floats as in fractions, and where floats cannot tell."""

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.arithmetic.reals import UNDEFINED
from proofs_check.chains.blueprint import Blueprint, stacked
from proofs_check.chains.case import Case
from proofs_check.chains.shapes import SHAPES
from proofs_check.conjectures.counts import actions, float_groups, float_rewards, groups
from tabular_krope.batched.chains import Chains

PARTITIONS = [[0], [0, 0], [0, 1], [0, 1, 0, 1], [0, 0, 0], [0, 1, 2, 1, 0], [2, 2, 0, 1, 1, 1]]


def distances(labels, apart=1.0):
    at = np.array(labels)
    return apart * (at[:, None] != at[None, :])


@pytest.mark.parametrize("labels", PARTITIONS)
def test_groups_are_the_blocks_of_a_partition(labels):
    d = distances(labels)
    assert groups(rationals(d.astype(int))) == len(set(labels))
    r = np.array([labels], dtype=float)
    n = len(labels)
    for P in (np.eye(n), np.ones((n, n)) / n):
        assert float_groups(stack([P], r, 1 / 2)).value.tolist() == [len(set(labels))]
    assert groups(rationals(distances(labels, -1.0).astype(int))) == len(set(labels))


def stack(P, r, gamma):
    P = np.array(P)
    return Chains(P, np.array(r), np.full(len(P), gamma), np.maximum(0.0, 1.0 - P.sum(axis=2)))


@pytest.mark.parametrize("n", [2, 5, 23])
def test_groups_in_floats_are_those_in_fractions(n):
    """On a walk, a path, an ending path and a cycle with one reward that differs, at discount factors 0 and 9/10."""
    r = tuple(fmpq(int(x == n - 1)) for x in range(n))
    for name in ("walk", "path", "ending path", "cycle", "star"):
        for gamma in (fmpq(0), fmpq(9, 10)):
            plan = Blueprint(SHAPES[name](n), r, gamma, (1,) * n)
            assert float_groups(stacked([plan]).chains).value.tolist() == [int(groups(plan.case().d).p)]


@pytest.mark.parametrize(("share", "count"), [(1e-3, 4), (1e-11, 4), (1e-14, None), (1e-17, 3)])
def test_a_difference_that_may_be_rounding_is_none_that_can_be_counted(share, count):
    """Each chain of a stack for itself: two pairs lead to reward 1, one of them a little less likely."""
    P = np.array([[0, 0, 0.5, 0.5], [0, 0, 0.5 - share, 0.5 + share], [0, 0, 1, 0], [0, 0, 0, 1]])
    found = float_groups(stack([P, P[[0, 0, 2, 3]]], [[0.0, 0.0, 0.0, 1.0]] * 2, 1 / 2)).value
    assert found[1] == 3
    assert found[0] == count if count else np.isnan(found[0])


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
