"""Altered chains are the chains that the words say, in fractions."""

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.blueprint import Blueprint
from proofs_check.chains.shapes import SHAPES
from proofs_check.search.alterations import blended, lazy, lazy_and_leaking, leaking, mixed, steady

NAMES = ("cycle", "ending path", "lazy path", "hub", "layered")
SHARES = (fmpq(1, 2), fmpq(1, 10), fmpq(3, 7))


def plan(name, n=4):
    return Blueprint(SHAPES[name](n), tuple(map(fmpq, range(n))), fmpq(1, 2), tuple(range(1, n + 1)))


def laws(made):
    case = made.case()
    case.exact_mrp()  # validates
    return case.P, case.end


def alike(found, wanted):
    return all(np.array_equal(a, b) for a, b in zip(found, wanted, strict=True))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("share", SHARES)
def test_laws(name, share):
    before = plan(name)
    P, end = laws(before)
    stay, go = rationals(np.eye(4, dtype=int)), 1 - share
    assert alike(laws(lazy(before, share)), (share * stay + go * P, go * end))
    assert alike(laws(leaking(before, share)), (go * P, share + go * end))
    leak = fmpq(1, 5)
    left = 1 - share - leak
    assert alike(laws(lazy_and_leaking(before, share, leak)), (share * stay + left * P, leak + left * end))
    anywhere = rationals(np.ones((4, 4), dtype=int)) / 4
    assert alike(laws(mixed(before, share, False)), (share * anywhere + go * P, go * end))


@pytest.mark.parametrize("name", NAMES)
def test_a_share_for_each_pair_is_that_many_times_one_for_all(name):
    before = plan(name)
    assert alike(laws(mixed(before, fmpq(1, 10), True)), laws(mixed(before, fmpq(4, 10), False)))
    for share, each in ((fmpq(1, 4), True), (fmpq(1), False), (fmpq(3, 2), False)):
        assert mixed(before, share, each) is before  # nothing of the shape would be left
    assert mixed(before, fmpq(24, 100), True) is not before


@pytest.mark.parametrize("share", [*SHARES, fmpq(0), fmpq(1)])
def test_data_are_blended_with_even_ones(share):
    before = plan("cycle")
    D = before.case().weights
    assert list(blended(before, share).case().weights) == [(1 - share) * part + share / 4 for part in D]


@pytest.mark.parametrize("name", [name for name in SHAPES if "ending" not in name])
def test_data_are_made_stationary(name):
    case = steady(plan(name)).case()
    assert list(case.weights @ case.P) == list(case.weights)
    assert sum(case.weights) == 1


def test_only_the_part_that_is_spoken_about_changes():
    before = plan("walk")
    for after in (lazy(before, SHARES[0]), leaking(before, SHARES[0]), mixed(before, SHARES[0], False)):
        assert (after.r, after.gamma, after.data, after.limits) == (before.r, before.gamma, before.data, before.limits)
    for after in (blended(before, SHARES[0]), steady(before)):
        assert after.moves is before.moves
    two = Blueprint(np.array([[1, 0], [1, 0]]), (fmpq(0), fmpq(1)), fmpq(1, 2), (1, 2), actions=2)
    assert steady(two) is two
