r"""$M = C + g\,Q M Q^\top$ over the rationals, digit by digit in base p (Dixon's lifting).

Cleared of denominators the equation is $L(M) = \hat C$ with $L(X) = b\,s s^\top \circ X - a\,\hat Q X \hat Q^\top$ over
the integers, where $g = a/b$ and row i of $\hat Q$ is that of $Q$ times $s_i$. A solution modulo p gives a digit, and
what it leaves, divided by p, is the next right-hand side:

$$X_k = L^{-1}(R_k) \bmod p, \qquad R_{k+1} = (R_k - L(X_k))/p, \qquad M \equiv \sum_{j<k} X_j p^j \pmod{p^k}.$$

Fractions are recovered from enough digits (`tabular_krope.exact.reconstruction`), and the guess counts only once
$L(M) = \hat C$ holds over the integers.
"""

from dataclasses import dataclass
from math import isqrt, lcm
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpz, fmpz_mat

from tabular_krope.arrays import Array
from tabular_krope.exact.reconstruction import fraction_modulo, joined, numerators_modulo
from tabular_krope.exact.shifted_stein import ShiftedStein, reduced

Integers = np.ndarray[Any, np.dtype[Any]]
#: Whole floats up to this size are exact, and so are int64 up to the other.
FLOAT_LIMIT, INT_LIMIT = 2**53, 2**62
#: Primes that are tried before the equation is left to another solver.
PRIMES = 3
#: Digits before the first guess; later ones come after so many more, or this part of those there are.
FIRST_DIGITS, GROWTH = 8, 8
#: Bits that tell a number from chance.
SLACK = 32


