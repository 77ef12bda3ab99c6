"""Top-32 features of large Garnets against what they cannot do without: their products with sparse matrices.

A product with the kernel runs through ``t`` terms, each a product with ``Q`` and one with its transpose, which have as
many entries as ``P``, and through ``P`` and its transpose once. So ``k`` products take at least as long as
``k (2 t + 2)`` products ``P @ v`` of the same run, shared among the cores. The reward kernel, Lanczos and the set-up
come on top.
"""

import os
from typing import Any

import numpy as np

from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.kernels.matrix_free import MatrixFreeForm
from tabular_krope.kernels.threads import workers
from tabular_krope.kernels.trimming import trimmed
from tabular_krope.report.scaling import DIMENSION, PRODUCTS, measured, model
from tabular_krope.representations.features import allowed_gap

#: States at which the terms of the series are counted; they do not depend on the size.
COUNTED = 2000
FEATURES, UNIT = "top-32 features", "sparse P @ v"


def terms_taken(S: int = COUNTED) -> int:
    """Terms of the series that products for features take."""
    K = krope_kernel(model(S), "matrix-free")
    X = K.mrp.n_pairs
    root = np.full(X, X**-0.5)
    form = K._form
    assert isinstance(form, MatrixFreeForm), "the kernel that was asked for"
    return trimmed(form, root, allowed_gap(K, root, DIMENSION)).terms


def large_features(S: int, terms: int) -> dict[str, Any]:
    """Wall and CPU seconds, GB, products and bound (seconds on the wall) of the features of ``5 S`` pairs."""
    cores = _cores()
    found = measured(FEATURES, S, {"OMP_NUM_THREADS": str(cores), "OPENBLAS_NUM_THREADS": "1"})
    unit = measured(UNIT, S, {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})["seconds"] / PRODUCTS
    bound = found["products"] * (2 * terms + 2) * unit / cores
    return {name: found[name] for name in ("pairs", "products", "seconds", "wall")} | {
        "GB": found["bytes"] / 1e9,
        "bound": bound,
        "cores": cores,
    }


def growth(found: list[dict[str, Any]]) -> float:
    """The exponent of CPU seconds against pairs, from the smallest to the largest.

    >>> growth([{"pairs": 10, "seconds": 1.0}, {"pairs": 1000, "seconds": 100.0}])
    1.0
    """
    ends = found[0], found[-1]
    return round(
        float(np.log(ends[1]["seconds"] / ends[0]["seconds"]) / np.log(ends[1]["pairs"] / ends[0]["pairs"])), 12
    )


def agreement(S: int, probes: int = 4) -> float:
    """Largest difference of products with the matrix-free and the dense kernel, relative to the largest entry."""
    mrp = model(S)
    V = np.random.default_rng(0).standard_normal((mrp.n_pairs, probes))
    dense, free = (krope_kernel(mrp, method) @ V for method in ("reduced", "matrix-free"))
    return float(np.abs(free - dense).max() / np.abs(dense).max())


def _cores() -> int:
    """Cores that a process of its own has, whatever this one was told."""
    told = os.environ.pop("OMP_NUM_THREADS", None)
    try:
        return workers()
    finally:
        if told is not None:
            os.environ["OMP_NUM_THREADS"] = told
