r"""``deep-sensitivity``: share of runs, over hyperparameters and trials, with an error of at most $\tau$ at the end."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from figures.studies import control_runs
from figures.studies.deep_curves import ROUTES
from figures.studies.study import Data, Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """One panel for each arithmetic."""
    looks = {name: (colour, dashes, label) for name, (colour, _, dashes, label) in control_runs.LOOKS.items()}
    for column, title in ROUTES:
        errors = {name: data[column][data["algorithm"] == name] for name in control_runs.ALGORITHMS}
        control_runs.draw_profiles({name: found for name, found in errors.items() if len(found)}, looks, axes[column])
        axes[column].set_title(f"LSPE by {title}")
    axes[ROUTES[-1][0]].legend(loc="center left", bbox_to_anchor=(1.01, 0.5))


STUDY = Study(
    name="deep-sensitivity",
    about="performance profiles of the control study: share of runs with an error of at most tau",
    full=control_runs.Settings(),
    quick=control_runs.QUICK,
    pieces=control_runs.pieces,
    compute=control_runs.compute,
    finish=control_runs.finish,
    check=control_runs.check,
    panels=(tuple(route for route, _ in ROUTES),),
    draw=draw,
    width=11.0,
    height=4.2,
)
