r"""$X - g\,Q X Q^\top = R$ modulo a prime, in $O(n^3)$: the equation in the coordinates of a Krylov basis.

With $T = (v, Qv, \dots, Q^{n-1}v)$ invertible, $Q T = T F$ for a companion matrix $F = N + f e_{n-1}^\top$, where $N$
shifts coordinates down by one. Then $X = T Y T^\top$ where, with $D = T^{-1} R\,T^{-\top}$ and the last column $y$ of
$Y$,

$$Y - g\,N Y N^\top = D + g\,\bigl(N y f^\top + f (N y)^\top + y_{n-1} f f^\top\bigr) =: E, \qquad
  Y_{ij} = \sum_k g^k E_{i-k,\,j-k}.$$

Read at the last column, this is one linear system for $y$ with a matrix that does not depend on $R$.

Numbers modulo p are floats of at most p/2 in size, with $n p^2/4 < 2^{53}$: a product of matrices is exact.
"""

from dataclasses import dataclass

import numpy as np
from flint import nmod_mat

from tabular_krope.arrays import Array


@dataclass(frozen=True, slots=True, eq=False)
class ShiftedStein:
    """The equation ``X - g Q X Q' = R`` modulo ``p``, made ready for many right-hand sides.

    Attributes:
        p: the prime.
        basis, inverse: ``T`` and its inverse, [n, n].
        last: the coefficients ``f``, [n].
        g: the factor.
        growing, shrinking: the powers of ``1/g`` and ``g``, [n].
        corner: inverse of the system for the last column of ``Y``, [n, n].
    """

    p: int
    basis: Array
    inverse: Array
    last: Array
    g: int
    growing: Array
    shrinking: Array
    corner: Array

    @staticmethod
    def of(Q: Array, g: int, p: int, seed: int = 0) -> "ShiftedStein | None":
        """The equation for ``Q`` with entries of at most p/2 and ``g`` not divisible by ``p``.

        None where there is no such basis or the equation is singular: for unlucky primes, for ``Q`` with two
        independent eigenvectors for one eigenvalue, or because it has no unique solution.
        """
        n = len(Q)
        basis = _krylov_basis(Q, p, seed)
        inverse = _inverse(basis, p)
        if inverse is None:
            return None
        last = reduced(inverse @ reduced(Q @ basis[:, -1], p), p)
        growing, shrinking = _powers(pow(g, -1, p), n, p), _powers(g, n, p)
        free = ShiftedStein(p, basis, inverse, last, g, growing, shrinking, np.empty((0, 0)))
        unit = np.eye(n)
        columns = [unit[k] - free._summed(free._fed_back(unit[k]))[:, -1] for k in range(n)]
        corner = _inverse(reduced(np.column_stack(columns), p), p)
        return corner if corner is None else ShiftedStein(p, basis, inverse, last, g, growing, shrinking, corner)

    def solve(self, R: Array) -> Array:
        """The solution for a symmetric right-hand side with entries of at most p/2, [n, n].

        >>> equation = ShiftedStein.of(np.array([[2.0]]), g=3, p=101)  # x - 12 x = 1 (mod 101)
        >>> int(equation.solve(np.array([[1.0]]))[0, 0]) * -11 % 101
        1
        """
        D = reduced(reduced(self.inverse @ R, self.p) @ self.inverse.T, self.p)
        y = reduced(self.corner @ self._summed(D)[:, -1], self.p)
        Y = self._summed(reduced(D + self._fed_back(y), self.p))
        return reduced(reduced(self.basis @ Y, self.p) @ self.basis.T, self.p)

    def _fed_back(self, y: Array) -> Array:
        """``g (N y f' + f (N y)' + y_last f f')``, reduced, [n, n]."""
        half_last = reduced(y[-1:] * _half(self.p), self.p)
        shifted = np.concatenate(([0.0], y[:-1])) + reduced(half_last * self.last, self.p)
        column = reduced(self.g * reduced(shifted, self.p), self.p)
        outer = reduced(np.multiply.outer(column, self.last), self.p)
        return reduced(outer + outer.T, self.p)

    def _summed(self, E: Array) -> Array:
        """``Y_ij = sum_k g^k E_(i-k, j-k)``, reduced, [n, n]: sums along the diagonals."""
        n = len(E)
        # Row i moved to the right by n - 1 - i places puts each diagonal into one column.
        wide = np.zeros((n, 2 * n - 1))
        flat = wide.reshape(-1)
        index = np.arange(n)[:, None] * (2 * n - 2) + np.arange(n - 1, 2 * n - 1)
        flat[index] = reduced(E * self.growing[:, None], self.p)
        return reduced(reduced(np.cumsum(wide, axis=0).reshape(-1)[index], self.p) * self.shrinking[:, None], self.p)


def reduced(values: Array, p: int) -> Array:
    """Whole floats below 2**53 as their remainders of at most p/2 in size.

    >>> reduced(np.array([7.0, -4.0]), 5)
    array([2., 1.])
    """
    rest = np.multiply(values, 1.0 / p)
    np.rint(rest, out=rest)
    rest *= -float(p)
    rest += values
    return rest


def _half(p: int) -> float:
    """1/2 modulo p, as a remainder of at most p/2 in size."""
    return float((p + 1) // 2 - p)


def _powers(base: int, n: int, p: int) -> Array:
    powers = [1]
    for _ in range(n - 1):
        powers.append(powers[-1] * base % p)
    return reduced(np.array(powers, dtype=np.float64), p)


def _krylov_basis(Q: Array, p: int, seed: int) -> Array:
    columns = [reduced(np.random.default_rng(seed).integers(1, p, len(Q)).astype(np.float64), p)]
    for _ in range(len(Q) - 1):
        columns.append(reduced(Q @ columns[-1], p))
    return np.column_stack(columns)


def _inverse(matrix: Array, p: int) -> Array | None:
    """The inverse modulo p, or None."""
    n = len(matrix)
    try:
        found = nmod_mat(n, n, [int(value) % p for value in matrix.ravel()], p).inv()
    except ZeroDivisionError:
        return None
    return reduced(np.array([int(value) for value in found.entries()], dtype=np.float64).reshape(n, n), p)
