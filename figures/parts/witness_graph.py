"""A witness drawn as a small graph: pairs with their rewards, transitions with their probabilities as fractions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

from figures.parts import style
from figures.parts.arrows import Point, bent, draw_arrow, loop
from figures.parts.layered import layered_layout
from figures.parts.vector import PAPER, inline_svg
from proofs_check.show.witness_rows import WitnessView, short, view_witness

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Pairs up to which a witness is drawn; the table says the rest.
MOST_PAIRS = 12
#: Transitions up to which each carries its probability.
LABELED_ARROWS = 20
#: Letters of a reward that stand beside "r =" inside a disc; longer ones stand below it.
LONG = 6
#: Sizes in inches: the axes are a sheet of paper.
RADIUS, ACROSS, DOWN, MARGIN = 0.32, 1.35, 1.14, 0.4
END = "end"
Node = int | str


@dataclass(frozen=True, slots=True)
class WitnessGraph:
    """What is drawn.

    Attributes:
        view: the witness.
        at: middle of each pair, and of the end where there is one, in inches.
        bends: for each transition between two nodes a point that steers its line.
        outward: for each node the direction in which its loop stands.
        width, height: of the picture, in inches.
        names: how the pairs are written; their numbers if empty.
    """

    view: WitnessView
    at: Mapping[Node, Point]
    bends: Mapping[tuple[Node, Node], Point]
    outward: Mapping[Node, Point]
    width: float
    height: float
    names: tuple[str, ...] = ()


def compute(witness: Mapping[str, Any]) -> WitnessGraph:
    """Places for the pairs of a serialized witness: columns in the order of time, or a circle if all pairs recur.

    >>> chain = {"P_pi": [["0", "1"], ["0", "1"]], "r": ["0", "1"], "gamma": "9/10"}
    >>> at = compute(chain).at
    >>> at[0][0] < at[1][0], at[0][1] == at[1][1]
    (True, True)
    """
    import networkx as nx

    view = view_witness(witness)
    graph: nx.DiGraph[Node] = nx.DiGraph()
    graph.add_nodes_from(range(len(view.rewards)))
    graph.add_edges_from((a.source, END if a.target is None else a.target) for a in view.arrows)
    recurrent = nx.condensation(graph)
    lines = [(a, b) for a, b in graph.edges if a != b]
    if len(recurrent) == 1 and len(graph) > 2:
        return _circle(view, list(graph), lines)
    column = {
        node: k
        for k, level in enumerate(nx.topological_generations(recurrent))
        for part in level
        for node in sorted(recurrent.nodes[part]["members"], key=str)
    }
    return _columns(view, column, lines)


def draw(data: WitnessGraph, ax: "Axes") -> "Axes":
    """Pairs as discs (dashed where there is no data), the end as a square, transitions as arrows."""
    ax.set_axis_off()
    ax.set_xlim(0, data.width)
    ax.set_ylim(0, data.height)
    named = len(data.view.arrows) <= LABELED_ARROWS
    for arrow in data.view.arrows:
        target = END if arrow.target is None else arrow.target
        word = short(arrow.probability) if named else ""
        width = 0.5 + 1.1 * float(Fraction(arrow.probability))
        if target == arrow.source:
            draw_arrow(loop(data.at[target], data.outward[target], RADIUS), word, ax, width, word_at=0.5)
        else:
            start, end = data.at[arrow.source], data.at[target]
            draw_arrow(bent(start, data.bends[arrow.source, target], end, RADIUS), word, ax, width)
    for node, place in data.at.items():
        _disc(data, node, place, ax)
    return ax


def witness_svg(witness: Mapping[str, Any], prefix: str, names: Sequence[str] = ()) -> str:
    """The picture as an ``<svg>`` element for a page, or an empty string for a witness with very many pairs.

    Args:
        witness: in serialized form.
        prefix: begins every id inside.
        names: how the pairs are written; their numbers if empty.
    """
    if len(witness["r"]) > MOST_PAIRS:
        return ""
    data = replace(compute(witness), names=tuple(names))
    known: dict[Node, str] = dict(enumerate(names))
    arrows = ", ".join(
        f"{known.get(a.source, a.source)} to {END if a.target is None else known.get(a.target, a.target)}"
        f" ({short(a.probability)})"
        for a in data.view.arrows
    )
    title = f"Transitions of the witness: {arrows}"
    return inline_svg(lambda ax: draw(data, ax), data.width, data.height, prefix, title)


def _columns(view: WitnessView, column: Mapping[Node, int], lines: list[tuple[Node, Node]]) -> WitnessGraph:
    layout = layered_layout(column, [(a, b) for a, b in lines if column[a] < column[b]])
    height = MARGIN * 2 + 2 * RADIUS + layout.height * DOWN

    def place(k: float, row: float) -> Point:
        return MARGIN + RADIUS + k * ACROSS, height - MARGIN - RADIUS - row * DOWN

    at = {node: place(layout.column[node], layout.place[node]) for node in column}
    bends = {}
    for a, b in lines:
        (x0, y0), (x1, y1) = at[a], at[b]
        middle = ((x0 + x1) / 2, (y0 + y1) / 2)
        joints = layout.routes.get((a, b), ())
        if joints:
            x, y = place(*joints[len(joints) // 2])
            bends[a, b] = (2 * x - middle[0], 2 * y - middle[1])
        elif column[a] == column[b]:
            bends[a, b] = (middle[0] + 0.6 * (y0 - y1), middle[1] - 0.6 * (x0 - x1))
        else:
            bends[a, b] = middle
    width = 2 * (MARGIN + RADIUS) + (layout.columns - 1) * ACROSS
    return WitnessGraph(view, at, bends, dict.fromkeys(at, (0.0, 1.0)), width, height)


def _circle(view: WitnessView, nodes: list[Node], lines: list[tuple[Node, Node]]) -> WitnessGraph:
    n = len(nodes)
    radius = max(0.95, n * 1.4 / (2 * pi))
    middle = radius + RADIUS + MARGIN
    outward = {node: (sin(2 * pi * k / n), cos(2 * pi * k / n)) for k, node in enumerate(nodes)}
    at = {node: (middle + radius * u, middle + radius * v) for node, (u, v) in outward.items()}
    bends = {}
    for a, b in lines:
        (x0, y0), (x1, y1) = at[a], at[b]
        curve = 0.18 if (b, a) in lines else 0.0
        bends[a, b] = ((x0 + x1) / 2 + curve * (y0 - y1), (y0 + y1) / 2 - curve * (x0 - x1))
    return WitnessGraph(view, at, bends, outward, 2 * middle, 2 * middle)


def _disc(data: WitnessGraph, node: Node, place: Point, ax: "Axes") -> None:
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Circle, Rectangle

    view, (x, y) = data.view, place
    if not isinstance(node, int):
        side = RADIUS * 1.5
        corner = (x - side / 2, y - side / 2)
        ax.add_patch(Rectangle(corner, side, side, facecolor=PAPER, edgecolor=style.BLACK, linewidth=1.1))
        ax.text(x, y, END, ha="center", va="center_baseline", fontsize=9)
        return
    reward = Fraction(view.rewards[node])
    color = style.GRAY if reward == 0 else style.BLUE if reward > 0 else style.ORANGE
    unseen = "weights" in view.columns and view.columns["weights"][node] == "0"
    ax.add_patch(Circle(place, RADIUS, facecolor=PAPER, edgecolor="none"))
    edge: dict[str, Any] = {"edgecolor": style.BLACK, "linewidth": 1.1, "linestyle": "--" if unseen else "-"}
    ax.add_patch(Circle(place, RADIUS, facecolor=to_rgba(color, 0.25), **edge))
    if node in view.marked:
        ax.add_patch(Circle(place, RADIUS + 0.05, facecolor="none", edgecolor=style.BLACK, linewidth=1.1))
    ax.text(
        x,
        y + 0.08,
        data.names[node] if data.names else str(node),
        ha="center",
        va="center",
        fontsize=10.5,
        weight="bold",
    )
    told = short(view.rewards[node])
    words = f"r = {told}" if len(told) <= LONG else f"r =\n{told}"
    high, where = (y - 0.1, "center") if len(told) <= LONG else (y, "top")
    ax.text(x, high, words, ha="center", va=where, linespacing=1.0, fontsize=8.2 if len(words) <= 6 else 7.0)
