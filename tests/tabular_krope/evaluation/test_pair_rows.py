"""Rows of pairs without repetitions, against a dictionary."""

from collections import defaultdict

import numpy as np
import pytest
from scipy import sparse

from tabular_krope.arrays import dense
from tabular_krope.evaluation.pair_rows import pair_rows


def rows_of(seed, n=120, k=5, m=4):
    """Pairs that lead to every state and to the end, each several times."""
    rng = np.random.default_rng(seed)
    pair, after = rng.integers(0, k, n), rng.integers(-1, m, n)
    after[:m], pair[:m] = np.arange(m), np.arange(m) % k
    ended = after < 0
    s_next = np.where(ended, 0, after)
    state = np.arange(k) % m
    target = np.zeros((m, k))
    target[state, np.arange(k)] = 1.0
    target /= target.sum(axis=1, keepdims=True)
    return pair_rows(pair, s_next, ended, rng.standard_normal(n), 0.8, sparse.csr_array(target), np.full(k, 1 / k))


@pytest.mark.parametrize("seed", range(3))
def test_rows_that_differ_in_pair_or_successor(seed):
    rows = rows_of(seed)
    found = rows.distinct()
    paid = defaultdict(list)
    for place in zip(rows.pair.tolist(), rows.after.tolist(), rows.r, strict=True):
        paid[place[:2]].append(place[2])
    assert len(found.r) == len(paid)
    Phi, Phi_next = (dense(part) for part in rows.features())
    few, few_next = dense(found.Phi), dense(found.Phi_next)
    assert np.array_equal(few[found.which], Phi)
    assert np.allclose(few_next[found.which], Phi_next)
    for row, (pair, after) in enumerate(zip(rows.pair.tolist(), rows.after.tolist(), strict=True)):
        mine = found.which[row]
        assert found.r[mine] == pytest.approx(np.mean(paid[pair, after]))
        assert found.weights[mine] == pytest.approx(len(paid[pair, after]) / len(rows.r))
        if after < 0:
            assert not few_next[mine].any()
    assert found.weights.sum() == pytest.approx(1)
