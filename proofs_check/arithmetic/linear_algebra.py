"""Linear algebra on float64 arrays and on object arrays of rationals, under the same names.

A statement is written once. Where its numbers are rationals the functions here go through python-flint and decide
without a tolerance; where they are floats they go through LAPACK.
"""

from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from tabular_krope.errors import KropeError
from tabular_krope.exact.psd import rational_ldl
from tabular_krope.exact.rationals import nearest_float, rational

#: Relative size of the singular values that count as zero where a float rank is needed.
NULL = float(np.sqrt(np.finfo(np.float64).eps))


def is_exact(array: Any) -> bool:
    """Whether an array holds rationals.

    >>> is_exact(rationals(["1/2"])), is_exact(np.ones(1))
    (True, False)
    """
    return np.asarray(array).dtype == object


def rationals(values: Any) -> np.ndarray:
    """An object array of rationals from numbers, strings such as "3/4", or a flint matrix.

    >>> rationals([["1/2", 1], [0, 0.25]])
    array([[1/2, 1],
           [0, 1/4]], dtype=object)
    """
    if isinstance(values, fmpq_mat):
        values = values.table()
    given = np.array(values, dtype=object)
    out = np.empty(given.size, dtype=object)
    for k, value in enumerate(given.reshape(-1).tolist()):
        out[k] = value if type(value) is fmpq else fmpq(value) if isinstance(value, int) else rational(value)
    return out.reshape(given.shape)


def flint_matrix(array: Any) -> fmpq_mat:
    """A flint matrix from a two-dimensional array of rationals (or of Python integers).

    >>> flint_matrix(rationals([["1/2", 1]]))
    [1/2, 1]
    """
    table = np.asarray(array, dtype=object)
    return fmpq_mat(table.shape[0], table.shape[1], [fmpq(v) for v in table.reshape(-1)])


def floats(array: Any) -> Any:
    """The nearest float64 array.

    >>> floats(rationals(["1/3", 2]))
    array([0.33333333, 2.        ])
    """
    given = np.asarray(array)
    if given.dtype != object:
        return given.astype(np.float64)
    return np.array([nearest_float(fmpq(v)) for v in given.reshape(-1)]).reshape(given.shape)


def indefiniteness(M: Any) -> Any:
    """How far a symmetric matrix is from positive semidefinite.

    Returns:
        Minus the least eigenvalue for floats; its sign for rationals: -1 if ``M`` is positive definite, 0 if it is
        semidefinite and singular, 1 otherwise.

    >>> float(indefiniteness(np.diag([2.0, -3.0]))), indefiniteness(rationals([[1, 1], [1, 1]]))
    (3.0, 0)
    """
    M = np.asarray(M)
    if not is_exact(M):
        return -float(np.linalg.eigvalsh((M + M.T) / 2)[0])
    try:
        return -int(rational_ldl(flint_matrix(M)).rank == len(M))
    except KropeError:
        return 1


def rank(M: Any) -> int:
    """The rank: exact for rationals, singular values above ``NULL`` of the largest for floats.

    >>> rank(rationals([[1, 2], [2, 4]])), rank(np.eye(3))
    (1, 3)
    """
    M = np.asarray(M)
    if is_exact(M):
        return int(flint_matrix(M).rank())
    sigma = np.linalg.svd(M, compute_uv=False)
    return int(np.sum(sigma > NULL * sigma[0])) if sigma.size and sigma[0] > 0 else 0


def solve(A: Any, B: Any) -> Any:
    """The solution of ``A Z = B`` for a square invertible ``A``; B [n] or [n, k].

    >>> solve(rationals([[2]]), rationals([1]))
    array([1/2], dtype=object)
    """
    A, B = np.asarray(A), np.asarray(B)
    if not is_exact(A):
        return np.linalg.solve(A, B)
    columns = B.reshape(len(B), -1)
    return rationals(flint_matrix(A).solve(flint_matrix(columns))).reshape(B.shape)


def independent_columns(M: Any) -> Any:
    """Columns of a rational matrix that are a basis of its range.

    >>> independent_columns(rationals([[1, 2, 0], [1, 2, 1]]))
    array([[1, 0],
           [1, 1]], dtype=object)
    """
    M = np.asarray(M)
    return M[:, pivot_columns(M)]


def pivot_columns(M: Any) -> list[int]:
    """Which columns of a rational matrix `independent_columns` takes.

    >>> pivot_columns(rationals([[1, 2, 0], [1, 2, 1]]))
    [0, 2]
    """
    M = np.asarray(M)
    reduced, _, count = flint_matrix(M).numer_denom()[0].rref()
    return [next(j for j in range(M.shape[1]) if reduced[i, j] != 0) for i in range(count)]


def null_space(M: Any) -> Any:
    """Columns that are a basis of the vectors that a rational matrix sends to zero.

    >>> null_space(rationals([[1, 2, 0], [0, 0, 1]]))
    array([[-2],
           [1],
           [0]], dtype=object)
    """
    M = np.asarray(M)
    pivots = pivot_columns(M)
    free = [j for j in range(M.shape[1]) if j not in pivots]
    out = rationals(np.zeros((M.shape[1], len(free)), dtype=int))
    if pivots and free:
        V = M[:, pivots]
        out[pivots] = solve(V.T @ V, -(V.T @ M[:, free]))
    for k, j in enumerate(free):
        out[j, k] = out[j, k] + 1
    return out


def outside(V: Any, B: Any) -> Any:
    """How far the columns of ``B`` are from the span of the columns of ``V``.

    Returns:
        For floats the largest entry of the least-squares residual; for rationals 0 if they lie in the span, else 1.

    >>> outside(rationals([[1], [1]]), rationals([2, 2])), outside(rationals([[1], [1]]), rationals([1, 0]))
    (0, 1)
    """
    V, B = np.asarray(V), np.asarray(B)
    columns = B.reshape(len(B), -1)
    if is_exact(V) or is_exact(B):
        return int(rank(np.hstack([V, columns])) != rank(V))
    U, sigma, _ = np.linalg.svd(V, full_matrices=False)
    basis = U[:, sigma > NULL * sigma[0]] if sigma[0] > 0 else U[:, :0]
    return float(np.abs(columns - basis @ (basis.T @ columns)).max(initial=0.0))


def pseudo_inverse(B: Any) -> Any:
    """Moore-Penrose inverse of a symmetric positive semidefinite matrix, or of a stack of floats.

    >>> pseudo_inverse(rationals([[1, 1], [1, 1]]))
    array([[1/4, 1/4],
           [1/4, 1/4]], dtype=object)
    """
    B = np.asarray(B)
    if not is_exact(B):
        return np.linalg.pinv(B, rcond=B.shape[-1] * float(np.finfo(np.float64).eps), hermitian=True)
    Y = independent_columns(B)  # a basis of the range, which B maps onto itself
    return Y @ solve(Y.T @ B @ Y, Y.T) if Y.shape[1] else 0 * B


def identity(n: int, exact: bool) -> Any:
    """The n-by-n identity in the arithmetic asked for."""
    return rationals(np.eye(n, dtype=int)) if exact else np.eye(n)
