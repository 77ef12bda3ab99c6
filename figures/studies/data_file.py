"""Data files of figures: arrays with the settings, the seed and the version that made them."""

from pathlib import Path
from typing import Any

from figures.studies.study import Data, plain_settings
from tabular_krope.runs.array_files import read_arrays, write_arrays


def write_data(path: Path, name: str, settings: Any, data: Data) -> None:
    """Save the numbers of figure ``name``, whole or not at all."""
    write_arrays(path, ("figure", name), plain_settings(settings), data, seed=settings.seed)


def read_data(path: Path, name: str, settings: Any) -> dict[str, Any]:
    """The numbers that `write_data` saved for the same figure and settings; anything else is refused."""
    return read_arrays(path, ("figure", name), plain_settings(settings), f"a data file of the figure {name}")
