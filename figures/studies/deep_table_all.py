"""``deep-table-all``: table 1 at a glance, all algorithms on all data sets, ours beside the paper's.

Drawn from the data of ``deep-table``: errors at the end of a run in the paper's arithmetic, the float32 covariance.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts.heat_table import draw_heat_table
from figures.studies import deep_table
from figures.studies.control_drawing import DIVERGED
from figures.studies.garnet_drawing import LOOKS, short
from figures.studies.study import Data
from tabular_krope.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PANELS = {"ours": "error_cov32", "paper": "paper"}
TITLES = {"ours": "trained here: normalized squared errors", "paper": "in the paper, to one decimal"}
#: Errors from which on a cell is as light, and as dark, as any.
LIGHT, DARK = 1e-2, 3 * DIVERGED


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """One table for each source, a row for each data set; ``div.`` from an error of 10 on, a dash where nothing ran."""
    names, algorithms = unique(data["data"]), unique(data["algorithm"])
    for panel, ax in axes.items():
        errors = cells(data, PANELS[panel])
        if panel == "ours":
            errors = np.where(cells(data, "epochs") > 0, np.where(errors < DIVERGED, errors, np.inf), np.nan)
        shades = -np.log10(np.clip(errors, LIGHT, DARK))
        words = [[word(error, printed=panel == "paper") for error in row] for row in errors]
        columns = [LOOKS[name][-1].removesuffix("-NA").removeprefix("abs-") for name in algorithms]
        draw_heat_table(shades, names, columns, ax, -np.log10(DARK), -np.log10(LIGHT), words, panel == "ours")
        for i, j in np.argwhere(np.isnan(errors)):
            ax.text(j, i, "–", ha="center", va="center")
        ax.tick_params(axis="x", rotation=40, pad=1)
        for label in ax.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")
        ax.set_title(TITLES[panel])


def unique(names: Any) -> list[str]:
    """Each name once, in the order of its first place."""
    return list(dict.fromkeys(names.tolist()))


def cells(data: Data, name: str) -> Array:
    """A column of the data as a table, [data sets, algorithms]."""
    shape = len(unique(data["algorithm"])), len(unique(data["data"]))
    return np.asarray(data[name], dtype=float).reshape(shape).T


def word(error: float, printed: bool = False) -> str:
    """What stands in a cell: errors below a hundredth to one digit, others to two; those of the paper as ``printed``.

    >>> [word(error) for error in (0.0, 4.2e-5, 0.0053, 0.0123, 1.75, 10.0, np.inf)]
    ['0', '4e-5', '0.005', '0.012', '1.8', 'div.', 'div.']
    >>> [word(error, printed=True) for error in (0.0, 2.2)]
    ['0.0', '2.2']
    """
    if not error < DIVERGED:
        return "div."
    if printed:
        return f"{error:.1f}"
    if error >= LIGHT or error == 0:
        return short(error)
    digits, power = f"{error:.0e}".split("e")
    return f"{float(f'{error:.0e}'):.3f}" if error >= 1e-3 else f"{digits}e{int(power)}"


def title(data: Data) -> str:
    """In how many of the cells that were run LSPE diverges, here and in the paper.

    >>> runs = {"algorithm": np.array(["fqe", "fqe", "krope"]), "epochs": np.array([500, 500, 0])}
    >>> title(runs | {"error_cov32": np.array([0.1, np.inf, np.nan]), "paper": np.array([np.inf, np.inf, 0.0])})
    'LSPE diverges in 1 of the 2 cells of table 1 trained here; in the paper in 2 of these'
    >>> title({name: np.array([500.0]) for name in ("epochs", "error_cov32", "paper")})
    'Trained here, 1 of the 1 runs of table 1 end diverged; in the paper 1'
    """
    run = data["epochs"] > 0
    ours, theirs = (int((~(data[name][run] < DIVERGED)).sum()) for name in PANELS.values())
    if run.all():
        return f"Trained here, {ours} of the {run.size} runs of table 1 end diverged; in the paper {theirs}"
    there = f"in the paper in {theirs} of these"
    return f"LSPE diverges in {ours} of the {run.sum()} cells of table 1 trained here; {there}"


STUDY = replace(
    deep_table.STUDY,
    name="deep-table-all",
    about="table 1 at a glance: the errors of all algorithms on all data sets, ours beside the paper's",
    panels=(tuple(PANELS),),
    draw=draw,
    width=9.2,
    height=4.8,
    title=title,
    of="deep-table",
)
