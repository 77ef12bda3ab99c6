r"""Definiteness over the rationals by $L D L^\top$ with pivoting.

A symmetric rational matrix is positive semidefinite iff elimination with diagonal pivots meets no negative pivot and,
once the remaining diagonal is zero, the whole remainder is zero. No square root and no tolerance is needed.
"""

from dataclasses import dataclass

from flint import fmpq, fmpq_mat

from tabular_krope.errors import KropeError
from tabular_krope.exact.rationals import diagonal


@dataclass(frozen=True, slots=True, eq=False)
class RationalFactor:
    """``K = G T G'`` with ``G`` [n, rank] of full column rank and ``T`` the positive pivots."""

    G: fmpq_mat
    T: tuple[fmpq, ...]

    @property
    def rank(self) -> int:
        """Number of pivots."""
        return len(self.T)

    def product(self) -> fmpq_mat:
        """``G T G'``, the matrix that was factored."""
        return self.G * diagonal(self.T) * self.G.transpose()


def rational_ldl(K: fmpq_mat) -> RationalFactor:
    """Factor a symmetric positive semidefinite rational matrix, non-zero pivots only.

    >>> factor = rational_ldl(fmpq_mat([[4, 2], [2, 1]]))
    >>> factor.T, factor.G.table()
    ((4,), [[1], [1/2]])
    >>> rational_ldl(fmpq_mat([[0, 1], [1, 0]]))
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: K must be positive semidefinite; got a 2-by-2 minor of -1 at (0, 1)
    """
    n = K.nrows()
    rest = K.table()
    for i in range(n):
        for j in range(i):
            if rest[i][j] != rest[j][i]:
                raise KropeError(f"K[{i}, {j}] must equal K[{j}, {i}] = {rest[j][i]}; got {rest[i][j]}")
    columns: list[list[fmpq]] = []
    pivots: list[fmpq] = []
    while True:
        p = max(range(n), key=lambda i: rest[i][i])
        least = min(range(n), key=lambda i: rest[i][i])
        if rest[least][least] < 0:
            raise KropeError(f"K must be positive semidefinite; got a pivot of {rest[least][least]} at {least}")
        pivot = rest[p][p]
        if pivot == 0:
            break
        column = [rest[i][p] / pivot for i in range(n)]
        live = [i for i in range(n) if column[i] != 0]
        for i in live:
            factor = column[i] * pivot
            for j in live:
                rest[i][j] -= factor * column[j]
        columns.append(column)
        pivots.append(pivot)
    for i in range(n):
        for j in range(i + 1, n):
            if rest[i][j] != 0:
                raise KropeError(
                    f"K must be positive semidefinite; got a 2-by-2 minor of {-(rest[i][j] ** 2)} at ({i}, {j})"
                )
    G = fmpq_mat(n, len(pivots), [columns[k][i] for i in range(n) for k in range(len(pivots))])
    return RationalFactor(G, tuple(pivots))


def is_psd(K: fmpq_mat) -> bool:
    """Whether a symmetric rational matrix is positive semidefinite.

    >>> is_psd(fmpq_mat([[1, 1], [1, 1]])), is_psd(fmpq_mat([[1, 2], [2, 1]]))
    (True, False)
    """
    try:
        rational_ldl(K)
    except KropeError:
        return False
    return True


def is_pd(K: fmpq_mat) -> bool:
    """Whether a symmetric rational matrix is positive definite.

    >>> is_pd(fmpq_mat([[2, 1], [1, 1]])), is_pd(fmpq_mat([[1, 1], [1, 1]]))
    (True, False)
    """
    try:
        return bool(rational_ldl(K).rank == K.nrows())
    except KropeError:
        return False
