import numpy as np
import pytest
from scipy import sparse

from tabular_krope.kernels import products
from tabular_krope.kernels.products import BLOCK, add_rows, add_symmetric, cheapest, multiply

SIZES = (1, 5, BLOCK, BLOCK + 1, 2 * BLOCK + 40)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("n", SIZES)
def test_update_is_the_plain_one_and_symmetric_to_the_last_bit(n, form):
    rng = np.random.default_rng(n)
    B, Z = rng.standard_normal((n, 7)), rng.standard_normal((7, 7))
    C = rng.standard_normal((n, n))
    M = C + C.T
    expected = M + 0.3 * B @ (Z + Z.T) @ B.T
    add_symmetric(M, 0.3 * B @ (Z + Z.T), form(B))
    assert np.abs(M - expected).max() <= 1e-13 * np.abs(expected).max()
    assert (M == M.T).all()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_what_is_below_the_blocks_of_the_diagonal_is_not_computed(form):
    n = 2 * BLOCK
    W, B = np.arange(n, dtype=float)[:, None], np.ones((n, 1))  # W B' has constant rows: not symmetric
    M = np.zeros((n, n))
    add_symmetric(M, W, form(B))
    above = M[:BLOCK, BLOCK:]
    assert (above == W[:BLOCK]).all()
    assert (M[BLOCK:, :BLOCK] == above.T).all()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_product_goes_where_it_is_told(form):
    A, B = np.random.default_rng(0).standard_normal((2, 4, 4))
    out = np.full((4, 4), np.nan)
    assert multiply(form(A), B, out) is out
    assert np.abs(out - A @ B).max() <= 1e-14
    assert np.abs(multiply(form(A), form(A), out) - A @ A).max() <= 1e-14


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_few_entries_make_a_sparse_matrix_and_many_an_array(form):
    few, many = np.eye(9), np.eye(9) + np.eye(9, k=1)
    few[3:5] = few[[4, 3]] * 0.25  # no symmetry
    few[7] = 0.0
    assert sparse.issparse(cheapest(form(few)))
    assert isinstance(cheapest(form(many)), np.ndarray)
    assert (cheapest(form(few)).toarray() == few).all()
    assert (cheapest(form(many)) == many).all()


@pytest.mark.parametrize("shape", [(18, 2), (2, 18)])
def test_one_entry_in_nine_is_counted_in_oblong_matrices_too(shape):
    four, five = np.zeros(36), np.zeros(36)
    four[::9] = five[::8] = 1
    assert sparse.issparse(cheapest(four.reshape(shape)))
    assert isinstance(cheapest(five.reshape(shape)), np.ndarray)


@pytest.mark.parametrize("private", [True, False])
def test_rows_of_a_product_are_added_to_what_is_there(private, monkeypatch):
    """By the routine that scipy's own product calls, and by that product where there is no such routine."""
    if not private:
        monkeypatch.setattr(products, "csr_matvecs", None)
    rng = np.random.default_rng(3)
    A, B, out = rng.standard_normal((7, 5)), rng.standard_normal((5, 4)), rng.standard_normal((3, 4))
    A[rng.random((7, 5)) < 0.6] = 0.0
    expected = out + A[2:5] @ B
    add_rows(sparse.csr_array(A), 2, 5, B, out)
    assert np.abs(out - expected).max() <= 1e-14
    A[2:5, [0, 1, 4]] = 0.0  # two columns are left, the first of them the third
    expected = out + A[2:5, 2:4] @ B[2:4]
    add_rows(sparse.csr_array(A), 2, 5, B[2:4].copy(), out, first=2)
    assert np.abs(out - expected).max() <= 1e-14
