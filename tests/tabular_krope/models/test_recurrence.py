import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from tabular_krope.models.recurrence import recurrent_classes, states_that_never_end
from tests.cases import all_mrps

CHAINS = all_mrps()


def stored_zero():
    """[[1/2, 1/2], [0, 1]] with the zero stored: it is no edge."""
    return sparse.csr_array((np.array([0.5, 0.5, 0.0, 1.0]), np.array([0, 1, 0, 1]), np.array([0, 2, 4])), shape=(2, 2))


def test_by_hand_a_stored_zero_is_no_edge():
    assert [c.tolist() for c in recurrent_classes(stored_zero())] == [[1]]
    assert states_that_never_end(stored_zero(), np.array([1.0, 0.0])).tolist() == [1]


def test_a_component_that_ends_is_not_recurrent():
    swap = np.array([[0.0, 1.0, 0.0], [0.9, 0.0, 0.0], [0.0, 0.0, 1.0]])
    assert [c.tolist() for c in recurrent_classes(swap)] == [[2]]


def test_the_smallest_leak_opens_a_class():
    leak = np.array([[1 - 1e-12, 1e-12], [0.0, 1.0]])
    assert [c.tolist() for c in recurrent_classes(leak)] == [[1]]


def test_a_long_corridor():
    n = 200
    Q = sparse.csr_array((np.ones(n - 1), (np.arange(n - 1), np.arange(1, n))), shape=(n, n))
    end = np.zeros(n)
    end[-1] = 1.0
    assert states_that_never_end(Q, end).size == 0
    end[-1], end[n // 2] = 0.0, 0.5
    assert states_that_never_end(Q, end).tolist() == list(range(n // 2 + 1, n))


@pytest.mark.parametrize("name", CHAINS)
def test_against_networkx(name):
    mrp = CHAINS[name]
    Q = sparse.csr_array(mrp.Q).toarray()
    end = mrp.Pi @ mrp.end
    graph = nx.DiGraph((i, j) for i, j in np.argwhere(Q > 0).tolist())
    graph.add_nodes_from(range(mrp.n_states))
    closed = [sorted(c) for c in nx.attracting_components(graph) if not end[list(c)].any()]
    assert [c.tolist() for c in recurrent_classes(mrp.Q)] == sorted(closed)
    never = [s for s in graph if not any(end[t] > 0 for t in nx.descendants(graph, s) | {s})]
    assert states_that_never_end(mrp.Q, end).tolist() == sorted(never)
