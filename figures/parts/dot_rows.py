"""Rows of marks on one axis: what is compared in each row, and a name for each kind of mark, written once."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from figures.parts import style
from tabular_krope.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Color, marker, size and name of each kind of mark, those below first.
Look = tuple[str, str, float, str]


def draw_dot_rows(values: ArrayLike, rows: Sequence[str], looks: Sequence[Look], ax: "Axes") -> "Axes":
    """Numbers [rows, kinds] as marks, a line for each row, the first at the top; the axis must have its limits.

    A kind is named beside the one of its marks that stands most alone in its row.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot(xlim=(0, 10))
    >>> looks = [("black", "o", 8, "one"), ("blue", "s", 5, "other")]
    >>> [text.get_text() for text in draw_dot_rows([[1, 1], [2, 9]], ["a", "b"], looks, ax).texts]
    ['one', 'other']
    """
    from matplotlib import rcParams

    values, heights = np.asarray(values, dtype=float), np.arange(len(rows))[::-1]
    ax.hlines(heights, *np.stack([values.min(axis=1), values.max(axis=1)]), color="#BBBBBB", linewidth=1.2, zorder=1)
    for column, (color, marker, size, _) in zip(values.T, looks, strict=True):
        ax.plot(column, heights, marker, color=color, markersize=size, clip_on=False, zorder=3)
    ax.set_yticks(heights, list(rows))
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_ylim(-0.6, len(rows) - 0.4)
    figure = ax.get_figure(root=True)
    if figure is not None:
        figure.draw_without_rendering()  # places in pixels are final once the names of the rows are laid out
    places = ax.transData.transform(np.stack([values.ravel(), np.zeros(values.size)], axis=1))[:, 0]
    points = ax.figure.dpi / 72 if ax.figure is not None else 1.0
    letter = points * 0.6 * rcParams["font.size"]
    ends = (float(ax.bbox.x0), float(ax.bbox.x1))
    names, where = _names([name for *_, name in looks], places.reshape(values.shape), ends, letter, 12 * points)
    for k, (row, side) in enumerate(where):
        color, _, size, _ = looks[k]
        aside: Any = {"xytext": (side * (size / 2 + 5), 0), "textcoords": "offset points", "va": "center"}
        aside["ha"] = "left" if side > 0 else "right"
        paper = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
        ax.annotate(names[k], (values[row, k], heights[row]), color=style.ink(color), bbox=paper, zorder=2, **aside)
    return ax


def _names(
    names: Sequence[str], places: Array, ends: tuple[float, float], letter: float, more: float
) -> tuple[Sequence[str], list[tuple[int, int]]]:
    """The names and where they stand: on two lines if one has no room, ``letter`` wide each, with ``more`` around."""
    width = more + letter * max(map(len, names))
    where = named_where(places, ends, width)
    rooms = [_room(places[row, k], side, [*np.delete(places[row], k), *ends]) for k, (row, side) in enumerate(where)]
    if min(rooms) >= width:
        return names, where
    two = ["\n".join(name.rsplit(" ", 1)) for name in names]
    return two, named_where(places, ends, more + letter * max(len(line) for name in two for line in name.split("\n")))


def named_where(places: ArrayLike, ends: tuple[float, float], width: float) -> list[tuple[int, int]]:
    """For each kind of mark at ``places`` [rows, kinds], the row in which it is named, and on which side (1 or -1).

    The side must have room for the ``width`` of a name before the next mark, the next name or the end of the axis; of
    these rows it is the one where the mark is farthest from the others.

    >>> named_where([[1.0, 1.0], [2.0, 9.0], [3.0, 4.0]], (0.0, 10.0), 3.0)
    [(1, 1), (1, -1)]
    """
    places = np.asarray(places, dtype=float)
    names: list[tuple[int, float, float]] = []  # row, from, to
    found: list[tuple[int, int]] = []
    for k in range(places.shape[1]):
        scores = {}
        for row, marks in enumerate(places):
            alone = float(np.abs(np.delete(marks, k) - marks[k]).min())
            for side in (1, -1):
                taken = [edge for where, *edges in names if where == row for edge in edges]
                room = _room(marks[k], side, [*np.delete(marks, k), *taken, *ends])
                scores[row, side] = min(alone, width) + 2 * min(room, width)
        row, side = max(scores, key=lambda place: scores[place])
        found.append((row, side))
        names.append((row, *sorted((places[row, k] + side, places[row, k] + side * width))))
    return found


def _room(x: float, side: int, others: Sequence[float]) -> float:
    """How far it is from ``x`` to the next of the others on a side; 0 if one of them is where ``x`` is."""
    beyond = [side * (other - x) for other in others if side * (other - x) >= 0]
    return min(beyond, default=0.0)
