"""The training loop: all trials of one algorithm and dimension at once.

One seed gives the same bits on one machine with one number of threads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from deep.backend import torch
from deep.losses.regression import fixed
from deep.tabular.count_objectives import copy_target, minibatches, objective
from deep.tabular.problems import Problems, minibatch_counts, problems
from deep.tabular.run_files import load_checkpoint, save_checkpoint
from deep.tabular.run_settings import GarnetConfig
from deep.tabular.stacked_networks import encode, initial_parameters, optimizer
from tabular_krope.errors import KropeError

Draw = Callable[[int], np.ndarray]
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What training gives.

    Attributes:
        features: of all pairs, [T, X, d], in the arithmetic of the training.
        loss: of the last minibatch in each trial, [T]; without terms that do not depend on the parameters.
    """

    features: np.ndarray
    loss: np.ndarray


def train(
    config: GarnetConfig,
    stacked: Problems | None = None,
    draw: Draw | None = None,
    checkpoint: Path | None = None,
    every: int = 100,
    progress: Progress | None = None,
) -> Learned:
    """Train all trials of ``config``.

    Args:
        config: the settings.
        stacked: the problems, if they were made already.
        draw: counts of the minibatches of an epoch by its number, if they were drawn already.
        checkpoint: file to go on from if it exists, and to write every ``every`` epochs.
        every: epochs between checkpoints.
        progress: called with the number of epochs done.

    >>> learned = train(GarnetConfig("krope", 3, trials=2, transitions=200, epochs=2, batch=100))
    >>> learned.features.shape, learned.loss.shape
    ((2, 40, 3), (2,))
    """
    stacked = problems(config) if stacked is None else stacked
    dtype = getattr(torch, config.dtype)
    r, Pi = torch.tensor(stacked.r, dtype=dtype), torch.tensor(stacked.Pi, dtype=dtype)
    parameters = initial_parameters(config)
    adam = optimizer(config, parameters)
    done, loss = 0, torch.full((config.trials,), float("nan"))
    if checkpoint is not None and checkpoint.exists():
        done = load_checkpoint(checkpoint, config, parameters, adam)
    for epoch in range(done, config.epochs):
        counts = minibatch_counts(config, stacked, epoch) if draw is None else draw(epoch)
        target = copy_target(config, parameters, Pi)
        for batch in minibatches(config, counts, r, Pi):
            adam.zero_grad()
            loss = objective(config, parameters, target, batch)
            loss.sum().backward()
            adam.step()
        if checkpoint is not None and (epoch + 1) % every == 0 and epoch + 1 < config.epochs:
            save_checkpoint(checkpoint, config, epoch + 1, parameters, adam)
        if progress is not None:
            progress(epoch + 1)
    features = fixed(encode(parameters)).numpy()
    bad = ~np.isfinite(features).all(axis=(1, 2))
    if bad.any():
        trial = int(np.argmax(bad))
        raise KropeError(f"features[{trial}] must be finite after training; got a divergence ({config.name})")
    return Learned(features, fixed(loss).numpy())
