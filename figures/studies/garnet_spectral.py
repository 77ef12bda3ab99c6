r"""``garnet-spectral``: the paper's figure 2a, share of trials whose learned features have $\rho(L) < 1$.

Left and middle by the route that the paper describes, a pseudo-inverse of the covariance, in float32 and float64; right
by the singular value decomposition of $D^{1/2}\Phi$, which does not square the condition number.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from figures.studies import garnet_drawing, garnet_runs
from figures.studies.study import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROUTES = (
    ("radius_covariance32", "covariance, float32"),
    ("radius_covariance64", "covariance, float64"),
    ("radius_svd", "SVD, float64"),
)


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """One table for each route."""
    for k, (name, route) in enumerate(ROUTES):
        garnet_drawing.draw_shares(data[name] < 1, data, axes[name], named=k == 0)
        axes[name].set_title(route)


def title(data: Data) -> str:
    """What becomes of all trials from the first route to the last."""
    first, *_, last = (garnet_drawing.stable_share(data[name] < 1) for name, _ in ROUTES)
    finding = f"The arithmetic decides which learned features are stable: from {first:.0f}% of trials to {last:.1f}%"
    return f"{finding}\n{garnet_drawing.CELLS}"


STUDY = garnet_runs.learned_study(
    name="garnet-spectral",
    about="the paper's figure 2a: share of stable learned representations against d",
    measures=[name for name, _ in ROUTES],
    panels=(tuple(name for name, _ in ROUTES),),
    draw=draw,
    width=8.4,
    height=3.6,
    title=title,
)
