"""Features by name, or given: what LSPE is run on."""

from typing import Any

import numpy as np

from tabular_krope.arrays import Array, frozen_array, require_count
from tabular_krope.errors import DimensionError, KropeError, unknown_name
from tabular_krope.kernels.kernel import Kernel
from tabular_krope.representations.cholesky import pivoted_cholesky
from tabular_krope.representations.comparators import COMPARATORS, comparator_features
from tabular_krope.representations.features import features

FEATURES = ("krope", "cholesky", *COMPARATORS)


def chosen_features(K: Kernel, kind: Any = "krope", d: int | None = None, weights: Any = None, seed: Any = 0) -> Array:
    """Features of the pairs of ``K``.

    Args:
        K: a KROPE kernel.
        kind: "krope" or "cholesky" (from the kernel), "one-hot", "random", "successor" or "eigen" (from the chain), or
            an array [X, p] whose first ``d`` columns are taken.
        d: number of features; if None as many as there are (the rank of the weighted kernel, X, or p).
        weights: data distribution over pairs, [X]; uniform if None. "krope" and "cholesky" depend on it.
        seed: an integer or a numpy Generator; "random" depends on it.

    Returns:
        [X, d].

    >>> from tabular_krope.kernels.krope import krope_kernel
    >>> from tabular_krope.models.mrp import MRP
    >>> K = krope_kernel(MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.5))
    >>> chosen_features(K, [[1.0, 2.0], [3.0, 4.0]], d=1)
    array([[1.],
           [3.]])
    """
    X = K.mrp.n_pairs
    if not isinstance(kind, str):
        return _first_columns(frozen_array(kind, "features", (X, None)), d)
    if kind == "krope":
        return features(K, d, weights).matrix
    if kind == "cholesky":
        return pivoted_cholesky(K, d, weights).matrix
    if kind not in COMPARATORS:
        raise unknown_name("features", kind, FEATURES)
    return comparator_features(K.mrp, kind, X if d is None else d, seed)


def _first_columns(Phi: Array, d: int | None) -> Array:
    columns = Phi.shape[1]
    if columns == 0:
        raise KropeError(f"features must have at least one column; got shape {Phi.shape}")
    if d is None:
        return Phi
    if require_count(d, "d") > columns:
        raise DimensionError(f"be at most the number of given features {columns}; got {d}")
    return np.ascontiguousarray(Phi[:, :d])
