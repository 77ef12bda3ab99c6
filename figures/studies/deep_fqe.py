"""``deep-fqe-e2e`` and ``deep-fqe-sensitivity``: LSPE on the features against FQE's own head, for FQE and KROPE."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from figures.parts import style
from figures.parts.labels import end_labels
from figures.studies import control_drawing, control_runs
from figures.studies.control_drawing import ROUTES
from figures.studies.study import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Column of the errors, color, marker and name of each estimator.
ESTIMATORS = (
    (*ROUTES[0][:3], "LSPE, float32"),
    (*ROUTES[1][:3], "LSPE, float64"),
    ("error_fqe", style.BLACK, "s", "FQE's own head"),
)
COMPARED = ("fqe", "krope")
FULL = replace(control_runs.Settings(), algorithms=COMPARED)
QUICK = replace(control_runs.QUICK, algorithms=COMPARED)


def draw_curves(data: Data, axes: "Mapping[str, Axes]") -> None:
    """A panel for the features of each algorithm, in it every run by each estimator."""
    least = min(float(np.nanmin(data[column], initial=1.0)) for column, *_ in ESTIMATORS)
    for algorithm, ax in axes.items():
        for column, color, *_ in ESTIMATORS:
            control_drawing.draw_runs(data, column, algorithm, ax, color)
        control_drawing.error_axis(ax, least=max(least, control_drawing.LEAST))
        ax.set_xlabel("epochs of training")
        ax.set_ylabel("error" if algorithm == COMPARED[0] else "")
        ax.tick_params(axis="y", labelleft=algorithm == COMPARED[0])
        ax.set_title(f"features of {control_drawing.LOOKS[algorithm][3]}")
    end_labels([(_end(data, column), word, color) for column, color, _, word in ESTIMATORS], ax, gap=0.07)


def _end(data: Data, column: str) -> float:
    """The middle error at the end of the runs in the last panel, as it is drawn."""
    ends = control_drawing.last_known(data[column][data["algorithm"] == COMPARED[-1]])
    return float(np.clip(np.median(ends), control_drawing.LEAST, control_drawing.DIVERGED)) if len(ends) else 1.0


def draw_sensitivity(data: Data, axes: "Mapping[str, Axes]") -> None:
    """A line for the features of each algorithm, on it its runs by each estimator."""
    rows = [
        (
            f"{control_drawing.LOOKS[name][3]}'s features",
            [data[column][data["algorithm"] == name] for column, *_ in ESTIMATORS],
        )
        for name in COMPARED
    ]
    looks = [(color, marker, word) for _, color, marker, word in ESTIMATORS]
    control_drawing.draw_ends(rows, looks, axes["ends"])
    axes["ends"].set_title(diverging(data))


def diverging(data: Data) -> str:
    """How many runs of LSPE in float32 end diverged, on the features of each."""
    words: list[str] = []
    for algorithm in dict.fromkeys(data["algorithm"].tolist()):
        ends = control_drawing.last_known(data["error_cov32"][data["algorithm"] == algorithm])
        gone = int((ends >= control_drawing.DIVERGED).sum())
        runs, features = ("", "") if words else (" runs", " features")
        words.append(f"{gone or 'none'} of {len(ends)}{runs} on {control_drawing.LOOKS[algorithm][3]}'s{features}")
    return f"Float32 LSPE ends diverged in {', in '.join(words)}"


def title(data: Data) -> str:
    """The largest error at the end of LSPE on KROPE's features, and the range of the heads'."""
    worst = {
        column: control_drawing.last_known(data[column][data["algorithm"] == "krope"]) for column, *_ in ESTIMATORS
    }
    lspe, head = (float(worst[name].max(initial=0.0)) for name in ("error_svd64", "error_fqe"))
    return f"On KROPE's features LSPE ends with an error of {lspe:.2g} or less, FQE's own head with up to {head:.2g}"


CURVES = control_runs.control_study(
    name="deep-fqe-e2e",
    about="LSPE on learned features against FQE's own head, while training",
    full=FULL,
    quick=QUICK,
    panels=(COMPARED,),
    draw=draw_curves,
    width=8.4,
    height=3.8,
    title=title,
)
SENSITIVITY = control_runs.control_study(
    name="deep-fqe-sensitivity",
    about="errors of LSPE and of FQE's own head at the end of every run",
    full=FULL,
    quick=QUICK,
    panels=(("ends",),),
    draw=draw_sensitivity,
    width=7.6,
    height=2.6,
)
