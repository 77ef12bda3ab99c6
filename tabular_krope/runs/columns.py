"""Columns of a result as JSON, which has no infinities: ``{"float": "inf"}`` stands for one."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tabular_krope.errors import KropeError
from tabular_krope.runs.sweep import Columns

#: Types beside float that are written as they are.
EXACT = {str, bool, int, type(None)}


def encoded(columns: Columns) -> dict[str, list[Any]]:
    """Lists of plain values, all of one length; numpy's numbers and arrays are taken, too.

    >>> encoded({"d": np.array([1, 2]), "rho": [0.5, float("inf")]})
    {'d': [1, 2], 'rho': [0.5, {'float': 'inf'}]}
    """
    if not isinstance(columns, Mapping) or not columns:
        raise KropeError(f"a task must return columns by name; got {type(columns).__name__}")
    lists = {str(name): _encoded(column, str(name)) for name, column in columns.items()}
    lengths = {name: len(column) for name, column in lists.items()}
    if len(set(lengths.values())) > 1:
        raise KropeError(f"columns must have one length; got {lengths}")
    return lists


def decoded(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """What `encoded` was given, as lists.

    >>> decoded({"rho": [0.5, {"float": "inf"}]})
    {'rho': [0.5, inf]}
    """
    return {
        name: [float(value["float"]) if isinstance(value, dict) else value for value in column]
        if dict in set(map(type, column))
        else column
        for name, column in columns.items()
    }


def _encoded(column: Sequence[Any], name: str) -> list[Any]:
    kinds = set(map(type, column))
    if (kinds == {float} and all(map(math.isfinite, column))) or kinds <= EXACT:  # nearly every column
        return list(column)
    return [_encode(value, name) for value in column]


def _encode(value: Any, name: str) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise KropeError(f"column {name!r} must hold text, numbers, truth values or None; got {type(value).__name__}")
