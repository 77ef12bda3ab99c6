from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpq_mat, fmpz
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tabular_krope.errors import KropeError
from tabular_krope.exact.rationals import (
    column,
    diagonal,
    entries,
    float_matrix,
    float_vector,
    fraction_from_text,
    identity,
    nearest_float,
    rational,
    rational_matrix,
    rational_vector,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("3/4", fmpq(3, 4)),
        ("-0.1", fmpq(-1, 10)),
        (0.5, fmpq(1, 2)),
        (np.float64(0.25), fmpq(1, 4)),
        (np.int64(7), fmpq(7)),
        (Fraction(2, 6), fmpq(1, 3)),
        (fmpq(5, 7), fmpq(5, 7)),
    ],
)
def test_reads(value, expected):
    assert rational(value) == expected


@pytest.mark.parametrize("value", ["x", "1/0", None, float("inf"), float("nan"), [1]])
def test_refuses(value):
    with pytest.raises(KropeError, match=r"r\[2\] must be a rational .*; got"):
        rational(value, "r[2]")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_rational_it_is(value):
    assert nearest_float(rational(value)) == value


@given(st.fractions())
def test_nearest_float_is_correctly_rounded(fraction):
    assert nearest_float(fmpq(fraction.numerator, fraction.denominator)) == float(fraction)


def test_matrices_from_lists_arrays_sparse_and_flint():
    rows = [["1/2", 1], [0, 0.25]]
    matrix = rational_matrix(rows)
    assert matrix == rational_matrix(np.array([[0.5, 1.0], [0.0, 0.25]]))
    assert matrix == rational_matrix(sparse.csr_array([[0.5, 1.0], [0.0, 0.25]]))
    copy = rational_matrix(matrix)
    copy[0, 0] = 3
    assert matrix[0, 0] == fmpq(1, 2)
    assert float_matrix(matrix).tolist() == [[0.5, 1.0], [0.0, 0.25]]
    assert rational_matrix([]).nrows() == 0


def test_ragged_rows_and_bad_entries_are_named():
    with pytest.raises(KropeError, match=r"P\[1\] must have 2 entries like the first row; got 1"):
        rational_matrix([[1, 2], [3]], "P")
    with pytest.raises(KropeError, match=r"P\[0, 1\] must be a rational such as .*; got 'b'"):
        rational_matrix([[1, "b"]], "P")
    with pytest.raises(KropeError, match=r"r\[1\] must be a rational such as .*"):
        rational_vector([1, "b"], "r")


def test_columns_diagonals_and_identity():
    values = rational_vector(["1/2", 3])
    assert entries(column(values)) == values
    assert diagonal(values).table() == [[fmpq(1, 2), 0], [0, 3]]
    assert identity(2) == fmpq_mat(2, 2, [1, 0, 0, 1])
    assert float_vector(values).tolist() == [0.5, 3.0]


def test_huge_numbers_do_not_hang_or_raise():
    assert nearest_float(fmpq(10) ** 400) == float("inf")
    assert nearest_float(-(fmpq(10) ** 400)) == float("-inf")
    with pytest.raises(KropeError, match="must be a rational such as"):
        rational("1e99999999")
    assert rational("7" * 5000 + "/3").q == 3


def test_a_number_is_no_matrix():
    with pytest.raises(KropeError, match="P must be a matrix; got 5"):
        rational_matrix(5, "P")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3/4", fmpq(3, 4)), ("-6/4", fmpq(-3, 2)), ("+2", fmpq(2)), (" 0 ", fmpq(0)), ("0.125", fmpq(1, 8)),
     (".5", fmpq(1, 2)), ("-5.", fmpq(-5)), ("2.5e-1", fmpq(1, 4)), ("1E3", fmpq(1000)),
     ("-1.5e+2", fmpq(-150)), (7, fmpq(7))],
)  # fmt: skip
def test_reads_texts(text, expected):
    assert fraction_from_text(text, "r[0]") == expected


@given(st.fractions())
def test_undoes_str(fraction):
    value = fmpq(fraction.numerator, fraction.denominator)
    assert fraction_from_text(str(value), "r") == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_decimals_are_what_is_written(number):
    expected = Fraction(repr(number))
    assert fraction_from_text(repr(number), "r") == fmpq(expected.numerator, expected.denominator)


def test_numbers_of_any_length():
    digits = "7" * 10_000
    assert fraction_from_text(f"{digits}/3", "r") == fmpq(fmpz(digits), 3)


@pytest.mark.parametrize(
    "value",
    ["", ".", "e5", "1/0", "1/-2", "a", "1/2/3", "nan", "inf", "1_000", "\u0663", None, True, 0.5, [],
     "1e9999", "1e-9999999"],
)  # fmt: skip
def test_refuses_texts(value):
    with pytest.raises(KropeError, match=r'r\[3\] must be a rational such as "3/4" or 0.75; got'):
        fraction_from_text(value, "r[3]")


def test_long_nonsense_is_refused_at_once_and_shortened():
    with pytest.raises(KropeError, match=r"got '1111\d+\.\.\.$"):
        fraction_from_text("1" * 1_000_000 + "x", "r")
