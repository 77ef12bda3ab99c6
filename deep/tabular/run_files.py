"""Files of training runs: arrays and the settings they come from, written whole or not at all."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from deep.backend import torch
from deep.tabular.config import GarnetConfig
from tabular_krope.runs.array_files import read_arrays, write_arrays


def write_run(path: Path, kind: str, config: GarnetConfig, arrays: Mapping[str, np.ndarray]) -> None:
    """Save ``arrays`` with the kind of file, the settings and the versions of this package and of torch."""
    write_arrays(path, ("kind", kind), config.settings(), arrays, torch=torch.__version__)


def read_run(path: Path, kind: str, config: GarnetConfig) -> dict[str, Any]:
    """The arrays of a file that `write_run` made of the same settings; anything else is refused."""
    return read_arrays(path, ("kind", kind), config.settings(), f"a file of {kind}")
