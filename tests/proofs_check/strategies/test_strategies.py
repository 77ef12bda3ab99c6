"""The strategies reach the hard cases, stay valid, and shrink to models that can be read."""

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from proofs_check.strategies import features, mdps, mrps, partitions, policies, rational_mrps, weights
from tabular_krope.exact.exact_kernel import exact_krope_kernel
from tabular_krope.models.induce import induce
from tabular_krope.models.recurrence import recurrent_classes

SHRUNK = settings(max_examples=500, database=None, derandomize=True, deadline=None)
REACHED = settings(SHRUNK, phases=[Phase.generate])
CHAINS = rational_mrps(max_states=3, max_actions=1)


def is_periodic(mrp):
    if not mrp.conservative or is_reducible(mrp):
        return False
    return bool(np.sum(np.abs(np.abs(np.linalg.eigvals(mrp.P_pi)) - 1) < 1e-9) > 1)


def is_reducible(mrp):
    return len(recurrent_classes(mrp.P_pi)) > 1


HARD = {
    "periodic": is_periodic,
    "reducible": is_reducible,
    "absorbing": lambda mrp: mrp.n_pairs > 1 and bool(np.any(np.diagonal(mrp.P_pi) == 1)),
    "ending": lambda mrp: not mrp.conservative and mrp.n_pairs > 1,
    "surely ending": lambda mrp: bool(np.all(mrp.end == 1)),
    "tied rewards": lambda mrp: 1 < len(set(mrp.r)) < mrp.n_pairs,
    "constant reward": lambda mrp: mrp.n_pairs > 2 and len(set(mrp.r)) == 1,
    "distinct rewards": lambda mrp: mrp.n_pairs > 2 and len(set(mrp.r)) == mrp.n_pairs,
    "gamma zero": lambda mrp: mrp.gamma == 0 and mrp.n_pairs > 1,
    "long horizon": lambda mrp: mrp.gamma > 0.98 and mrp.conservative,
    "stochastic": lambda mrp: bool(np.any((mrp.P > 0) & (mrp.P < 1))),
}


@pytest.mark.parametrize("kind", HARD)
def test_a_hard_case_is_found(kind):
    found = find(mrps(max_states=3, max_actions=1), HARD[kind], settings=REACHED)
    assert HARD[kind](found)


def test_two_actions_are_found():
    found = find(mrps(max_states=2), lambda mrp: mrp.n_actions == 2 and mrp.n_states == 2, settings=REACHED)
    assert found.n_pairs == 4


def test_a_kernel_of_deficient_rank_is_found_and_shrinks_to_two_pairs():
    found = find(
        rational_mrps(max_states=3, max_actions=1),
        lambda mrp: exact_krope_kernel(mrp).rank() < mrp.n_pairs,
        settings=SHRUNK,
    )
    assert found.n_pairs == 2
    assert set(found.r) == {0}


def test_weights_that_vanish_on_pairs_are_found():
    found = find(weights(4), lambda D: 1 < np.sum(D > 0) < 4, settings=SHRUNK)
    assert found.tolist() == [0.5, 0.5, 0, 0] or np.sum(found > 0) == 2


def test_the_simplest_chain_is_one_absorbing_pair_without_reward():
    simplest = find(rational_mrps(max_states=2), lambda mrp: True, settings=SHRUNK)
    assert (simplest.P.table(), simplest.r, str(simplest.gamma)) == ([[1]], (0,), "1/2")


def test_shrinking_leaves_small_integers():
    found = find(
        rational_mrps(max_states=3, max_actions=1),
        lambda mrp: len(set(mrp.r)) == 2 and mrp.n_pairs >= 2,
        settings=SHRUNK,
    )
    assert found.n_pairs == 2
    assert sorted(found.r) == [0, 1]
    assert all(p in (0, 1) for p in found.P_pi.entries())


@given(mrps(ending=False))
def test_conservative_when_asked(mrp):
    assert mrp.conservative


@given(mrps(gammas=["3/4"]))
def test_the_discount_factor_asked_for(mrp):
    assert mrp.gamma == 0.75


@given(st.data())
def test_a_drawn_policy_fits_a_drawn_model(data):
    mdp = data.draw(mdps())
    chain = induce(mdp, data.draw(policies(mdp.n_states, mdp.n_actions)))
    assert chain.n_pairs == mdp.n_pairs


@given(rational_mrps(max_states=3, max_actions=3))
def test_floats_are_the_rounded_rationals(exact):
    np.testing.assert_allclose(exact.to_float().q, [float(int(v.p) / int(v.q)) for v in exact.q], rtol=1e-9, atol=1e-9)


@given(features(3, max_columns=2), weights(3), weights(3, positive=True), partitions(3))
def test_shapes_and_sums(phi, D, positive, partition):
    assert phi.shape[0] == 3
    assert phi.shape[1] in (1, 2)
    assert D.sum() == pytest.approx(1)
    assert np.all(positive > 0)
    assert 1 <= len(partition) <= 3


def test_every_partition_of_three_is_reached():
    reached = set()
    for blocks in (1, 2, 3):
        found = find(partitions(3), lambda p, b=blocks: len(p) == b, settings=REACHED)
        reached.add(len(found))
    assert reached == {1, 2, 3}
