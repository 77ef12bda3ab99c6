"""The chain of states under the policy: a graph when it is small, its transition matrix otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from figures.parts.arrows import Point, bent, loop
from figures.parts.vector import INK, PAPER
from tabular_krope.arrays import Array, dense
from tabular_krope.models.mrp import MRP
from tabular_krope.report.digits import three

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: States up to which the graph is drawn.
GRAPH_STATES = 12
#: Transitions up to which each carries its probability.
LABELED_EDGES = 30
#: States of the matrix shown at most, evenly spaced in the order of values.
MOST_STATES = 600
#: Of the graph, whose states stand on a circle of radius 1: size of a state, how far arrows bend, where their words are
#: along them, and how far out those of loops are.
RADIUS, BEND, WORD_AT, LOOP = 0.15, 0.14, 0.3, 1.15
END = "end"


@dataclass(frozen=True, slots=True, eq=False)
class ModelGraph:
    """Numbers of the picture.

    Attributes:
        Q: transitions of the states shown, in the order of `states`, [n, n].
        end: probability that the episode ends after each state, [n].
        v: value of each state, [n].
        states: which states they are, [n].
        n_states: how many the model has.
        names: how each state shown is written, [n].
    """

    Q: Array
    end: Array
    v: Array
    states: tuple[int, ...]
    n_states: int
    names: tuple[str, ...]


def compute(mrp: MRP, names: Sequence[str] | None = None) -> ModelGraph:
    """States in their own order when they make a graph, in the order of values when they make a matrix.

    Args:
        mrp: the reward process.
        names: how each state is written, [S]; by its number if None.

    >>> compute(MRP.from_matrix([[0.5, 0.5], [0.0, 1.0]], [1.0, 0.0], 0.5)).Q
    array([[0.5, 0.5],
           [0. , 1. ]])
    """
    S = mrp.n_states
    order = np.arange(S)
    if S > GRAPH_STATES:
        order = np.argsort(mrp.v, kind="stable")
        order = order[np.linspace(0, S - 1, min(S, MOST_STATES)).round().astype(int)]
    Q, end = dense(mrp.Q[order][:, order]), (mrp.Pi @ mrp.end)[order]
    written = tuple(str(s) if names is None else names[s] for s in order.tolist())
    return ModelGraph(Q, end, mrp.v[order], tuple(order.tolist()), S, written)


def draw(data: ModelGraph, ax: "Axes") -> "Axes":
    """Nodes colored by value and arrows by probability; or the matrix of transitions."""
    return _graph(data, ax) if data.n_states <= GRAPH_STATES else _matrix(data, ax)


def finding(data: ModelGraph) -> str:
    """Which of the states shown is worth most, and which least.

    >>> finding(compute(MRP.from_matrix([[0.5, 0.5], [0.0, 1.0]], [1.0, 0.0], 0.5)))
    'State 0 is worth most, 1.33, and state 1 least, 0'
    """
    best, worst = int(np.argmax(data.v)), int(np.argmin(data.v))
    most, least = (three(float(data.v[i])).replace("-", "\u2212") for i in (best, worst))
    if most == least:
        return f"Every state is worth {most}"
    first, last = (
        name if any(map(str.isalnum, name)) else f'"{name}"' for name in (data.names[best], data.names[worst])
    )
    return f"State {first} is worth most, {most}, and state {last} least, {least}"


def _graph(data: ModelGraph, ax: "Axes") -> "Axes":
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.patches import Circle, Rectangle

    nodes = [*data.names, END] if data.end.any() else list(data.names)
    outward = _directions(len(nodes))
    at = outward if len(nodes) > 1 else [(0.0, 0.0)]
    low, high = float(data.v.min()), float(data.v.max())
    norm = Normalize(low, high) if low < high else Normalize(low - 1, high + 1)
    colors = ScalarMappable(norm, style.COLOR_MAP)
    shades = colors.to_rgba(data.v)
    _arrows(data, at, outward, ax)
    for (x, y), name, shade in zip(at, data.names, shades, strict=False):
        ax.add_patch(Circle((x, y), RADIUS, facecolor=shade, edgecolor="black", linewidth=1.0, zorder=2))
        dark = 0.299 * shade[0] + 0.587 * shade[1] + 0.114 * shade[2] < 0.5
        _word(ax, x, y, name, 9 if len(name) < 4 else 7, color="white" if dark else INK)
    if len(at) > len(data.v):
        x, y = at[-1]
        side = 1.7 * RADIUS
        corner = (x - side / 2, y - side / 2)
        ax.add_patch(Rectangle(corner, side, side, facecolor=PAPER, edgecolor="black", linewidth=1.0, zorder=2))
        _word(ax, x, y, END, 9)
    assert ax.figure is not None
    ax.figure.colorbar(colors, ax=ax, label="value $v(s)$", fraction=0.046, pad=0.03)
    ax.set_title(finding(data))
    ax.set_xlim(-1.45, 1.45)  # room for the loops, which point outward
    ax.set_ylim(-1.45, 1.45)
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax


def _directions(n: int) -> list[Point]:
    """Points evenly around the circle, the first on the left: time is read from there; up if there is but one."""
    if n == 1:
        return [(0.0, 1.0)]
    return [(-cos(2 * pi * k / n), sin(2 * pi * k / n)) for k in range(n)]


def _arrows(data: ModelGraph, at: Sequence[Point], outward: Sequence[Point], ax: "Axes") -> None:
    moves = [(int(i), int(j), float(data.Q[i, j])) for i, j in np.argwhere(data.Q > 0)]
    moves += [(int(i), len(at) - 1, float(data.end[i])) for i in np.flatnonzero(data.end > 0)]
    named = len(moves) <= LABELED_EDGES
    for i, j, p in moves:
        word = f"{p:.2g}" if named else ""
        (x0, y0), (x1, y1), (u, v) = at[i], at[j], outward[i]
        if i == j:
            _arrow(loop(at[i], outward[i], RADIUS), p, 8, ax)
            place = (x0 + (1 + LOOP) * RADIUS * u, y0 + (1 + LOOP) * RADIUS * v)
        else:
            bend = ((x0 + x1) / 2 + BEND * (y0 - y1), (y0 + y1) / 2 - BEND * (x0 - x1))
            line = bent(at[i], bend, at[j], RADIUS)
            _arrow(line, p, 11, ax)
            place = line[round(WORD_AT * (len(line) - 1))]
        if word:
            _word(ax, *place, word, 7, bbox={"boxstyle": "square,pad=0.1", "facecolor": PAPER, "edgecolor": "none"})


def _arrow(line: Sequence[Point], p: float, head: float, ax: "Axes") -> None:
    """A line with a head at its end, stronger the more probable."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    look: Any = {"linewidth": 0.6 + 1.9 * p, "alpha": 0.3 + 0.7 * p, "color": style.BLACK, "capstyle": "butt"}
    ax.add_patch(FancyArrowPatch(path=Path(line), arrowstyle="-|>", mutation_scale=head, joinstyle="miter", **look))


def _word(ax: "Axes", x: float, y: float, word: str, size: float, **look: Any) -> None:
    ax.text(x, y, word, ha="center", va="center", fontsize=size, zorder=3, **look)


def _matrix(data: ModelGraph, ax: "Axes") -> "Axes":
    image = ax.imshow(data.Q, cmap=style.COLOR_MAP, origin="lower", interpolation="nearest", vmin=0.0)
    assert ax.figure is not None
    ax.figure.colorbar(image, ax=ax, label="probability", fraction=0.046, pad=0.03)
    n = len(data.v)
    style.mark_values(data.v, ax)
    shown = "all" if n == data.n_states else f"{n} of {data.n_states}"
    ax.set_xlabel(f"value of the next state ({shown} states, equally spaced by rank)")
    ax.set_ylabel("value of the state")
    ax.set_title("Where the policy goes from each state")
    return ax
