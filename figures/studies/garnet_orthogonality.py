r"""``garnet-orthogonality``: the paper's figure 2b, correlation of orthogonality of features with $|\Delta q|$."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from figures.parts import style
from figures.parts.labels import ABOVE, name_above
from figures.studies import garnet_drawing, garnet_runs
from figures.studies.study import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """Means over all trials with 95% intervals."""
    ax = axes["all"]
    garnet_drawing.draw_means(data["orthogonality"], data, ax)
    ax.axhline(0.0, color=style.BLACK, linewidth=0.8)
    name_above(r"correlation of $1 - |\cos|$ of two pairs' features with their value gap $|\Delta q|$", ax)
    ax.set_title(_finding(data), pad=ABOVE)
    ax.set_ylim(-0.08, 1.0)
    ax.set_xlim(right=float(data["dimensions"][-1]) + 4.5)
    garnet_drawing.name_beside(data["orthogonality"], data, ax)


def _finding(data: Data) -> str:
    """Which algorithms have a correlation of at least 0.9 at every d."""
    means = garnet_runs.pooled(data["orthogonality"]).mean(axis=-1).min(axis=-1)
    names = [garnet_drawing.LOOKS[name][3] for name in data["algorithms"][means >= 0.9].tolist()]
    who = f"Only in {' and '.join(names)}" if names else "In no algorithm"
    return f"{who} do angles of features follow gaps of values"


STUDY = garnet_runs.learned_study(
    name="garnet-orthogonality",
    about="the paper's figure 2b: do pairs with different values have orthogonal features?",
    measures=["orthogonality"],
    panels=(("all",),),
    draw=draw,
    width=7.6,
)
