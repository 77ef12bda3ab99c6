"""The training loop on control data, with evaluation, checkpoints and divergence.

One seed gives the same numbers on one machine with one number of threads, however often the run is interrupted:
minibatches come from the epoch's number, and the target is a copy made when an epoch begins.
"""

import copy
import hashlib
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from deep.backend import torch
from deep.control.closed import closed_columns, closed_row, projection
from deep.control.config import CLOSED, ControlConfig
from deep.control.evaluation import FeaturesOnData, Row, evaluation_row
from deep.control.network import Encoder, Networks, new_networks, optimizer
from deep.control.objectives import Minibatch, objective
from deep.control.preparation import prepared
from deep.control.run_folder import Progress, load_progress, open_folder, save_progress, settings_of, write_tables
from deep.losses.regression import Tensor
from tabular_krope.arrays import Array
from tabular_krope.control.control_data import ControlData
from tabular_krope.data.atomic import remove_abandoned
from tabular_krope.errors import KropeError

Show = Callable[[int, float], None]
#: Rows that pass through the encoder at a time when a data set is evaluated.
CHUNK = 16_384


def train(
    config: ControlConfig,
    data: ControlData,
    folder: Path,
    device: torch.device | None = None,
    progress: Show | None = None,
) -> Progress:
    """Train up to ``config.epochs`` epochs, going on from what the folder holds.

    Args:
        config: the settings.
        data: the data set.
        folder: for the run's files.
        device: where to train; the CPU if None.
        progress: called with (epochs done, mean loss) after each epoch.

    Returns:
        Where the run stands; a run that diverged says so and is whole otherwise.
    """
    device = torch.device("cpu") if device is None else device
    require_batch(config.batch, data)
    bound = settings_of(config, data.name, fingerprint(data))
    open_folder(folder, bound)
    remove_abandoned(folder)
    data = prepared(config, data)
    if config.algorithm == CLOSED:
        at = Progress(0, False, (closed_row(config, data),))
        save_progress(folder, bound, None, None, at)
        return at
    networks = new_networks(config, data.n_inputs, device)
    adam = optimizer(config, networks)
    at = load_progress(folder, bound, networks, adam)
    if at.rows:
        write_tables(folder, bound, at)  # the process may have ended between the checkpoint and these
    if at.epochs > config.epochs:
        raise KropeError(f"epochs must be at least the {at.epochs} that {folder} holds; got {config.epochs}")
    table = _Table(data, device)
    if not at.rows:
        at = Progress(0, False, (evaluate(config, networks, data, 0, math.nan),))
    while at.epochs < config.epochs and not at.diverged:
        loss = train_epoch(config, networks, adam, table, at.epochs)
        done, diverged = at.epochs + 1, not math.isfinite(loss)
        if diverged or done % config.evaluate_every == 0 or done == config.epochs:
            row = evaluate(config, networks, data, done, loss)
            diverged = diverged or row["diverged"] == 1.0
            at = Progress(done, diverged, (*at.rows, row | {"diverged": float(diverged)}))
            save_progress(folder, bound, networks, adam, at)
        else:
            at = Progress(done, False, at.rows)
        if progress is not None:
            progress(done, loss)
    if config.epochs == 0:
        save_progress(folder, bound, networks, adam, at)
    return at


def require_batch(batch: int, data: ControlData) -> None:
    """Refuse minibatches larger than the data set."""
    if batch > len(data):
        raise KropeError(f"batch must be at most the {len(data)} transitions of the data; got {batch}")


class _Table:
    """The data set on a device, float32."""

    def __init__(self, data: ControlData, device: torch.device) -> None:
        def move(array: Array) -> Tensor:
            return torch.tensor(array, dtype=torch.float32, device=device)

        self.x, self.x_next = move(data.pairs()), move(data.next_pairs())
        self.r, self.alive = move(data.rewards), move(data.alive)
        self.gamma = data.gamma
        self.reward_range = move(np.array(np.ptp(data.rewards)))

    def rows(self, index: np.ndarray) -> Minibatch:
        i = torch.as_tensor(index, device=self.x.device)
        # Several times as fast as indexing.
        x, r, x_next, alive = (part.index_select(0, i) for part in (self.x, self.r, self.x_next, self.alive))
        return Minibatch(x, r, x_next, alive, self.gamma, self.reward_range)


def train_epoch(config: ControlConfig, networks: Networks, adam: torch.optim.Adam, table: _Table, epoch: int) -> float:
    """One pass over the data in full minibatches (a rest is left out; its rows differ from epoch to epoch)."""
    target = copy.deepcopy(networks).requires_grad_(False)
    order = np.random.default_rng([config.seed, epoch]).permutation(len(table.r))
    steps = len(order) // config.batch
    total = torch.zeros((), device=table.r.device)
    for k in range(steps):
        batch = table.rows(order[k * config.batch : (k + 1) * config.batch])
        total += train_step(config, networks, target, adam, batch)
    return float(total) / steps


def train_step(
    config: ControlConfig, networks: Networks, target: Networks, adam: torch.optim.Adam, batch: Minibatch
) -> Tensor:
    """One step of Adam on a minibatch; the loss before it, without a gradient."""
    adam.zero_grad(set_to_none=True)
    loss = objective(config, networks, target, batch)
    loss.backward()
    adam.step()
    return loss.detach()


def evaluate(config: ControlConfig, networks: Networks, data: ControlData, epoch: int, loss: float) -> Row:
    """The row of metrics of the networks as they are."""
    at = features_on(networks.encoder, data)
    q_start = None
    if networks.head is not None:
        weight = networks.head_weight().detach().double().cpu().numpy()
        with np.errstate(over="ignore", invalid="ignore"):
            q_start = at.Phi_start @ weight
    row = evaluation_row(config, data, at, q_start, epoch, loss)
    if row["diverged"]:
        return row
    row |= closed_columns(config, data, at, "own")
    if epoch == config.epochs:
        R = torch.tensor(projection(config), dtype=torch.float32, device=next(networks.parameters()).device)
        base = features_on(networks.encoder, data, lambda x: networks.encoder.units(x) @ R)
        row |= closed_columns(config, data, base, "hidden")
    return row


def features_on(
    encoder: Encoder, data: ControlData, function: Callable[[Tensor], Tensor] | None = None
) -> FeaturesOnData:
    """Features of a data set by an encoder (or a ``function`` of it), in its arithmetic, given in float64."""
    device = next(encoder.parameters()).device
    inputs = (data.pairs(), data.next_pairs(), data.initial_pairs())
    parts = [encoded(encoder if function is None else function, pairs, device) for pairs in inputs]
    return FeaturesOnData(parts[0], data.alive[:, None] * parts[1], parts[2])


@torch.no_grad()
def encoded(function: Callable[[Tensor], Tensor], pairs: Array, device: torch.device) -> Array:
    """``function`` of pairs [n, inputs], in chunks, as float64."""
    chunks = [
        function(torch.tensor(pairs[k : k + CHUNK], dtype=torch.float32, device=device)).double().cpu().numpy()
        for k in range(0, len(pairs), CHUNK)
    ]
    return np.concatenate(chunks)


def fingerprint(data: ControlData) -> str:
    """A short hash of the numbers a run depends on."""
    digest = hashlib.blake2b(digest_size=8)
    for array in (data.pairs(), data.rewards, data.next_pairs(), data.alive, data.initial_pairs()):
        digest.update(np.ascontiguousarray(array).tobytes())
    digest.update(repr((data.gamma, data.target_value, data.random_value)).encode())
    return digest.hexdigest()
