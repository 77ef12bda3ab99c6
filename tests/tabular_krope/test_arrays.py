import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from tabular_krope.arrays import (
    csr_of,
    dense,
    distribution,
    frozen_array,
    frozen_csr,
    refuse_where,
    require_count,
    require_gamma,
    row_sums,
    shape_of,
    substochastic,
)
from tabular_krope.errors import KropeError


def test_frozen_array_copies_and_cannot_be_written():
    given_array = np.array([1, 2])
    array = frozen_array(given_array, "r", (2,))
    given_array[0] = 9
    assert array.dtype == np.float64
    assert array.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 3.0


@pytest.mark.parametrize(
    ("value", "shape", "message"),
    [
        ([1.0, np.nan], (2,), r"r\[1\] must be finite; got nan"),
        ([[1.0, 2.0], [np.inf, 0.0]], (2, 2), r"r\[1, 0\] must be finite; got inf"),
        ([1.0], (2,), r"r must have shape \(2\); got \(1,\)"),
        ([1.0], (None, 2), r"r must have shape \(any, 2\); got \(1,\)"),
        ("abc", (1,), r"r must be an array of numbers; got str"),
        ([[1.0], [1.0, 2.0]], (2, 2), r"r must be an array of numbers; got list"),
        (np.array([1 + 2j]), (1,), r"r must be real; got complex128 numbers"),
        (np.inf, (), r"r must be finite; got inf"),
        ([10**400], (1,), r"r must be an array of numbers; got list"),
    ],
)
def test_frozen_array_refuses(value, shape, message):
    with pytest.raises(KropeError, match=message):
        frozen_array(value, "r", shape)


def test_refuse_where_is_silent_when_nothing_is_bad():
    values = np.array([1.0])
    assert refuse_where(np.array([False]), values, "r", "be good") is None
    assert values.tolist() == [1.0]


def test_shape_of_reads_lists_arrays_and_sparse_matrices():
    assert shape_of([[1, 2, 3]], "P") == (1, 3)
    assert shape_of(sparse.csr_array((2, 5)), "P") == (2, 5)
    with pytest.raises(KropeError, match="P must have rows of one length"):
        shape_of([[1], [1, 2]], "P")


def test_frozen_csr_sums_duplicates_and_cannot_be_written():
    doubled = sparse.csr_array((np.array([0.25, 0.25, 0.5]), np.array([1, 1, 0]), np.array([0, 3])), shape=(1, 2))
    matrix = frozen_csr(doubled, "P", (1, 2))
    assert matrix.toarray().tolist() == [[0.5, 0.5]]
    assert matrix.nnz == 2
    with pytest.raises(ValueError, match="read-only"):
        matrix.data[0] = 1.0


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (sparse.csr_array((3, 2)), r"P must have shape \(1, 2\); got \(3, 2\)"),
        (sparse.csr_array([[0.0, np.nan]]), r"P.data\[0\] must be finite; got nan"),
        (sparse.csr_array([[1j, 0.0]]), r"P must be real; got complex128"),
    ],
)
def test_frozen_csr_refuses(value, message):
    with pytest.raises(KropeError, match=message):
        frozen_csr(value, "P", (1, 2))


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
class TestSubstochastic:
    def test_accepts_rows_that_sum_with_end_to_one(self, kind):
        matrix = kind(np.array([[0.25, 0.25], [0.0, 1.0]]))
        substochastic(matrix, np.array([0.5, 0.0]), "P")
        assert row_sums(matrix).tolist() == [0.5, 1.0]
        assert dense(matrix).tolist() == [[0.25, 0.25], [0.0, 1.0]]

    def test_scales_rows_that_are_off_by_more_than_rounding_and_no_others(self, kind):
        third = np.array([[0.3333333333, 0.6666666666, 0.0], [0.1, 0.2, 0.7], [0.2, 0.0, 0.3 + 2e-10], [0.0, 0.0, 0.0]])
        end = np.array([0.0, 0.0, 0.5, 1 - 1e-10])
        found = dense(substochastic(kind(third), end, "P"))
        assert (found.sum(axis=1) + end)[:3] == pytest.approx(1.0, abs=4e-16)
        assert found[1].tolist() == third[1].tolist()
        assert found[0, 1] / found[0, 0] == pytest.approx(0.6666666666 / 0.3333333333, rel=1e-15)
        assert found[3].tolist() == [0.0] * 3  # nothing to scale

    def test_names_the_first_negative_entry(self, kind):
        matrix = kind(np.array([[0.5, 0.5], [1.5, -0.5]]))
        with pytest.raises(KropeError, match=r"P\[1, 1\] must be non-negative; got -0.5"):
            substochastic(matrix, np.zeros(2), "P")
        with pytest.raises(KropeError, match=r"P\[two, 1\] must be non-negative"):
            substochastic(matrix, np.zeros(2), "P", ["one", "two"])

    def test_names_the_first_row_with_a_wrong_sum(self, kind):
        matrix = kind(np.array([[0.5, 0.5], [0.5, 0.25]]))
        with pytest.raises(KropeError, match=r"P\[1, :\] must sum to 1; got 0.75"):
            substochastic(matrix, np.zeros(2), "P")
        with pytest.raises(KropeError, match=r"P\[one, :\] must sum to 1 with end; got 1.25"):
            substochastic(matrix, np.array([0.25, 0.25]), "P", ["one", "two"])


