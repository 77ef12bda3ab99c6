"""``deep-curves``: error of LSPE on features while they are trained, in the paper's arithmetic and in float64.

Left the pseudo-inverse of a float32 covariance, right the SVD in float64, of the same features.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from figures.studies import control_drawing, control_runs
from figures.studies.study import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROUTES = (("error_cov32", "covariance, float32"), ("error_svd64", "SVD, float64"))


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """One row for each data set."""
    for panel, ax in axes.items():
        place, column = panel.split("|")
        name = control_runs.in_place_of(data, place)
        control_drawing.draw_curves(data, name, column, control_runs.ALGORITHMS, ax)
        control_drawing.error_axis(ax)
        ax.set_title(f"{name}: {dict(ROUTES)[column]}")
    control_drawing.legend_beside(ax)


STUDY = control_runs.control_study(
    name="deep-curves",
    about="offline policy evaluation on control data: error against epochs, in two arithmetics",
    panels=tuple(tuple(f"{name}|{route}" for route, _ in ROUTES) for name in control_runs.Settings().data_sets),
    draw=draw,
    width=11.0,
    height=4.2,
)
