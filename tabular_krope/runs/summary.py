"""The table of a sweep over models in a few lines: how stable each kind of features is."""

import os
from dataclasses import dataclass

import numpy as np

from tabular_krope.runs.store import open_store
from tabular_krope.runs.table import read_table


@dataclass(frozen=True, slots=True)
class Line:
    """All rows with one model, policy, discount factor, kind of features, weights and number of features.

    Attributes:
        model, policy, gamma, features, weights, d: which.
        rows: how many.
        stable: how many of these have a spectral radius below 1.
        largest_radius: the largest spectral radius.
        largest_ratio: the largest norm over the root of gamma, which for KROPE features is at most 1.
        beyond: rows whose norm is above the root of gamma by more than rounding.
    """

    model: str
    policy: str
    gamma: float
    features: str
    weights: str
    d: int
    rows: int
    stable: int
    largest_radius: float
    largest_ratio: float
    beyond: int


def summarize(folder: str | os.PathLike[str]) -> list[Line]:
    """A line for each model, policy, gamma, kind of features, weights and d in the sweep's table, in its order.

    >>> from tabular_krope.runs.grid import Grid
    >>> from tabular_krope.runs.run import run_sweep
    >>> from tabular_krope.runs.table import write_table
    >>> ran = run_sweep(Grid(("garnet:3x2",), dims=(2,), count=4).sweep(), "runs")
    >>> rows = write_table(open_store("runs"))
    >>> line, = summarize("runs")
    >>> line.rows, line.stable, line.largest_ratio <= 1, line.beyond
    (4, 4, True, 0)
    >>> line.policy, line.gamma
    ('own', 0.99)
    """
    keys = ("model", "policy", "gamma", "features", "weights", "d")
    names = ("stable", "spectral_radius", "norm", "sqrt_gamma", "violation", "allowed")
    table = read_table(open_store(folder), (*keys, *names))
    groups: dict[tuple[str, str, float, str, str, int], list[int]] = {}
    for k, key in enumerate(zip(*(table[name] for name in keys), strict=True)):
        groups.setdefault(key, []).append(k)
    stable, radius, norm, root, violation, allowed = (np.array(table[name]) for name in names)
    ratio = np.divide(norm, root, out=np.zeros_like(norm), where=root > 0)
    beyond = violation > allowed
    return [
        Line(
            *key, len(at), int(stable[at].sum()), float(radius[at].max()), float(ratio[at].max()), int(beyond[at].sum())
        )
        for key, at in groups.items()
    ]
