"""Marks on axes as SVG: lines, dots, bars, arrows and words, in the colors of the page.

A chart is drawn in each of `SIZES`, so that its letters are as large on a telephone and on a projector as they are on a
desk; the page shows the one that fits. A mark with a ``step`` appears when the page's film reaches it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from figures.app.drawing.axis import Axis

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Size:
    """A drawing's width and height, the height of its letters, and the room on the right in such heights."""

    name: str
    width: int
    height: int
    letters: int
    room: float = 1.4


SIZES = (Size("wide", 940, 470, 17), Size("narrow", 372, 320, 13), Size("projector", 620, 330, 19))


class Chart:
    """Axes with marks on them.

    >>> chart = Chart(SIZES[0], Axis("t", 0, 1), Axis("error", 0, 1))
    >>> chart.line([0, 1], [0, 1], "blue")
    >>> chart.svg("a line").count("<polyline")
    1
    """

    def __init__(self, size: Size, x: Axis, y: Axis, square: bool = False) -> None:
        self.size, self.x, self.y = size, x, y
        em = size.letters
        self.left, self.right = 4.2 * em, size.width - size.room * em
        self.top, self.bottom = 2.2 * em, size.height - 3.3 * em
        if square:  # equal units on both axes
            side = min(self.right - self.left, self.bottom - self.top)
            middle = (self.left + self.right) / 2
            self.left, self.right = middle - side / 2, middle + side / 2
            self.top = self.bottom - side
        self.marks: list[str] = []
        self.over: list[str] = []
        self.ends: dict[str, float] = {}  # of each look of lines, the height at which its last line ends

    def at(self, x: float, y: float) -> Place:
        """Where a point lies on the paper."""
        across = self.left + self.x.share(x) * (self.right - self.left)
        return across, self.bottom - self.y.share(y) * (self.bottom - self.top)

    def line(self, xs: Iterable[float], ys: Iterable[float], look: str, step: int | None = None) -> None:
        """A line through points; ``look`` are classes such as ``"blue dashed thick"``."""
        places = [self.at(x, y) for x, y in zip(xs, ys, strict=True)]
        if places:
            self.ends[look] = places[-1][1]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        self.marks.append(f'<polyline class="mark line {look}"{film(step)} points="{points}"/>')

    def area(self, xs: Iterable[float], low: Iterable[float], high: Iterable[float], look: str) -> None:
        """The area between two curves."""
        xs = list(xs)
        there = [self.at(x, y) for x, y in zip(xs, low, strict=True)]
        back = [self.at(x, y) for x, y in zip(xs, high, strict=True)][::-1]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (*there, *back))
        self.marks.append(f'<polygon class="mark area {look}" points="{points}"/>')

    def dot(self, x: float, y: float, look: str, radius: float = 0.42, step: int | None = None, tip: str = "") -> None:
        """A disc; ``radius`` in heights of a letter; ``tip`` is told when the pointer rests on it."""
        u, v = self.at(x, y)
        told = f"<title>{escape(tip)}</title>" if tip else ""
        r = radius * self.size.letters
        self.marks.append(
            f'<circle class="mark dot {look}"{film(step)} cx="{u:.1f}" cy="{v:.1f}" r="{r:.1f}">{told}</circle>'
        )

    def bar(self, x: float, width: float, y: float, look: str, tip: str = "") -> None:
        """A bar from the lower end of the axis up to ``y``."""
        left, top = self.at(x - width / 2, y)
        right, foot = self.at(x + width / 2, self.y.low)
        told = f"<title>{escape(tip)}</title>" if tip else ""
        box = f'x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{max(foot - top, 0):.1f}"'
        self.marks.append(f'<rect class="mark bar {look}" {box}>{told}</rect>')

    def arrow(self, start: Place, end: Place, look: str, step: int | None = None) -> None:
        """An arrow between two points of the axes."""
        (x0, y0), (x1, y1) = self.at(*start), self.at(*end)
        long = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        if long < 0.5:
            return
        head = min(0.55 * self.size.letters, 0.6 * long)
        u, v = (x1 - x0) / long, (y1 - y0) / long
        foot = (x1 - head * u, y1 - head * v)
        tips = " ".join(f"{foot[0] + s * 0.5 * head * v:.1f},{foot[1] - s * 0.5 * head * u:.1f}" for s in (1, -1))
        self.marks.append(
            f'<g class="mark arrow {look}"{film(step)}><path d="M{x0:.1f},{y0:.1f}L{foot[0]:.1f},{foot[1]:.1f}"/>'
            f'<polygon points="{x1:.1f},{y1:.1f} {tips}"/></g>'
        )

    def across(self, y: float, look: str) -> None:
        """A line from left to right."""
        self.line([self.x.low, self.x.high], [y, y], look)

    def upright(self, x: float, look: str) -> None:
        """A line from bottom to top."""
        self.line([x, x], [self.y.low, self.y.high], look)

    def circle(self, x: float, y: float, radius: float, look: str) -> None:
        """A circle whose radius is measured on the horizontal axis."""
        u, v = self.at(x, y)
        r = self.at(x + radius, y)[0] - u
        self.marks.append(f'<circle class="mark line {look}" cx="{u:.1f}" cy="{v:.1f}" r="{r:.1f}"/>')

    def word(self, x: float, y: float, words: str, look: str = "", anchor: str = "start", lift: float = 0.0) -> None:
        """Words at a point, ``lift`` heights of a letter above it; not cut off by the axes."""
        u, v = self.at(x, y)
        shown = f'x="{u:.1f}" y="{v - lift * self.size.letters:.1f}" text-anchor="{anchor}"'
        self.over.append(f'<text class="label {look}" {shown}>{escape(words)}</text>')

    def svg(self, alt: str) -> str:
        """The finished picture."""
        size = self.size
        clip = f"clip-{size.name}"
        box = f'x="{self.left:.1f}" y="{self.top:.1f}" width="{self.right - self.left:.1f}"'
        box += f' height="{self.bottom - self.top:.1f}"'
        return (
            f'<svg class="chart {size.name}" viewBox="0 0 {size.width} {size.height}" role="img" '
            f'style="font-size:{size.letters}px" aria-label="{escape(alt)}">'
            f'<clipPath id="{clip}"><rect {box}/></clipPath>{self._frame()}'
            f'<g class="plot" clip-path="url(#{clip})">{"".join(self.marks)}</g>{"".join(self.over)}</svg>'
        )

    def _frame(self) -> str:
        em = self.size.letters
        parts = []
        for value, words in self.x.marks(int((self.right - self.left) / (5 * em))):
            u, _ = self.at(value, self.y.low)
            parts.append(f'<path class="grid" d="M{u:.1f},{self.top:.1f}V{self.bottom:.1f}"/>')
            parts.append(
                f'<text x="{u:.1f}" y="{self.bottom + 1.25 * em:.1f}" text-anchor="middle">{escape(words)}</text>'
            )
        for value, words in self.y.marks(int((self.bottom - self.top) / (2.6 * em))):
            _, v = self.at(self.x.low, value)
            parts.append(f'<path class="grid" d="M{self.left:.1f},{v:.1f}H{self.right:.1f}"/>')
            parts.append(
                f'<text x="{self.left - 0.5 * em:.1f}" y="{v + 0.35 * em:.1f}" text-anchor="end">{escape(words)}</text>'
            )
        frame = f'<path class="frame" d="M{self.left:.1f},{self.top:.1f}V{self.bottom:.1f}H{self.right:.1f}"/>'
        names = (
            f'<text class="name" x="{self.right:.1f}" y="{self.bottom + 2.75 * em:.1f}" text-anchor="end">'
            f"{escape(self.x.label)}</text>"
            f'<text class="name" x="{min(0.4 * em, self.left):.1f}" y="{self.top - 1.1 * em:.1f}">'
            f"{escape(self.y.label)}</text>"
        )
        return f'<g class="axes">{"".join(parts)}{frame}{names}</g>'


def film(step: int | None) -> str:
    """The attribute by which a mark appears with a step of the film.

    >>> film(None), film(3)
    ('', ' data-step="3"')
    """
    return "" if step is None else f' data-step="{step}"'