@pytest.mark.parametrize("shape", [(3, 4), (1, 1), (5, 0), (0, 5), (0, 0), (7, 300)])
def test_a_dense_matrix_as_csr(shape):
    matrix = np.random.default_rng(1).standard_normal(shape)
    matrix[matrix < 0.5] = 0.0
    matrix[1:2] = 0.0
    found = csr_of(matrix)
    found.check_format(full_check=True)
    assert found.shape == shape
    assert found.toarray().tolist() == matrix.tolist()
    assert found.nnz == np.count_nonzero(matrix)
    assert found.indices.dtype == found.indptr.dtype == np.int32


def test_distribution_normalizes_and_is_uniform_for_none():
    assert distribution([1, 3], 2).tolist() == [0.25, 0.75]
    assert distribution(None, 4).tolist() == [0.25] * 4
    assert distribution([0.0, 1e308, 1e308], 3).tolist() == [0.0, 0.5, 0.5]
    assert distribution([5e-324, 0.0], 2).tolist() == [1.0, 0.0]
    assert not distribution([1, 3], 2).flags.writeable


@given(arrays(float, st.integers(1, 40), elements=st.just(0.0) | st.floats(1e-300, 1e6)).filter(lambda w: w.sum() > 0))
def test_distribution_keeps_a_distribution_to_the_last_bit(weights):
    once = distribution(weights, len(weights))
    assert abs(once.sum() - 1) <= len(weights) * np.finfo(float).eps
    assert np.array_equal(distribution(once, len(weights)), once)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.0, 0.0], "weights must have a positive sum; got 0"),
        ([1.0, -1.0], r"weights\[1\] must be non-negative; got -1"),
        ([1.0, np.nan], r"weights\[1\] must be finite; got nan"),
        ([1.0], r"weights must have shape \(2\); got \(1,\)"),
    ],
)
def test_distribution_refuses(weights, message):
    with pytest.raises(KropeError, match=message):
        distribution(weights, 2)


def test_require_gamma():
    assert require_gamma(1) == 1.0
    for bad, message in [(1.5, "got 1.5"), (-0.1, "got -0.1"), (np.nan, "got nan")]:
        with pytest.raises(KropeError, match=rf"gamma must lie in \[0, 1\]; {message}"):
            require_gamma(bad)
    for bad in (None, True, np.True_):
        with pytest.raises(KropeError, match="gamma must be a number; got"):
            require_gamma(bad)


def test_require_count():
    assert require_count(np.int32(3), "d") == 3
    assert require_count(0, "d", least=0) == 0
    for bad in (0, -1, 1.5, True, "2"):
        with pytest.raises(KropeError, match="d must be an integer of at least 1; got"):
            require_count(bad, "d")
