"""Names written beside the curves they belong to, moved apart where they would lie on each other."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

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


def end_labels(
    labels: Sequence[tuple[float, str, str]], ax: "Axes", fontsize: float = 9.0, gap: float = 0.062, at: float = 1.0
) -> None:
    """Write each (height, word, color) to the right of the axes at its height, ``gap`` of the axes' height apart.

    The limits of the axes must be set before. ``at`` is where a thin line to the word starts, as a share of the width.
    """
    limits = [ax.transData.transform((0, height))[1] for height, _, _ in labels]
    shares = [float(ax.transAxes.inverted().transform((0, y))[1]) for y in limits]
    for share, place, (_, word, colour) in zip(shares, spread(shares, gap), labels, strict=True):
        ax.annotate(
            word,
            (at, share),
            (1.04, float(place)),
            xycoords="axes fraction",
            textcoords="axes fraction",
            va="center",
            color=colour,
            fontsize=fontsize,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0},
            annotation_clip=False,
        )
