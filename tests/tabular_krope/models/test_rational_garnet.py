from collections import Counter

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tabular_krope.errors import KropeError
from tabular_krope.models.rational_garnet import compositions, rational_garnet


@given(st.integers(1, 6), st.integers(1, 3), st.integers(1, 6), st.integers(0, 1000))
def test_every_probability_has_the_denominator(S, A, extra, seed):
    b = min(S, 3)
    whole = b + extra
    ex = rational_garnet(S, A, branching=b, seed=seed, denominator=whole)
    assert (ex.n_states, ex.n_pairs, ex.gamma) == (S, S * A, fmpq(9, 10))
    for row in ex.P.table():
        assert sum(v > 0 for v in row) == b
        assert all((v * whole).q == 1 for v in row)
    assert all((v * whole).q == 1 for v in ex.Pi.entries())
    for s, row in enumerate(ex.Pi.table()):
        assert all(v == 0 for x, v in enumerate(row) if x // A != s)
        assert ex.d0[s * A : (s + 1) * A] == tuple(v / S for v in row[s * A : (s + 1) * A])
    assert all(-1 <= r <= 1 and (r * whole).q == 1 for r in ex.r)
    assert ex.conservative


def test_the_seed_and_the_rewards():
    assert rational_garnet(4, 2, seed=1).P == rational_garnet(4, 2, seed=1).P
    assert rational_garnet(4, 2, seed=1).P != rational_garnet(4, 2, seed=2).P
    assert set(rational_garnet(4, 2, n_rewards=4).r) == {fmpq(-1), fmpq(-1, 3), fmpq(1, 3), fmpq(1)}
    assert set(rational_garnet(4, 2, n_rewards=1).r) == {fmpq(0)}


def test_rewards_are_uniform_multiples_of_the_denominator():
    counts = Counter(int(4 * r) for seed in range(20) for r in rational_garnet(6, 3, seed=seed, denominator=4).r)
    assert set(counts) == set(range(-4, 5))
    assert stats.chisquare(list(counts.values())).pvalue > 1e-3


def test_a_policy_may_leave_out_actions_and_no_other_is_impossible():
    zeros = [
        v == 0 for seed in range(20) for v in rational_garnet(4, 2, seed=seed, denominator=3, branching=1).P.entries()
    ]
    assert any(zeros)
    policies = {tuple(rational_garnet(1, 2, seed=s, denominator=2, branching=1).Pi.entries()) for s in range(40)}
    assert policies == {(0, 1), (fmpq(1, 2), fmpq(1, 2)), (1, 0)}


def test_compositions_are_uniform():
    counts = Counter(map(tuple, compositions(np.random.default_rng(0), 9000, 5, 3).tolist()))
    assert set(counts) == {(1, 1, 3), (1, 3, 1), (3, 1, 1), (1, 2, 2), (2, 1, 2), (2, 2, 1)}
    assert stats.chisquare(list(counts.values())).pvalue > 1e-3
    assert compositions(np.random.default_rng(0), 2, 5, 1).tolist() == [[5], [5]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"denominator": 2}, "denominator must be at least branching = 3; got 2"),
        ({"denominator": 0.5}, "denominator must be an integer of at least 1; got 0.5"),
        ({"gamma": 1}, "gamma must be below 1 unless every chain surely ends; got 1"),
        ({"n_rewards": 99}, "n_rewards must be at most the number of pairs, 6; got 99"),
        ({"branching": 9}, "branching must be at most n_states = 3; got 9"),
    ],
)
def test_bad_input(change, message):
    with pytest.raises(KropeError, match=message):
        rational_garnet(**({"n_states": 3, "n_actions": 2} | change))
