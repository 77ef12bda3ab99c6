r"""``garnet-orthogonality``: the paper's figure 2b, correlation of orthogonality of features with $|\Delta q|$."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from figures.parts import style
from figures.studies import garnet_drawing, garnet_runs
from figures.studies.study import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """Means over all trials with 95% intervals."""
    ax = axes["all"]
    garnet_drawing.draw_means(data["orthogonality"], data, ax)
    ax.axhline(0.0, color=style.BLACK, linewidth=0.8)
    ax.set_ylabel(r"correlation of $1 - |\cos|$ with $|\Delta q|$")
    ax.set_title("Orthogonality of features and differences of values")
    garnet_drawing.draw_legend(ax)


STUDY = garnet_runs.learned_study(
    name="garnet-orthogonality",
    about="the paper's figure 2b: do pairs with different values have orthogonal features?",
    measures=["orthogonality"],
    panels=(("all",),),
    draw=draw,
    width=8.4,
)
