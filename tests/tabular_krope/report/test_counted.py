import pytest

from tabular_krope.report.counted import counted, percent


@pytest.mark.parametrize(("n", "text"), [(0, "0 groups"), (1, "1 group"), (2, "2 groups")])
def test_one_has_no_plural(n, text):
    assert counted(n, "group") == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0%"),
        (0.00002, "less than 0.01%"),
        (0.0057, "0.57%"),
        (0.0999, "10%"),
        (0.5, "50%"),
        (0.99, "99%"),
        (0.9951, "more than 99%"),
        (0.99999, "more than 99%"),
        (1.0, "100%"),
    ],
)
def test_percentages_have_no_powers_of_ten(share, text):
    assert percent(share) == text
