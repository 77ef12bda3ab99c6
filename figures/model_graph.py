"""The chain of states under the policy: a graph when it is small, its transition matrix otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from figures import style
from tabular_krope.arrays import Array, dense
from tabular_krope.models.mrp import MRP

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: States up to which the graph is drawn.
GRAPH_STATES = 12
#: Transitions up to which each carries its probability.
LABELLED_EDGES = 30
#: States of the matrix shown at most, evenly spaced in the order of values.
MOST_STATES = 600


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
    """Nodes coloured by value and arrows by probability; or the matrix of transitions."""
    return _graph(data, ax) if data.n_states <= GRAPH_STATES else _matrix(data, ax)


def _graph(data: ModelGraph, ax: "Axes") -> "Axes":
    import networkx as nx
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    graph = nx.DiGraph()
    graph.add_nodes_from(data.states)
    for i, j in np.argwhere(data.Q > 0):
        graph.add_edge(data.states[i], data.states[j], p=float(data.Q[i, j]))
    for i in np.flatnonzero(data.end > 0):
        graph.add_edge(data.states[i], "end", p=float(data.end[i]))
    at = nx.circular_layout(graph)
    low, high = float(data.v.min()), float(data.v.max())
    norm = Normalize(low, high) if low < high else Normalize(low - 1, high + 1)
    colours = ScalarMappable(norm, style.COLOUR_MAP)
    shades = colours.to_rgba(data.v)
    nx.draw_networkx_nodes(graph, at, nodelist=data.states, node_color=shades, node_size=620, edgecolors="black", ax=ax)
    if "end" in graph:
        nx.draw_networkx_nodes(
            graph, at, nodelist=["end"], node_color="white", node_size=620, node_shape="s", edgecolors="black", ax=ax
        )
        nx.draw_networkx_labels(graph, at, {"end": "end"}, font_size=9, ax=ax)
    for node, name, shade in zip(data.states, data.names, shades, strict=True):
        dark = 0.299 * shade[0] + 0.587 * shade[1] + 0.114 * shade[2] < 0.5
        ink = "white" if dark else "black"
        nx.draw_networkx_labels(graph, at, {node: name}, font_size=9 if len(name) < 4 else 7, font_color=ink, ax=ax)
    _edges(graph, at, ax)
    assert ax.figure is not None
    ax.figure.colorbar(colours, ax=ax, label="value $v(s)$", fraction=0.046, pad=0.03)
    ax.set_title("Transitions of states under the policy")
    ax.set_xlim(-1.25, 1.25)
    ax.set_ylim(-1.25, 1.45)  # loops stand on top of their nodes
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax


def _edges(graph: Any, at: Any, ax: "Axes") -> None:
    import networkx as nx

    edges = list(graph.edges(data="p"))
    loops = [(i, j, p) for i, j, p in edges if i == j]
    arrows = [(i, j, p) for i, j, p in edges if i != j]
    bend = "arc3,rad=0.14"
    for group in (arrows, loops):
        nx.draw_networkx_edges(
            graph,
            at,
            edgelist=[(i, j) for i, j, _ in group],
            width=[0.5 + 2.0 * p for *_, p in group],
            alpha=[0.25 + 0.75 * p for *_, p in group],
            edge_color=style.BLACK,
            arrowsize=11,
            node_size=620,
            connectionstyle=bend,
            ax=ax,
        )
    if len(edges) <= LABELLED_EDGES:
        labels = {(i, j): f"{p:.2g}" for i, j, p in edges}
        nx.draw_networkx_edge_labels(
            graph, at, labels, connectionstyle=bend, font_size=7, label_pos=0.35, rotate=False, ax=ax
        )


def _matrix(data: ModelGraph, ax: "Axes") -> "Axes":
    image = ax.imshow(data.Q, cmap=style.COLOUR_MAP, origin="lower", interpolation="nearest", vmin=0.0)
    assert ax.figure is not None
    ax.figure.colorbar(image, ax=ax, label="probability", fraction=0.046, pad=0.03)
    n = len(data.v)
    style.mark_values(data.v, ax)
    shown = "all" if n == data.n_states else f"{n} of {data.n_states}"
    ax.set_xlabel(f"value of the next state ({shown} states, equally spaced by rank)")
    ax.set_ylabel("value of the state")
    ax.set_title("Transitions of states under the policy")
    return ax
