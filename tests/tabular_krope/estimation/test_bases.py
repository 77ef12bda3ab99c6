"""Base features of an estimate: pairs with data, and functions that no estimate was fitted to."""

import numpy as np
import pytest

from tabular_krope.closed_form.union_features import union_features
from tabular_krope.data.dataset import Dataset
from tabular_krope.errors import KropeError
from tabular_krope.estimation.bases import BANDWIDTHS, FRESH, MOST_PAIRS, PairFeatures, base_for, fresh_functions
from tabular_krope.estimation.transitions import transitions_of


def tabular(S=3, A=2):
    """Data on every pair but the last."""
    pairs = [(s, a) for s in range(S) for a in range(A)][:-1]
    s, a = zip(*pairs, strict=True)
    n = len(s)
    return transitions_of(Dataset(s, a, [0.0] * n, [0] * n, [True] * n, n_states=S, n_actions=A, gamma=0.5))


def every_pair(S=3, A=2):
    return np.array([(s, a) for s in range(S) for a in range(A)], dtype=float)


def test_each_pair_with_data_has_a_feature_of_its_own():
    base = base_for(tabular(), "pairs", 0)
    found = base(every_pair())
    assert np.array_equal(found[:, 0], np.ones(6))
    assert np.array_equal(found[:, 1:], np.eye(6)[:, :5])
    assert np.array_equal(base_for(tabular(), None, 0)(every_pair()), found)


def test_too_many_pairs_with_data_are_refused():
    S = MOST_PAIRS + 2
    with pytest.raises(KropeError, match=f"at most {MOST_PAIRS} pairs with data; got {MOST_PAIRS + 1}"):
        base_for(tabular(S, 1), "pairs", 0)
    assert base_for(tabular(S - 1, 1), "pairs", 0).column.max() == MOST_PAIRS - 1
    with pytest.raises(KropeError, match="base"):
        base_for(tabular(), "waves", 0)


def test_fresh_functions_of_pairs_are_random_numbers_of_each():
    rows = tabular()
    fresh = fresh_functions(rows, base_for(rows, "pairs", 0), 5)
    found = fresh(every_pair())
    assert found.shape == (6, FRESH)
    assert len({tuple(row) for row in found}) == 6
    assert np.array_equal(fresh(every_pair()[[4, 4]]), found[[4, 4]])
    assert not np.array_equal(fresh_functions(rows, base_for(rows, "pairs", 0), 6)(every_pair()), found)
    assert abs(found.mean()) < 0.2
    assert 0.8 < found.std() < 1.2


def test_fresh_waves_have_every_phase_and_three_bandwidths():
    base = union_features(np.random.default_rng(0).standard_normal((200, 2)), seed=1, polynomials=3, fourier=4)
    fresh = fresh_functions(tabular(), base, 7)
    here = fresh(np.broadcast_to(base.center, (1, 2)))[0]
    assert here.shape == (FRESH * len(BANDWIDTHS),)
    # At the center a wave is the cosine of its phase, of size sqrt 2: as often below as above zero.
    assert np.abs(here).max() <= np.sqrt(2) + 1e-6
    assert 0.4 < (here > 0).mean() < 0.6
    assert abs((here**2).mean() - 1) < 0.2
    moved = fresh(base.center + 0.1 * base.scale * np.eye(2))
    change = np.abs(moved - here).mean(axis=0).reshape(len(BANDWIDTHS), FRESH).mean(axis=1)
    assert change[0] > change[1] > change[2]  # the wider, the flatter
    assert change[0] / change[2] == pytest.approx(BANDWIDTHS[2] / BANDWIDTHS[0], rel=0.3)


def test_pairs_without_data_have_the_constant_alone():
    base = PairFeatures(np.array([[0, -1], [1, 2]]))
    assert base(np.array([[0.0, 1.0]])).tolist() == [[1.0, 0.0, 0.0, 0.0]]
