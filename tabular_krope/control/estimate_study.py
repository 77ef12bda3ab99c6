"""Closed-form estimates of control data sets beside the usual ones on the same base features: one cell, one file.

A cell is a data set and a seed of the base features. It holds the closed form for several numbers of features and
ridges, its dual weights for the largest, and on all base features

- ``lstd``: LSPE's fixed point, by least squares, stable or not;
- ``lspe``: LSPE without a ridge after 1,000 steps;
- ``fqe``: linear fitted Q evaluation, that is LSPE with the ridge, after 1,000 steps.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tabular_krope import __version__
from tabular_krope.arrays import Array
from tabular_krope.closed_form.moments import Moments, moments
from tabular_krope.closed_form.spared_ridge import SparedFit, spared_fits
from tabular_krope.closed_form.union_features import union_features
from tabular_krope.control.control_data import ControlData
from tabular_krope.control.estimates import control_transitions
from tabular_krope.data.atomic import atomic_write
from tabular_krope.estimation.bases import fresh_functions
from tabular_krope.estimation.dual_weights import dual_weights
from tabular_krope.report.plain import plain

DIMENSIONS: tuple[int | None, ...] = (16, 64, None)
RIDGES = (1e-3, 1e-2)
STEPS = 1_000
#: Directions of the Gram matrix below this share of the largest count as null, where there is no ridge.
RCOND = 1e-12


def study_cell(data: ControlData, seed: int) -> dict[str, Any]:
    """All numbers of one cell, as plain types."""
    rows = control_transitions(data)
    rng = np.random.default_rng([seed, 0])
    base = union_features(rows.inputs, rng)
    m = moments(rows.blocks(base), rows.at_start(base), rows.r)
    fresh = fresh_functions(rows, base, rng)
    closed = []
    for ridge in RIDGES:
        fits = spared_fits(m, rows.gamma, ridge, DIMENSIONS)
        found = dual_weights(rows, base, fits[-1], fresh)
        seen = {name: getattr(found, name) for name in ("negative", "imbalance", "effective", "noise")}
        closed += [_closed(fit, d) for fit, d in zip(fits, DIMENSIONS, strict=True)]
        closed[-1] |= seen | {"spread_q": float(found.q.std())}
    known = {name: getattr(data, f"{name}_value") for name in ("target", "random")}
    out: dict[str, Any] = plain(
        {
            "krope_version": __version__,
            "data": data.name,
            "seed": seed,
            "transitions": len(data),
            "gamma": data.gamma,
            "data_seed": data.provenance.get("seed"),
            "base": {"p": base.p, "degree": base.degree, "waves": len(base.phases)},
            "values": {name: None if value is None else value.mean for name, value in known.items()},
            "closed": closed,
            "others": others(m, rows.gamma),
        }
    )
    return out


def _closed(fit: SparedFit, d: int | None) -> dict[str, Any]:
    names = ("ridge", "value", "span_value", "norm", "spectral_radius", "tolerance", "rank", "dropped", "base_radius")
    return {"d": "all" if d is None else d} | {name: getattr(fit, name) for name in names} | {"stable": fit.certified}


def others(m: Moments, gamma: float) -> list[dict[str, Any]]:
    """LSTD, LSPE and linear FQE on all base features.

    >>> Psi = np.array([[1.0, -1.0], [1.0, 1.0]])
    >>> out = others(moments([(Psi, Psi[::-1], np.ones(2))], np.array([1.0, 0.0])), 0.5)
    >>> [(one["name"], round(one["value"], 9)) for one in out]
    [('lstd', 2.0), ('lspe', 2.0), ('fqe', 2.0), ('fqe', 2.0)]
    """
    G, H, b = _scaled(m)
    theta = np.linalg.lstsq(G - gamma * H, b[:, 0], rcond=RCOND)[0]
    out: list[dict[str, Any]] = [{"name": "lstd", "value": float(b[:, 1] @ theta), "radius": float("nan")}]
    inverse: Array = np.asarray(np.linalg.pinv(G, rcond=RCOND, hermitian=True), dtype=np.float64)
    out.append({"name": "lspe"} | _iterated(gamma * inverse @ H, inverse @ b[:, 0], b[:, 1]))
    for ridge in RIDGES:
        penalized = G + np.diag(np.append(0.0, np.full(len(G) - 1, ridge)))
        solved: Array = np.asarray(np.linalg.solve(penalized, np.column_stack([gamma * H, b[:, 0]])), dtype=np.float64)
        out.append({"name": "fqe", "ridge": ridge} | _iterated(solved[:, :-1], solved[:, -1], b[:, 1]))
    return out


def _scaled(m: Moments) -> tuple[Array, Array, Array]:
    """Moments with columns of variance 1: ``G``, ``H`` and, side by side, ``b`` and the start."""
    variances = m.variances
    kept = np.flatnonzero(np.append(True, variances[1:] > 0))
    size = np.append(1.0, np.sqrt(variances[kept[1:]]))
    square, at = np.outer(size, size), np.ix_(kept, kept)
    return m.G[at] / square, m.H[at] / square, np.column_stack([m.b, m.start])[kept] / size[:, None]


def _iterated(L: Array, b: Array, start: Array) -> dict[str, Any]:
    """The value after `STEPS` steps from zero, and the spectral radius."""
    theta = np.zeros(len(b))
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(STEPS):
            theta = b + L @ theta
        value = float(start @ theta)
    return {"value": value, "radius": float(np.abs(np.linalg.eigvals(L)).max())}


def _write(path: Path, text: str) -> None:
    atomic_write(path, lambda stream: stream.write(text.encode()))


def run_study(
    sources: Sequence[tuple[str, Callable[[], ControlData]]],
    seeds: Sequence[int],
    folder: Path,
    told: Callable[[str], None] = lambda line: None,
) -> int:
    """Every cell that has no file yet, seed by seed; how many were run.

    Args:
        sources: names of data sets, and how each is read.
        seeds: of the base features.
        folder: of the results, one JSON file for each cell.
        told: called with a line for each cell that is done.
    """
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for seed in seeds:
        for name, read in sources:
            path = folder / f"{name}-seed{seed}.json"
            if path.exists():
                continue
            text = json.dumps(study_cell(read(), seed), indent=1) + "\n"
            _write(path, text)
            count += 1
            told(f"{path.name} done")
    return count
