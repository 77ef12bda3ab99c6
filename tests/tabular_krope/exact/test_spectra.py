import numpy as np
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from tabular_krope.exact.rationals import float_matrix, rational_matrix
from tabular_krope.exact.spectra import is_stable, lyapunov_stable, radius_enclosure

ENTRIES = st.lists(st.integers(-4, 4), min_size=9, max_size=9)


@given(ENTRIES)
def test_enclosure_contains_the_float_radius(values):
    L = fmpq_mat(3, 3, [fmpq(v, 5) for v in values])
    low, high = radius_enclosure(L)
    assert high - low <= 1e-11 * max(high, 1e-300) + 1e-15
    # Eigenvalues of a defective 3-by-3 matrix are only right to the cube root of eps in floating point.
    assert np.abs(np.linalg.eigvals(float_matrix(L))).max() == pytest.approx((low + high) / 2, abs=1e-4)


@given(ENTRIES, st.integers(1, 5))
def test_stability_by_balls_agrees_with_lyapunov(values, scale):
    L = fmpq_mat(3, 3, [fmpq(v, 2 * scale) for v in values])
    assert is_stable(L) == lyapunov_stable(L)


def test_defective_and_nilpotent_matrices():
    jordan = fmpq_mat([[fmpq(1, 2), 1, 0], [0, fmpq(1, 2), 1], [0, 0, fmpq(1, 2)]])
    low, high = radius_enclosure(jordan)
    assert low <= 0.5 <= high
    assert high - low <= 1e-14
    assert radius_enclosure(fmpq_mat([[0, 7], [0, 0]])) == (0.0, 0.0)


@pytest.mark.parametrize("k", [80, 200, 700])
def test_more_digits_are_taken_until_the_interval_is_narrow(k):
    """Eigenvalues ``1 + 2**-k`` and ``1 - 2**-k``, which are told apart with few digits, but not well."""
    low, high = radius_enclosure(fmpq_mat([[1, 1], [fmpq(1, 4**k), 1]]))
    assert low <= 1 <= high  # 1 + 2**-k is nearer to 1 than to any other float
    assert high - low <= 1e-12


@pytest.mark.parametrize(
    ("table", "stable"),
    [
        ([[1]], False),
        ([[-1]], False),
        ([[0, 1], [-1, 0]], False),  # a complex pair on the circle
        ([[fmpq(10**30 - 1, 10**30)]], True),  # closer to 1 than any float
        ([[fmpq(10**30 + 1, 10**30)]], False),
        ([[0, 100], [0, 0]], True),
        ([[2, 0], [0, fmpq(1, 2)]], False),  # product of eigenvalues 1: the Stein equation is singular
    ],
)
def test_decided_on_and_next_to_the_circle(table, stable):
    assert is_stable(rational_matrix(table)) is stable
    assert lyapunov_stable(rational_matrix(table)) is stable
