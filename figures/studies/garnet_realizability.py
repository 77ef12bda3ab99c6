r"""``garnet-realizability``: the appendix's figure, least-squares error of $q$ on the learned features."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from figures.studies import garnet_drawing, garnet_runs
from figures.studies.study import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Smaller mean errors are rounding, and count as zero.
ZERO = 1e-12


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """Means over all trials in a table, the smaller the lighter; the color is that of the logarithm."""
    ax, means = axes["all"], garnet_runs.pooled(data["realizability"]).mean(axis=-1)
    garnet_drawing.draw_small_numbers(np.where(means < ZERO, 0.0, means), data, ax)
    zero = [int(d) for d, column in zip(data["dimensions"], means.T, strict=True) if (column < ZERO).all()]
    since = f"; from $d$ = {zero[0]} all do exactly" if zero else ""
    few = means[:, 0] < 0.05
    names = [garnet_drawing.LOOKS[name][3] for name in data["algorithms"][few].tolist()]
    ax.set_title(f"At $d$ = {data['dimensions'][0]}, {', '.join(names) or 'none'} represent the values{since}")
    ax.set_xlabel(r"output dimension $d$ (in the cells: mean of $\|\Phi \hat w - q\|^2$ / mean $|q|$)")


STUDY = garnet_runs.learned_study(
    name="garnet-realizability",
    about="the appendix's figure: how well learned features represent q",
    measures=["realizability"],
    panels=(("all",),),
    draw=draw,
    width=7.6,
    height=3.6,
)
