r"""Solving $(I - \gamma Q)\,v = b$ on the states of a chain.

Small systems by dense LU. Large sparse ones by GMRES with iterative refinement, until the residual is what rounding
alone would leave: a random graph needs a few dozen products, while its sparse LU would fill in completely. Where GMRES
stagnates (long cycles and corridors) the graph has little width, and sparse LU is the right tool.
"""

import warnings

import numpy as np
import scipy.linalg
from scipy import sparse
from scipy.sparse import linalg as sparse_linalg

from tabular_krope.arrays import Array, Matrix, dense, is_sparse
from tabular_krope.errors import KropeError

#: Up to this many states a dense LU is the faster and the more accurate way.
DENSE_STATES = 3000


def solve_discounted(Q: Matrix, b: Array, gamma: float) -> Array:
    r"""The solution of $v = b + \gamma Q v$.

    Args:
        Q: state-to-state transitions with rows of sum at most 1, [S, S], dense or CSR.
        b: right-hand side, [S] or [S, k].
        gamma: discount factor; below 1, or 1 when every chain ends.

    Returns:
        ``v`` with the shape of ``b``.

    >>> solve_discounted(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([1.0, 0.0]), 0.5)
    array([1.33333333, 0.        ])
    """
    S = Q.shape[0]
    if not is_sparse(Q) or S <= DENSE_STATES:
        return _dense_lu(np.eye(S) - gamma * dense(Q), b)
    A = sparse.csr_array(sparse.eye_array(S) - gamma * Q)
    columns = [_refined(A, column) for column in np.atleast_2d(b.T)]
    return columns[0] if b.ndim == 1 else np.stack(columns, axis=1)


def _dense_lu(A: Array, b: Array) -> Array:
    with warnings.catch_warnings():
        warnings.simplefilter("error", scipy.linalg.LinAlgWarning)
        try:
            return np.asarray(scipy.linalg.solve(A, b, check_finite=False))
        except (scipy.linalg.LinAlgWarning, scipy.linalg.LinAlgError) as error:
            raise KropeError(f"I - gamma Q must be far from singular in float64; got: {error}") from None


def _refined(A: sparse.csr_array, b: Array) -> Array:
    v, residual = np.zeros(len(b)), b
    for solve in (_gmres, _sparse_lu):
        while True:
            better = v + solve(A, residual)
            left = b - A @ better
            if not np.abs(left).max() <= np.abs(residual).max() / 2:
                break
            v, residual = better, left
            if np.abs(residual).max() <= _rounding(A, b, v):
                return v
    got = float(np.abs(residual).max())
    raise KropeError(
        f"I - gamma Q must be solvable to a residual of {_rounding(A, b, v):.3g} in float64; got {got:.3g}"
    )


def _rounding(A: sparse.csr_array, b: Array, v: Array) -> float:
    """What rounding leaves of the residual ``b - A v``, in sup norm."""
    terms = int(np.diff(A.indptr).max()) + 4
    size = float(np.abs(b).max() + abs(A).sum(axis=1).max() * np.abs(v).max())
    return terms * float(np.finfo(float).eps) * size


def _gmres(A: sparse.csr_array, b: Array) -> Array:
    v, _ = sparse_linalg.gmres(A, b, rtol=np.finfo(float).eps ** 0.5, atol=0.0, restart=60, maxiter=4)
    return np.asarray(v)


def _sparse_lu(A: sparse.csr_array, b: Array) -> Array:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sparse_linalg.MatrixRankWarning)  # the residual, NaN then, tells
        return np.asarray(sparse_linalg.spsolve(sparse.csc_array(A), b))
