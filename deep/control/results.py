"""Finished and unfinished runs as they lie in folders, and what a study says about them.

Trials are runs that differ in nothing but the seed, on the same data, trained equally long (or until they diverged).
How the steps were taken is no difference: it changes speed and rounding, not what is computed.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import frexp, inf, isfinite, isnan, nan
from pathlib import Path
from typing import Any

import numpy as np

from deep.control.evaluation import Row
from deep.control.run_folder import ABOUT, read_about, read_metrics
from tabular_krope.errors import KropeError


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One run.

    Attributes:
        data: name of the data set.
        algorithm: its name.
        settings: all settings of the run.
        epochs: how many were trained.
        rows: metrics, one for each evaluation.
        fingerprint: of the numbers in the data.
    """

    data: str
    algorithm: str
    settings: dict[str, Any]
    epochs: int
    rows: tuple[Row, ...]
    fingerprint: str = ""

    @property
    def setting(self) -> dict[str, Any]:
        """What its trials share: all settings but the seed and the kind of step."""
        return {name: value for name, value in self.settings.items() if name not in ("seed", "step")}

    @property
    def diverged(self) -> bool:
        """Whether it ended by divergence: no more epochs would change that."""
        return bool(self.rows[-1]["diverged"])

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
        epochs: how many each of them was trained, but for those that diverged before.
        setting: all settings but the seed and the step, the best of those that were run.
        settings_tried: how many were, the same on other data among them.
        left_out: runs of this setting that are no trials: shorter than others, or another run of a seed.
    """

    mean: float
    half_width: float
    trials: int
    epochs: int
    setting: dict[str, Any]
    settings_tried: int
    left_out: int


def read_runs(folder: Path) -> list[Run]:
    """Every run below ``folder``: what `train` and a sweep leave there, finished or not."""
    if not folder.is_dir():
        raise KropeError(f"results must be a folder of runs; got {folder}")
    found = []
    for path in sorted(folder.rglob(ABOUT)):
        about, rows = read_about(path.parent), tuple(read_metrics(path.parent))
        if rows:
            settings, data = about["settings"], str(about.get("fingerprint", ""))
            found.append(Run(about["data"], settings["algorithm"], settings, about["epochs"], rows, data))
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
    groups: dict[str, list[Run]] = {}
    for run in runs:
        if not isnan(run.last(column)):
            groups.setdefault(json.dumps([run.fingerprint, run.setting], sort_keys=True), []).append(run)
    cells = []
    for group in groups.values():
        found = trials(group)
        mean, half_width = mean_interval([run.last(column) for run in found])
        epochs = max(run.epochs for run in found if not run.diverged or all(one.diverged for one in found))
        cells.append(Cell(mean, half_width, len(found), epochs, found[0].setting, len(groups), len(group) - len(found)))
    return min(cells, key=lambda cell: cell.mean, default=None)


def runs_of(runs: Iterable[Run], cell: Cell) -> list[Run]:
    """The trials behind a cell, of runs of its algorithm on its data."""
    return trials([run for run in runs if run.setting == cell.setting])


def trials(runs: Sequence[Run]) -> list[Run]:
    """Those of the runs of one setting that can be averaged: one for each seed, equally long.

    Of several runs of a seed the longest counts (the first of equals); of seeds trained to different lengths, those
    that were trained longest. A run that diverged is as long as any.
    """
    length = {id(run): inf if run.diverged else float(run.epochs) for run in runs}
    of_seed: dict[Any, Run] = {}
    for run in runs:
        seed = run.settings.get("seed")
        if seed not in of_seed or length[id(run)] > length[id(of_seed[seed])]:
            of_seed[seed] = run
    found = list(of_seed.values())
    longest = max((length[id(run)] for run in found if not run.diverged), default=inf)
    return [run for run in found if length[id(run)] >= longest]
