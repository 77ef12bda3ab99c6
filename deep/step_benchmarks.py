"""A training step as ``krope deep train`` does it against the same step by autograd in a process without settings.

Each side runs in processes of its own, since what is compared are settings that a process reads when it starts; they
take turns, and the median CPU time counts: page faults, which one side has, come and go.

``python -m deep.step_benchmarks fqe by-hand 2048 30`` prints the seconds of thirty steps as JSON.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

from tabular_krope.control.process_settings import SETTINGS
from tabular_krope.report.benchmarks import Row

#: State and action of cartpole together; with more inputs both sides have more sums to do, and the ratio falls.
INPUTS = 6
TARGETS = {"fqe": 3.5, "krope": 3.0}


def step_rows(B: int = 2048, repeats: int = 40, turns: int = 2, targets: bool = True) -> Iterator[Row]:
    """FQE's and KROPE's step by hand against autograd; residuals are relative differences of their gradients."""
    for algorithm, target in TARGETS.items():
        times: dict[str, list[float]] = {"by-hand": [], "autograd": []}
        for _ in range(turns):
            for step, found in times.items():
                found += measured(algorithm, step, B, repeats)
        ours, theirs = (median(found) for found in times.values())
        apart = gradients_apart(algorithm, B)
        note = f"median of {turns * repeats} each"
        name = f"{algorithm.upper()} step by hand, B={B}"
        yield Row(name, "autograd", ours, theirs, apart, None, target if targets else None, note)


def measured(algorithm: str, step: str, B: int, repeats: int) -> list[float]:
    """CPU seconds of steps in a fresh process: by hand with the settings of training, by autograd with one thread."""
    plain = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    settings = SETTINGS if step != "autograd" else {"OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "deep.step_benchmarks", algorithm, step, str(B), str(repeats)]
    done = subprocess.run(command, env=plain | settings, capture_output=True, text=True, check=True)
    return [float(seconds) for seconds in json.loads(done.stdout)]


def gradients_apart(algorithm: str, B: int) -> float:
    """Largest difference of the two gradients over the largest entry of autograd's."""
    from deep.backend import torch

    found = []
    for step in ("by-hand", "autograd"):
        networks, act = prepared_step(algorithm, step, B)
        act()
        found.append(
            torch.cat([tensor.grad.reshape(-1) for tensor in networks.parameters() if tensor.grad is not None])
        )
    return float((found[0] - found[1]).abs().max() / found[1].abs().max())


def prepared_step(algorithm: str, step: str, B: int) -> tuple[Any, Callable[[], Any]]:
    """Networks, and a function that takes one step of theirs on one minibatch of noise."""
    from deep.backend import torch
    from deep.control.config import ControlConfig
    from deep.control.network import new_networks, optimizer
    from deep.control.objectives import Minibatch
    from deep.control.training import train_step

    draws = torch.Generator().manual_seed(0)
    x, x_next = (torch.randn(B, INPUTS, generator=draws) for _ in range(2))
    batch = Minibatch(x, torch.rand(B, generator=draws), x_next, torch.ones(B), 0.99, torch.tensor(1.0))
    config = ControlConfig(algorithm, step=step)
    networks, before = (new_networks(config, INPUTS, torch.device("cpu")) for _ in range(2))
    before.requires_grad_(False)
    return networks, partial(train_step, config, networks, before, optimizer(config, networks), batch)


def timed(algorithm: str, step: str, B: int, repeats: int) -> list[float]:
    """CPU seconds of ``repeats`` steps, after a few that fill the optimizer's and the memory's state."""
    from deep.backend import torch

    torch.set_num_threads(1)
    _, act = prepared_step(algorithm, step, B)
    found = []
    for k in range(repeats + 3):
        start = time.process_time()
        act()
        if k >= 3:
            found.append(time.process_time() - start)
    return found


if __name__ == "__main__":
    print(json.dumps(timed(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))))
