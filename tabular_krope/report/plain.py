"""Values as plain JSON types."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """``value`` as dicts, lists, strings, numbers, booleans and None; a number that is not finite becomes None.

    Dataclasses become dicts of their public fields.

    >>> plain({"q": np.array([1.0, np.inf]), "stable": np.True_, "pair": (np.int64(3), "a")})
    {'q': [1.0, None], 'stable': True, 'pair': [3, 'a']}
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        shown = [field.name for field in dataclasses.fields(value) if not field.name.startswith("_")]
        return {name: plain(getattr(value, name)) for name in shown}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
