"""Settings changed from the command line, ``name=value``, read as the kind of thing the default is."""

from collections.abc import Sequence
from dataclasses import fields, replace
from math import isfinite
from typing import Any

from figures.studies.study import Study
from tabular_krope.arrays import require_count
from tabular_krope.errors import KropeError, unknown_name


def changed(settings: Any, changes: Sequence[str]) -> Any:
    """``settings`` with each ``name=value`` of ``changes`` put in; lists are separated by commas.

    >>> from figures.studies.garnet_runs import Settings
    >>> found = changed(Settings(), ["sets=1", "algorithms=krope,fqe", "dimensions=10"])
    >>> found.sets, found.algorithms, found.dimensions
    (1, ('krope', 'fqe'), (10,))
    >>> changed(Settings(), ["trials=none"])
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: set trials must be an integer of at least 2; got 'none'
    """
    least = {field.name: field.metadata["least"] for field in fields(settings) if "least" in field.metadata}
    for change in changes:
        name, equals, text = change.partition("=")
        if not equals:
            raise KropeError(f"set must be given as NAME=VALUE; got {change!r}")
        if not least:
            raise KropeError(f"set must be given to a figure whose settings can be changed; got {change!r}")
        if name not in least:
            raise unknown_name("set", name, least)
        settings = replace(settings, **{name: _read(getattr(settings, name), text, f"set {name}", least[name])})
    return settings


def changed_study_settings(study: Study, quick: bool, seed: int, changes: Sequence[str]) -> Any:
    """The settings of a figure for one run, refused as a whole if they cannot be computed."""
    settings = changed(study.settings(quick, seed), changes)
    study.check(settings)
    return settings


def setting_lines(settings: Any) -> list[str]:
    """``name=value`` of every setting that can be changed, in the form `changed` reads.

    >>> from figures.studies.garnet_runs import Settings
    >>> setting_lines(Settings())[:2]
    ['sets=3', 'trials=30']
    """
    named = {field.name: getattr(settings, field.name) for field in fields(settings) if "least" in field.metadata}
    return [f"{k}={','.join(map(str, v)) if isinstance(v, tuple) else v}" for k, v in named.items()]


def _read(default: Any, text: str, name: str, least: float) -> Any:
    if isinstance(default, tuple):
        return tuple(_read(default[0], part, name, least) for part in text.split(","))
    if isinstance(default, str):
        return text
    try:
        value = type(default)(text)
    except ValueError:
        value = text
    if isinstance(default, int):
        return require_count(value, name, int(least))
    if not isinstance(value, float) or not isfinite(value) or value < least:
        raise KropeError(f"{name} must be a finite number of at least {least:g}; got {text!r}")
    return value
