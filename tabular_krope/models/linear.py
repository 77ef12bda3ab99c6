r"""Solving $(I - \gamma Q)\,v = b$ on the states of a chain."""

import numpy as np
import scipy.linalg
from scipy import sparse
from scipy.sparse import linalg as sparse_linalg

from tabular_krope.arrays import Array, Matrix, dense
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
    if not sparse.issparse(Q) or S <= DENSE_STATES:
        return np.asarray(scipy.linalg.solve(np.eye(S) - gamma * dense(Q), b, check_finite=False))
    A = sparse.csr_array(sparse.eye_array(S) - gamma * Q)
    columns = [_krylov(A, column) for column in np.atleast_2d(b.T)]
    return columns[0] if b.ndim == 1 else np.stack(columns, axis=1)


def _krylov(A: sparse.csr_array, b: Array) -> Array:
    # Sparse LU of a random graph fills in completely; restarted GMRES needs a few dozen products.
    tolerance = 16 * np.finfo(float).eps
    v, _ = sparse_linalg.gmres(A, b, rtol=tolerance, atol=0.0, restart=60, maxiter=200)
    residual = float(np.abs(b - A @ v).max(initial=0.0))
    allowed = 1e-11 * max(float(np.abs(b).max(initial=0.0)), np.finfo(float).tiny)
    if not residual <= allowed:
        raise KropeError(f"GMRES must reach a residual of {allowed:.3g} in 12000 products; got {residual:.3g}")
    return np.asarray(v)
