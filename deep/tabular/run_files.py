"""Files of training runs, checkpoints among them: arrays and their settings, written whole or not at all.

A run that stops goes on to the last bit: a checkpoint has parameters, Adam's moments and the number of epochs done.
Minibatches are drawn from the epoch's number and the target is a copy made at the epoch's start, so nothing else is
needed.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from deep.backend import torch
from deep.tabular.run_settings import GarnetConfig
from deep.tabular.stacked_networks import Parameters
from tabular_krope.runs.array_files import read_arrays, write_arrays

CHECKPOINT = "garnet checkpoint"
MOMENTS = ("exp_avg", "exp_avg_sq", "step")


def write_run(path: Path, kind: str, config: GarnetConfig, arrays: Mapping[str, np.ndarray]) -> None:
    """Save ``arrays`` with the kind of file, the settings and the versions of this package and of torch."""
    write_arrays(path, ("kind", kind), config.settings(), arrays, torch=torch.__version__)


def read_run(path: Path, kind: str, config: GarnetConfig) -> dict[str, Any]:
    """The arrays of a file that `write_run` made of the same settings; anything else is refused."""
    return read_arrays(path, ("kind", kind), config.settings(), f"a file of {kind}")


def save_checkpoint(
    path: Path, config: GarnetConfig, epochs: int, parameters: Parameters, adam: torch.optim.Adam
) -> None:
    """Write the state after ``epochs`` epochs."""
    arrays = {"epochs": np.array(epochs)}
    for name, tensor in parameters.items():
        arrays[name] = tensor.detach().numpy()
        arrays |= {f"{name}-{moment}": adam.state[tensor][moment].numpy() for moment in MOMENTS}
    write_run(path, CHECKPOINT, config, arrays)


def load_checkpoint(path: Path, config: GarnetConfig, parameters: Parameters, adam: torch.optim.Adam) -> int:
    """Put the saved state into ``parameters`` and ``adam``; the number of epochs done."""
    fields = read_run(path, CHECKPOINT, config)
    for name, tensor in parameters.items():
        with torch.no_grad():
            tensor.copy_(torch.from_numpy(fields[name].copy()))
        adam.state[tensor] = {moment: torch.tensor(fields[f"{name}-{moment}"]) for moment in MOMENTS}
    return int(fields["epochs"])
