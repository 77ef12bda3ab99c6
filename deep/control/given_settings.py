"""Settings of a run as words, ``name=value``: what a command line or a file gives of `ControlConfig`."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from deep.control.config import ControlConfig
from tabular_krope.errors import KropeError, unknown_name

TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
FIELDS = {field.name: field for field in fields(ControlConfig)}


def read_settings(words: Iterable[str], taken: Iterable[str] = ()) -> dict[str, Any]:
    """Fields of `ControlConfig` from ``name=value`` words; names ``taken`` by options of their own are refused.

    >>> read_settings(["standardize=off", "optimizer=adam", "pairings=4", "head-scale=100"])
    {'standardize': False, 'optimizer': 'adam', 'pairings': 4, 'head_scale': 100.0}
    >>> read_settings(["seed=3"], taken=["seed"])
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: set must not name seed, which has an option of its own; got 'seed=3'
    """
    found: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        name = name.strip().replace("-", "_")
        if not sign:
            raise KropeError(f"set must be NAME=VALUE; got {word!r}")
        if name in taken:
            raise KropeError(f"set must not name {name}, which has an option of its own; got {word!r}")
        if name not in FIELDS:
            raise unknown_name("set", name, [known for known in FIELDS if known not in set(taken)])
        found[name] = _read(name, value.strip())
    return found


def _read(name: str, value: str) -> Any:
    default = FIELDS[name].default
    if isinstance(default, bool):
        if value.lower() not in TRUTH:
            raise KropeError(f"{name} must be true or false; got {value!r}")
        return TRUTH[value.lower()]
    if isinstance(default, str):
        return value
    kind, what = (float, "a number") if isinstance(default, float) else (int, "a whole number")
    try:
        return kind(value)
    except ValueError:
        raise KropeError(f"{name} must be {what}; got {value!r}") from None


def differing(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the settings that are not the default's.

    >>> differing(ControlConfig("fqe", pairings=2).settings())
    {'algorithm': 'fqe', 'pairings': 2}
    """
    return {name: value for name, value in settings.items() if name in FIELDS and value != FIELDS[name].default}
