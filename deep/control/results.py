"""Finished and unfinished runs as they lie in folders, and what a study says about them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import frexp, inf, isfinite, isnan, nan
from pathlib import Path
from typing import Any

import numpy as np

from deep.control.evaluation import Row
from deep.control.run_folder import ABOUT, read_about, read_metrics
from tabular_krope.errors import KropeError

#: What tells settings of one algorithm on one data set apart; seeds are trials of the same.
GRID = ("learning_rate", "fraction", "dimension")


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One run.

    Attributes:
        data: name of the data set.
        algorithm: its name.
        settings: all settings of the run.
        epochs: how many were trained.
        rows: metrics, one for each evaluation.
    """

    data: str
    algorithm: str
    settings: dict[str, Any]
    epochs: int
    rows: tuple[Row, ...]

    @property
    def grid(self) -> tuple[Any, ...]:
        """The settings that a study varies."""
        return tuple(self.settings.get(name) for name in GRID)

    def last(self, column: str) -> float:
        """A metric at the end; an error and the completeness of a run that diverged are infinite.

        Unless the run never had them: NaN in each row before (FQE's own estimate without a head).
        """
        *before, row = self.rows
        if row["diverged"] and (column.startswith("error") or column == "completeness"):
            return nan if before and all(isnan(one[column]) for one in before) else inf
        return row[column]


@dataclass(frozen=True, slots=True)
class Cell:
    """What a table says about an algorithm on a data set.

    Attributes:
        mean: over trials; infinite as soon as one is.
        half_width: of the 95% interval; NaN for a single trial.
        trials: how many.
        epochs: the least that any of them was trained.
        grid: the settings, the best of those that were run.
        settings_tried: how many were.
    """

    mean: float
    half_width: float
    trials: int
    epochs: int
    grid: tuple[Any, ...]
    settings_tried: int


def read_runs(folder: Path) -> list[Run]:
    """Every run below ``folder``: what `train` and a sweep leave there, finished or not."""
    if not folder.is_dir():
        raise KropeError(f"results must be a folder of runs; got {folder}")
    found = []
    for path in sorted(folder.rglob(ABOUT)):
        about, rows = read_about(path.parent), tuple(read_metrics(path.parent))
        if rows:
            settings = about["settings"]
            found.append(Run(str(about["data"]), settings["algorithm"], settings, int(about["epochs"]), rows))
    return found


def mean_interval(values: Sequence[float]) -> tuple[float, float]:
    """Mean and half-width of its 95% Student interval; NaN for one value or where the mean is infinite.

    >>> [round(x, 3) for x in mean_interval([1.0, 2.0, 3.0])]
    [2.0, 2.484]
    """
    from scipy.stats import t

    n = len(values)
    if not all(isfinite(value) for value in values):
        return inf, nan
    # Errors that diverged can be too large to square; a power of two as the unit changes no digit.
    unit = 2.0 ** (frexp(max(map(abs, values)))[1] - 1)
    scaled = np.asarray(values) / unit
    mean = unit * float(np.mean(scaled))
    if n < 2:
        return mean, nan
    return mean, unit * float(t.ppf(0.975, n - 1) * np.std(scaled, ddof=1) / np.sqrt(n))


def best_cell(runs: Iterable[Run], column: str) -> Cell | None:
    """The setting with the least mean of ``column`` at the end, among runs of one algorithm on one data set.

    Runs in which the metric does not exist (FQE's own estimate without a head) are left out; None if none is left.
    """
    groups: dict[tuple[Any, ...], list[Run]] = {}
    for run in runs:
        if not isnan(run.last(column)):
            groups.setdefault(run.grid, []).append(run)
    cells = [
        Cell(*mean_interval([run.last(column) for run in group]), len(group), min(r.epochs for r in group), grid, 1)
        for grid, group in groups.items()
    ]
    if not cells:
        return None
    best = min(cells, key=lambda cell: cell.mean)
    return Cell(best.mean, best.half_width, best.trials, best.epochs, best.grid, len(cells))


def profile(runs: Iterable[Run], column: str, taus: Sequence[float]) -> list[float]:
    """Share of runs, over settings and trials, whose metric at the end is at most each of ``taus``."""
    errors = np.array([run.last(column) for run in runs])
    return [float(np.mean(errors <= tau)) if len(errors) else nan for tau in taus]
