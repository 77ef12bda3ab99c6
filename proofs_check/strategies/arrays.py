"""Features, data weights and partitions of a given number of pairs."""

import numpy as np
from flint import fmpq
from hypothesis import strategies as st

from proofs_check.strategies.wanted import LARGEST_WEIGHT
from proofs_check.strategies.words import sequences
from tabular_krope.arrays import Array, require_count
from tabular_krope.metrics.partition import Partition

#: Entries of features, simplest first. A large one makes value learning unstable sooner than many that are alike.
ENTRIES = (0, 1, -1, 2, -2, 3, -3, 10, -10)


def features(n_pairs: int, max_columns: int | None = None) -> st.SearchStrategy[Array]:
    """Features whose entries are small integers and tens, [n_pairs, d]; of any rank, zero included.

    Args:
        n_pairs: number of rows.
        max_columns: largest d; n_pairs if None.

    >>> from hypothesis import find
    >>> find(features(2), lambda phi: np.linalg.matrix_rank(phi) == 2).shape
    (2, 2)
    """
    X = require_count(n_pairs, "n_pairs")
    most = X if max_columns is None else require_count(max_columns, "max_columns")
    return _columns(X, most).map(lambda columns: np.array(columns, dtype=np.float64).T)


@st.composite
def _columns(draw: st.DrawFn, X: int, most: int) -> list[list[int]]:
    """Between one and ``most`` columns, each drawn for itself: one can be taken away as a whole."""
    column = sequences(ENTRIES, X, repeats=True)
    return [draw(column) for _ in range(1 + draw(st.integers(0, most - 1)))]


def weights(n_pairs: int, positive: bool = False) -> st.SearchStrategy[Array]:
    """Data distributions over pairs, [n_pairs], with sum 1; they may vanish on pairs unless ``positive``.

    >>> from hypothesis import find
    >>> find(weights(3), lambda D: True), find(weights(2, positive=True), lambda D: True)
    (array([1., 0., 0.]), array([0.5, 0.5]))
    """
    return rational_weights(n_pairs, positive).map(lambda D: np.array([int(p.p) / int(p.q) for p in D]))


def rational_weights(n_pairs: int, positive: bool = False) -> st.SearchStrategy[tuple[fmpq, ...]]:
    """`weights` as rationals.

    >>> from hypothesis import find
    >>> find(rational_weights(2), lambda D: 0 < D[0] < 1)
    (1/2, 1/2)
    """
    X = require_count(n_pairs, "n_pairs")
    least = int(positive)
    return sequences(range(least, LARGEST_WEIGHT + 1), X).map(_shares)


def _shares(parts: list[int]) -> tuple[fmpq, ...]:
    kept = parts if any(parts) else [1, *parts[1:]]
    return tuple(fmpq(part, sum(kept)) for part in kept)


def partitions(n: int) -> st.SearchStrategy[Partition]:
    """Partitions of ``n`` elements; shrink toward one block.

    >>> from hypothesis import find
    >>> find(partitions(3), lambda partition: len(partition) == 1).blocks
    ((0, 1, 2),)
    """
    n = require_count(n, "n")
    return sequences(range(n), n).map(lambda labels: Partition(np.array(labels)))
