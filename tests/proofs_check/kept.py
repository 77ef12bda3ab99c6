"""Comparing what is said now with what was written down: words exactly, numbers to six digits."""

import math
import re
from typing import Any

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def same(now: Any, then: Any, floor: float = 1e-9) -> bool:
    """Equal in words and shape, numbers to six digits or below the floor: LAPACK rounds differently elsewhere."""
    if isinstance(then, dict):
        return now.keys() == then.keys() and all(same(now[key], then[key], floor) for key in then)
    if isinstance(then, list):
        return len(now) == len(then) and all(same(a, b, floor) for a, b in zip(now, then, strict=True))
    if isinstance(then, float) and isinstance(now, int | float):
        return math.isclose(now, then, rel_tol=1e-6, abs_tol=floor)
    if not (isinstance(then, str) and isinstance(now, str)):
        return now == then
    numbers = zip(NUMBER.findall(now), NUMBER.findall(then), strict=False)
    return NUMBER.sub("#", now) == NUMBER.sub("#", then) and all(
        math.isclose(float(a), float(b), rel_tol=1e-6, abs_tol=floor) for a, b in numbers
    )
