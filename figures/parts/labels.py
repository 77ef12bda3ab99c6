"""Names written beside the curves they belong to, moved apart where they would lie on each other."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from tabular_krope.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def spread(heights: Sequence[float], gap: float) -> Array:
    """The heights nearest to ``heights`` in the sense of squares, in their order and at least ``gap`` apart.

    Heights less ``gap`` times their rank must increase; the nearest such sequence pools neighbors that would cross.

    >>> spread([0.5, 0.5, 1.0], 0.25).tolist()
    [0.375, 0.625, 1.0]
    """
    wanted = np.asarray(heights, dtype=float)
    order = np.argsort(wanted, kind="stable")
    pools: list[tuple[float, int]] = []  # mean and size
    for rank, height in enumerate(wanted[order]):
        mean, size = float(height) - gap * rank, 1
        while pools and pools[-1][0] >= mean:
            before, count = pools.pop()
            mean, size = (before * count + mean * size) / (count + size), count + size
        pools.append((mean, size))
    found = np.empty(len(wanted))
    found[order] = np.repeat([mean for mean, _ in pools], [size for _, size in pools]) + gap * np.arange(len(wanted))
    return found


#: Height of a line over the size of its letters, the axes getting a little lower when titles are laid out.
LINE = 1.45
#: Points between axes and a title that has the name of the vertical axis below it.
ABOVE = 24.0
#: Where a word may stand around its point: direction and how it is aligned, the first that is free being taken.
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))


def point_labels(points: Array, words: Sequence[str], ax: "Axes", fontsize: float = 8.4, away: float = 8.0) -> None:
    """Write a word beside each point [n, 2] on the side where it meets the fewest points and words.

    The limits of the axes must be set before. Sizes are those of the axes as they are now, a letter being 0.6 wide.
    """
    assert ax.figure is not None
    fontsize = style.points(fontsize)
    inches = ax.transData.transform(points) * 72 / ax.figure.dpi
    taken = [(x - away / 2, y - away / 2, x + away / 2, y + away / 2) for x, y in inches]
    sides = {-1: "right", 0: "center", 1: "left"}
    heights = {-1: "top", 0: "center", 1: "bottom"}
    for (x, y), (u, v), word in zip(points, inches, words, strict=True):
        wide, high = 0.6 * fontsize * len(word), 1.1 * fontsize
        boxes = [(u + away * a + wide * (a - 1) / 2, v + away * b + high * (b - 1) / 2) for a, b in AROUND]
        meets = [sum(_overlap((left, low, left + wide, low + high), other) for other in taken) for left, low in boxes]
        best = int(np.argmin(meets))
        (a, b), (left, low) = AROUND[best], boxes[best]
        taken.append((left, low, left + wide, low + high))
        aside: Any = {"xytext": (away * a, away * b), "textcoords": "offset points", "ha": sides[a], "va": heights[b]}
        ax.annotate(word, (float(x), float(y)), fontsize=fontsize, **aside)


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """The area that two boxes (left, low, right, high) share.

    >>> _overlap((0, 0, 2, 2), (1, 1, 3, 3)), _overlap((0, 0, 1, 1), (1, 0, 2, 1))
    (1, 0)
    """
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(wide, 0) * max(high, 0)


def name_above(words: str, ax: "Axes") -> None:
    """Write the name of the vertical axis level above it, where it is read without turning one's head.

    The title must be set with `ABOVE` as its ``pad``, which leaves room.
    """
    ax.set_ylabel(words, rotation=0, ha="left", va="bottom", color=style.ink(style.GRAY))
    ax.yaxis.set_label_coords(0.0, 1.02)


def end_labels(
    labels: Sequence[tuple[float, str, str]], ax: "Axes", fontsize: float = 9.0, gap: float = 0.062, at: float = 1.0
) -> None:
    """Write each (height, word, color) to the right of the axes at its height, ``gap`` of the axes' height apart.

    In low axes words are farther apart, as their letters need it. The limits of the axes must be set before. ``at`` is
    where a thin line to the word starts, as a share of the width.
    """
    assert ax.figure is not None
    tall = ax.bbox.height * 72 / ax.figure.dpi
    gap = max(gap, LINE * style.points(fontsize) / tall)
    limits = [ax.transData.transform((0, height))[1] for height, _, _ in labels]
    shares = [float(ax.transAxes.inverted().transform((0, y))[1]) for y in limits]
    for share, place, (_, word, color) in zip(shares, spread(shares, gap), labels, strict=True):
        ax.annotate(
            word,
            (at, share),
            (1.04, float(place)),
            xycoords="axes fraction",
            textcoords="axes fraction",
            va="center",
            color=style.ink(color),
            fontsize=style.points(fontsize),
            arrowprops={"arrowstyle": "-", "color": color, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0},
            annotation_clip=False,
        )
