import numpy as np
import pytest

from tabular_krope.exact.modular_rank import rank_of_floats
from tabular_krope.exact.rationals import rational_matrix


@pytest.mark.parametrize("seed", range(40))
def test_equals_the_rank_over_the_rationals(seed):
    rng = np.random.default_rng(seed)
    n, d, k = rng.integers(1, 9, 3)
    A = rng.integers(-3, 4, (n, k)).astype(float) @ rng.integers(-3, 4, (k, d))
    A *= 2.0 ** rng.integers(-600, 600, (n, 1))
    if seed % 2:
        A[:, 0] = rng.standard_normal(n) * 10.0 ** rng.integers(-300, 300, n)
    assert rank_of_floats(A) == rational_matrix(A).rank()


@pytest.mark.parametrize("d", [1, 4, 30])
def test_many_rows_are_combined_without_loss(d):
    rng = np.random.default_rng(d)
    A = np.zeros((3000, d + 2))
    A[rng.permutation(3000)[:d], np.arange(d)] = rng.standard_normal(d)  # each column has one row of its own
    A[:, -1] = 2 * A[:, 0]
    assert rank_of_floats(A) == d


def test_matrices_without_entries_or_of_zeros_have_rank_zero():
    assert [rank_of_floats(np.zeros(shape)) for shape in ((0, 3), (3, 0), (2, 2))] == [0, 0, 0]