@dataclass(frozen=True, slots=True, eq=False)
class IntegerStein:
    """``L(X) = b s_i s_j X - a Qh X Qh'`` over the integers, and the right-hand side for ``common`` times M.

    Attributes:
        rows: ``Qh`` as whole floats, [n, n].
        scales: ``s``, [n], int64.
        a, b: numerator and denominator of the factor.
        right: ``common b s_i s_j C``, [n, n] of Python's integers.
        common: the common denominator of ``C``.
        largest: primes must be below; then no product overflows.
        bits: Cramer's rule and Hadamard's bound: numerators and denominators of the solution have no more.
    """

    rows: Array
    scales: Integers
    a: int
    b: int
    right: Integers
    common: int
    largest: int
    bits: int

    @staticmethod
    def of(Q: fmpq_mat, C: fmpq_mat, g: fmpq) -> "IntegerStein | None":
        """The equation cleared of denominators; None where these are too large for products of floats."""
        n, a, b = Q.nrows(), int(g.p), int(g.q)
        scales = [lcm(*(int(value.q) for value in row)) for row in Q.table()]
        whole = [[int(v.p) * (s // int(v.q)) for v in row] for row, s in zip(Q.table(), scales, strict=True)]
        sums = max(sum(abs(value) for value in row) for row in whole)
        most = max(abs(a) * sums**2 + b * max(scales) ** 2, 1)
        largest = min(isqrt(2 * FLOAT_LIMIT // n), 2 * FLOAT_LIMIT // max(sums, 1) ** 2, INT_LIMIT // most)
        if largest < 2**16:
            return None
        common = lcm(*(int(value.q) for value in C.entries()))
        C_whole = [int(value.p) * (common // int(value.q)) for value in C.entries()]
        outer = np.multiply.outer(np.array(scales, dtype=object), np.array(scales, dtype=object))
        right = np.array(C_whole, dtype=object).reshape(n, n) * outer * b
        bits = n * (n + 1) // 2 * most.bit_length() + int(max(abs(right.ravel()))).bit_length()
        return IntegerStein(np.array(whole, dtype=float), np.array(scales), a, b, right, common, largest, bits)

    def applied(self, X: Array) -> Integers:
        """``L(X)`` for whole floats of at most half a prime's size, [n, n]."""
        inner = (self.rows @ X) @ self.rows.T
        outer = self.b * np.multiply.outer(self.scales, self.scales)
        return np.asarray(outer * X.astype(np.int64) - self.a * inner.astype(np.int64))

    def solved_by(self, M: fmpz_mat, denominator: fmpz) -> bool:
        """Whether ``L(M) = denominator right`` for a symmetric ``M``, over the integers."""
        n, table = len(self.scales), M.table()
        places = [[(int(k), int(row[k])) for k in np.flatnonzero(row)] for row in self.rows]
        scales = [int(s) for s in self.scales]
        for i in range(n):
            left = [sum((value * table[k][j] for k, value in places[i]), fmpz(0)) for j in range(n)]
            for j in range(i, n):
                inner = sum((value * left[k] for k, value in places[j]), fmpz(0))
                both = self.b * scales[i] * scales[j] * table[i][j] - self.a * inner
                if both != denominator * fmpz(self.right[i, j]):
                    return False
        return True

    def modulo(self, p: int) -> tuple[ShiftedStein, Array] | None:
        """The equation modulo p and the factors that its right-hand sides take, [n, n]; None where p does not do."""
        if self.a % p == 0 or self.b % p == 0 or any(int(s) % p == 0 for s in self.scales):
            return None
        inverses = reduced(np.array([pow(int(s), -1, p) for s in self.scales], dtype=float), p)
        over_b = pow(self.b, -1, p)
        equation = ShiftedStein.of(reduced(reduced(self.rows, p) * inverses[:, None], p), self.a * over_b % p, p)
        outer = reduced(np.multiply.outer(inverses, inverses), p)
        return None if equation is None else (equation, reduced(outer * over_b, p))


def solve_by_lifting(Q: fmpq_mat, C: fmpq_mat, g: fmpq) -> fmpq_mat | None:
    """The symmetric solution of ``M = C + g Q M Q'``, checked; None where this way does not lead to one.

    It does not where denominators are too large for products of floats, where ``Q`` has two independent eigenvectors
    for one eigenvalue, and where the equation is singular.

    >>> solve_by_lifting(fmpq_mat([[fmpq(1, 2)]]), fmpq_mat([[1]]), fmpq(1, 2)).table()
    [[8/7]]
    """
    equation = IntegerStein.of(Q, C, g)
    if equation is None:
        return None
    p = equation.largest
    for _ in range(PRIMES):
        p = _prime_below(p)
        ready = equation.modulo(p)
        if ready is not None:
            return _lifted(equation, *ready)
    return None


def _lifted(equation: IntegerStein, prime: ShiftedStein, factors: Array) -> fmpq_mat:
    """The solution from as many digits as it takes."""
    p, R, n = prime.p, equation.right, len(factors)
    upper = np.triu_indices(n)
    # A sum of the entries with small weights has the denominator of them all, but perhaps for a small factor.
    weights = np.random.default_rng(0).integers(1, 8, len(upper[0])).astype(float)
    digits: list[Array] = []
    while len(digits) * (p.bit_length() - 1) < 4 * (equation.bits + SLACK):
        for _ in range(max(FIRST_DIGITS, len(digits) // GROWTH)):
            rest = reduced(np.asarray(R % p, dtype=float), p)
            X = prime.solve(reduced(rest * factors, p))
            digits.append(X[upper])
            R = (R - equation.applied(X)) // p
            if R.dtype == object and max(abs(R.min()), abs(R.max())) < INT_LIMIT // 2:
                R = R.astype(np.int64)
        found = _recovered(digits, weights, p)
        if found is not None and equation.solved_by(M := _symmetric(found[0], n), found[1]):
            return fmpq_mat(M) / (found[1] * equation.common)
    raise AssertionError("the digits of a solution must give it back")


def _recovered(digits: list[Array], weights: Array, p: int) -> tuple[list[fmpz], fmpz] | None:
    """Numerators and their denominator of what the digits stand for, as far as these tell."""
    modulus = fmpz(p) ** len(digits)
    half = (modulus // 2).isqrt()
    sums = np.array([digit @ weights for digit in digits])
    told = fraction_modulo(joined(sums[:, None], p)[0], modulus, half >> SLACK, half)
    if told is None:
        return None
    # The denominator known, half of the digits are enough for the numerators.
    bits = max(told[0].bit_length(), told[1].bit_length()) + 4 * SLACK
    enough = min(len(digits), bits // (p.bit_length() - 1) + 1)
    return numerators_modulo(joined(np.array(digits[:enough]), p), fmpz(p) ** enough, told[1], SLACK)


def _symmetric(upper: list[fmpz], n: int) -> fmpz_mat:
    """The matrix with this upper triangle, row by row."""
    M = fmpz_mat(n, n)
    entries = iter(upper)
    for i in range(n):
        for j in range(i, n):
            M[i, j] = M[j, i] = next(entries)
    return M


def _prime_below(bound: int) -> int:
    """The largest prime below ``bound``."""
    candidate = fmpz(bound - 1)
    while not candidate.is_prime():
        candidate -= 1
    return int(candidate)
