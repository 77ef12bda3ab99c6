r"""Training against the alternatives: the batched trainer against one trial after another, KROPE's loss against B x B,
a whole step of KROPE against one of FQE alone, which does less, and steps by hand against autograd.

The full study (8 algorithms, 5 dimensions, 30 trials, 500 epochs, 2048 transitions a batch) takes the one-by-one
trainer days, so both sides do a few steps of every run and the times are scaled to the whole: steps cost the same
throughout. Times are CPU seconds of one thread. Residuals are the largest difference of the features (trainers) or of
the gradient relative to its largest entry (losses) between the two sides on the same minibatches.

``krope bench`` starts ``python -m deep.benchmarks`` with one thread.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from deep.step_benchmarks import step_rows
from tabular_krope.errors import how_to_install
from tabular_krope.report.benchmarks import Row
from tabular_krope.report.plain import plain

#: Losses without a B-by-B matrix, where one trial after another is not slowed down by it.
WITHOUT_PAIRS = ("fqe", "bcrl", "bcrl-exp", "dr3", "beer")
TRIALS, EPOCHS, DIMENSIONS = 30, 500, (10, 20, 30, 40, 50)
WITH_PAIRS = ("krope", "rope", "dbc")


def rows(quick: bool = False) -> Iterator[Row]:
    """Measure one comparison after the other; ``quick`` ones are small, without targets."""
    try:
        import torch
    except ModuleNotFoundError:
        yield Row("training", "", None, None, None, None, None, f"torch is not installed: {how_to_install('deep')}")
        return
    torch.set_num_threads(1)
    if quick:
        yield study_row((*WITH_PAIRS, *WITHOUT_PAIRS), (10,), "Garnet study, d=10")
        yield loss_row(B=512, repeats=3)
        yield step_row(B=512, repeats=3)
        yield from step_rows(B=512, repeats=3, turns=1, targets=False)
        return
    yield study_row((*WITH_PAIRS, *WITHOUT_PAIRS), DIMENSIONS, "Garnet study", target=20.0)
    yield study_row(WITHOUT_PAIRS, DIMENSIONS, "its losses without pairs")
    yield loss_row(B=2048, repeats=15, target=2.0)
    yield step_row(B=2048, repeats=40, target=1.3)
    yield from step_rows()


def study_row(
    algorithms: Sequence[str], dimensions: Sequence[int], job: str, epochs: int = 3, target: float | None = None
) -> Row:
    """All trials of the runs at once against one trial after another, scaled to 30 trials and 500 epochs."""
    from deep.tabular.one_by_one import train_one
    from deep.tabular.problems import minibatch_counts, problems
    from deep.tabular.run_settings import GarnetConfig
    from deep.tabular.stacked_training import train

    base = GarnetConfig(trials=TRIALS, epochs=epochs)
    steps = EPOCHS * base.steps_per_epoch
    stacked = problems(base)
    drawing, drawn = cpu_time(lambda: [minibatch_counts(base, stacked, epoch) for epoch in range(epochs)])
    ours, theirs, apart = drawing * EPOCHS / epochs, 0.0, 0.0
    for name in algorithms:
        for d in dimensions:
            run = replace(base, algorithm=name, dimension=d)
            train(replace(run, epochs=1), stacked, drawn.__getitem__)  # loads what it needs
            ours += cpu_time(partial(train, run, stacked, drawn.__getitem__))[0] * EPOCHS / epochs
            # One trial and one epoch of two minibatches, from which the time of making the problem is taken off.
            alone = replace(run, trials=1, epochs=1, transitions=2 * base.batch)
            made = cpu_time(partial(train_one, replace(alone, epochs=0), 0))[0]
            seconds, features = cpu_time(partial(train_one, alone, 0))
            theirs += max(seconds - made, 0.0) / alone.steps_per_epoch * steps * TRIALS
            apart = max(apart, float(np.abs(train(alone).features[0] - features).max()))
    note = f"scaled from {epochs} epochs of each run, and 2 steps of one trial"
    return Row(job, "one by one", ours, theirs, apart, None, target, note)


def loss_row(B: int, repeats: int, target: float | None = None) -> Row:
    """A training step of FQE + KROPE on a network: the loss by sums over rows against the B-by-B matrix."""
    import torch

    from deep.losses.krope import by_pairs, by_sums

    torch.manual_seed(0)
    wide, d = 24, 12  # state and action of a control task, and half as many features
    x, x_next, r = torch.randn(B, wide), torch.randn(B, wide), torch.rand(B)
    hidden = torch.nn.Linear(wide, 1024), torch.nn.ReLU(), torch.nn.LayerNorm(1024)
    network = torch.nn.Sequential(*hidden, torch.nn.Linear(1024, d))
    head = torch.nn.Linear(d, 1)
    parameters = [*network.parameters(), *head.parameters()]
    adam = torch.optim.Adam(parameters, lr=1e-5, weight_decay=1e-2)

    def step(form: Callable[..., Any]) -> Any:
        adam.zero_grad()
        phi = network(x)
        with torch.no_grad():
            phi_next = network(x_next)
            goal = r + 0.99 * head(phi_next)[:, 0]
        loss = 0.1 * form(phi, r, phi_next, 0.99, samples=B) + 0.9 * (head(phi)[:, 0] - goal).square().mean()
        loss.backward()
        gradient = torch.cat([p.grad.reshape(-1) for p in parameters if p.grad is not None])
        return gradient.clone()

    def whole(form: Callable[..., Any]) -> None:
        step(form)
        adam.step()

    by_rows, by_matrix = (step(form) for form in (by_sums, by_pairs))
    apart = float((by_rows - by_matrix).abs().max() / by_matrix.abs().max())
    times = {form: [cpu_time(partial(whole, form))[0] for _ in range(repeats)] for form in (by_sums, by_pairs)}
    ours, theirs = (float(np.median(times[form])) for form in (by_sums, by_pairs))
    return Row(f"KROPE step, B={B}", "B x B matrix", ours, theirs, apart, None, target)


def step_row(B: int, repeats: int, target: float | None = None) -> Row:
    """A whole training step of FQE + KROPE on control data against one of FQE, in turns; the most it may cost.

    The residual is the relative difference of the gradients where KROPE has no weight: then both do the same.
    """
    import torch

    from deep.control.config import ControlConfig
    from deep.control.network import Networks, new_networks, optimizer
    from deep.control.objectives import Minibatch
    from deep.control.training import train_step

    draws, inputs = torch.Generator().manual_seed(0), 24
    x, x_next = (torch.randn(B, inputs, generator=draws) for _ in range(2))
    batch = Minibatch(x, torch.rand(B, generator=draws), x_next, torch.ones(B), 0.99, torch.tensor(1.0))

    def prepared(config: ControlConfig) -> tuple[Networks, Callable[[], Any]]:
        device = torch.device("cpu")
        networks, before = (new_networks(config, inputs, device) for _ in range(2))
        before.requires_grad_(False)
        return networks, partial(train_step, config, networks, before, optimizer(config, networks), batch)

    def gradient(config: ControlConfig) -> Any:
        networks, step = prepared(config)
        step()
        return torch.cat([p.grad.reshape(-1) for p in networks.parameters() if p.grad is not None])

    alone = gradient(ControlConfig("fqe"))
    apart = float((gradient(ControlConfig("krope", alpha=0.0)) - alone).abs().max() / alone.abs().max())
    steps = {name: prepared(ControlConfig(name))[1] for name in ("krope", "fqe")}
    for step in steps.values():
        step()  # Adam's moments are made in the first
    taken = [{name: cpu_time(step)[0] for name, step in steps.items()} for _ in range(repeats)]
    # The least, not the median: whether a step's arrays are taken from the system anew is a matter of luck, and costs
    # more than what is compared.
    ours, theirs = (min(one[name] for one in taken) for name in ("krope", "fqe"))
    note = f"least of {repeats} each"
    return Row(f"KROPE step, B={B}", "FQE step", ours, theirs, apart, None, target, note, at_most=True)


def cpu_time(action: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds that ``action`` takes, and what it returns.

    >>> seconds, value = cpu_time(lambda: 3)
    >>> seconds >= 0, value
    (True, 3)
    """
    start = time.process_time()
    value = action()
    return time.process_time() - start, value


if __name__ == "__main__":
    for row in rows(quick="quick" in sys.argv[1:]):
        print(json.dumps(plain(row) | {"reached": row.reached}), flush=True)
