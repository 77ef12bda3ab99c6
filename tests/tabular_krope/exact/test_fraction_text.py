from fractions import Fraction

import pytest
from flint import fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from tabular_krope.errors import KropeError
from tabular_krope.exact.fraction_text import fraction_from_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3/4", fmpq(3, 4)), ("-6/4", fmpq(-3, 2)), ("+2", fmpq(2)), (" 0 ", fmpq(0)), ("0.125", fmpq(1, 8)),
     (".5", fmpq(1, 2)), ("-5.", fmpq(-5)), ("2.5e-1", fmpq(1, 4)), ("1E3", fmpq(1000)),
     ("-1.5e+2", fmpq(-150)), (7, fmpq(7))],
)  # fmt: skip
def test_reads(text, expected):
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
def test_refuses(value):
    with pytest.raises(KropeError, match=r'r\[3\] must be a rational such as "3/4" or 0.75; got'):
        fraction_from_text(value, "r[3]")


def test_long_nonsense_is_refused_at_once_and_shortened():
    with pytest.raises(KropeError, match=r"got '1111\d+\.\.\.$"):
        fraction_from_text("1" * 1_000_000 + "x", "r")
