import json
import math

import numpy as np
import pytest

from tabular_krope import KropeError
from tabular_krope.runs.columns import decoded, encoded


def test_columns_survive_json():
    given = {"a": np.array([0.1, np.inf, -np.inf]), "b": [True, None, "text"], "c": [np.int64(3), 4, 5]}
    back = decoded(json.loads(json.dumps(encoded(given), allow_nan=False)))
    assert back == {"a": [0.1, math.inf, -math.inf], "b": [True, None, "text"], "c": [3, 4, 5]}
    assert math.isnan(decoded(encoded({"x": [np.nan]}))["x"][0])


def test_columns_of_one_kind_and_of_several():
    given = {"f": [0.5, 1e300], "i": [10**400, -1], "m": [1.5, 10**400], "n": [None, 0.5], "o": [1, math.inf]}
    assert encoded(given) == given | {"o": [1, {"float": "inf"}]}
    plain = encoded({"x": np.arange(2), "y": [True, np.float64(2)]})
    assert [type(value) for column in plain.values() for value in column] == [int, int, bool, float]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": [1], "b": [1, 2]}, "columns must have one length; got {'a': 1, 'b': 2}"),
        ({"a": [[1]]}, "column 'a' must hold text, numbers, truth values or None; got list"),
        ({}, "a task must return columns by name; got dict"),
        (3, "a task must return columns by name; got int"),
    ],
)
def test_what_is_no_column_is_refused(columns, message):
    with pytest.raises(KropeError, match=message):
        encoded(columns)
