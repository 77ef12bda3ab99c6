"""Features, data weights and partitions of a given number of pairs."""

import numpy as np
from flint import fmpq
from hypothesis import strategies as st

from proofs_check.strategies.wanted import LARGEST_NUMBER, LARGEST_WEIGHT
from tabular_krope.arrays import Array, require_count
from tabular_krope.metrics.partition import Partition


def features(n_pairs: int, max_columns: int | None = None) -> st.SearchStrategy[Array]:
    """Features with small integer entries, [n_pairs, d]; of any rank, zero included.

    Args:
        n_pairs: number of rows.
        max_columns: largest d; n_pairs if None.

    >>> from hypothesis import find
    >>> find(features(2), lambda phi: np.linalg.matrix_rank(phi) == 2).shape
    (2, 2)
    """
    X = require_count(n_pairs, "n_pairs")
    most = X if max_columns is None else require_count(max_columns, "max_columns")
    entries = st.integers(-LARGEST_NUMBER, LARGEST_NUMBER)
    return st.integers(1, most).flatmap(
        lambda d: led_by(entries, X * d).map(lambda drawn: np.array(drawn, dtype=np.float64).reshape(X, d))
    )


@st.composite
def led_by(draw: st.DrawFn, entries: st.SearchStrategy[int], n: int, rest: int = 0) -> tuple[int, ...]:
    """``n`` entries, of which often only the first few are drawn and the others are ``rest``.

    So what was drawn of a model with more pairs still has its meaning when one of them is taken away.

    >>> from hypothesis import find
    >>> find(led_by(st.integers(0, 3), 4), lambda drawn: sum(drawn) > 3)
    (1, 3, 0, 0)
    """
    length = min(n, draw(st.integers(0, 2 * n)))
    return (*(draw(entries) for _ in range(length)), *[rest] * (n - length))


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
    return led_by(st.integers(least, LARGEST_WEIGHT), X, least).map(_shares)


def _shares(parts: tuple[int, ...]) -> tuple[fmpq, ...]:
    kept = parts if any(parts) else (1, *parts[1:])
    return tuple(fmpq(part, sum(kept)) for part in kept)


def partitions(n: int) -> st.SearchStrategy[Partition]:
    """Partitions of ``n`` elements; shrink towards one block.

    >>> from hypothesis import find
    >>> find(partitions(3), lambda partition: len(partition) == 2).blocks
    ((0, 1), (2,))
    """
    n = require_count(n, "n")
    return st.lists(st.integers(0, n - 1), min_size=n, max_size=n).map(lambda labels: Partition(np.array(labels)))
