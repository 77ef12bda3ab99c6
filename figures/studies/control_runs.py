"""What the figures of the control study share: settings and runs.

A piece is one training run. Runs lie in ``control/<data set>/`` beside the figures' data files, as ``krope deep train``
writes them, or elsewhere in ``control/``, as ``krope deep sweep`` does; one that is missing is trained, after its data
set was made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.studies.garnet_runs import ALGORITHMS as LEARNED
from figures.studies.study import Data, Study, adjustable
from tabular_krope.errors import KropeError

if TYPE_CHECKING:
    from deep.control.config import ControlConfig

ALGORITHMS = (*LEARNED, "krope-closed")
METRICS = ("error_cov32", "error_svd64", "error_fqe")

#: How the committed runs were trained where that is not today's default.
RAW: dict[str, Any] = {
    "optimizer": "adam",
    "standardize": False,
    "step": "autograd",
    "lspe_steps": 5_000,
    "hidden_features": 512,
}
Piece = tuple[str, str, float, float, int]


@dataclass(frozen=True, slots=True)
class Settings:
    """Which runs; what is not here is the default of `deep.control.config.ControlConfig`."""

    seed: int = 0  # first of the trials' seeds; the data set has it, too
    seeds: int = adjustable(3)
    data_sets: tuple[str, ...] = adjustable(("dmc-cartpole-swingup",))
    algorithms: tuple[str, ...] = adjustable(ALGORITHMS)
    learning_rates: tuple[float, ...] = adjustable((5e-5,), least=0)
    fractions: tuple[float, ...] = adjustable((0.5,), least=0)
    epochs: int = adjustable(150)  # of the paper's 500; runs that have not come so far are drawn as far as they are
    transitions: int = adjustable(100_000, least=300)
    hidden: int = adjustable(1024)
    batch: int = adjustable(2048, least=2)
    every: int = 10
    base_features: int = 512
    raw: int = adjustable(1, least=0)  # 1: trained as `RAW` says, like the committed runs; 0: by today's defaults


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
    """Refuse runs that cannot be trained, before the first one is, and data sets that have no panel."""
    room = len(Settings().data_sets)
    if len(settings.data_sets) > room:
        raise KropeError(f"data_sets must be at most {room}, one in a row of panels; got {len(settings.data_sets)}")
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
        **(RAW if settings.raw else {}),
    )


def run_path(folder: Path, piece: Piece) -> Path:
    """The folder of a run."""
    data, name, rate, fraction, seed = piece
    return folder / "control" / data / f"{name}-rate{rate:g}-fraction{fraction:g}-seed{seed}"


def find_run(settings: Settings, piece: Piece, folder: Path) -> Path | None:
    """Where a run is: in the folder of its name, else the longest below ``control/`` of the same data and settings."""
    from deep.control.run_folder import ABOUT, read_about

    named = run_path(folder, piece)
    if (named / ABOUT).exists():
        return named
    wanted = {name: value for name, value in run_config(settings, piece).settings().items() if name != "epochs"}
    found = [(read_about(path.parent), path.parent) for path in sorted((folder / "control").rglob(ABOUT))]
    same = [
        (about["epochs"], path) for about, path in found if (about["data"], about["settings"]) == (piece[0], wanted)
    ]
    return max(same, key=lambda one: one[0])[1] if same else None


def compute(settings: Settings, piece: Piece, folder: Path) -> Data:
    """Errors of one run at each evaluation, [1, evaluations]."""
    from deep.control.run_folder import read_about, read_metrics

    config, place = run_config(settings, piece), find_run(settings, piece, folder)
    if place is None:
        place = run_path(folder, piece)
        _train(settings, piece, folder)
    theirs, ours = read_about(place)["settings"], config.settings()
    for name in theirs:
        if name in ours and theirs[name] != ours[name]:
            raise KropeError(f"{place} must hold a run with {name} = {ours[name]!r}; got {theirs[name]!r}")
    rows, epochs = read_metrics(place), evaluations(settings)
    if config.algorithm == "krope-closed":
        rows = [rows[0] | {"epoch": epoch} for epoch in epochs]
    found = {name: np.array([errors_at(rows, name, epochs)]) for name in METRICS}
    return {"data": np.array([piece[0]]), "algorithm": np.array([piece[1]]), **found}


def evaluations(settings: Settings) -> list[int]:
    """The epochs after which a run is evaluated."""
    return sorted({*range(0, settings.epochs + 1, settings.every), settings.epochs})


def errors_at(rows: Sequence[Mapping[str, float]], name: str, epochs: Sequence[int]) -> list[float]:
    """Errors of a run after ``epochs``; NaN where it has not come so far, infinite from where it diverged.

    A run ends when it diverges, at whatever epoch. Of an estimate that it never had (FQE's own without a head) it has
    none then, either.

    >>> errors_at([{"epoch": 0, "diverged": 0, "e": 0.5}, {"epoch": 3, "diverged": 1, "e": np.nan}], "e", [0, 2, 4])
    [0.5, nan, inf]
    """
    known = {int(row["epoch"]): float(row[name]) for row in rows if not row["diverged"]}
    if known and all(isnan(error) for error in known.values()):
        return [nan] * len(epochs)
    gone = min((row["epoch"] for row in rows if row["diverged"]), default=inf)
    return [inf if epoch >= gone else known.get(epoch, nan) for epoch in epochs]


def finish(settings: Settings, data: Data) -> Data:
    """With the axis of epochs."""
    return {**data, "epochs": np.array(evaluations(settings))}


#: A figure of the errors of the runs, given the fields of `Study` that are its own.
control_study = partial(Study, full=Settings(), quick=QUICK, pieces=pieces, compute=compute, finish=finish, check=check)


def _train(settings: Settings, piece: Piece, folder: Path) -> None:
    from deep.control.training import train
    from tabular_krope.control.making import make_data, write_data
    from tabular_krope.control.policy_files import load_policies
    from tabular_krope.control.reading import read_data
    from tabular_krope.control.tasks import RECIPES, recipe_named

    if piece[0] not in {recipe.name for recipe in RECIPES}:
        raise KropeError(
            f"{folder / 'control'} must hold a run of {piece[1]} on {piece[0]} with learning rate {piece[2]:g},"
            f" fraction {piece[3]:g}, seed {piece[4]} and the other settings asked for; got none"
        )
    recipe = recipe_named(piece[0])
    path = folder / "control" / f"{recipe.name}-{settings.transitions}-seed{settings.seed}.h5"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_data(path, *make_data(recipe, load_policies(recipe.task), settings.transitions, settings.seed))
    train(run_config(settings, piece), read_data(path), run_path(folder, piece))
