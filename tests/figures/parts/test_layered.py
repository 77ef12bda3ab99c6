import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from figures.parts.layered import JOINT_ROOM, _spread, layered_layout


def crossings(layout, edges):
    """Pairs of segments between the same two columns whose ends change sides."""
    segments = []
    for a, b in edges:
        stops = [(layout.column[a], layout.place[a]), *layout.routes[a, b], (layout.column[b], layout.place[b])]
        segments += [(k, p, q) for (k, p), (_, q) in itertools.pairwise(stops)]
    return sum(k == m and (p - s) * (q - t) < -1e-9 for (k, p, q), (m, s, t) in itertools.combinations(segments, 2))


def test_a_path_is_a_straight_line():
    layout = layered_layout({"a": 0, "b": 1, "c": 2}, [("a", "b"), ("b", "c")])
    assert layout.columns == 3
    assert layout.height == 0
    assert set(layout.place.values()) == {0.0}


def test_two_paths_do_not_cross():
    column = {"a": 0, "b": 0, "c": 1, "d": 1}
    edges = [("a", "d"), ("b", "c")]
    assert crossings(layered_layout(column, edges), edges) == 0


def test_an_edge_over_a_column_goes_around_its_node():
    column = {"a": 0, "b": 1, "c": 2}
    layout = layered_layout(column, [("a", "b"), ("b", "c"), ("a", "c")])
    ((at, place),) = layout.routes["a", "c"]
    assert at == 1
    assert abs(place - layout.place["b"]) >= (1 + JOINT_ROOM) / 2 - 1e-9


def test_those_who_want_one_place_stand_around_it():
    room = dict.fromkeys("abcd", 1.0)
    assert _spread(["a", "b"], {"a": 5.0, "b": 5.0}, room) == {"a": 4.5, "b": 5.5}
    assert _spread(["a", "b", "c"], dict.fromkeys("abc", 5.0), room) == {"a": 4.0, "b": 5.0, "c": 6.0}
    assert _spread(["a", "d"], {"a": 0.0, "d": 9.0}, room) == {"a": 0.0, "d": 9.0}


def test_nothing_at_all():
    layout = layered_layout({}, [])
    assert (layout.columns, layout.height) == (0, 0.0)


@st.composite
def graphs(draw):
    column = {k: draw(st.integers(0, 3)) for k in range(draw(st.integers(1, 9)))}
    pairs = [(a, b) for a in column for b in column if column[a] < column[b]]
    return column, draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []


@given(graphs())
def test_nodes_and_joints_keep_their_distance(graph):
    column, edges = graph
    layout = layered_layout(column, edges)
    stops = [(layout.column[node], layout.place[node], 1.0) for node in column]
    stops += [(k, place, JOINT_ROOM) for route in layout.routes.values() for k, place in route]
    for (k, p, room), (m, q, other) in itertools.combinations(stops, 2):
        if k == m:
            assert abs(p - q) >= (room + other) / 2 - 1e-6
    assert min(place for _, place, _ in stops) == pytest.approx(0)
    assert layout.height == max(place for _, place, _ in stops)
    for (a, b), route in layout.routes.items():
        assert [k for k, _ in route] == list(range(column[a] + 1, column[b]))
