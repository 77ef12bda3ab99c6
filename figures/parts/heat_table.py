"""A table whose cells are colored by their numbers: read it from afar by its colors, from near by its digits."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Size of the numbers in the cells over that of the other words.
SHARE = 0.9
#: Where on the way from dark to pale black words become easier to read than white ones.
PALE = 0.27


def draw_heat_table(
    values: Any,
    rows: Sequence[str],
    columns: Sequence[str],
    ax: "Axes",
    low: float = 0.0,
    high: float = 100.0,
    words: Sequence[Sequence[str]] | None = None,
    named: bool = True,
) -> "Axes":
    """Numbers [rows, columns] in cells whose color runs from ``low``, the worst, to ``high``: dark to pale.

    In the cells stand the numbers or, if given, ``words``, white on dark cells and black on light ones; a cell of NaN
    stays empty. Where not ``named``, the names of the rows are hidden: a table beside it has them.

    >>> from matplotlib.figure import Figure
    >>> ax = draw_heat_table([[0, 100]], ["a"], ["x", "y"], Figure().add_subplot())
    >>> [(text.get_text(), text.get_color()) for text in ax.texts]
    [('0', 'white'), ('100', 'black')]
    """
    from matplotlib import rcParams
    from matplotlib.colors import LinearSegmentedColormap

    size = SHARE * rcParams["font.size"]
    values = np.asarray(values, dtype=float)
    colors = LinearSegmentedColormap.from_list("cells", style.CELLS)
    ax.imshow(values, cmap=colors, vmin=low, vmax=high, aspect="auto", interpolation="nearest")
    for (i, j), value in np.ndenumerate(values):
        if not np.isnan(value):
            ink = "black" if (value - low) / (high - low) > PALE else "white"
            ax.text(
                j,
                i,
                f"{value:.0f}" if words is None else words[i][j],
                ha="center",
                va="center",
                color=ink,
                fontsize=size,
            )
    ax.set_xticks(range(len(columns)), list(columns))
    ax.set_yticks(range(len(rows)), list(rows))
    ax.set_xticks(np.arange(0.5, len(columns) - 1), minor=True)
    ax.set_yticks(np.arange(0.5, len(rows) - 1), minor=True)
    ax.grid(which="minor", color="white", linewidth=1.0)
    ax.tick_params(which="both", length=0, labelleft=named)
    ax.spines[:].set_visible(False)
    return ax
