"""Minari's layout: a group ``episode_k`` of arrays for each episode."""

import os
import re
from typing import Any

import numpy as np

from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.data.d4rl_rows import arrays_as_dataset
from tabular_krope.data.hdf5_files import checked_array, opened_hdf5, stated_gamma
from tabular_krope.errors import KropeError

EPISODE = re.compile(r"episode_(\d+)")
#: Minari's name of each array that has a row for each action.
NAMES = {"actions": "actions", "rewards": "rewards", "terminals": "terminations", "timeouts": "truncations"}


def minari_episodes(file: Any, size: int, gamma: float | None) -> ContinuousDataset | None:
    """The episodes of an open HDF5 file of ``size`` bytes one after another; None where it has none.

    Observations have one row more than actions, episode by episode.
    """
    found = [(int(name[1]), name[0]) for name in map(EPISODE.fullmatch, file) if name]
    if not found:
        return None
    parts: dict[str, list[np.ndarray]] = {name: [] for name in (*NAMES, "observations", "next_observations")}
    for _, episode in sorted(found):
        arrays = {name: _array(file, f"{episode}/{name}", size) for name in ("observations", *NAMES.values())}
        length = len(arrays["actions"])
        for name, array in arrays.items():
            wanted = length + (name == "observations")
            if len(array) != wanted:
                raise KropeError(
                    f"{episode}/{name} must have {wanted} rows where actions have {length}; got {len(array)}"
                )
        parts["observations"].append(arrays["observations"][:-1])
        parts["next_observations"].append(arrays["observations"][1:])
        for ours, theirs in NAMES.items():
            parts[ours].append(arrays[theirs])
    return arrays_as_dataset({name: np.concatenate(pieces) for name, pieces in parts.items()}, gamma)


def read_episodes(path: str, gamma: float | None = None) -> ContinuousDataset | None:
    """The data set of a file in Minari's layout, with the discount factor given or in it; None for another layout."""
    with opened_hdf5(path) as file:
        return minari_episodes(file, os.path.getsize(path), stated_gamma(file, gamma))


def _array(file: Any, name: str, size: int) -> np.ndarray:
    if file.get(name, getlink=True) is None:
        raise KropeError(f"the file must have the array {name!r} of Minari's layout; got none")
    return np.asarray(checked_array(file, name, size))
