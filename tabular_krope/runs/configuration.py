"""Configurations: plain JSON objects, each with a name that depends on nothing but its content."""

import json
import math
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from tabular_krope.errors import KropeError

#: Hexadecimal digits of a name: 128 bits, so that two configurations never meet.
DIGITS = 32


def canonical(configuration: Mapping[str, Any]) -> str:
    """The one text of a configuration: keys sorted, no spaces, floats by their shortest exact text.

    >>> canonical({"d": 5, "gamma": 0.9, "dims": [1, 2]})
    '{"d":5,"dims":[1,2],"gamma":0.9}'
    """
    _require_plain(configuration, "configuration")
    return json.dumps(configuration, sort_keys=True, separators=(",", ":"), allow_nan=False)


def configuration_hash(configuration: Mapping[str, Any]) -> str:
    """The name of a configuration: the first 128 bits of the SHA-256 of its canonical text.

    >>> configuration_hash({"a": 1, "b": 2}) == configuration_hash({"b": 2, "a": 1})
    True
    """
    return sha256(canonical(configuration).encode()).hexdigest()[:DIGITS]


def _require_plain(value: Any, where: str) -> None:
    """Refuse what JSON does not give back as it was: NaN, arrays, keys that are no text."""
    if value is None or isinstance(value, str | bool | int):
        return
    if isinstance(value, float):
        if not math.isfinite(value):
            raise KropeError(f"{where} must be finite; got {value}")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise KropeError(f"{where} must have text as keys; got {key!r}")
            _require_plain(item, f"{where}[{key!r}]")
    elif isinstance(value, list | tuple):
        for k, item in enumerate(value):
            _require_plain(item, f"{where}[{k}]")
    else:
        raise KropeError(f"{where} must be text, a number, a truth value, None, a list or an object; got {value!r}")
