import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from tabular_krope.errors import KropeError
from tabular_krope.exact.psd import is_pd, is_psd, rational_ldl
from tabular_krope.exact.rationals import float_matrix

ENTRIES = st.lists(st.integers(-3, 3), min_size=9, max_size=9)


@given(ENTRIES, st.integers(1, 3))
def test_gram_matrices_are_psd_and_factored(values, rank):
    A = fmpq_mat(3, rank, [fmpq(v, 2) for v in values[: 3 * rank]])
    K = A * A.transpose()
    factor = rational_ldl(K)
    assert factor.product() == K
    assert factor.rank == np.linalg.matrix_rank(float_matrix(A))
    assert is_psd(K)
    assert is_pd(K) == (factor.rank == 3)
    assert all(pivot > 0 for pivot in factor.T)


@given(ENTRIES)
def test_verdict_agrees_with_eigenvalues(values):
    A = np.array(values).reshape(3, 3)
    A = A + A.T
    smallest = np.linalg.eigvalsh(A)[0]
    exact = fmpq_mat(3, 3, [int(v) for v in A.reshape(-1)])
    if abs(smallest) > 1e-9:
        assert is_psd(exact) == (smallest > 0) == is_pd(exact)
    else:
        assert not is_pd(exact)


def test_a_hair_below_zero_is_seen():
    tiny = fmpq(1, 10**40)
    assert not is_psd(fmpq_mat([[1, 1], [1, 1 - tiny]]))
    assert is_psd(fmpq_mat([[1, 1], [1, 1]]))
    assert is_pd(fmpq_mat([[1, 1], [1, 1 + tiny]]))


def test_messages():
    with pytest.raises(KropeError, match="got a pivot of -1 at 1"):
        rational_ldl(fmpq_mat([[1, 0], [0, -1]]))
    with pytest.raises(KropeError, match=r"2-by-2 minor of -4 at \(0, 1\)"):
        rational_ldl(fmpq_mat([[0, 2], [2, 0]]))
    with pytest.raises(KropeError, match=r"K\[1, 0\] must equal K\[0, 1\] = 2; got 3"):
        rational_ldl(fmpq_mat([[1, 2], [3, 1]]))
