r"""Algebraic identities at random points of a large prime field (Schwartz and Zippel).

The entries of the chain, the increments of the sorted rewards, the discount factor, features and weights are drawn
uniformly from the field of $p = 2^{61} - 1$ elements; with rewards given by their increments no absolute value is left
($|r_x - r_y|$ is a sum of increments), and nothing has to be positive. Both sides are rational functions of these
numbers. Cleared of denominators (the determinants of the linear systems solved), a false identity is a non-zero
polynomial of some degree ``k`` and vanishes at a random point with probability at most ``k / p``. An identity that
survives is as good as proved for the numbers of pairs, states and features tried, those of `SIZES`; rewards in another
order are the same identity with the pairs renamed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from flint import nmod, nmod_mat

PRIME = 2**61 - 1
#: Pairs, states and features of a point, one size after the other.
SIZES = ((4, 3, 2), (3, 2, 1), (5, 3, 3))
X, S, FEATURES = SIZES[0]
#: Largest number of pairs and of states.
MOST_X, MOST_S = (max(size[k] for size in SIZES) for k in (0, 1))
#: Degree of the numerator and of the determinant of the kernel's equation: X^2 rows of degree 5 each (gamma times two
#: entries of P Pi), one more for the right side and one for the divisor R.
KERNEL_DEGREE = 5 * MOST_X * MOST_X + 2
#: Two sides of an identity.
Sides = tuple[nmod_mat, nmod_mat]
ONE, TWO = nmod(1, PRIME), nmod(2, PRIME)
HALF = ONE / TWO
#: Degree of a kernel that was pushed ahead once more.
PUSHED = 2 * KERNEL_DEGREE + 6


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """Random field elements in the place of a model.

    Attributes:
        P: next-state coefficients, [X, S].
        Pi: policy coefficients, [S, X].
        apart: sums of reward increments in the place of ``|r_x - r_y|``, [X, X].
        levels: indicator of ``r_x <= level k``, [X, X - 1].
        steps: increments of the rewards, diagonal, [X - 1, X - 1].
        r: rewards, [X, 1].
        gamma, R: discount factor and divisor.
        Phi, D: features [X, FEATURES] and diagonal weights [X, X].
    """

    P: nmod_mat
    Pi: nmod_mat
    apart: nmod_mat
    levels: nmod_mat
    steps: nmod_mat
    r: nmod_mat
    gamma: nmod
    R: nmod
    Phi: nmod_mat
    D: nmod_mat

    @property
    def X(self) -> int:
        """Number of pairs."""
        return int(self.P.nrows())

    @property
    def d(self) -> int:
        """Number of features."""
        return int(self.Phi.ncols())

    @property
    def P_pi(self) -> nmod_mat:
        """Pair-to-pair coefficients, [X, X]."""
        return self.P * self.Pi

    @property
    def K1(self) -> nmod_mat:
        """``1 - apart / R``, [X, X]."""
        return ones(self.X, self.X) - self.apart * (ONE / self.R)

    def push(self, k: nmod_mat) -> nmod_mat:
        """``P_pi k P_pi'``."""
        return self.P_pi * k * self.P_pi.transpose()

    def kernel(self, C: nmod_mat) -> nmod_mat:
        """The solution of ``K = C + gamma P_pi K P_pi'``."""
        return stein(self.P_pi, C, self.gamma)


@dataclass(frozen=True, slots=True)
class Identity:
    """Two sides that agree at every point.

    Attributes:
        claim: the identity in words.
        sides: left and right side at a point.
        degree: bound on the degree of the polynomial that their difference becomes when denominators are cleared, at
            the largest size.
        conservative: whether the rows of ``P`` and ``Pi`` sum to 1.
    """

    claim: str
    sides: Callable[[Point], Sides]
    degree: int
    conservative: bool = False


def random_point(rng: np.random.Generator, conservative: bool, size: tuple[int, int, int] = SIZES[0]) -> Point:
    """A point of the field with so many pairs, states and features; with ``conservative`` the rows of coefficients sum
    to 1, whatever their signs would be.

    >>> point = random_point(np.random.default_rng(0), True)
    >>> (point.P_pi * ones(X, 1)).entries() == [1] * X
    True
    """
    X, S, d = size
    P, Pi = _random(rng, X, S), _random(rng, S, X)
    if conservative:
        P, Pi = _rows_to_one(P), _rows_to_one(Pi)
    increments = [nmod(int(v), PRIME) for v in rng.integers(1, PRIME, size=X)]
    r = [sum(increments[: x + 1], nmod(0, PRIME)) for x in range(X)]
    apart = [r[max(x, y)] - r[min(x, y)] for x in range(X) for y in range(X)]
    levels = [int(x <= k) for x in range(X) for k in range(X - 1)]
    gamma, R = (nmod(int(v), PRIME) for v in rng.integers(2, PRIME, size=2))
    return Point(
        P=P,
        Pi=Pi,
        apart=_matrix(X, X, apart),
        levels=_matrix(X, X - 1, levels),
        steps=_diagonal(increments[1:]),
        r=_matrix(X, 1, r),
        gamma=gamma,
        R=R,
        Phi=_random(rng, X, d),
        D=_diagonal([nmod(int(v), PRIME) for v in rng.integers(1, PRIME, size=X)]),
    )


def stein(A: nmod_mat, C: nmod_mat, gamma: nmod) -> nmod_mat:
    """The solution of ``M = C + gamma A M A'`` over the field, by one linear system.

    The rational solver clears denominators and halves the unknowns by symmetry; here there are no denominators, ``C``
    need not be symmetric, and a singular system is a bad draw rather than an error: a solver of its own, in four lines.
    """
    n = A.nrows()
    index = [(i, j) for i in range(n) for j in range(n)]
    system = [int(a == b) - gamma * A[a[0], b[0]] * A[a[1], b[1]] for a in index for b in index]
    right = _matrix(n * n, 1, [C[i, j] for i, j in index])
    return _matrix(n, n, _matrix(n * n, n * n, system).solve(right).entries())


def squared_distance(K: nmod_mat) -> nmod_mat:
    """``K_xx + K_yy - 2 K_xy``."""
    n = K.nrows()
    return _matrix(n, n, [K[x, x] + K[y, y] - 2 * K[x, y] for x in range(n) for y in range(n)])


def ones(n: int, m: int) -> nmod_mat:
    """The matrix of ones, [n, m]."""
    return _matrix(n, m, [1] * (n * m))


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


SPLIT = Identity("U = (R/2) d + (U_xx + U_yy)/2", mico_distance, PUSHED + 2, conservative=True)


def _random(rng: np.random.Generator, n: int, m: int) -> nmod_mat:
    return _matrix(n, m, [int(v) for v in rng.integers(0, PRIME, size=n * m)])


def _matrix(n: int, m: int, entries: Sequence[Any]) -> nmod_mat:
    return nmod_mat(n, m, [int(v) for v in entries], PRIME)


def _diagonal(values: list[nmod]) -> nmod_mat:
    n = len(values)
    return _matrix(n, n, [values[i] if i == j else 0 for i in range(n) for j in range(n)])


def _rows_to_one(A: nmod_mat) -> nmod_mat:
    rows = A.table()
    fixed = [[*row[:-1], nmod(1, PRIME) - sum(row[:-1], nmod(0, PRIME))] for row in rows]
    return _matrix(A.nrows(), A.ncols(), [v for row in fixed for v in row])
