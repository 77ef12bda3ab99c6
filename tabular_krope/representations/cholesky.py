"""Pivoted Cholesky: features from a few rows of the kernel, greedily chosen."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tabular_krope.arrays import Array, distribution, require_count
from tabular_krope.errors import DimensionError
from tabular_krope.kernels.kernel import Kernel, require_kernel


@dataclass(frozen=True, slots=True, eq=False)
class CholeskyFeatures:
    """A partial factor ``Phi`` with ``K - Phi Phi'`` positive semidefinite.

    Attributes:
        matrix: [X, d].
        pivots: the pairs chosen, in order, [d]; ``K - Phi Phi'`` vanishes on their rows.
        remaining: diagonal of ``K - Phi Phi'``, [X]; its largest entry bounds every entry of the difference.
    """

    matrix: Array
    pivots: Array
    remaining: Array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.matrix, dtype=dtype) if copy else np.asarray(self.matrix, dtype=dtype)


def pivoted_cholesky(K: Kernel, d: int | None = None, weights: Any = None) -> CholeskyFeatures:
    """Features from ``d`` steps of Cholesky with the largest weighted remaining diagonal as pivot.

    Needs ``d`` rows of the kernel and its diagonal, never the whole matrix.

    Args:
        K: a KROPE kernel.
        d: number of steps; until the remainder is rounding if None.
        weights: data distribution that chooses the pivots, [X]; uniform if None.

    Returns:
        The partial factor, its pivots and the remaining diagonal.

    >>> from tabular_krope.kernels.krope import krope_kernel
    >>> from tabular_krope.models.mrp import MRP
    >>> K = krope_kernel(MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.5))
    >>> pivoted_cholesky(K, 1).remaining
    array([0., 2.])
    """
    require_kernel(K)
    X = K.mrp.n_pairs
    D = distribution(weights, X)
    most = X if d is None else require_count(d, "d")
    remaining = K.diagonal().copy()
    floor = X * np.finfo(np.float64).eps * float(remaining.max())
    Phi = np.zeros((X, min(most, X)))
    pivots: list[int] = []
    for k in range(min(most, X)):
        p = int(np.argmax(np.where(remaining > floor, D * remaining, 0.0)))
        if not (remaining[p] > floor and D[p] > 0):
            break
        column = (K.rows(p) - Phi[:, :k] @ Phi[p, :k]) / np.sqrt(remaining[p])
        Phi[:, k] = column
        remaining = np.maximum(remaining - column**2, 0.0)
        remaining[p] = 0.0
        pivots.append(p)
    if d is not None and len(pivots) < d:
        raise DimensionError(f"be at most the rank {len(pivots)} of the weighted kernel; got {d}")
    return CholeskyFeatures(Phi[:, : len(pivots)], np.array(pivots), remaining)
