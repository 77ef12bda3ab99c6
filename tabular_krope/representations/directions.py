"""The directions of weighted features that are not null: a singular value decomposition, for weights of any sizes."""

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array
from tabular_krope.representations.layers import eliminated, graded, graded_svd

#: Relative size of the singular values of ``D^1/2 G`` below which a direction counts as null.
NULL = float(np.sqrt(np.finfo(np.float64).eps))


def weighted_directions(G: Array, root: Array, null: float = NULL) -> tuple[Array, Array, Array]:
    """Singular triples of ``D^1/2 G`` that are not null, values decreasing: [X, rank], [rank], [m, rank].

    >>> weighted_directions(np.eye(2), np.array([1e-100, 1.0]))[1]
    array([1.e+000, 1.e-100])
    """
    if graded(root):
        seen = root > 0
        layers = eliminated(G[seen], root[seen], null)
        Y, sigma, V = graded_svd(layers.weighted())
        U = np.zeros((len(G), layers.rank))
        U[seen] = layers.orthonormal() @ Y
        return U, sigma, V
    U, sigma, Vt = scipy.linalg.svd(root[:, None] * G, full_matrices=False, check_finite=False)
    rank = int(np.sum(sigma > null * sigma[0]))
    return U[:, :rank], sigma[:rank], Vt[:rank].T
