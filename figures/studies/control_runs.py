"""What the figures of the control study share: settings, runs, and how errors are drawn.

A piece is one training run. Runs lie in ``control/<data set>/`` beside the figures' data files, as ``krope deep train``
writes them; one that is missing is trained, after its data set was made.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from figures import style
from figures.studies.garnet_runs import LOOKS as LEARNED_LOOKS
from figures.studies.study import Data, adjustable
from tabular_krope.errors import KropeError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deep.control.config import ControlConfig

ALGORITHMS = ("fqe", "krope", "rope", "dbc", "bcrl", "bcrl-exp", "dr3", "beer", "krope-closed")
LOOKS = {**LEARNED_LOOKS, "krope-closed": (style.BLUE, "*", "-", "KROPE, closed form")}
METRICS = ("error_cov32", "error_svd64", "error_fqe")
#: Where a normalised error counts as diverged, and the least that is drawn.
DIVERGED, LEAST = 10.0, 1e-6

Piece = tuple[str, str, float, float, int]


@dataclass(frozen=True, slots=True)
class Settings:
    """Which runs; what is not here is the default of `deep.control.config.ControlConfig`."""

    seed: int = 0  # first of the trials' seeds; the data set has it, too
    seeds: int = adjustable(1)
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


def draw_curves(data: Data, name: str, column: str, algorithms: Iterable[str], ax: "Axes", **look: Any) -> None:
    """Mean error of each algorithm on a data set against epochs, cut at "Div."; with several seeds their range."""
    for algorithm in algorithms:
        chosen = data[column][(data["data"] == name) & (data["algorithm"] == algorithm)]
        if not len(chosen) or np.isnan(chosen).all():
            continue
        colour, marker, dashes, label = LOOKS[algorithm]
        errors = np.where(np.isnan(chosen), np.nan, np.clip(chosen, LEAST, DIVERGED))
        middle = np.where(np.isnan(errors).any(axis=0), np.nan, errors.mean(axis=0))
        settings: Any = {"marker": marker, "linestyle": dashes, "color": colour, "label": label, "markersize": 5} | look
        ax.plot(data["epochs"], middle, **settings)
        if len(errors) > 1:
            ax.fill_between(data["epochs"], errors.min(axis=0), errors.max(axis=0), color=colour, alpha=0.15)


def error_axis(ax: "Axes", which: str = "y") -> None:
    """A logarithmic axis of errors with the line beyond which the paper says "Div."."""
    words = "normalised squared error"
    if which == "y":
        ax.set_yscale("log")
        ax.set_ylim(LEAST / 2, 2 * DIVERGED)
        ax.axhline(DIVERGED, color=style.GREY, linewidth=0.8, linestyle=":")
        ax.annotate("Div.", (0.995, DIVERGED), xycoords=("axes fraction", "data"), ha="right", va="bottom", fontsize=8)
        ax.set_ylabel(words)
        ax.set_xlabel("epochs of training")
    else:
        ax.set_xscale("log")
        ax.set_xlabel(rf"$\tau$ ({words})")
        ax.set_ylim(-0.03, 1.03)
        ax.set_ylabel(r"share of runs with error $\leq \tau$")


def draw_profiles(errors: dict[str, Any], looks: dict[str, tuple[str, str, str]], ax: "Axes") -> None:
    """Share of runs whose last known error is at most tau, as steps; ``looks``: colour, dashes and label by name."""
    taus = np.logspace(np.log10(LEAST), np.log10(DIVERGED), 400)
    for name, values in errors.items():
        last = last_known(values)
        if len(last):
            colour, dashes, label = looks[name]
            share = (last[:, None] <= taus).mean(axis=0)
            ax.plot(taus, share, linestyle=dashes, color=colour, label=label, drawstyle="steps-post")
    error_axis(ax, "x")


def last_known(errors: Any) -> Any:
    """The last error of each run [runs, evaluations] that is not NaN; runs that have none are left out.

    >>> last_known(np.array([[1.0, 2.0], [3.0, np.nan], [np.nan, np.nan]])).tolist()
    [2.0, 3.0]
    """
    return np.array([row[~np.isnan(row)][-1] for row in np.atleast_2d(errors) if not np.isnan(row).all()])
