import numpy as np
import pytest
from scipy import sparse

from tabular_krope.kernels import compiled_loops

KINDS = (np.uint32, np.uint64)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sparse_product_is_added(kind):
    rng = np.random.default_rng(0)
    A = sparse.random_array((40, 30), density=0.3, rng=rng, format="csr")
    v, out = rng.standard_normal(30), np.arange(40.0)
    compiled_loops.add_product(A.indptr.astype(kind), A.indices.astype(kind), A.data, v, out)
    assert np.abs(out - np.arange(40.0) - A.toarray() @ v).max() <= 1e-14


def test_a_row_without_entries_is_left_alone():
    out = np.array([1.0, 2.0])
    ends, none = np.zeros(3, dtype=np.uint32), np.zeros(0, dtype=np.uint32)
    compiled_loops.add_product(ends, none, np.zeros(0), np.ones(4), out)
    assert out.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("block", [1, 2, 3, 100])
def test_integrals_and_their_squares_by_cumulative_sums(kind, block):
    """Short sums of every length: one number, several levels of sums, all in one."""
    rng = np.random.default_rng(block)
    where = rng.integers(0, 7, 29)
    weights, steps, e = rng.standard_normal(29), rng.random(29), rng.standard_normal(7)
    F = np.cumsum(weights * e[where])
    H = np.concatenate([[0.0], np.cumsum(steps * F)])
    out = np.ones(7)
    end, total = compiled_loops.add_integrals(where.astype(kind), weights, steps, e, out, block)
    expected = 1.0 + np.bincount(where, weights * H[:-1], minlength=7)
    assert np.abs(out - expected).max() <= 1e-13
    assert abs(end - H[-1]) + abs(total - F[-1]) <= 1e-13
    square = compiled_loops.squared_integral(where.astype(kind), weights, steps, e, 0.3, block)
    assert square == pytest.approx(float(np.sum(steps * (F**2 + (0.3 - F) ** 2))), rel=1e-13)


def test_short_sums_keep_what_a_running_sum_loses():
    n = 10**6
    where, weights, steps = np.zeros(n, dtype=np.uint32), np.full(n, 0.1), np.zeros(n)
    out, e = np.zeros(1), np.ones(1)
    short, long = (abs(compiled_loops.add_integrals(where, weights, steps, e, out, B)[1] - 1e5) for B in (100, n))
    assert short <= 300 * np.finfo(float).eps * 1e5 < long
