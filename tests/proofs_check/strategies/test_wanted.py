"""What is asked for is drawn, and what cannot be is refused where it is asked for, by name."""

from random import Random

import numpy as np
import pytest
from flint import fmpq
from hypothesis import find, given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components

import tabular_krope as tk
from proofs_check.strategies import datasets, features, mdps, mrps, partitions, policies, rational_mrps, weights
from tabular_krope.errors import KropeError
from tabular_krope.models.recurrence import states_that_never_end

FEW = settings(max_examples=15, deadline=None)
REFUSED = [
    (lambda: mrps(max_states=0), "max_states must be an integer of at least 1; got 0"),
    (lambda: mrps(n_states=0), "n_states must be an integer of at least 1; got 0"),
    (lambda: mdps(max_actions=0), "max_actions must be an integer of at least 1; got 0"),
    (lambda: mdps(n_actions=1.5), "n_actions must be an integer of at least 1; got 1.5"),
    (lambda: mdps(branching=0), "branching must be an integer of at least 1; got 0"),
    (lambda: mdps(ending="yes"), "ending must be True, False or None; got 'yes'"),
    (lambda: mdps(irreducible=1), "irreducible must be True or False; got 1"),
    (lambda: mdps(deterministic=None), "deterministic must be True or False; got None"),
    (lambda: mdps(rewards=3), "rewards must be a pair (least, largest); got 3"),
    (lambda: mdps(rewards=(1, 0)), "rewards[1] must be at least rewards[0] = 1; got 0"),
    (lambda: mdps(rewards=(0, "much")), "rewards[1] must be a rational such as"),
    (lambda: mrps(gammas=["half"]), "gammas[0] must be a rational such as"),
    (lambda: mrps(gammas=["1/2", 2]), "gammas[1] must lie in [0, 1), or be 1 with ending=True; got 2"),
    (lambda: mrps(gammas=[1]), "gammas[0] must lie in [0, 1), or be 1 with ending=True; got 1"),
    (lambda: mrps(gammas=[]), "gammas must hold at least one discount factor; got none"),
    (lambda: mrps(gammas="1/2"), "gammas must be a sequence of discount factors; got '1/2'"),
    (
        lambda: mdps(irreducible=True, deterministic=True, ending=True),
        "ending must be None or False for one successor in an irreducible chain; got True",
    ),
    (
        lambda: mrps(n_actions=2, irreducible=True, deterministic=True),
        "n_actions must be 1 where every pair has one successor and is reached; got 2",
    ),
    (lambda: policies(0, 2), "n_states must be an integer of at least 1; got 0"),
    (lambda: policies(2), "n_actions must be an integer of at least 1; got None"),
    (lambda: policies(2, 2, deterministic=2), "deterministic must be True or False; got 2"),
    (lambda: features(0), "n_pairs must be an integer of at least 1; got 0"),
    (lambda: features(2, 0), "max_columns must be an integer of at least 1; got 0"),
    (lambda: weights(0), "n_pairs must be an integer of at least 1; got 0"),
    (lambda: partitions(0), "n must be an integer of at least 1; got 0"),
    (lambda: datasets(max_rows=0), "max_rows must be an integer of at least 1; got 0"),
    (lambda: datasets("zoo"), "mdp must be an MDP; got str"),
    (lambda: datasets(max_states=0), "max_states must be an integer of at least 1; got 0"),
]


@pytest.mark.parametrize(("make", "message"), REFUSED)
def test_a_wrong_argument_is_refused_before_anything_is_drawn(make, message):
    with pytest.raises(KropeError) as refused:
        make()
    assert str(refused.value).startswith(message)


def test_what_is_beside_a_given_model_is_refused():
    mdp = tk.garnet(2, 2, branching=1, seed=0)
    with pytest.raises(KropeError, match="n_actions must be left out for the policies of an MDP; got 2"):
        policies(mdp, 2)
    with pytest.raises(KropeError, match="max_states must be left out for the data of a given MDP"):
        datasets(mdp, max_states=2)


@given(mdps(n_states=3, n_actions=2))
@FEW
def test_exact_sizes(mdp):
    assert mdp.r.shape == (3, 2)


@given(mdps(max_states=6, branching=2, ending=None))
@FEW
def test_no_pair_has_more_successors_than_branching(mdp):
    assert ((mdp.P > 0).sum(axis=-1) <= 2).all()


@given(mdps(deterministic=True))
@FEW
def test_deterministic_models(mdp):
    assert set(np.unique(mdp.P)) <= {0.0, 1.0}
    assert set(np.unique(mdp.end)) <= {0.0, 1.0}


@given(mrps(deterministic=True))
@FEW
def test_deterministic_chains(mrp):
    assert set(np.unique(mrp.P_pi)) <= {0.0, 1.0}


@pytest.mark.parametrize("more", [{}, {"deterministic": True}, {"ending": True}, {"branching": 1}, {"ending": False}])
def test_irreducible_chains(more):
    @given(mrps(irreducible=True, **more))
    @FEW
    def reached(mrp):
        assert connected_components(mrp.P_pi, directed=True, connection="strong")[0] == 1

    reached()


@given(st.data())
@FEW
def test_irreducible_models_are_so_under_every_policy(data):
    mdp = data.draw(mdps(irreducible=True))
    mrp = tk.induce(mdp, data.draw(policies(mdp, deterministic=True)))
    assert connected_components(mrp.Q, directed=True, connection="strong")[0] == 1


def test_irreducible_chains_are_not_all_loops():
    star = find(mdps(n_states=4, n_actions=1, irreducible=True), lambda mdp: (mdp.P[0, 0, 1:] > 0).all())
    assert (star.P[1:, 0, 0] > 0).all()


@given(st.data())
@FEW
def test_every_episode_surely_ends_when_asked(data):
    mdp = data.draw(mdps(ending=True, gammas=[1, "1/2"]))
    mrp = tk.induce(mdp, data.draw(policies(mdp, deterministic=True)))
    assert not states_that_never_end(mrp.Q, mrp.Pi @ mrp.end).size


@given(rational_mrps(rewards=("1/3", "2/3")))
@FEW
def test_rewards_stay_in_their_range(mrp):
    assert all(fmpq(1, 3) <= r <= fmpq(2, 3) for r in mrp.r)


def test_both_ends_of_a_range_are_reached_and_shrink_to_one_pair_or_two():
    for wanted in (-2, 5):
        sizes = [
            find(mdps(rewards=(-2, 5)), lambda mdp, w=wanted: (mdp.r == w).any(), random=Random(k)).r.size
            for k in range(6)
        ]
        assert max(sizes) <= 2
        assert sizes.count(1) >= 3


@given(st.data())
@FEW
def test_data_sets_hold_what_their_model_allows(data):
    mdp = data.draw(mdps())
    drawn = data.draw(datasets(mdp, max_rows=5))
    assert 1 <= len(drawn) <= 5
    for s, a, r, s_next, done in zip(drawn.s, drawn.a, drawn.r, drawn.s_next, drawn.done, strict=True):
        assert r == mdp.r[s, a]
        assert (mdp.end[s, a] if done else mdp.P[s, a, s_next]) > 0


@pytest.mark.parametrize("kind", [tk.MDP, tk.MRP, tk.ExactMRP, tk.Policy, tk.Partition, tk.Dataset])
def test_models_by_type(kind):
    assert isinstance(find(st.from_type(kind), lambda value: True), kind)
