r"""``garnet-realizability``: the appendix's figure, least-squares error of $q$ on the learned features."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from figures.studies import garnet_drawing, garnet_runs
from figures.studies.study import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """Means over all trials with 95% intervals; linear above 1e-3, so that zero has a place."""
    ax = axes["all"]
    garnet_drawing.draw_means(data["realizability"], data, ax)
    ax.set_yscale("symlog", linthresh=1e-3, linscale=0.5)
    ax.set_ylim(bottom=-2e-4)
    ax.set_ylabel(r"$\|\Phi \hat w - q\|^2$ / mean $|q|$")
    ax.set_title("Realizability error of learned features")
    garnet_drawing.draw_legend(ax)


STUDY = garnet_runs.learned_study(
    name="garnet-realizability",
    about="the appendix's figure: how well learned features represent q",
    measures=["realizability"],
    panels=(("all",),),
    draw=draw,
    width=8.4,
)
