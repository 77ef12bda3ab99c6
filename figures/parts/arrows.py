"""Arrows between discs, in inches: bent lines, loops, heads, and a word on each."""

from math import atan2, cos, hypot, pi, sin
from typing import TYPE_CHECKING

from figures.parts import style
from figures.parts.vector import PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Point = tuple[float, float]
#: Points of which a line is made.
SMOOTH = 80
HEAD = 0.1
#: Where on its line a word stands: before the middle, where lines like to cross.
WORD_AT = 0.3


def bent(start: Point, control: Point, end: Point, radius: float) -> list[Point]:
    """The quadratic curve from ``start`` to ``end`` steered by ``control``, outside the discs of ``radius`` at both.

    >>> line = bent((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), 0.5)
    >>> 0.5 <= line[0][0] < 0.55 and 1.45 < line[-1][0] <= 1.5
    True
    """
    line = []
    for k in range(SMOOTH + 1):
        t = k / SMOOTH
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        line.append((a * start[0] + b * control[0] + c * end[0], a * start[1] + b * control[1] + c * end[1]))
    outside = [p for p in line if hypot(p[0] - start[0], p[1] - start[1]) >= radius]
    return [p for p in outside if hypot(p[0] - end[0], p[1] - end[1]) >= radius]


def loop(place: Point, outward: Point, radius: float) -> list[Point]:
    """The part outside the disc of a small circle that stands on it in the direction ``outward``."""
    size = 0.55 * radius
    x, y = place[0] + outward[0] * (radius + 0.55 * size), place[1] + outward[1] * (radius + 0.55 * size)
    begin = atan2(outward[1], outward[0]) + pi
    around = [begin - 2 * pi * k / SMOOTH for k in range(SMOOTH + 1)]
    line = [(x + size * cos(angle), y + size * sin(angle)) for angle in around]
    return [p for p in line if hypot(p[0] - place[0], p[1] - place[1]) >= radius]


def draw_arrow(
    line: list[Point], word: str, ax: "Axes", width: float = 1.0, word_at: float = WORD_AT, size: float = 8.2
) -> None:
    """A line with a head at its end and a word on it, at the fraction ``word_at`` of its length."""
    from matplotlib.patches import Polygon

    xs, ys = [x for x, _ in line], [y for _, y in line]
    tip = line[-1]
    k = next((k for k in range(len(line) - 1, 0, -1) if hypot(xs[k] - tip[0], ys[k] - tip[1]) >= HEAD), 0)
    ax.plot(xs[: k + 1], ys[: k + 1], color=style.BLACK, linewidth=width, solid_capstyle="butt", zorder=0.5)
    u, v = (tip[0] - xs[k]) / HEAD, (tip[1] - ys[k]) / HEAD
    base, half = (tip[0] - HEAD * u, tip[1] - HEAD * v), HEAD / 2.6
    head = [tip, (base[0] - half * v, base[1] + half * u), (base[0] + half * v, base[1] - half * u)]
    ax.add_patch(Polygon(head, facecolor=style.BLACK, linewidth=0, zorder=0.5))
    if word:
        at = line[round(word_at * (len(line) - 1))]
        paper = {"boxstyle": "square,pad=0.12", "facecolor": PAPER, "edgecolor": "none"}
        ax.text(*at, word, ha="center", va="center", fontsize=style.points(size), bbox=paper, zorder=0.8)
