r"""LSPE's stability on given features by three solvers, and on KROPE features for every ``d``.

KROPE features are nested, and their covariance under the weights they were made for is diagonal. So the iteration
matrix of the first ``d`` is the leading d-by-d block of the full one: the whole sweep costs one LSPE and the spectra of
its blocks.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array
from tabular_krope.evaluation.lspe import lspe_with_caveat
from tabular_krope.models.mrp import MRP
from tabular_krope.representations.features import Features

#: How LSPE is computed: solver and arithmetic. The first is the one to believe.
ROUTES = (("svd", "float64"), ("covariance", "float64"), ("covariance", "float32"))
#: Features up to which a sweep goes.
MOST_SWEPT = 400
#: A sweep has at most this many points; up to as many features, every ``d``.
SWEEP_POINTS = 40


@dataclass(frozen=True, slots=True, eq=False)
class Stability:
    """LSPE by one solver.

    Attributes:
        solver, dtype: how it was computed.
        spectral_radius, norm, stable: of the iteration matrix ``L``.
        rank: numerical rank of ``D^1/2 Phi``.
        condition: condition number of the matrix that this solver inverts: ``D^1/2 Phi``, or the covariance, whose
            condition number is the square.
        q_hat: the fixed point's action values, [X].
        caveat: what float64 does not determine of it, in words; empty if nothing.
    """

    solver: str
    dtype: str
    spectral_radius: float
    norm: float
    stable: bool
    rank: int
    condition: float
    q_hat: Array
    caveat: str = ""


def stability_by_route(mrp: MRP, phi: Any, weights: Any = None) -> tuple[Stability, ...]:
    """LSPE on ``phi`` by each of `ROUTES`.

    >>> mrp = MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], gamma=0.9)
    >>> [round(s.spectral_radius, 6) for s in stability_by_route(mrp, [[1.0], [2.0]], weights=[1.0, 0.0])]
    [1.8, 1.8, 1.8]
    """
    return tuple(_by_route(mrp, phi, weights, solver, dtype) for solver, dtype in ROUTES)


def _by_route(mrp: MRP, phi: Any, weights: Any, solver: str, dtype: str) -> Stability:
    out = lspe_with_caveat(mrp, phi, weights, solver=solver, dtype=dtype, steps=0)
    condition = out.condition if solver == "svd" else float(np.square(out.condition))
    numbers = (out.spectral_radius, out.norm, out.stable, out.rank, condition, out.q_hat)
    return Stability(solver, dtype, *numbers, out.caveat)


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """Stability of the top ``d`` KROPE features against ``d``.

    Attributes:
        d: numbers of features, increasing, [m].
        spectral_radius, norm: of LSPE's iteration matrix, [m].
        eigenvalues: of the weighted kernel, decreasing, one for each feature there is.
    """

    d: NDArray[np.int64]
    spectral_radius: Array
    norm: Array
    eigenvalues: Array


def sweep_dimensions(mrp: MRP, phi: Features, weights: Any = None) -> Sweep:
    """Stability of the first ``d`` columns of KROPE features made for ``weights``, for d up to `MOST_SWEPT`.

    >>> from tabular_krope.kernels.krope import krope_kernel
    >>> from tabular_krope.representations.features import features
    >>> mrp = MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.5)
    >>> sweep_dimensions(mrp, features(krope_kernel(mrp))).spectral_radius.round(12)
    array([0.5, 0.5])
    """
    most = min(phi.d, MOST_SWEPT)
    L = lspe_with_caveat(mrp, phi.matrix[:, :most], weights, steps=0).L
    sizes = sweep_sizes(most)
    radii = [float(np.abs(np.linalg.eigvals(L[:d, :d])).max()) for d in sizes]
    norms = [float(np.linalg.norm(L[:d, :d], 2)) for d in sizes]
    return Sweep(sizes, np.array(radii), np.array(norms), phi.eigenvalues)


def sweep_sizes(most: int) -> NDArray[np.int64]:
    """1 .. most, thinned to about `SWEEP_POINTS` values in geometric steps.

    >>> sweep_sizes(3), sweep_sizes(1000)[-2:]
    (array([1, 2, 3]), array([ 838, 1000]))
    """
    if most <= SWEEP_POINTS:
        return np.arange(1, most + 1)
    return np.unique(np.rint(np.geomspace(1, most, SWEEP_POINTS)).astype(np.int64))
