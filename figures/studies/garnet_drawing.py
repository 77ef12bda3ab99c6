"""How the figures of the learned Garnet study are drawn, and how an algorithm looks."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from figures.parts.heat_table import draw_heat_table
from figures.studies.garnet_runs import mean_interval, pooled
from figures.studies.study import Data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Color, marker, dashes and name; no two algorithms share more than one of the first three.
LOOKS: dict[str, tuple[str, str, str, str]] = {
    "fqe": (style.BLACK, "o", "-", "FQE"),
    "krope": (style.BLUE, "o", "--", "KROPE"),
    "rope": (style.GREEN, "^", ":", "ROPE"),
    "dbc": (style.GREY, "v", "-", "DBC"),
    "bcrl": (style.SKY, "s", "--", "BCRL-NA"),
    "bcrl-exp": (style.ORANGE, "s", "-", "BCRL-EXP-NA"),
    "dr3": (style.PURPLE, "D", "-.", "abs-DR3"),
    "beer": (style.RED, "P", "--", "BEER"),
}

#: What the numbers of `draw_shares` are.
CELLS = "(in the cells: stable trials, in percent)"


def draw_shares(stable: Any, data: Data, ax: "Axes", named: bool = True) -> None:
    """Share of stable trials in percent, a row for each algorithm (``named`` or not) and a column for each d."""
    rows = [LOOKS[name][-1] if named else "" for name in data["algorithms"].tolist()]
    draw_heat_table(100 * pooled(stable).mean(axis=-1), rows, [f"{d}" for d in data["dimensions"]], ax)
    ax.set_xlabel("output dimension $d$")


def stable_share(stable: Any) -> float:
    """Percent of all trials, of all algorithms and dimensions, that are stable."""
    return 100 * float(np.mean(stable))


def draw_means(values: Any, data: Data, ax: "Axes") -> None:
    """Mean over all trials against d with its interval for each algorithm, side by side, and the mean of each set."""
    middle, low, high = mean_interval(pooled(values))
    each = values.mean(axis=-1)
    for a, x, (colour, marker, dashes, label) in _beside(data):
        bars: Any = [middle[a] - low[a], high[a] - middle[a]]
        ax.plot(x, middle[a], dashes, color=colour, linewidth=1.0, alpha=0.6)
        ax.errorbar(x, middle[a], bars, fmt=marker, color=colour, label=label, markersize=5, elinewidth=1.2)
        _sets(x, each[:, a], colour, ax)
    _dimensions(data, ax)


def draw_legend(ax: "Axes") -> None:
    """Names of the algorithms beside the panel, and what bars and dashes are."""
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), title="bar: 95% interval\ndash: one set of seeds")


def _beside(data: Data) -> Iterator[tuple[int, Any, tuple[str, str, str, str]]]:
    """Number, horizontal places and look of each algorithm: those of one dimension lie side by side."""
    names, d = data["algorithms"].tolist(), data["dimensions"]
    width = 0.8 * float(np.diff(d).min(initial=10)) / len(names)
    for a, name in enumerate(names):
        yield a, d + width * (a - (len(names) - 1) / 2), LOOKS[name]


def _sets(x: Any, each: Any, colour: str, ax: "Axes") -> None:
    for one in each:
        ax.plot(x, one, "_", color=colour, markersize=5, alpha=0.6)


def _dimensions(data: Data, ax: "Axes") -> None:
    d = data["dimensions"]
    for middle in (d[1:] + d[:-1]) / 2:
        ax.axvline(middle, color=style.GREY, linewidth=0.5, alpha=0.5)
    ax.set_xticks(d)
    ax.set_xlabel("output dimension $d$ (40 pairs)")
