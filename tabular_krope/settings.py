"""What the settings of training runs have in common: numbers that are checked when they are given."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from tabular_krope.arrays import require_count
from tabular_krope.errors import KropeError


def require_seed(value: Any, name: str = "seed") -> int:
    """A seed that every generator and every file here takes: 63 bits.

    >>> require_seed(2**63)
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: seed must be at most 9223372036854775807; got 9223372036854775808
    """
    seed = require_count(value, name, least=0)
    if seed >= 2**63:
        raise KropeError(f"{name} must be at most {2**63 - 1}; got {seed}")
    return seed


def require_numbers(
    config: object, *, positive: Sequence[str] = (), non_negative: Sequence[str] = (), shares: Sequence[str] = ()
) -> None:
    """Refuse fields of ``config`` that are not finite numbers of the kind wanted; ``shares`` lie in [0, 1].

    >>> from types import SimpleNamespace
    >>> require_numbers(SimpleNamespace(alpha=2), shares=["alpha"])
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: alpha must lie in [0, 1]; got 2
    """
    for name in shares:
        if not 0 <= (value := _number(config, name)) <= 1:
            raise KropeError(f"{name} must lie in [0, 1]; got {value:.10g}")
    for name in positive:
        if not (value := _number(config, name)) > 0:
            raise KropeError(f"{name} must be positive; got {value:.10g}")
    for name in non_negative:
        if not (value := _number(config, name)) >= 0:
            raise KropeError(f"{name} must be non-negative; got {value:.10g}")


def _number(config: object, name: str) -> float:
    value = getattr(config, name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise KropeError(f"{name} must be a finite number; got {value!r}")
    return float(value)
