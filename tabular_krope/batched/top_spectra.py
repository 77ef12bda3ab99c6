r"""The largest eigenpairs of many small symmetric matrices, where a few of them are wanted.

A full eigendecomposition spends most of its time on eigenvectors that nobody asks for. Here each matrix is made
tridiagonal, $W = Q T Q^\top$; all eigenvalues of ``T`` are computed without vectors, the wanted vectors by inverse
iteration (orthogonalized within clusters), and those alone are mapped back by the reflectors of ``Q``: LAPACK's
``sytrd``, ``sterf``, ``stein`` and ``ormqr``. Pairs are measured, $W V - V \Lambda$ and $V^\top V - I$, and matrices
whose pairs are off by more than rounding are decomposed in full.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dormqr, dstein, dsterf, dsytrd

from tabular_krope.arrays import Array
from tabular_krope.kernels.stein import EPS

#: Orders from which on, and shares of the pairs up to which, the wanted pairs alone are faster than all.
SMALLEST, SHARE = 24, 0.25
#: Length of LAPACK's work array for each column that is mapped back.
BLOCK = 64


def top_spectra(W: Array, d: int) -> tuple[Array, Array]:
    """The ``d`` largest eigenvalues, decreasing, and their eigenvectors, [n, d] and [n, X, d].

    Args:
        W: symmetric matrices, [n, X, X].
        d: how many, at most X.

    >>> values, vectors = top_spectra(np.diag([1.0, 3.0, 2.0])[None], 2)
    >>> values, np.abs(vectors)[0].tolist()
    (array([[3., 2.]]), [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    """
    X = W.shape[1]
    if X < SMALLEST or not 0 < d <= SHARE * X:
        return _from_all(W, d)
    values, vectors = np.empty((len(W), d)), np.empty((len(W), X, d))
    blocks, ends = np.ones(X, np.int32), np.full(X, X, np.int32)  # as one block, whatever T splits into
    for k, matrix in enumerate(W):
        reflectors, diagonal, beside, scales, _ = dsytrd(matrix.T, lower=1)
        wanted = dsterf(diagonal, beside)[0][-d:]
        inside = dstein(diagonal, beside, wanted, blocks, ends)[0]
        values[k], vectors[k, 0] = wanted, inside[0]
        vectors[k, 1:] = dormqr("L", "N", reflectors[1:, :-1], scales, inside[1:], BLOCK * d)[0]
    if len(wrong := np.flatnonzero(~_holds(W, values, vectors))):
        values[wrong], vectors[wrong] = (part[..., ::-1] for part in _from_all(W[wrong], d))
    return values[:, ::-1], vectors[:, :, ::-1]


def _from_all(W: Array, d: int) -> tuple[Array, Array]:
    values, vectors = np.linalg.eigh(W)
    return values[:, ::-1][:, :d], vectors[:, :, ::-1][:, :, :d]


def _holds(W: Array, values: Array, vectors: Array) -> NDArray[np.bool_]:
    """Whether the pairs are eigenpairs and orthonormal up to rounding, [n]."""
    X, d = vectors.shape[1:]
    size = np.abs(values).max(axis=1)
    off = np.abs(W @ vectors - vectors * values[:, None, :]).max(axis=(1, 2))
    apart = np.abs(vectors.transpose(0, 2, 1) @ vectors - np.eye(d)).max(axis=(1, 2))
    return np.asarray((off <= 2 * X * EPS * size) & (apart <= 2 * X * EPS))
