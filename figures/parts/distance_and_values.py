"""KROPE distance against difference of values, with the bounds on it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from tabular_krope.arrays import Array
from tabular_krope.measures.value_bounds import ValueBounds
from tabular_krope.report.digits import three

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Points drawn at most; when there are more, evenly spaced ones in the order of distance, and each bound's worst case.
MOST_POINTS = 3000
#: A point above a bound by less than this share is on it.
ROUNDING = 1e-9
#: Points up to which marks are large.
FEW_POINTS = 60


@dataclass(frozen=True, slots=True, eq=False)
class DistanceAndValues:
    """Numbers of the picture, for pairs x < y in the order of distance; a bound is None where its premise fails.

    Attributes:
        distance: ``d(x, y)``, [n].
        gaps: ``|q(x) - q(y)|``, [n].
        printed, rkhs, independent: the bounds, [n].
        total: how many such pairs the model has.
    """

    distance: Array
    gaps: Array
    printed: Array
    rkhs: Array | None
    independent: Array | None
    total: int


def compute(bounds: ValueBounds) -> DistanceAndValues:
    """One point for each x < y; thinned evenly if there are very many.

    >>> from tabular_krope.kernels.krope import krope_kernel
    >>> from tabular_krope.measures.value_bounds import value_bounds
    >>> from tabular_krope.models.mrp import MRP
    >>> compute(value_bounds(krope_kernel(MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [1.0, 0.0], 0.5)))).gaps
    array([2.])
    """
    x, y = np.triu_indices(len(bounds.gaps), k=1)
    order = np.argsort(bounds.distance[x, y], kind="stable")
    x, y = x[order], y[order]
    if len(order) > MOST_POINTS:
        keep = np.zeros(len(order), dtype=bool)
        keep[np.linspace(0, len(order) - 1, MOST_POINTS).round().astype(int)] = True
        for bound in (bounds.printed, bounds.rkhs, bounds.independent):
            if bound is not None:
                keep[np.argmax(bounds.gaps[x, y] - bound[x, y])] = True
        x, y = x[keep], y[keep]
    rkhs, independent = (None if part is None else part[x, y] for part in (bounds.rkhs, bounds.independent))
    distance, gaps, printed = bounds.distance[x, y], bounds.gaps[x, y], bounds.printed[x, y]
    return DistanceAndValues(distance, gaps, printed, rkhs, independent, total=len(order))


def finding(data: DistanceAndValues) -> str:
    """Whether the printed bound is exceeded, and by how much.

    >>> two = np.array([2.0])
    >>> finding(DistanceAndValues(two, two, two / 2, two, None, 1))
    'Values differ by up to 2 times what the printed bound allows'
    """
    over = data.gaps > data.printed * (1 + ROUNDING)
    if not over.any():
        return "No two values differ by more than a bound allows"
    with np.errstate(divide="ignore"):
        most = float((data.gaps[over] / data.printed[over]).max())
    return f"Values differ by up to {three(most)} times what the printed bound allows"


def draw(data: DistanceAndValues, ax: "Axes") -> "Axes":
    """Points of the model under the bounds; points above the printed bound, if any, are marked."""
    ax.set_xlabel(r"KROPE distance $d(x, y)$")
    ax.set_ylabel(r"value gap $|q(x) - q(y)|$ and its bounds")
    shown = "" if len(data.gaps) == data.total else f" ({len(data.gaps)} of {data.total} points)"
    ax.set_title(finding(data) + shown)
    if not data.gaps.any() or not data.distance.any():
        ax.text(0.5, 0.5, "all values are equal", ha="center", va="center", transform=ax.transAxes)
        ax.set_xticks([])
        ax.set_yticks([])
        return ax
    tallest = max(float(part.max()) for part in (data.printed, data.rkhs, data.independent) if part is not None)
    logarithmic = tallest > 8 * float(data.gaps.max())
    _bounds(data, ax, logarithmic)
    few = len(data.gaps) <= FEW_POINTS
    dots: dict[str, Any] = {"markersize": 7 if few else 4, "alpha": 1.0 if few else 0.6}
    ax.plot(data.distance, data.gaps, ".", color=style.BLUE, label="value gap", **dots)
    above = data.gaps > data.printed * (1 + ROUNDING)
    if above.any():
        beyond = (data.distance[above], data.gaps[above])
        ax.vlines(beyond[0], data.printed[above], beyond[1], colors=style.RED, linewidth=1.0 if few else 0.3, zorder=1)
        ax.plot(*beyond, "x", color=style.RED, markersize=8 if few else 4, label="value gap above it")
    if logarithmic:
        ax.set_yscale("log")
        ax.set_xscale("log")
    else:
        ax.set_ylim(bottom=0)
        ax.set_xlim(left=0)
    key = ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    for line, words in zip(ax.get_lines(), key.get_texts(), strict=True):
        words.set_color(style.ink(str(line.get_color())))
    return ax


def _bounds(data: DistanceAndValues, ax: "Axes", logarithmic: bool) -> None:
    few = len(data.gaps) <= FEW_POINTS
    look: dict[str, Any] = {
        "markersize": 7 if few else 2.5,
        "linestyle": "none",
        "alpha": 1.0 if few else 0.5,
        "fillstyle": "none",
    }
    if data.independent is not None:
        ax.plot(data.distance, data.independent, "^", color=style.GREEN, label="bound by independent copies", **look)
    ax.plot(data.distance, data.printed, "v", color=style.ORANGE, label="printed bound, $d + C$", **look)
    if data.rkhs is not None:
        least, most = data.distance[data.distance > 0][0], data.distance[-1]
        grid = np.geomspace(least, most, 200) if logarithmic else np.linspace(0.0, most, 200)
        curve = data.rkhs[-1] * np.sqrt(grid / most)
        ax.plot(grid, curve, "-", color=style.BLACK, label=r"RKHS bound, $c\,\sqrt{d}$")
