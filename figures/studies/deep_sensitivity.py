r"""``deep-sensitivity``: share of runs, over hyperparameters and trials, with an error of at most $\tau$ at the end."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from figures.studies import control_drawing, control_runs
from figures.studies.deep_curves import ROUTES
from figures.studies.study import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """One panel for each arithmetic."""
    looks = {name: (colour, dashes, label) for name, (colour, _, dashes, label) in control_drawing.LOOKS.items()}
    for column, title in ROUTES:
        errors = {name: data[column][data["algorithm"] == name] for name in control_runs.ALGORITHMS}
        control_drawing.draw_profiles(
            {name: found for name, found in errors.items() if len(found)}, looks, axes[column]
        )
        axes[column].set_title(f"LSPE by {title}")
    control_drawing.legend_beside(axes[ROUTES[-1][0]])


STUDY = control_runs.control_study(
    name="deep-sensitivity",
    about="performance profiles of the control study: share of runs with an error of at most tau",
    panels=(tuple(route for route, _ in ROUTES),),
    draw=draw,
    width=11.0,
    height=4.2,
)
