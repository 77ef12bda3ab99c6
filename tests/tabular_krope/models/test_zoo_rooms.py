import networkx as nx
import numpy as np
import pytest

from tabular_krope.errors import KropeError
from tabular_krope.models.optimal import optimal_policy, optimal_values
from tabular_krope.models.zoo import zoo
from tabular_krope.models.zoo_rooms import WALLS

EPS = np.finfo(float).eps


def grid():
    cells = {(i, j) for i in range(13) for j in range(13) if WALLS[i][j] == "."}
    graph = nx.Graph()
    graph.add_nodes_from(cells)
    graph.add_edges_from((c, n) for c in cells for n in ((c[0] + 1, c[1]), (c[0], c[1] + 1)) if n in cells)
    return graph


def test_there_are_104_cells_and_four_doors():
    graph = grid()
    assert len(graph) == 104
    doors = [(3, 6), (6, 2), (7, 9), (10, 6)]
    graph.remove_nodes_from(doors)
    assert sorted(map(len, nx.connected_components(graph))) == [20, 25, 25, 30]


def test_without_slipping_values_are_powers_of_gamma():
    model = zoo("four-rooms", slip=0.0)
    steps = nx.single_source_shortest_path_length(grid(), (7, 9))
    cells = [tuple(map(int, label.split(","))) for label in model.labels]
    assert len(cells) == model.model.n_states == 103
    np.testing.assert_allclose(optimal_values(model.model), [0.9 ** (steps[c] - 1) for c in cells], rtol=1e3 * EPS)


def test_the_optimal_policy_walks_through_the_doors():
    model = zoo("four-rooms", gamma=1.0, slip=0.0)
    actions = optimal_policy(model.model).probs.argmax(axis=1)
    at = {label: s for s, label in enumerate(model.labels)}
    assert (actions[at["6,9"]], actions[at["8,9"]]) == (1, 0)  # down into the goal, up into it
    assert model.model.end[at["6,9"]].tolist() == [0.0, 1.0, 0.0, 0.0]


def test_slipping_and_bumping():
    mdp = zoo("four-rooms").model
    np.testing.assert_allclose(mdp.P[0, 0, 0], 2 / 3 + 1 / 9, rtol=4 * EPS)  # up and left from the corner both bump
    np.testing.assert_allclose(mdp.P[0, 3, [0, 1]], [2 / 9, 2 / 3], rtol=4 * EPS)
    assert np.array_equal(mdp.r, mdp.end)


def test_bad_parameters():
    with pytest.raises(KropeError, match=r"goal must be a free cell \(row, column\) such as \(7, 9\); got \(0, 0\)"):
        zoo("four-rooms", goal=(0, 0))
    with pytest.raises(KropeError, match=r"slip must lie in \[0, 1\]; got -1"):
        zoo("four-rooms", slip=-1)
