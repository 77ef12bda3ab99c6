"""Training that stops and goes on to the last bit: parameters, Adam's moments and the number of epochs done.

Minibatches are drawn from the epoch's number and the target is a copy made at the epoch's start, so nothing else is
needed.
"""

from pathlib import Path

import numpy as np

from deep.backend import torch
from deep.tabular.config import GarnetConfig
from deep.tabular.network import Parameters
from deep.tabular.run_files import read_run, write_run

KIND = "garnet checkpoint"
MOMENTS = ("exp_avg", "exp_avg_sq", "step")


def save_checkpoint(
    path: Path, config: GarnetConfig, epochs: int, parameters: Parameters, adam: torch.optim.Adam
) -> None:
    """Write the state after ``epochs`` epochs."""
    arrays = {"epochs": np.array(epochs)}
    for name, tensor in parameters.items():
        arrays[name] = tensor.detach().numpy()
        arrays |= {f"{name}-{moment}": adam.state[tensor][moment].numpy() for moment in MOMENTS}
    write_run(path, KIND, config, arrays)


def load_checkpoint(path: Path, config: GarnetConfig, parameters: Parameters, adam: torch.optim.Adam) -> int:
    """Put the saved state into ``parameters`` and ``adam``; the number of epochs done."""
    fields = read_run(path, KIND, config)
    for name, tensor in parameters.items():
        with torch.no_grad():
            tensor.copy_(torch.from_numpy(fields[name].copy()))
        adam.state[tensor] = {moment: torch.tensor(fields[f"{name}-{moment}"]) for moment in MOMENTS}
    return int(fields["epochs"])
