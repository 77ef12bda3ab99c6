"""What the figures of the control study share: settings and runs.

A piece is one training run. Runs lie in ``control/<data set>/`` beside the figures' data files, as ``krope deep train``
writes them; one that is missing is trained, after its data set was made.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from figures.studies.garnet_runs import ALGORITHMS as LEARNED
from figures.studies.study import Data, Study, adjustable
from tabular_krope.errors import KropeError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deep.control.config import ControlConfig

ALGORITHMS = (*LEARNED, "krope-closed")
METRICS = ("error_cov32", "error_svd64", "error_fqe")

Piece = tuple[str, str, float, float, int]


@dataclass(frozen=True, slots=True)
class Settings:
    """Which runs; what is not here is the default of `deep.control.config.ControlConfig`."""

    seed: int = 0  # first of the trials' seeds; the data set has it, too
    seeds: int = adjustable(3)
    data_sets: tuple[str, ...] = ("dmc-cartpole-swingup",)
    algorithms: tuple[str, ...] = adjustable(ALGORITHMS)
    learning_rates: tuple[float, ...] = (5e-5,)
    fractions: tuple[float, ...] = (0.5,)
    epochs: int = adjustable(150)  # of the paper's 500; runs that have not come so far are drawn as far as they are
    transitions: int = adjustable(100_000, least=300)
    hidden: int = adjustable(1024)
    batch: int = adjustable(2048, least=2)
    every: int = 10
    base_features: int = 512


QUICK = Settings(
    seeds=1,
    algorithms=("fqe", "krope", "krope-closed"),
    epochs=4,
    transitions=300,
    hidden=16,
    batch=100,
    every=2,
    base_features=16,
)


def pieces(settings: Settings) -> Sequence[Piece]:
    """Data set, algorithm, learning rate, fraction and seed of each run; the closed form has no learning rate."""
    return [
        (data, name, rate, fraction, seed)
        for data in settings.data_sets
        for name in settings.algorithms
        for rate in (settings.learning_rates[:1] if name == "krope-closed" else settings.learning_rates)
        for fraction in settings.fractions
        for seed in range(settings.seed, settings.seed + settings.seeds)
    ]


def check(settings: Settings) -> None:
    """Refuse runs that cannot be trained, before the first one is."""
    for piece in pieces(settings):
        run_config(settings, piece)


def run_config(settings: Settings, piece: Piece) -> "ControlConfig":
    """The settings of a run."""
    from deep.control.config import ControlConfig

    _, name, rate, fraction, seed = piece
    return ControlConfig(
        name,
        seed,
        settings.epochs,
        fraction,
        None,
        rate,
        settings.batch,
        settings.hidden,
        evaluate_every=settings.every,
        base_features=settings.base_features,
    )


def run_path(folder: Path, piece: Piece) -> Path:
    """The folder of a run."""
    data, name, rate, fraction, seed = piece
    return folder / "control" / data / f"{name}-rate{rate:g}-fraction{fraction:g}-seed{seed}"


def compute(settings: Settings, piece: Piece, folder: Path) -> Data:
    """Errors of one run at each evaluation, [1, evaluations]; NaN where it has not come so far."""
    from deep.control.run_folder import read_about, read_metrics

    config, place = run_config(settings, piece), run_path(folder, piece)
    if not (place / "run.json").exists():
        _train(settings, piece, folder)
    theirs, ours = read_about(place)["settings"], config.settings()
    for name in theirs:
        if name in ours and theirs[name] != ours[name]:
            raise KropeError(f"{place} must hold a run with {name} = {ours[name]!r}; got {theirs[name]!r}")
    rows = {int(row["epoch"]): row for row in read_metrics(place)}
    epochs = range(0, settings.epochs + 1, settings.every)
    if config.algorithm == "krope-closed":
        rows = dict.fromkeys(epochs, rows[0])
    found = {
        name: np.array([[_error(rows[epoch], name) if epoch in rows else np.nan for epoch in epochs]])
        for name in METRICS
    }
    return {"data": np.array([piece[0]]), "algorithm": np.array([piece[1]]), **found}


def finish(settings: Settings, data: Data) -> Data:
    """With the axis of epochs."""
    return {**data, "epochs": np.arange(0, settings.epochs + 1, settings.every)}


def control_study(
    name: str,
    about: str,
    panels: tuple[tuple[str, ...], ...],
    draw: "Callable[[Data, Mapping[str, Axes]], None]",
    width: float,
    height: float,
    full: Settings = Settings(),  # noqa: B008 (frozen)
    quick: Settings = QUICK,
) -> Study:
    """A figure of the errors of the runs."""
    return Study(
        name=name,
        about=about,
        full=full,
        quick=quick,
        pieces=pieces,
        compute=compute,
        finish=finish,
        check=check,
        panels=panels,
        draw=draw,
        width=width,
        height=height,
    )


def _error(row: dict[str, float], name: str) -> float:
    return float("inf") if row["diverged"] else row[name]


def _train(settings: Settings, piece: Piece, folder: Path) -> None:
    from deep.control.making import make_data, write_data
    from deep.control.policy_files import load_policies
    from deep.control.reading import read_data
    from deep.control.tasks import recipe_named
    from deep.control.training import train

    recipe = recipe_named(piece[0])
    path = folder / "control" / f"{recipe.name}-{settings.transitions}-seed{settings.seed}.h5"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_data(path, *make_data(recipe, load_policies(recipe.task), settings.transitions, settings.seed))
    train(run_config(settings, piece), read_data(path), run_path(folder, piece))
