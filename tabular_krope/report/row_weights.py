"""Weights of cells of rows under which LSPE is stable, by the semidefinite program of `stabilizing_weights`."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.vq import kmeans2

from tabular_krope.arrays import Array
from tabular_krope.data.offline import OfflineProblem
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.value_estimate import ValueEstimate
from tabular_krope.report.cures import Cure, tried
from tabular_krope.report.row_stability import RowFacts

#: Features and cells up to which the program is solved: seconds, not minutes.
MOST_FEATURES, MOST_CELLS = 30, 60
#: Rows times features up to which equal rows are looked for.
MOST_COMPARED = 2_000_000
#: Least weight of a cell, as a share of an equal one: no data are thrown away.
LEAST = 0.01


def data_weights(p: OfflineProblem, facts: RowFacts, before: ValueEstimate, **how: Any) -> Cure:
    """The cure "data weights": found, or why not."""
    name = "data weights"
    if facts.rank > MOST_FEATURES:
        return Cure(name, False, f"not searched for with more than {MOST_FEATURES} features")
    Q, Q_next = p.Phi @ facts.E, p.gamma * (p.Phi_next @ facts.E)
    cell, many = _cells(Q)
    size = np.bincount(cell, minlength=many).astype(float)
    try:
        weights = _program(Q, Q_next, cell, size)
    except KropeError as error:
        return Cure(name, False, str(error))
    D = (weights / size)[cell]
    ratio = float(D.max() / D.min())
    words = f"weights on {many} groups of like transitions, up to {ratio:.3g} : 1"
    return tried(name, words, p, before, D / D.sum(), **how)


def _cells(Q: Array) -> tuple[NDArray[np.int64], int]:
    """Number of the cell of each row: rows with the same features, or clusters where there are too many of those."""
    if Q.size <= MOST_COMPARED:
        found, cell = np.unique(Q.round(9), axis=0, return_inverse=True)
        if len(found) <= MOST_CELLS:
            return cell.reshape(-1).astype(np.int64), len(found)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an empty cluster is no matter: it is left out
        _, cluster = kmeans2(Q, min(MOST_CELLS, len(Q)), iter=10, minit="points", rng=np.random.default_rng(0))
    _, numbered = np.unique(cluster, return_inverse=True)
    return numbered.astype(np.int64), int(numbered.max()) + 1


def _program(Q: Array, Q_next: Array, cell: NDArray[np.int64], size: Array) -> Array:
    import cvxpy as cp

    k, many = Q.shape[1], len(size)
    blocks = []
    for c in range(many):
        rows = cell == c
        B, C = Q[rows].T @ Q[rows] / size[c], Q[rows].T @ Q_next[rows] / size[c]
        blocks.append(np.block([[B, C.T], [C, B]]).reshape(-1))
    w, room = cp.Variable(many), cp.Variable()
    block = cp.reshape(np.array(blocks).T @ w, (2 * k, 2 * k), order="C")
    constraints = [w >= LEAST / many, cp.sum(w) == 1, (block + block.T) / 2 - room * np.eye(2 * k) >> 0]
    problem = cp.Problem(cp.Maximize(room), constraints)
    try:
        problem.solve(solver=cp.CLARABEL)
    except cp.SolverError as error:
        raise KropeError(f"the search for weights must end; got {error}") from None
    if w.value is None or not float(room.value) > 0:
        raise KropeError("no weights make these features stable by the matrix inequality")
    found = np.maximum(w.value, LEAST / many)
    return np.asarray(found / found.sum())
