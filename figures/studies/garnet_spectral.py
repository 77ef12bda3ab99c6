r"""``garnet-spectral``: the paper's figure 2a, share of trials whose learned features have $\rho(L) < 1$.

Left and middle by the route that the paper describes, a pseudo-inverse of the covariance, in float32 and float64; right
by the singular value decomposition of $D^{1/2}\Phi$, which does not square the condition number.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from figures.studies import garnet_runs
from figures.studies.study import Data, Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROUTES = (
    ("radius_covariance32", "covariance, float32"),
    ("radius_covariance64", "covariance, float64"),
    ("radius_svd", "SVD, float64"),
)


def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
    """One panel for each route."""
    for name, title in ROUTES:
        garnet_runs.draw_shares(data[name] < 1, data, axes[name])
        axes[name].set_title(f"Stable by {title}")
    axes[ROUTES[-1][0]].legend(
        loc="center left", bbox_to_anchor=(1.01, 0.5), title="bar: 95% interval\ndash: one set of seeds"
    )


STUDY = Study(
    name="garnet-spectral",
    about="the paper's figure 2a: share of stable learned representations against d",
    full=garnet_runs.Settings(),
    quick=garnet_runs.QUICK,
    pieces=garnet_runs.pieces,
    compute=garnet_runs.measures_of_run([name for name, _ in ROUTES]),
    finish=garnet_runs.by_run,
    check=garnet_runs.check,
    panels=(tuple(name for name, _ in ROUTES),),
    draw=draw,
    width=15.0,
    height=4.4,
)
