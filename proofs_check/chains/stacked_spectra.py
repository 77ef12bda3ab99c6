r"""LSPE on KROPE features for stacks of float chains."""

from typing import Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.batched.chains import Chains
from tabular_krope.evaluation.iteration import Factored
from tabular_krope.representations.layers import graded

#: Relative sizes of an eigenvalue below which it is zero and above which it is not; in between nobody knows.
ZERO, POSITIVE = 1e-12, 1e-7
#: Distance of two eigenvalues, relative to the largest, below which they count as equal.
GAP = 1e-6


def lspe_matrices(
    chains: Chains, spectrum: tuple[Array, Array], K: Array, D: Array, dim: int | None
) -> tuple[Array, Array]:
    """LSPE's matrices on the top ``dim`` features, [B, X, X], zero on the directions left out.

    Returns:
        The matrices and the condition numbers of the covariances, [B]; NaN where the features are not defined or
        float64 cannot tell which directions are null.
    """
    values, vectors = spectrum
    B, X = values.shape
    top = values[:, :1]
    kept = values > POSITIVE * top
    if dim is None:
        undefined = gray(values, top).any(axis=1)
    elif dim > X:
        undefined = np.ones(B, dtype=bool)
    else:
        undefined = ~kept[:, dim - 1]
        if dim < X:
            undefined |= values[:, dim - 1] - values[:, dim] <= GAP * top[:, 0]
        kept = kept & (np.arange(X) < dim)
    inverse = np.where(kept, 1.0 / np.where(kept, values, 1.0), 0.0)
    Phi = K @ (np.sqrt(D)[:, :, None] * vectors) * np.sqrt(inverse)[:, None, :]
    rows = Factored(vectors, np.sqrt(np.where(kept, values, 0.0)), None)
    L: Array = chains.gamma[:, None, None] * rows.regress(np.sqrt(D)[:, :, None] * chains.after(Phi))
    undefined |= graded(np.sqrt(D))  # the eigenvalues of light pairs drown in the rounding of the heavy ones
    return L, np.where(undefined, np.nan, top[:, 0] * inverse.max(axis=1))


def whole_norms(chains: Chains, spectrum: tuple[Array, Array], K: Array, D: Array) -> Array:
    """Squared 2-norms of LSPE's matrices on features with ``Phi Phi' = K``, [B], unseen directions included.

    With ``N`` the regression on the eigenfeatures under ``D``, ``L L' = gamma^2 N P K P' N'``.
    """
    values, vectors = spectrum
    kept = values > POSITIVE * values[:, :1]
    rows = Factored(vectors, np.sqrt(np.where(kept, values, 0.0)), None)
    step = chains.gamma[:, None, None] * rows.regress(np.sqrt(D)[:, :, None] * chains.P)
    return np.asarray(np.maximum(np.linalg.eigvalsh(step @ K @ step.transpose(0, 2, 1))[:, -1], 0.0))


def gray(values: Any, top: Any) -> Any:
    """Whether an eigenvalue is too small to be called positive and too large to be called zero."""
    return (np.abs(values) > ZERO * top) & (values <= POSITIVE * top)
