r"""``closed-form``: features from data in closed form, against transitions, ``d``, base features and shift of the data.

Three ways to evaluate the target policy on the same rows: LSPE on all base features; LSPE on their ``d`` principal
directions on the data; LSPE on the ``d`` closed-form KROPE features inside their span. The error is the root mean
square of the estimate's error over that of the true values, under the target policy's occupancy; where LSPE diverges it
has none. Every certificate is checked once more here, with numpy's pseudo-inverse and nothing else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from figures.studies.closed_form_problems import CASES, MAKERS, Rows, Task, sampled
from figures.studies.study import Data
from tabular_krope.arrays import Array
from tabular_krope.closed_form.feature_space import feature_space_krope
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.lspe_on_data import lspe_on_data
from tabular_krope.measures.value_error import value_error

CLOSED, PRINCIPAL, BASE = "closed-form", "principal", "base"
METHODS = (CLOSED, PRINCIPAL, BASE)
#: Larger errors, and estimates that diverge, are drawn here.
MOST = 100.0


@dataclass(frozen=True, slots=True)
class Settings:
    """Sizes of the study: one of transitions and shift is varied at a time."""

    seed: int = 0
    trials: int = 20
    transitions: tuple[int, ...] = (100, 300, 1000, 10_000, 100_000)
    shifts: tuple[float, ...] = (0.0, 1.0, 2.0, 3.0, 4.0)
    usual_transitions: int = 10_000
    usual_shift: float = 1.0
    dimensions: tuple[int, ...] = (1, 2, 3, 4, 8, 16, 32)
    usual_dimension: int = 8


def cells(settings: Settings) -> list[tuple[int, float]]:
    """Transitions and shift of each cell, those with the usual shift first."""
    by_size = [(n, settings.usual_shift) for n in settings.transitions]
    return by_size + [(settings.usual_transitions, shift) for shift in settings.shifts]


def pieces(settings: Settings) -> Sequence[tuple[int, int]]:
    """Case and cell."""
    return [(case, cell) for case in range(len(CASES)) for cell in range(len(cells(settings)))]


def compute(settings: Settings, piece: tuple[int, int], folder: Path) -> Data:
    """Radius and error [1, trials, methods, dimensions], and what the certificate says [1, trials, ...]."""
    case, cell = piece
    problem, kind, _ = CASES[case]
    n, shift = cells(settings)[cell]
    trials = []
    for trial in range(settings.trials):
        task = MAKERS[problem](kind, np.random.default_rng([settings.seed, case, trial]))
        rows = sampled(task, n, shift, np.random.default_rng([settings.seed, case, trial, 1]))
        trials.append(one_trial(task, rows, (*settings.dimensions, -settings.usual_dimension)))
    return {name: np.stack([trial[name] for trial in trials])[None] for name in trials[0]}


def one_trial(task: Task, rows: Rows, dimensions: Sequence[int]) -> Mapping[str, Any]:
    """All methods and dimensions on one data set; NaN where there are fewer directions than ``d``.

    A negative dimension stands for that many or, if there are fewer, all.
    """
    gamma, shape = task.mrp.gamma, (len(METHODS), len(dimensions))
    radius, error = np.full(shape, np.nan), np.full(shape, np.nan)
    excess, tolerance = np.full(len(dimensions), np.nan), np.full(len(dimensions), np.nan)
    try:
        full = feature_space_krope(rows.Psi, rows.Psi_next, rows.r, gamma, weights=rows.counts)
        closed, dropped = full.map, len(full.dropped)
    except KropeError:
        closed, dropped = np.zeros((rows.Psi.shape[1], 0)), -1
    principal, whole = principal_directions(rows), np.eye(rows.Psi.shape[1])
    radius[-1], error[-1] = judged(task, rows, whole)
    for b, d in enumerate(dimensions):
        for a, W in enumerate((closed, principal)):
            if W.shape[1] >= max(d, 1):
                radius[a, b], error[a, b] = judged(task, rows, W[:, : abs(d)])
        if closed.shape[1] >= d > 0:
            one = feature_space_krope(rows.Psi, rows.Psi_next, rows.r, gamma, d, weights=rows.counts)
            excess[b], tolerance[b] = independent_norm(rows, one.map, gamma) - one.bound, one.tolerance
    return {"radius": radius, "error": error, "excess": excess, "tolerance": tolerance, "dropped": np.array(dropped)}


def principal_directions(rows: Rows) -> Array:
    """Coordinates of the directions in which the base features vary most on the data, [p, rank]."""
    root = np.sqrt(rows.counts / rows.counts.sum())[:, None]
    _, sigma, Vt = np.linalg.svd(root * rows.Psi, full_matrices=False)
    kept = sigma > 1e-6 * sigma[0]
    return np.asarray(Vt[kept].T / sigma[kept])


def judged(task: Task, rows: Rows, W: Array) -> tuple[float, float]:
    """Spectral radius of LSPE on the features ``Psi W``, and the error of its limit; inf if it has none."""
    out = lspe_on_data(rows.Psi @ W, rows.Psi_next @ W, rows.r, task.mrp.gamma, rows.counts, steps=0)
    return out.spectral_radius, relative_error(task, W @ out.theta) if out.stable else np.inf


def relative_error(task: Task, weights: Array) -> float:
    """Root mean square error over that of the true values, under the target's occupancy."""
    nothing = np.zeros(task.mrp.n_pairs)
    return float(np.sqrt(value_error(task.mrp, task.base @ weights, nothing, task.law)))


