r"""Reward kernels of stacked chains, and the spectra of kernels under data weights.

Eigenvalues come from the matrices themselves, hence are right to
``eps * lambda_1``; where smaller ones matter, the square-root factor of `tabular_krope.kernels.factor` is the tool.
"""

import numpy as np

from tabular_krope.arrays import Array


def reward_kernels(r: Array, R: Array | None = None) -> Array:
    """``1 - |r_i - r_j| / R``, [n, X, X]; all ones where ``R = 0``.

    Args:
        r: rewards, [n, X].
        R: divisors, [n]; each process's own range of rewards if None.

    >>> reward_kernels(np.array([[0.0, 1.0, 0.5], [2.0, 2.0, 2.0]]))[:, 0]
    array([[1. , 0. , 0.5],
           [1. , 1. , 1. ]])
    """
    divisor = (np.ptp(r, axis=1) if R is None else R)[:, None, None]
    return np.asarray(1 - np.abs(r[:, :, None] - r[:, None, :]) / np.where(divisor > 0, divisor, 1.0))


def weighted_spectra(K: Array, D: Array) -> tuple[Array, Array]:
    """Eigenvalues, decreasing, and eigenvectors of ``D^1/2 K D^1/2``, [n, X] and [n, X, X].

    >>> weighted_spectra(2 * np.eye(2)[None], np.array([[0.25, 0.75]]))[0]
    array([[1.5, 0.5]])
    """
    root = np.sqrt(D)
    values, vectors = np.linalg.eigh(root[:, :, None] * K * root[:, None, :])
    return values[:, ::-1], vectors[:, :, ::-1]


def krope_features(K: Array, D: Array) -> tuple[Array, Array]:
    r"""All features $\Phi = K D^{1/2} U \Lambda^{-1/2}$ and the eigenvalues, [n, X, X] and [n, X].

    The first ``d`` columns are the top ``d`` features. Columns of eigenvalues that are not positive are zero.

    >>> Phi, values = krope_features(2 * np.eye(2)[None], np.array([[0.25, 0.75]]))
    >>> np.abs(Phi @ Phi.transpose(0, 2, 1)).round(12), values
    (array([[[2., 0.],
            [0., 2.]]]), array([[1.5, 0.5]]))
    """
    values, U = weighted_spectra(K, D)
    sigma = np.sqrt(np.maximum(values, 0.0))[:, None, :]
    root = np.sqrt(D)[:, :, None]
    inverse = np.divide(1.0, sigma, out=np.zeros_like(sigma), where=sigma > 0)
    # U S D^-1/2 is the same where there are data. Each entry is taken from the form that divides by less rounding.
    size = np.sqrt(np.diagonal(K, axis1=1, axis2=2)[:, :, None] * np.maximum(values[:, None, :1], 0.0))
    return np.divide(U * sigma, root, out=(K @ (root * U)) * inverse, where=root * size > sigma**2), values
