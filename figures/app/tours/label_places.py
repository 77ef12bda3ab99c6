"""Words beside dots that do not cover one another."""

from collections.abc import Sequence

from tabular_krope.arrays import Array

#: Directions in which a word may stand from its dot, the first that is free is taken; and how far, in points.
DIRECTIONS = ((1, 0.5), (1, -0.75), (-1, 0.5), (-1, -0.75), (0, 1), (0, -1.25))
DISTANCES = (6.0, 15.0, 25.0)
#: Size of a letter of the words, and of half a dot, in points.
WIDTH, HEIGHT, DOT = 4.6, 8.5, 4.5

Box = tuple[float, float, float, float]


def label_places(dots: Array, words: Sequence[str]) -> list[tuple[float, float]]:
    """Where the middle of each word stands relative to its dot, in points: clear of dots and of words before it.

    Args:
        dots: places of the dots, in points, [n, 2].
        words: one for each, [n].

    >>> import numpy as np
    >>> label_places(np.array([[0.0, 0.0], [100.0, 0.0]]), ["a", "b"])
    [(8.3, 3.0), (8.3, 3.0)]
    """
    taken: list[Box] = [(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in dots.tolist()]
    places = []
    for (x, y), word in zip(dots.tolist(), words, strict=True):
        half = WIDTH * len(word) / 2
        ways = [((r + half) * u if u else 0.0, r * v) for r in DISTANCES for u, v in DIRECTIONS]
        boxes = [(x + u - half, y + v - HEIGHT / 2, x + u + half, y + v + HEIGHT / 2) for u, v in ways]
        best = min(range(len(ways)), key=lambda k: (sum(_overlap(boxes[k], box) for box in taken), k))
        taken.append(boxes[best])
        places.append(ways[best])
    return places


def _overlap(a: Box, b: Box) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
