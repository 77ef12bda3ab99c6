r"""``garnet-arithmetic``: the same learned features judged under several arithmetics.

The exact verdict is that of rational arithmetic (with a certified enclosure, or by the rank of the features where that
is full) unless every float route says stable; then nothing is disputed and their verdict stands.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from figures.studies import garnet_drawing, garnet_runs
from figures.studies.study import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROUTES = (
    ("radius_covariance32", "covariance, float32, numpy"),
    ("radius_covariance32_torch", "covariance, float32, torch"),
    ("radius_covariance64", "covariance, float64, numpy"),
    ("radius_covariance64_torch", "covariance, float64, torch"),
    ("radius_svd", "SVD, float64"),
)
EXACT = "exact_stable"


def exact_verdicts(data: Data) -> NDArray[np.bool_]:
    """Whether each trial is stable: certified unless every float route says so.

    >>> bool(exact_verdicts({"exact_stable": np.array(np.nan), "radius_svd": np.array(0.9)}))
    True
    """
    found: NDArray[np.bool_] = np.where(np.isnan(data[EXACT]), data["radius_svd"] < 1, data[EXACT] == 1)
    return found


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """One panel for each route, the exact one last."""
    for k, (name, route) in enumerate(ROUTES):
        garnet_drawing.draw_shares(data[name] < 1, data, axes[name], named=k % 3 == 0)
        axes[name].set_title(route)
    garnet_drawing.draw_shares(exact_verdicts(data), data, axes[EXACT], named=False)
    axes[EXACT].set_title("exact, rational")


def title(data: Data) -> str:
    """How many trials are truly unstable, and how many some float route says are."""
    unstable = ~exact_verdicts(data)
    doubted = np.any([data[name] >= 1 for name, _ in ROUTES], axis=0)
    finding = (
        f"Of {doubted.sum()} trials that some arithmetic calls unstable, {unstable.sum()} are; the rest is rounding"
    )
    return f"{finding}\n{garnet_drawing.CELLS}"


STUDY = garnet_runs.learned_study(
    name="garnet-arithmetic",
    about="how much of the instability of learned features is floating point: six routes side by side",
    measures=[*(name for name, _ in ROUTES), EXACT, "exact_rank", "exact_by", "condition"],
    panels=(tuple(name for name, _ in ROUTES[:3]), (*(name for name, _ in ROUTES[3:]), EXACT)),
    draw=draw,
    width=8.4,
    height=6.4,
    title=title,
)
