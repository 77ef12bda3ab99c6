"""Models that are grids of cells, drawn as such: walls, holes, the goal, and values as colors."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from figures.parts import style
from tabular_krope.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Cells of a row up to which each cell carries its value.
NAMED_CELLS = 8
#: What the letters of a map stand for.
WORDS = {"S": "start", "H": "hole", "G": "goal"}


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Cells of a gridworld.

    Attributes:
        marks: of each cell: "#" wall, "H" hole, "G" goal, "S" start, "." free, [rows, columns].
        states: number of its state, -1 where it has none, [rows, columns].
    """

    marks: NDArray[np.str_]
    states: NDArray[np.int64]


def grid_of(spec: str) -> Grid | None:
    """The grid of a model that the page offers, as the command line names it; None if it is no grid.

    >>> grid_of("zoo:four-rooms").states.max(), grid_of("garnet:4x3x2")
    (np.int64(102), None)
    """
    if spec == "zoo:four-rooms":
        return _four_rooms()
    if spec.startswith("gym:FrozenLake"):
        import gymnasium

        bare = gymnasium.make(spec.removeprefix("gym:")).unwrapped
        marks = np.char.replace(np.asarray(bare.desc, dtype=str), "F", ".")
        return Grid(marks, np.arange(marks.size).reshape(marks.shape))
    return None


def _four_rooms() -> Grid:
    from tabular_krope.models.zoo import zoo
    from tabular_krope.models.zoo_rooms import WALLS

    marks = np.array([list(row) for row in WALLS])
    states = np.full(marks.shape, -1)
    for s, name in enumerate(zoo("four-rooms").labels or ()):
        i, j = name.split(",")
        states[int(i), int(j)] = s
    marks[(marks == ".") & (states < 0)] = "G"
    return Grid(marks, states)


def draw_grid(grid: Grid, v: Array, ax: "Axes") -> "Axes":
    """The cells colored by the value of their state; what has no value, or is not free, in words."""
    shown = np.where(grid.states >= 0, v[grid.states], np.nan)
    shown[np.isin(grid.marks, ("H", "G"))] = np.nan  # the episode is over there
    image = ax.imshow(shown, cmap=style.COLOR_MAP, interpolation="nearest")
    assert ax.figure is not None
    ax.figure.colorbar(image, ax=ax, label="value $v(s)$", fraction=0.046, pad=0.03)
    rows, columns = grid.marks.shape
    low, high = float(np.nanmin(shown)), float(np.nanmax(shown))
    for i in range(rows):
        for j in range(columns):
            mark = str(grid.marks[i, j])
            if mark == "#":
                ax.fill_between([j - 0.5, j + 0.5], i - 0.5, i + 0.5, color="#444444", linewidth=0)
                continue
            words = [WORDS[mark]] if mark in WORDS else []
            if columns <= NAMED_CELLS and np.isfinite(shown[i, j]):
                words.append(f"{shown[i, j]:.3g}")
            dark = shown[i, j] < (low + high) / 2
            size = 9 if columns <= NAMED_CELLS else 7
            ax.text(j, i, "\n".join(words), ha="center", va="center", fontsize=size, color="white" if dark else "black")
    ax.set_xticks(np.arange(columns + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(rows + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="#bbbbbb", linewidth=0.6)
    ax.tick_params(which="both", length=0)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_title("The grid, and the values of its cells under the policy")
    return ax
