r"""``garnet-realizability``: the appendix's figure, least-squares error of $q$ on the learned features."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from figures.studies import garnet_runs
from figures.studies.study import Data, Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """Means over all trials with 95% intervals; linear above 1e-3, so that zero has a place."""
    ax = axes["all"]
    garnet_runs.draw_means(data["realizability"], data, ax)
    ax.set_yscale("symlog", linthresh=1e-3, linscale=0.5)
    ax.set_ylim(bottom=-2e-4)
    ax.set_ylabel(r"$\|\Phi \hat w - q\|^2$ / mean $|q|$")
    ax.set_title("Realizability error of learned features")
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), title="bar: 95% interval\ndash: one set of seeds")


STUDY = Study(
    name="garnet-realizability",
    about="the appendix's figure: how well learned features represent q",
    full=garnet_runs.Settings(),
    quick=garnet_runs.QUICK,
    pieces=garnet_runs.pieces,
    compute=garnet_runs.measures_of_run(["realizability"]),
    finish=garnet_runs.by_run,
    check=garnet_runs.check,
    panels=(("all",),),
    draw=draw,
    width=8.4,
)
