r"""$M = C + g\,Q M Q^\top$ over the rationals: digit by digit, or as one linear system with $n(n+1)/2$ unknowns."""

from math import gcd

from flint import fmpq, fmpq_mat, fmpz_mat

from tabular_krope.errors import KropeError
from tabular_krope.exact.lifting import solve_by_lifting

#: Size from which lifting is faster than the linear system.
LIFTED_FROM = 20


def solve_stein_exactly(Q: fmpq_mat, C: fmpq_mat, g: fmpq) -> fmpq_mat:
    r"""The symmetric solution of $M = C + g\,Q M Q^\top$, exactly.

    From 20 rows on it is lifted (`tabular_krope.exact.lifting`) where that is possible. Otherwise it is one system;
    denominators are cleared row by row, so that the one handed to the solver is over the integers.

    Args:
        Q: any square rational matrix, [n, n].
        C: symmetric, [n, n].
        g: a rational.

    Returns:
        The unique symmetric solution. Raises KropeError when there is none or more than one.

    >>> solve_stein_exactly(fmpq_mat([[1]]), fmpq_mat([[1]]), fmpq(1, 2)).table()
    [[2]]
    """
    lifted = solve_by_lifting(Q, C, g) if Q.nrows() >= LIFTED_FROM else None
    return _as_one_system(Q, C, g) if lifted is None else lifted


def _as_one_system(Q: fmpq_mat, C: fmpq_mat, g: fmpq) -> fmpq_mat:
    n = Q.nrows()
    rows, scales = zip(*(_integer_row(row) for row in Q.table()), strict=True)
    g_top, g_bottom = int(g.p), int(g.q)
    pairs = [(i, j) for i in range(n) for j in range(i, n)]
    coefficients, right = [], []
    for i, j in pairs:
        a, b = rows[i], rows[j]
        scale = scales[i] * scales[j] * g_bottom
        C_ij = C[i, j]
        C_bottom = int(C_ij.q)
        for k, m in pairs:
            both = a[k] * b[m] + (a[m] * b[k] if k != m else 0)
            diagonal = scale if (k, m) == (i, j) else 0
            coefficients.append((diagonal - g_top * both) * C_bottom)
        right.append(scale * int(C_ij.p))
    N = len(pairs)
    try:
        solution = fmpz_mat(N, N, coefficients).solve(fmpz_mat(N, 1, right))
    except ZeroDivisionError:
        raise KropeError("Q must have no two eigenvalues with product 1/g; got a singular Stein equation") from None
    M = fmpq_mat(n, n)
    for (i, j), value in zip(pairs, solution.entries(), strict=True):
        M[i, j] = M[j, i] = fmpq(value)
    return M


def _integer_row(row: list[fmpq]) -> tuple[list[int], int]:
    """Integers and a common denominator with ``row = integers / denominator``."""
    scale = 1
    for value in row:
        q = int(value.q)
        if scale % q:
            scale *= q // gcd(scale, q)
    return [int(value.p) * (scale // int(value.q)) for value in row], scale
