"""Data files of figures: arrays with the settings, the seed and the version that made them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from figures.studies.study import Data, plain_settings
from tabular_krope import __version__
from tabular_krope.data.atomic import atomic_write
from tabular_krope.data.npz import read_npz, write_npz
from tabular_krope.errors import KropeError

#: Names in a file that are not the figure's own.
ORIGIN = ("figure", "settings", "seed", "version")


def write_data(path: Path, name: str, settings: Any, data: Data) -> None:
    """Save the numbers of figure ``name``, whole or not at all."""
    words = json.dumps(plain_settings(settings), sort_keys=True)
    origin = {"figure": name, "settings": words, "seed": settings.seed, "version": __version__}
    atomic_write(path, lambda stream: write_npz(stream, {**origin, **data}))


def read_data(path: Path, name: str, settings: Any) -> dict[str, Any]:
    """The numbers that `write_data` saved for the same figure and settings; anything else is refused."""
    try:
        fields = read_npz(str(path))
    except KropeError as error:
        raise KropeError(f"{path}: {error}") from None
    if fields.get("figure") != name or "settings" not in fields:
        raise KropeError(f"{path} must be a data file of the figure {name}; got something else")
    require_same(path, json.loads(fields["settings"]), plain_settings(settings))
    return {key: value for key, value in fields.items() if key not in ORIGIN}


def require_same(path: Path, theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> None:
    """Refuse a file whose settings differ from those asked for, naming the first that does."""
    for key in sorted(theirs.keys() | ours.keys()):
        if theirs.get(key) != ours.get(key):
            raise KropeError(
                f"{path} must come from the settings asked for, {key} = {ours.get(key)!r}; got {theirs.get(key)!r}"
                " (choose another folder, or delete the file)"
            )
