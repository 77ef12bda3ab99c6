from fractions import Fraction

import pytest

from proofs_check.conjectures.reading import checked_text, exact_number, refuse
from tabular_krope.errors import KropeError


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("1_000", 1000),
        ("2.", 2),
        (".5", Fraction(1, 2)),
        ("1E2", 100),
        ("12e-1", Fraction(6, 5)),
    ],
)
def test_numbers_are_read_as_decimals(source, value):
    assert exact_number(source) == value


@pytest.mark.parametrize("source", ["1e31", "1e-31", "1e99999999999", "0b1", "1j", ".", "e5", "", "nan", "1/2"])
def test_other_numbers_are_not(source):
    assert exact_number(source) is None


def test_line_ends_become_spaces_so_that_columns_stay():
    assert checked_text("a\r\n\tb", "claim") == "a   b"


def test_long_values_are_cut():
    message = str(refuse("claim", 1, "be short", "x" * 100))
    assert message == "claim[column 1] must be short; got " + "x" * 57 + "..."


def test_brackets_may_close_before_they_nest():
    assert checked_text("()" * 100, "claim")
    with pytest.raises(KropeError, match="column 41"):
        checked_text("[" * 41, "claim")
