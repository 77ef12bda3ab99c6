"""Reachability in a chain: which states never end, which classes are recurrent."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from tabular_krope.arrays import SUM_TOLERANCE, Array, Matrix


def states_that_never_end(Q: Matrix, end: Array) -> NDArray[np.intp]:
    """States from which no state with ``end > 0`` can be reached, in order.

    The list is empty iff every episode surely ends: a finite chain ends with probability 1 from everywhere exactly when
    an end can be reached from everywhere.

    >>> states_that_never_end(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([0.0, 0.0]))
    array([0, 1])
    >>> states_that_never_end(np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([0.0, 1.0]))
    array([], dtype=int64)
    """
    leads_to = sparse.csr_array(Q).astype(bool).astype(float)
    reached = np.asarray(end) > 0
    frontier = reached.copy()
    while frontier.any():
        frontier = (leads_to @ frontier.astype(float) > 0) & ~reached
        reached |= frontier
    return np.flatnonzero(~reached)


def recurrent_classes(Q: Matrix) -> list[NDArray[np.intp]]:
    """Closed communicating classes of a chain: strongly connected, and no probability leaves (nor ends).

    >>> [c.tolist() for c in recurrent_classes(np.array([[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))]
    [[1], [2]]
    """
    graph = sparse.csr_array(Q, copy=True)
    graph.eliminate_zeros()  # a stored zero would count as an edge
    count, labels = connected_components(graph, directed=True, connection="strong")
    members = sparse.csr_array((np.ones(len(labels)), (labels, np.arange(len(labels)))), shape=(count, len(labels)))
    # Mass that stays inside its own component: a closed class keeps all of each member's unit of probability.
    rows = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
    inside = np.where(labels[rows] == labels[graph.indices], graph.data, 0.0)
    stays = np.bincount(rows, weights=inside, minlength=graph.shape[0])
    leaves = np.bincount(rows, weights=labels[rows] != labels[graph.indices], minlength=graph.shape[0])
    closed = (leaves == 0) & (np.abs(stays - 1.0) <= SUM_TOLERANCE)
    keep = (members @ closed.astype(float)) == (members @ np.ones(len(labels)))
    classes = [np.flatnonzero(labels == c) for c in np.flatnonzero(keep)]
    return sorted(classes, key=lambda c: int(c[0]))
