"""How the figures of the learned Garnet study are drawn, and how an algorithm looks."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from figures.parts import style
from figures.parts.heat_table import draw_heat_table
from figures.parts.labels import end_labels
from figures.studies.garnet_runs import mean_interval, pooled
from figures.studies.study import Data
from tabular_krope.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Whatever an algorithm looks like, its name last.
Looks: TypeAlias = Mapping[str, Sequence[str]]
#: Color, marker, dashes and name; no two algorithms share more than one of the first three.
LOOKS: dict[str, tuple[str, str, str, str]] = {
    "fqe": (style.BLACK, "o", "-", "FQE"),
    "krope": (style.BLUE, "o", "--", "KROPE"),
    "rope": (style.GREEN, "^", ":", "ROPE"),
    "dbc": (style.GRAY, "v", "-", "DBC"),
    "bcrl": (style.SKY, "s", "--", "BCRL-NA"),
    "bcrl-exp": (style.ORANGE, "s", "-", "BCRL-EXP-NA"),
    "dr3": (style.PURPLE, "D", "-.", "abs-DR3"),
    "beer": (style.RED, "P", "--", "BEER"),
}

#: What the numbers of `draw_shares` are.
CELLS = "(in the cells: stable trials, in percent)"


def draw_shares(stable: NDArray[np.bool_], data: Data, ax: "Axes", named: bool = True) -> None:
    """Share of stable trials in percent, a row for each algorithm (``named`` or not) and a column for each d."""
    rows = [LOOKS[name][-1] for name in data["algorithms"].tolist()]
    shares = 100 * pooled(stable).mean(axis=-1)
    draw_heat_table(shares, rows, [f"{d}" for d in data["dimensions"]], ax, named=named)
    ax.set_xlabel("output dimension $d$")


def draw_small_numbers(values: Array, data: Data, ax: "Axes", named: bool = True, looks: Looks = LOOKS) -> None:
    """Numbers [algorithms, dimensions] of any size in a table, the smaller the lighter, by their logarithms."""
    rows = [looks[name][-1] for name in data["algorithms"].tolist()]
    words = [[short(float(value)) for value in row] for row in values]
    heights = -np.log10(np.maximum(values, values[values > 0].min() / 3))
    low, high = float(heights.min()), float(heights.max())
    draw_heat_table(heights, rows, [f"{d}" for d in data["dimensions"]], ax, low, max(high, low + 1), words, named)
    ax.set_xlabel("output dimension $d$")


def short(value: float) -> str:
    """Two digits of a number of any size.

    >>> [short(value) for value in (0.0, 0.00463, 0.02, 0.996, 9.97, 13.8, 4037.0, 160_000.0)]
    ['0', '0.0046', '0.020', '1.0', '10', '14', '4,000', '160,000']
    """
    rounded = float(f"{value:.2g}")
    if rounded >= 10:
        return f"{rounded:,.0f}"
    return f"{rounded:#.2g}" if rounded else "0"


def stable_share(stable: NDArray[np.bool_]) -> float:
    """Percent of all trials, of all algorithms and dimensions, that are stable."""
    return 100 * float(np.mean(stable))


def draw_means(values: Array, data: Data, ax: "Axes") -> None:
    """Mean over all trials against d with its interval for each algorithm, side by side, and the mean of each set."""
    middle, low, high = mean_interval(pooled(values))
    each = values.mean(axis=-1)
    for a, x, (color, marker, dashes, label) in _beside(data):
        bars = [middle[a] - low[a], high[a] - middle[a]]
        ax.plot(x, middle[a], dashes, color=color, linewidth=1.0, alpha=0.6)
        ax.errorbar(x, middle[a], bars, fmt=marker, color=color, label=label, markersize=5, elinewidth=1.2)
        _sets(x, each[:, a], color, ax)
    _dimensions(data, ax)


def name_beside(values: Array, data: Data, ax: "Axes", column: int = -1) -> None:
    """The name of each algorithm beside the panel, at the height of its mean over all trials at one ``column`` of d."""
    heights = pooled(values).mean(axis=-1)[:, column]
    names = data["algorithms"].tolist()
    end_labels([(float(y), LOOKS[name][3], LOOKS[name][0]) for y, name in zip(heights, names, strict=True)], ax)


def _beside(data: Data) -> Iterator[tuple[int, Array, tuple[str, str, str, str]]]:
    """Number, horizontal places and look of each algorithm: those of one dimension lie side by side."""
    names, d = data["algorithms"].tolist(), data["dimensions"]
    width = 0.8 * float(np.diff(d).min(initial=10)) / len(names)
    for a, name in enumerate(names):
        yield a, d + width * (a - (len(names) - 1) / 2), LOOKS[name]


def _sets(x: Array, each: Array, color: str, ax: "Axes") -> None:
    for one in each:
        ax.plot(x, one, "_", color=color, markersize=5, alpha=0.6)


def _dimensions(data: Data, ax: "Axes") -> None:
    d = data["dimensions"]
    for middle in (d[1:] + d[:-1]) / 2:
        ax.axvline(middle, color=style.GRAY, linewidth=0.5, alpha=0.5)
    ax.set_xticks(d)
    ax.set_xlabel("output dimension $d$ (40 pairs)")
