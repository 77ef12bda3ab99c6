"""Layered drawings of acyclic graphs: columns from left to right, few crossings, long edges led between the nodes.

Sugiyama's method: an edge that skips columns gets a joint in each, columns are sorted by the mean place of their
neighbors, and places are then moved toward those means without touching.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

#: Sweeps over the columns; small graphs settle in fewer.
SWEEPS = 12
#: Room that a joint takes, where a node takes 1.
JOINT_ROOM = 0.5

Edge = tuple[Hashable, Hashable]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things go.

    Attributes:
        column: of each node, from 0.
        place: of each node within its column, in units of a node's room, from 0 upwards.
        routes: for each edge the (column, place) of its joints, in order.
    """

    column: Mapping[Hashable, int]
    place: Mapping[Hashable, float]
    routes: Mapping[Edge, tuple[tuple[int, float], ...]]

    @property
    def columns(self) -> int:
        """Number of columns."""
        return 1 + max(self.column.values(), default=-1)

    @property
    def height(self) -> float:
        """Largest place of a node or joint."""
        joints = [place for route in self.routes.values() for _, place in route]
        return max([*self.place.values(), *joints], default=0.0)


def layered_layout(column: Mapping[Any, int], edges: Sequence[tuple[Any, Any]]) -> Layout:
    """A layout with the given columns.

    Args:
        column: of each node; every edge goes from a lower one to a higher one.
        edges: pairs of nodes.

    >>> layout = layered_layout({"a": 0, "b": 1, "c": 2}, [("a", "b"), ("b", "c"), ("a", "c")])
    >>> layout.column["c"], len(layout.routes["a", "c"])
    (2, 1)
    """
    levels: list[list[Hashable]] = [[] for _ in range(1 + max(column.values(), default=-1))]
    for node, at in column.items():
        levels[at].append(node)
    neighbors: dict[Hashable, list[Hashable]] = {node: [] for node in column}
    joints: dict[Edge, list[Hashable]] = {}
    for edge in edges:
        between: list[Hashable] = [("joint", edge, k) for k in range(column[edge[0]] + 1, column[edge[1]])]
        joints[edge] = between
        for k, joint in enumerate(between, column[edge[0]] + 1):
            levels[k].append(joint)
            neighbors[joint] = []
        path = [edge[0], *between, edge[1]]
        for a, b in pairwise(path):
            neighbors[a].append(b)
            neighbors[b].append(a)
    room = {node: 1.0 if node in column else JOINT_ROOM for node in neighbors}
    place = _places(levels, neighbors, room)
    routes = {
        edge: tuple((column[edge[0]] + 1 + k, place[joint]) for k, joint in enumerate(between))
        for edge, between in joints.items()
    }
    return Layout(dict(column), {node: place[node] for node in column}, routes)


def _places(
    levels: list[list[Hashable]], neighbors: Mapping[Hashable, list[Hashable]], room: Mapping[Hashable, float]
) -> dict[Hashable, float]:
    level_of = {node: k for k, level in enumerate(levels) for node in level}
    place = {node: float(i) for level in levels for i, node in enumerate(level)}
    for sweep in range(2 * SWEEPS):
        step = 1 if sweep % 2 == 0 else -1
        for level in levels[::step]:
            wanted = {}
            for node in level:
                behind = [place[n] for n in neighbors[node] if (level_of[node] - level_of[n]) * step > 0]
                ahead = behind if sweep < SWEEPS else [place[n] for n in neighbors[node]]
                wanted[node] = sum(ahead) / len(ahead) if ahead else place[node]
            if sweep < SWEEPS:  # the order settles first, then the places
                level.sort(key=wanted.__getitem__)
            place.update(_spread(level, wanted, room))
    lowest = min(place.values(), default=0.0)
    return {node: at - lowest for node, at in place.items()}


def _spread(
    level: list[Hashable], wanted: Mapping[Hashable, float], room: Mapping[Hashable, float]
) -> dict[Hashable, float]:
    """Places in the order of ``level`` that do not touch, near the wanted ones: touching runs share their mean."""
    runs: list[tuple[list[Hashable], float, float]] = []  # nodes, start of the run, its length
    for node in level:
        runs.append(([node], wanted[node] - room[node] / 2, room[node]))
        while len(runs) > 1 and runs[-2][1] + runs[-2][2] > runs[-1][1] - 1e-12:
            nodes, start, length = runs.pop()
            before, first, earlier = runs.pop()
            size = len(before) + len(nodes)
            start = (first * len(before) + (start - earlier) * len(nodes)) / size
            runs.append(([*before, *nodes], start, earlier + length))
    out = {}
    for nodes, start, _ in runs:
        for node in nodes:
            out[node] = start + room[node] / 2
            start += room[node]
    return out
