r"""``garnet-arithmetic``: the same learned features judged under several arithmetics.

The exact verdict is that of rational arithmetic (with a certified enclosure, or by the rank of the features where that
is full) unless every float route says stable; then nothing is disputed and their verdict stands.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.studies import garnet_drawing, garnet_runs
from figures.studies.study import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROUTES = (
    ("radius_covariance32", "covariance, float32 (numpy's pinv)"),
    ("radius_covariance32_torch", "covariance, float32 (torch's pinv)"),
    ("radius_covariance64", "covariance, float64 (numpy's pinv)"),
    ("radius_covariance64_torch", "covariance, float64 (torch's pinv)"),
    ("radius_svd", "SVD, float64"),
)
EXACT = "exact_stable"


def exact_verdicts(data: Data) -> Any:
    """Whether each trial is stable: certified unless every float route says so.

    >>> bool(exact_verdicts({"exact_stable": np.array(np.nan), "radius_svd": np.array(0.9)}))
    True
    """
    return np.where(np.isnan(data[EXACT]), data["radius_svd"] < 1, data[EXACT] == 1)


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """One panel for each route, the exact one last."""
    for name, title in ROUTES:
        garnet_drawing.draw_shares(data[name] < 1, data, axes[name])
        axes[name].set_title(title)
    garnet_drawing.draw_shares(exact_verdicts(data), data, axes[EXACT])
    axes[EXACT].set_title("exact (rational arithmetic)")
    garnet_drawing.draw_legend(axes["radius_covariance64"])


STUDY = garnet_runs.learned_study(
    name="garnet-arithmetic",
    about="how much of the instability of learned features is floating point: six routes side by side",
    measures=[*(name for name, _ in ROUTES), EXACT, "exact_rank", "exact_by", "condition"],
    panels=(tuple(name for name, _ in ROUTES[:3]), (*(name for name, _ in ROUTES[3:]), EXACT)),
    draw=draw,
    width=15.0,
    height=7.6,
)
