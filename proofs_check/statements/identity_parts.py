"""Field elements that the identities of several subjects are made of."""

from math import isqrt

from flint import nmod, nmod_mat

from proofs_check.arithmetic.prime_field import KERNEL_DEGREE, PRIME, Identity, Point, squared_distance


def unit(n: int) -> nmod_mat:
    """The identity matrix."""
    return nmod_mat(n, n, [int(i == j) for i in range(n) for j in range(n)], PRIME)


def fit(point: Point, D: nmod_mat | None = None) -> tuple[nmod_mat, nmod_mat]:
    """``B^-1 Phi' D`` and LSPE's ``L``."""
    left = point.Phi.transpose() * (point.D if D is None else D)
    regression = (left * point.Phi).inv() * left
    return regression, regression * point.P_pi * point.Phi * point.gamma


def gram(point: Point) -> nmod_mat:
    """``Phi Phi'``."""
    return point.Phi * point.Phi.transpose()


Sides = tuple[nmod_mat, nmod_mat]


TWO = nmod(2, PRIME)


HALF = nmod(1, PRIME) / TWO


ONE = nmod(1, PRIME)


def unrolled(point: Point, C: nmod_mat) -> Sides:
    """The solution for ``C``, and three terms of its series with the rest."""
    K = point.kernel(C)
    total, term, rest = C - C, C, K
    for _ in range(3):
        total, term, rest = total + term, point.push(term) * point.gamma, point.push(rest) * point.gamma
    return K, total + rest


def mico_distance(point: Point) -> Sides:
    """``U(x, y)``, and ``(R/2) d(x, y)`` with the mean of ``U(x, x)`` and ``U(y, y)``."""
    U, d = point.kernel(point.apart), squared_distance(point.kernel(point.K1))
    return U, d * (point.R * HALF) + mean_diagonal(U)


def mean_diagonal(A: nmod_mat) -> nmod_mat:
    """``(A_xx + A_yy) / 2``."""
    n = A.nrows()
    return nmod_mat(n, n, [int((A[x, x] + A[y, y]) * HALF) for x in range(n) for y in range(n)], PRIME)


def square(entries: list[nmod]) -> nmod_mat:
    """The square matrix of these entries, row by row."""
    n = isqrt(len(entries))
    return nmod_mat(n, n, [int(v) for v in entries], PRIME)


PUSHED = 2 * KERNEL_DEGREE + 6


SPLIT = Identity("U = (R/2) d + (U_xx + U_yy)/2", mico_distance, PUSHED + 2, conservative=True)
