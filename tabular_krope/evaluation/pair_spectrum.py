r"""Spectral radius, norm, growth and distance to the unit circle of LSPE on one-hot pairs, matrix-free.

In the orthonormal basis LSPE's matrix is $T = \gamma F G$, $F = B^{1/2} \hat P$ [k, m] and $G = \Pi B^{-1/2}$ [m, k].
Its spectral radius is that of $\gamma \Pi \hat P$ [m, m]; norm and growth come from Lanczos iterations, and
$\sigma_{min}(zI - T)$ from Lanczos on the inverse, $(zI - \gamma FG)^{-1} = (I + \gamma F (zI - \gamma GF)^{-1} G)/z$.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import ArpackError, LinearOperator, eigs, eigsh, splu

from tabular_krope.arrays import Array, Matrix
from tabular_krope.evaluation.pair_rows import PairModel, PairRows

#: Sizes up to which eigenvalues are computed densely.
DENSE = 600


def radius_of_pairs(model: PairModel) -> float:
    """Spectral radius of ``gamma P Pi``, at most gamma."""
    return model.gamma * float(np.abs(leading_eigenvalues(model.between_states, 1)).max(initial=0.0))


def leading_eigenvalues(M: Matrix, count: int) -> Array:
    """Eigenvalues of largest modulus of a sparse matrix; all of them if it is small.

    >>> sorted(leading_eigenvalues(sparse.csr_array(np.diag([0.5, 0.25])), 1).real.tolist())
    [0.25, 0.5]
    """
    if M.shape[0] > DENSE:
        try:
            start = np.random.default_rng(0).random(M.shape[0])
            return np.asarray(eigs(M.astype(np.float64), count, v0=start, return_eigenvectors=False))
        except ArpackError:
            pass  # many eigenvalues of the same modulus: all of them, then
    return np.asarray(np.linalg.eigvals(M.toarray()))


def operator_norm(M: Matrix) -> float:
    """Largest singular value of a sparse matrix.

    >>> round(operator_norm(sparse.csr_array(np.array([[3.0, 0.0], [4.0, 0.0]]))), 12)
    5.0
    """
    if 0 in M.shape or M.nnz == 0:
        return 0.0
    if min(M.shape) <= DENSE:
        gram = (M @ M.T if M.shape[0] <= M.shape[1] else M.T @ M).toarray()
        return float(np.sqrt(np.linalg.eigvalsh(gram)[-1]))
    return float(np.sqrt(_largest(lambda x: M.T @ (M @ x), M.shape[1], np.float64)))


def balanced(model: PairModel) -> tuple[Matrix, Matrix]:
    """``F = B^1/2 P`` and ``G = Pi B^-1/2``, sparse [k, m] and [m, k]."""
    root = np.sqrt(model.shares)
    return sparse.csr_array(sparse.diags_array(root) @ model.P), sparse.csr_array(
        model.Pi @ sparse.diags_array(1 / root)
    )


def norm_of_pairs(model: PairModel) -> float:
    """2-norm of LSPE's matrix ``gamma P Pi``, in the coordinates of the features."""
    P, Pi = model.P, model.Pi
    if model.m > DENSE:
        return model.gamma * operator_norm(sparse.csr_array(P @ Pi))
    # |P Pi| = |C Pi| with C' C = P' P, which has only m rows
    values, vectors = np.linalg.eigh((P.T @ P).toarray())
    C = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
    return model.gamma * operator_norm(sparse.csr_array(C @ Pi.toarray()))


def growth_of_pairs(rows: PairRows) -> float:
    """Mean square of the successors' features over the data's, in the worst direction."""
    _, G = balanced(rows.model)
    follow = np.bincount(rows.after[rows.after >= 0], minlength=rows.m) / len(rows.r)
    return operator_norm(sparse.csr_array(sparse.diags_array(np.sqrt(follow)) @ G)) ** 2


def pair_distance_to_the_circle(model: PairModel, angles: Array) -> float:
    """The least singular value of ``zI - T`` over the given angles of z on the unit circle."""
    if not model.m:
        return 1.0
    return min(_least_singular_value(model, complex(np.exp(1j * angle))) for angle in angles)


def _least_singular_value(model: PairModel, z: complex) -> float:
    F, G = balanced(model)
    one: Matrix = sparse.eye_array(model.m)
    inner: Any = splu(sparse.csc_array(z * one - model.gamma * model.between_states))

    def inverse(x: Array) -> Array:
        return np.asarray((x + model.gamma * (F @ inner.solve(G @ x.astype(complex)))) / z)

    def adjoint(x: Array) -> Array:
        inside = G.T @ inner.solve(F.T @ x.astype(complex), trans="H")
        return np.asarray((x + model.gamma * inside) / np.conj(z))

    return 1.0 / float(np.sqrt(_largest(lambda x: adjoint(inverse(x)), len(model.shares), complex)))


def _largest(apply: Callable[[Array], Array], size: int, dtype: Any) -> float:
    """Largest eigenvalue of a Hermitian positive operator."""
    operator = LinearOperator((size, size), matvec=apply, dtype=dtype)
    start: Any = np.random.default_rng(0).random(size).astype(dtype)
    return float(eigsh(operator, 1, v0=start, return_eigenvectors=False, tol=1e-10)[0])
