from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse, stats

from tabular_krope.errors import KropeError
from tabular_krope.models import garnet as module
from tabular_krope.models.garnet import distinct_successors, few_levels, garnet

SIZES = st.tuples(st.integers(1, 12), st.integers(1, 4), st.integers(1, 12)).map(
    lambda t: (t[0], t[1], min(t[0], t[2]))
)


@given(SIZES, st.integers(0, 2**32), st.sampled_from(["uniform", "normal", "few"]))
def test_each_pair_has_branching_successors_and_dense_equals_sparse(sizes, seed, law):
    S, A, b = sizes
    dense = garnet(S, A, b, seed=seed, rewards=law, sparse=False)
    csr = garnet(S, A, b, seed=seed, rewards=law, sparse=True)
    assert dense.P.shape == (S, A, S)
    assert ((dense.P > 0).sum(axis=2) == b).all()
    assert sparse.issparse(csr.P)
    np.testing.assert_array_equal(csr.P.toarray(), dense.P_pairs)
    np.testing.assert_array_equal(csr.r, dense.r)
    assert dense.gamma == 0.99


def test_defaults_and_the_seed():
    assert ((garnet(8, 5).P > 0).sum(axis=2) == 4).all()
    assert ((garnet(3, 1).P > 0).sum(axis=2) == 3).all()
    assert not np.array_equal(garnet(8, 5, seed=0).P, garnet(8, 5, seed=1).P)
    rng = np.random.default_rng(0)
    assert not np.array_equal(garnet(8, 5, seed=rng).P, garnet(8, 5, seed=rng).P)
    np.testing.assert_array_equal(garnet(8, 5, rewards="few").P, garnet(8, 5, rewards="normal").P)


def test_large_models_are_sparse_by_themselves(monkeypatch):
    assert not sparse.issparse(garnet(10, 2).P)
    monkeypatch.setattr(module, "DENSE_ENTRIES", 199)
    assert sparse.issparse(garnet(10, 2).P)


def test_many_pairs_need_no_more_memory_than_their_successors():
    import tracemalloc

    tracemalloc.start()
    mdp = garnet(40_000, 5, branching=5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    entries = 40_000 * 5 * 5
    assert mdp.P.nnz == entries
    assert peak < 20 * 8 * entries  # the dense array would be 320 GB


# [floyd, smallest keys]: 2*2 <= 5 but 3*3 > 5
@pytest.mark.parametrize("b", [2, 3])
def test_every_set_of_successors_is_equally_likely(b):
    n = 20_000
    counts = Counter(map(tuple, distinct_successors(np.random.default_rng(0), n, 5, b).tolist()))
    assert set(counts) == set(combinations(range(5), b))
    assert stats.chisquare(list(counts.values())).pvalue > 1e-3


def test_the_keys_are_drawn_in_blocks_of_rows(monkeypatch):
    whole = distinct_successors(np.random.default_rng(0), 7, 5, 3)
    monkeypatch.setattr(module, "DENSE_ENTRIES", 12)  # two rows at a time
    np.testing.assert_array_equal(distinct_successors(np.random.default_rng(0), 7, 5, 3), whole)


def test_probabilities_are_flat_dirichlet():
    p = garnet(50, 100, branching=3, seed=1).P_pairs
    first = p[np.arange(len(p)), (p > 0).argmax(axis=1)]
    assert stats.kstest(first, stats.beta(1, 2).cdf).pvalue > 1e-3


def test_reward_laws():
    uniform, normal = garnet(50, 40, rewards="uniform").r, garnet(50, 40, rewards="normal").r
    assert stats.kstest(uniform.reshape(-1), stats.uniform(-1, 2).cdf).pvalue > 1e-3
    assert stats.kstest(normal.reshape(-1), stats.norm.cdf).pvalue > 1e-3
    assert np.unique(garnet(5, 3, rewards="few").r).tolist() == [-1.0, 0.0, 1.0]
    assert np.unique(garnet(5, 3, rewards="few", n_rewards=5).r).tolist() == [-1.0, -0.5, 0.0, 0.5, 1.0]
    assert np.unique(garnet(5, 3, rewards="few", n_rewards=1).r).tolist() == [0.0]
    assert garnet(1, 1, rewards="few").r.tolist() == [[0.0]]


@given(st.integers(1, 6), st.integers(0, 20), st.integers(0, 100))
def test_every_level_is_taken(k, more, seed):
    assert set(few_levels(np.random.default_rng(seed), k, k + more)) == set(range(k))


def test_any_pair_may_take_any_level():
    assert {int(few_levels(np.random.default_rng(seed), 3, 4)[0]) for seed in range(30)} == {0, 1, 2}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_states": 0}, "n_states must be an integer of at least 1; got 0"),
        ({"n_actions": 1.5}, "n_actions must be an integer of at least 1; got 1.5"),
        ({"branching": 0}, "branching must be an integer of at least 1; got 0"),
        ({"branching": 4}, "branching must be at most n_states = 3; got 4"),
        ({"rewards": "unform"}, "rewards must be one of few, normal, uniform; got 'unform' .did you mean 'uniform'"),
        ({"n_rewards": 2}, "n_rewards must be None unless rewards is 'few'; got 2"),
        ({"rewards": "few", "n_rewards": 7}, "n_rewards must be at most the number of pairs, 6; got 7"),
        ({"rewards": "few", "n_rewards": 0}, "n_rewards must be an integer of at least 1; got 0"),
        ({"gamma": 1.0}, "gamma must be below 1 unless episodes end"),
        ({"seed": -1}, "seed must be a non-negative integer"),
    ],
)
def test_bad_input(change, message):
    with pytest.raises(KropeError, match=message):
        garnet(**({"n_states": 3, "n_actions": 2} | change))
