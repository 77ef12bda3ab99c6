"""What the figures of the learned Garnet study share: settings, runs and intervals.

A piece is one training run (an algorithm at a dimension on one set of 30 trials). Runs lie in ``garnet/`` beside the
figures' data files, as ``python -m deep.tabular.study`` writes them; one that is missing is trained.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from figures.studies.study import Data, Study, adjustable
from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError

if TYPE_CHECKING:
    from deep.tabular.run_settings import GarnetConfig

#: A number or a verdict on one trial.
Entry = TypeVar("Entry", bound=np.generic)
ALGORITHMS = ("fqe", "krope", "rope", "dbc", "bcrl", "bcrl-exp", "dr3", "beer")


@dataclass(frozen=True, slots=True)
class Settings:
    """Which runs; their own settings are those of `deep.tabular.run_settings.GarnetConfig`."""

    seed: int = 0  # first set of trials
    sets: int = adjustable(3)  # sets of trials, each with its own seeds: seed, seed + 1, ...
    trials: int = adjustable(30, least=2)
    epochs: int = adjustable(500)
    transitions: int = adjustable(10_000)
    dimensions: tuple[int, ...] = adjustable((10, 20, 30, 40, 50))
    algorithms: tuple[str, ...] = adjustable(ALGORITHMS)
    dtype: str = adjustable("float64")  # arithmetic of the training, float32 or float64


QUICK = Settings(sets=1, trials=6, epochs=40, transitions=4000, dimensions=(10, 30, 50))


def pieces(settings: Settings) -> Sequence[tuple[int, str, int]]:
    """Set of trials, algorithm and dimension of each run."""
    sets = range(settings.seed, settings.seed + settings.sets)
    return [(k, name, d) for k in sets for name in settings.algorithms for d in settings.dimensions]


def check(settings: Settings) -> None:
    """Refuse runs that cannot be trained, before the first one is."""
    for name in ("algorithms", "dimensions"):
        values = getattr(settings, name)
        if len(set(values)) < len(values):
            raise KropeError(f"{name} must be different; got {', '.join(map(str, values))}")
    for piece in pieces(settings):
        run_config(settings, piece)


def run_config(settings: Settings, piece: tuple[int, str, int]) -> "GarnetConfig":
    """The settings of a run."""
    from deep.tabular.run_settings import GarnetConfig

    k, name, d = piece
    base = GarnetConfig(algorithm=name, dimension=d, seed_set=k)
    sizes = {name: getattr(settings, name) for name in ("trials", "epochs", "transitions", "dtype")}
    return replace(base, **sizes)


def measures_of_run(names: Sequence[str]) -> Callable[[Settings, tuple[int, str, int], Path], Data]:
    """The ``compute`` of a figure that needs the measures ``names`` of each run, each [1, trials]."""

    def compute(settings: Settings, piece: tuple[int, str, int], folder: Path) -> Data:
        from deep.tabular.runs import evaluation_path, read_evaluation, run_study

        config, out = run_config(settings, piece), folder / "garnet"
        if not evaluation_path(out, config).exists():
            list(run_study(out, [config]))
        measures = read_evaluation(out, config)
        return {name: np.asarray(measures[name])[None] for name in names}

    return compute


def learned_study(measures: Sequence[str], **look: Any) -> Study:
    """A figure of the runs, made of the ``measures`` of each; ``look`` are the fields of `Study` that are its own."""
    make = partial(Study, full=Settings(), quick=QUICK, pieces=pieces, finish=by_run, check=check)
    return make(compute=measures_of_run(measures), **look)


def by_run(settings: Settings, data: Data) -> Data:
    """The ``finish`` of these figures: each measure as [sets, algorithms, dimensions, trials]."""
    shape = (settings.sets, len(settings.algorithms), len(settings.dimensions), settings.trials)
    axes = {"algorithms": np.array(settings.algorithms), "dimensions": np.array(settings.dimensions)}
    return {**{name: values.reshape(shape) for name, values in data.items()}, **axes}


def mean_interval(values: Array) -> tuple[Array, Array, Array]:
    """Mean along the last axis and its 95% interval by the normal law."""
    middle = values.mean(axis=-1)
    half = 1.96 * values.std(axis=-1, ddof=1) / np.sqrt(values.shape[-1])
    return middle, middle - half, middle + half


def pooled(values: NDArray[Entry]) -> NDArray[Entry]:
    """All sets of trials together: [sets, a, d, trials] to [a, d, sets * trials]."""
    return np.moveaxis(values, 0, -2).reshape(*values.shape[1:3], -1)
