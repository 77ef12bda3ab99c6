import json
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pytest

from tabular_krope.report.plain import plain


@dataclass(frozen=True)
class Point:
    x: float
    seen: tuple
    _secret: int = 3


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float64(0.5), 0.5),
        (np.int64(2), 2),
        (np.bool_(True), True),
        (float("nan"), None),
        (-np.inf, None),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (Point(1.0, (np.nan, "a")), {"x": 1.0, "seen": [None, "a"]}),
        (MappingProxyType({1: (2,)}), {"1": [2]}),
        (None, None),
    ],
)
def test_every_kind_becomes_plain(value, expected):
    found = plain(value)
    assert found == expected
    assert type(found) is type(expected)
    json.dumps(found, allow_nan=False)


def test_a_class_is_left_alone():
    assert plain(Point) is Point
