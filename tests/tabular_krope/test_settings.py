from types import SimpleNamespace

import pytest

from tabular_krope.errors import KropeError
from tabular_krope.settings import require_numbers

KINDS = {"positive": ("rate",), "non_negative": ("decay",), "shares": ("alpha",)}
GOOD = {"rate": 1e-5, "decay": 0, "alpha": 1}


def test_numbers_of_each_kind():
    good = SimpleNamespace(**GOOD)
    require_numbers(good, **KINDS)
    require_numbers(SimpleNamespace(rate="unread"))
    assert vars(good) == GOOD  # read, not changed


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rate": 0}, "rate must be positive; got 0"),
        ({"rate": True}, "rate must be a finite number; got True"),
        ({"rate": float("inf")}, "rate must be a finite number; got inf"),
        ({"decay": -1e-3}, "decay must be non-negative; got -0.001"),
        ({"decay": "0"}, "decay must be a finite number; got '0'"),
        ({"alpha": -0.5}, r"alpha must lie in \[0, 1\]; got -0.5"),
        ({"alpha": 1.5}, r"alpha must lie in \[0, 1\]; got 1.5"),
        ({"alpha": float("nan")}, "alpha must be a finite number; got nan"),
    ],
)
def test_numbers_that_are_not(change, message):
    with pytest.raises(KropeError, match=message):
        require_numbers(SimpleNamespace(**GOOD | change), **KINDS)
