"""``deep-curves``: error of LSPE on features while they are trained, in the paper's arithmetic and in float64.

A panel for each arithmetic: the pseudo-inverse of a float32 covariance, and SVD in float64 of the same features. In it
a strip for every run, those of an algorithm together, colored by the error; where a run diverges it is orange.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from figures.studies import control_drawing, control_runs
from figures.studies.control_drawing import DIVERGED, ROUTES
from figures.studies.study import Data
from tabular_krope.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh

KROPE = control_drawing.LOOKS["krope"][3]
#: The least error that has a color of its own, and how far apart the algorithms are, as a share of an algorithm.
SMALL, GAP = 1e-3, 0.2
#: Colors of errors from the least to those that are nearly divergence, which is orange.
SHADES = ("#EAF2F7", "#A9CBE0", "#4F8FBF", "#1B4F7F", "#0B2545")


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """Strips of all runs in both arithmetics; the closed form, which is not trained, has one color."""
    shown = [name for name in control_runs.ALGORITHMS if (data["algorithm"] == name).any()]
    for k, (column, _, _, word) in enumerate(ROUTES):
        ax = axes[column]
        for row, algorithm in enumerate(shown):
            mesh = _strips(data["epochs"], data[column][data["algorithm"] == algorithm], row, ax)
        ax.set_yticks(range(len(shown)), [control_drawing.LOOKS[name][3] for name in shown])
        ax.set_ylim(len(shown) - 0.5, -0.5)
        ax.tick_params(axis="y", length=0, labelleft=k == 0)
        ax.spines[:].set_visible(False)
        ax.set_xlabel("epochs of training")
        ax.set_title(word)
    figure: Any = ax.figure
    bar = figure.colorbar(mesh, ax=list(axes.values()), extend="max", aspect=30, pad=0.02)
    bar.ax.minorticks_off()
    bar.set_ticks([SMALL, 0.01, 0.1, 1.0, DIVERGED], labels=["0.001", "0.01", "0.1", "1", "div."])
    bar.ax.set_title("error", fontsize="medium")


def _strips(epochs: Array, errors: Array, row: int, ax: "Axes") -> "QuadMesh":
    """Runs [runs, evaluations] as strips around the height ``row``, the one that ends best at the top."""
    from matplotlib.colors import LinearSegmentedColormap, LogNorm

    last = [run[~np.isnan(run)][-1] if (~np.isnan(run)).any() else np.inf for run in errors]
    ordered = np.clip(errors[np.argsort(last, kind="stable")], SMALL, 2 * DIVERGED)
    # Anything from DIVERGED on is beyond the scale, which gives it the color of its own.
    beyond = np.where(ordered >= DIVERGED, 2 * DIVERGED, ordered)
    colors = LinearSegmentedColormap.from_list("errors", SHADES).with_extremes(over=style.RED)
    middle = np.asarray(epochs, dtype=float)
    step = np.diff(middle) if len(middle) > 1 else np.ones(1)
    ends = [middle[0] - step[0] / 2], [middle[-1] + step[-1] / 2]
    edges = np.concatenate([ends[0], (middle[1:] + middle[:-1]) / 2, ends[1]])
    heights = row + (1 - GAP) * (np.linspace(0, 1, len(errors) + 1) - 0.5)
    seen = np.ma.masked_invalid(beyond)
    return ax.pcolormesh(edges, heights, seen, cmap=colors, norm=LogNorm(SMALL, DIVERGED), edgecolors="none")


def title(data: Data) -> str:
    """Who diverges in which arithmetic at the end of a run."""
    gone = [control_drawing.small_and_gone(data, column, 0.1)[1] for column, *_ in ROUTES]
    words = [control_drawing.listed(names) or "none" for names in gone]
    never = "" if any(KROPE in names for names in gone) else f"; {KROPE}'s never do"
    return f"Runs of {words[0]} end diverged (orange) in float32,\nof {words[1]} in float64{never}"


STUDY = control_runs.control_study(
    name="deep-curves",
    about="offline policy evaluation on control data: error against epochs, in two arithmetics",
    panels=(tuple(column for column, *_ in ROUTES),),
    draw=draw,
    width=8.4,
    height=4.4,
    title=title,
)
