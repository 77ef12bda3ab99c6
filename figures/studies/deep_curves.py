"""``deep-curves``: error of LSPE on features while they are trained, in the paper's arithmetic and in float64.

A panel for each algorithm; in it every run twice, by the pseudo-inverse of a float32 covariance and by SVD in float64,
of the same features.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from figures.studies import control_drawing, control_runs
from figures.studies.control_drawing import ROUTES
from figures.studies.study import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = 3
KROPE = control_drawing.LOOKS["krope"][3]
PANELS = tuple(tuple(control_runs.ALGORITHMS[k : k + COLUMNS]) for k in range(0, len(control_runs.ALGORITHMS), COLUMNS))


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """The runs of each algorithm in its panel; the closed form, which is not trained, is a level line."""
    for algorithm, ax in axes.items():
        for column, color, *_ in ROUTES:
            control_drawing.draw_runs(data, column, algorithm, ax, color)
        control_drawing.error_axis(ax)
        ax.set_title(control_drawing.LOOKS[algorithm][3])
        first, last = algorithm in (row[0] for row in PANELS), algorithm in PANELS[-1]
        ax.tick_params(labelleft=first, labelbottom=last)
        ax.set_ylabel("error" if first else "")
        ax.set_xlabel("epochs of training" if last else "")
    control_drawing.key([(color, "-", word) for _, color, _, word in ROUTES], ax)


def title(data: Data) -> str:
    """Who diverges in which arithmetic at the end of a run."""
    gone = [control_drawing.small_and_gone(data, column, 0.1)[1] for column, *_ in ROUTES]
    words = [control_drawing.listed(names) or "none" for names in gone]
    never = "" if any(KROPE in names for names in gone) else f"; {KROPE}'s never do"
    return f"Runs of {words[0]} end diverged in float32,\nof {words[1]} in float64{never}"


STUDY = control_runs.control_study(
    name="deep-curves",
    about="offline policy evaluation on control data: error against epochs, in two arithmetics",
    panels=PANELS,
    draw=draw,
    width=8.4,
    height=6.4,
    title=title,
)
