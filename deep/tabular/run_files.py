"""Files of training runs: arrays and the settings they come from, written whole or not at all."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from deep.backend import torch
from deep.tabular.config import GarnetConfig
from tabular_krope import __version__
from tabular_krope.data.atomic import atomic_write
from tabular_krope.data.npz import read_npz, write_npz
from tabular_krope.errors import KropeError


def write_run(path: Path, kind: str, config: GarnetConfig, arrays: Mapping[str, np.ndarray]) -> None:
    """Save ``arrays`` with the kind of file, the settings and the versions of this package and of torch."""
    origin = {
        "kind": kind,
        "settings": json.dumps(config.settings(), sort_keys=True),
        "version": __version__,
        "torch": torch.__version__,
    }
    atomic_write(path, lambda stream: write_npz(stream, {**origin, **arrays}))


def read_run(path: Path, kind: str, config: GarnetConfig) -> dict[str, Any]:
    """The arrays of a file that `write_run` made of the same settings; anything else is refused."""
    try:
        fields = read_npz(str(path))
    except KropeError as error:
        raise KropeError(f"{path}: {error}") from None
    if fields.pop("kind", None) != kind:
        raise KropeError(f"{path} must be a file of {kind}; got something else")
    theirs, ours = json.loads(fields.pop("settings")), json.loads(json.dumps(config.settings()))
    for name in sorted(theirs.keys() | ours.keys()):
        if theirs.get(name) != ours.get(name):
            raise KropeError(
                f"{path} must come from the settings asked for, {name} = {ours.get(name)!r}; got {theirs.get(name)!r}"
                " (choose another folder, or delete the file)"
            )
    fields.pop("version"), fields.pop("torch")
    return fields
