"""``deep-sensitivity``: the error at the end of every run, over hyperparameters and seeds, in two arithmetics."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from figures.studies import control_drawing, control_runs
from figures.studies.control_drawing import ROUTES
from figures.studies.study import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """A line for each algorithm, on it its runs by both arithmetics."""
    ax = axes["ends"]
    rows = [
        (control_drawing.LOOKS[name][3], [data[column][data["algorithm"] == name] for column, *_ in ROUTES])
        for name in control_runs.ALGORITHMS
        if (data["algorithm"] == name).any()
    ]
    control_drawing.draw_ends(rows, [(color, marker) for _, color, marker, _ in ROUTES], ax)
    control_drawing.key([(color, marker, word) for _, color, marker, word in ROUTES], ax)
    both = [control_drawing.small_and_gone(data, column, 0.1)[0] for column, *_ in ROUTES]
    small = [name for name in both[0] if name in both[1]]
    who = f"Only {control_drawing.listed(small)}" if small else "None"
    ax.set_title(f"{who} end{'s' * (len(small) == 1)} below 0.1 in every run")


STUDY = control_runs.control_study(
    name="deep-sensitivity",
    about="the control study's errors at the end of every run, in two arithmetics",
    panels=(("ends",),),
    draw=draw,
    width=7.6,
    height=4.4,
)
