"""Studies: algorithms x data sets x learning rates x dimensions x seeds, on the machinery of sweeps."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deep.control.config import CLOSED, ControlConfig
from tabular_krope.arrays import require_count
from tabular_krope.errors import KropeError
from tabular_krope.runs.sweep import Columns, Sweep, Task

TASK = Task("control", "deep.control.control_sweep:run_configuration")


def control_sweep(
    data: Sequence[str],
    algorithms: Sequence[str],
    learning_rates: Sequence[float],
    fractions: Sequence[float],
    seeds: int,
    epochs: int,
    batch: int = 2048,
    device: str = "auto",
    task: str | None = None,
    policies: str | None = None,
    others: Mapping[str, Any] | None = None,
) -> Sweep:
    """The sweep over all combinations.

    The closed form trains nothing: it has one run for each fraction and seed. ``task`` (and a folder of ``policies``)
    are for data without next actions; they, and the ``others`` of a run's settings, are part of a configuration where
    they are given.

    >>> sweep = control_sweep(["a.h5"], ["fqe", "krope-closed"], [1e-5, 2e-5], [0.5], seeds=3, epochs=10)
    >>> len(sweep.configurations)
    9
    """
    require_count(seeds, "seeds")
    others = dict(others or {})
    acting = {} if task is None else {"task": task}
    if policies is not None:
        acting["policies"] = str(Path(policies).resolve())
    found: list[dict[str, Any]] = []
    for path in data:
        place = str(Path(path).resolve())
        for algorithm in algorithms:
            for rate in learning_rates[:1] if algorithm == CLOSED else learning_rates:
                for fraction in fractions:
                    for seed in range(seeds):
                        config = ControlConfig(algorithm, seed, epochs, fraction, None, rate, batch, **others)
                        wanted = ("algorithm", "seed", "epochs", "fraction", "learning_rate", "batch")
                        chosen = {name: getattr(config, name) for name in wanted}
                        found.append({"data": place, "device": device, **acting, **others, **chosen})
    if not found:
        raise KropeError("a study must have a data set, an algorithm, a learning rate and a fraction; got none of one")
    lists = {"algorithms": algorithms, "learning_rates": learning_rates, "fractions": fractions}
    settings = {name: list(values) for name, values in lists.items()} | {"data": list(data), **acting, **others}
    return Sweep(TASK, settings | {"seeds": seeds, "epochs": epochs}, tuple(found))


def run_configuration(configuration: dict[str, Any], folder: Path) -> Columns:
    """Train one configuration in its folder (going on from a checkpoint there); the columns of its metrics.

    A run that diverges is a result like any other.
    """
    from deep.backend import torch
    from deep.control.evaluation import COLUMNS
    from deep.control.network import device_named
    from deep.control.training import train
    from tabular_krope.control.policy_files import policies_for_reading
    from tabular_krope.control.reading import read_data

    chosen = dict(configuration)
    path, device = Path(chosen.pop("data")), device_named(chosen.pop("device"))
    acting = policies_for_reading(chosen.pop("task", None), chosen.pop("policies", None))
    # Processes fill the cores; and numbers depend on how many threads add them up.
    torch.set_num_threads(1)
    data = read_data(path, acting)
    at = train(ControlConfig(**chosen), data, folder, device)
    columns: dict[str, list[Any]] = {name: [row[name] for row in at.rows] for name in COLUMNS}
    # What is bound by these names in the configuration stays as it is: the table has both.
    return {"name": [data.name] * len(at.rows), "run_diverged": [at.diverged] * len(at.rows), **columns}
