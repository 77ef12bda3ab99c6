"""``deep-fqe-e2e`` and ``deep-fqe-sensitivity``: LSPE on the features against FQE's own head, for FQE and KROPE."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from figures.studies import control_drawing, control_runs
from figures.studies.study import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Column of the errors, dashes, and the ending of the label.
ESTIMATORS = (
    ("error_svd64", "-", "LSPE (-L)"),
    ("error_cov32", ":", "LSPE, float32"),
    ("error_fqe", "--", "head (-E2E)"),
)
COMPARED = ("fqe", "krope")
FULL = replace(control_runs.Settings(), algorithms=COMPARED)
QUICK = replace(control_runs.QUICK, algorithms=COMPARED)


def draw_curves(data: Data, axes: "Mapping[str, Axes]") -> None:
    """One panel for each data set."""
    for place, ax in axes.items():
        name = control_runs.in_place_of(data, place)
        for column, dashes, words in ESTIMATORS:
            for algorithm in COMPARED:
                label = f"{control_drawing.LOOKS[algorithm][3]}, {words}"
                look = {"linestyle": dashes, "label": label}
                control_drawing.draw_curves(data, name, column, (algorithm,), ax, **look)
        control_drawing.error_axis(ax)
        ax.set_title(name)
    control_drawing.legend_beside(ax)


def draw_sensitivity(data: Data, axes: "Mapping[str, Axes]") -> None:
    """All in one panel."""
    errors, looks = {}, {}
    for column, dashes, words in ESTIMATORS:
        for algorithm in COMPARED:
            name = f"{algorithm}|{column}"
            errors[name] = data[column][data["algorithm"] == algorithm]
            looks[name] = (
                control_drawing.LOOKS[algorithm][0],
                dashes,
                f"{control_drawing.LOOKS[algorithm][3]}, {words}",
            )
    control_drawing.draw_profiles(errors, looks, axes["profiles"])
    control_drawing.legend_beside(axes["profiles"])


CURVES = control_runs.control_study(
    name="deep-fqe-e2e",
    about="LSPE on learned features against FQE's own head, while training",
    full=FULL,
    quick=QUICK,
    panels=tuple((name,) for name in FULL.data_sets),
    draw=draw_curves,
    width=7.4,
    height=4.0,
)
SENSITIVITY = control_runs.control_study(
    name="deep-fqe-sensitivity",
    about="performance profiles of LSPE and of FQE's own head",
    full=FULL,
    quick=QUICK,
    panels=(("profiles",),),
    draw=draw_sensitivity,
    width=7.4,
    height=4.0,
)
