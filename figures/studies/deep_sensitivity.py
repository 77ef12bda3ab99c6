"""``deep-sensitivity``: the error at the end of every run, over hyperparameters and seeds, in two arithmetics."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from figures.studies import control_drawing, control_runs
from figures.studies.control_drawing import ROUTES
from figures.studies.study import Data
from tabular_krope.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: An error that counts as small, and the shade of such errors.
SMALL, SMALL_SHADE = 0.1, "#E9F1F7"


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """A line for each algorithm, on it its runs by both arithmetics; the best of worst runs is at the top."""
    ax = axes["ends"]
    rows = [
        (control_drawing.LOOKS[name][3], [data[column][data["algorithm"] == name] for column, *_ in ROUTES])
        for name in control_runs.ALGORITHMS
        if (data["algorithm"] == name).any()
    ]
    rows.sort(key=lambda row: max(_worst(errors) for errors in row[1]))
    ax.axvspan(control_drawing.LEAST / 2, SMALL, color=SMALL_SHADE, linewidth=0, zorder=0)
    control_drawing.draw_ends(rows, [(color, marker, word) for _, color, marker, word in ROUTES], ax)
    both = [control_drawing.small_and_gone(data, column, SMALL)[0] for column, *_ in ROUTES]
    small = [name for name in both[0] if name in both[1]]
    who = f"Only {control_drawing.listed(small)}" if small else "None"
    ax.set_title(f"{who} end{'s' * (len(small) == 1)} below {SMALL:g} in every run")
    ticks = sorted({*ax.get_xticks(), SMALL})
    words = {tick: label.get_text() for tick, label in zip(ax.get_xticks(), ax.get_xticklabels(), strict=True)}
    ax.set_xticks(ticks, [words.get(tick, f"{tick:g}") for tick in ticks])


def _worst(errors: Array) -> float:
    """The largest error at the end of a run, as it is drawn; an algorithm that was not run is last."""
    ends = control_drawing.last_known(errors)
    return float(np.clip(ends, 0, control_drawing.DIVERGED).max()) if len(ends) else np.inf


STUDY = control_runs.control_study(
    name="deep-sensitivity",
    about="the control study's errors at the end of every run, in two arithmetics",
    panels=(("ends",),),
    draw=draw,
    width=7.6,
    height=4.2,
)