def independent_norm(rows: Rows, W: Array, gamma: float) -> float:
    """``norm2(L)`` by numpy's pseudo-inverse of the weighted rows."""
    root = np.sqrt(rows.counts / rows.counts.sum())[:, None]
    L = gamma * np.linalg.pinv(root * (rows.Psi @ W), rcond=1e-13) @ (root * (rows.Psi_next @ W))
    return float(np.linalg.norm(L, 2))


def finish(settings: Settings, data: Data) -> Data:
    """Quartiles of the error and share of divergence [cases, cells, methods, dimensions + 1]; the certificates.

    The last dimension is the usual one, or all directions where there are fewer.
    """
    grid = (len(CASES), len(cells(settings)))
    by_cell = {name: values.reshape(*grid, *values.shape[1:]) for name, values in data.items()}
    error, radius = by_cell["error"], by_cell["radius"]
    tried = np.isfinite(radius)
    with np.errstate(invalid="ignore"):
        ratio = by_cell["excess"] / by_cell["tolerance"]
        unstable = np.where(tried, radius >= 1, False).sum(axis=2) / np.maximum(tried.sum(axis=2), 1)
    return {
        "error": np.moveaxis(_quartiles(np.minimum(error, MOST)), 0, -1),
        "unstable": unstable,
        "tried": tried.sum(axis=2),
        "radius": np.nanmax(np.where(tried, radius, -1.0), axis=2),
        "certificates": np.isfinite(ratio).sum(axis=(1, 2, 3)),
        "worst_ratio": np.nanmax(np.where(np.isfinite(ratio), ratio, -np.inf), axis=(1, 2, 3)),
        "largest_tolerance": np.nanmax(by_cell["tolerance"], axis=(1, 2, 3)),
        "refused": (by_cell["dropped"] < 0).mean(axis=2),
        "dropped": (by_cell["dropped"] > 0).mean(axis=2),
        "cases": np.array([f"{problem}, {kind}" for problem, kind, _ in CASES]),
        "sizes": np.array([size for *_, size in CASES]),
        "methods": np.array(METHODS),
        "dimensions": np.array(settings.dimensions),
        "transitions": np.array([n for n, _ in cells(settings)]),
        "shifts": np.array([shift for _, shift in cells(settings)]),
        "usual": np.array([settings.usual_transitions, settings.usual_shift, settings.usual_dimension]),
        "by_size": len(settings.transitions),
    }


def _quartiles(values: Array) -> Array:
    """Quartiles over the trials [cases, cells, trials, ...], NaN where a quarter or more has no value."""
    none = np.isnan(values).mean(axis=2) > 0.25
    filled = np.where(np.isnan(values), MOST, values)
    return np.where(none, np.nan, np.quantile(filled, (0.25, 0.5, 0.75), axis=2))
