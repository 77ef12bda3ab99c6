"""Van Roy's example drawn: four states, the end, rewards and probabilities."""

from typing import TYPE_CHECKING, Any

from figures.parts import style
from figures.parts.arrows import Point, bent, draw_arrow, loop

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Middles of the discs and of the end, in inches; the order of the paper's drawing, clockwise from the left.
PLACES: dict[str, Point] = {
    "w1": (0.5, 1.5), "w2": (1.9, 2.4), "end": (3.3, 2.4), "2w3": (3.3, 0.6), "w3": (1.9, 0.6),
}  # fmt: skip
WORDS = {"w1": "$w_1$", "w2": "$w_2$", "2w3": "$2w_3$", "w3": "$w_3$", "end": "end"}
RADIUS = 0.36


def draw_chain(p: float, q: float, ax: "Axes") -> None:
    """The chain with the probabilities ``p`` (w1 to w2) and ``q`` (2w3 stays); the only reward is that of w2."""
    ax.set_axis_off()
    ax.set_aspect("equal", anchor="N")
    ax.set_xlim(0, 4.3)
    ax.set_ylim(0, 3.0)
    arrows = (
        ("w1", "w2", f"{p:g}"), ("w1", "w3", f"{1 - p:.3g}"), ("w2", "end", "1"), ("w3", "2w3", "1"),
        ("2w3", "end", f"{1 - q:.3g}"),
    )  # fmt: skip
    for source, target, word in arrows:
        (x0, y0), (x1, y1) = PLACES[source], PLACES[target]
        line = bent((x0, y0), ((x0 + x1) / 2, (y0 + y1) / 2), (x1, y1), RADIUS)
        draw_arrow(line, word, ax, 1.0, word_at=0.45, size=8.4)
    draw_arrow(loop(PLACES["2w3"], (1.0, 0.0), RADIUS), "", ax, 1.0)
    ax.text(PLACES["2w3"][0] + 2.1 * RADIUS, PLACES["2w3"][1], f"{q:g}", va="center", fontsize="small")
    (x0, y), (x1, _) = PLACES["w2"], PLACES["end"]
    ax.text((x0 + x1) / 2, y + 0.14, "$r$ = 1", ha="center", va="bottom", fontsize=style.points(8.4))
    for name, place in PLACES.items():
        _node(name, place, ax)
    ax.set_title("The chain (a reconstruction), $\\gamma$ = 1")


def _node(name: str, place: Point, ax: "Axes") -> None:
    from matplotlib.patches import Circle, Rectangle

    edge: Any = {"edgecolor": style.BLACK, "linewidth": 1.2, "facecolor": "white"}
    if name == "end":
        side = 1.5 * RADIUS
        ax.add_patch(Rectangle((place[0] - side / 2, place[1] - side / 2), side, side, **edge))
    else:
        ax.add_patch(Circle(place, RADIUS, **edge))
    ax.text(place[0], place[1], WORDS[name], ha="center", va="center", fontsize=style.points(10))
