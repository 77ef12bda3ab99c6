r"""Are all eigenvalues in the right half-plane? Decided over the rationals by the table of Routh and Hurwitz.

A polynomial $p_0 s^n + p_1 s^{n-1} + \dots$ with $p_0 > 0$ has all its roots in the open left half-plane iff the first
column of its table is positive: the first two rows are its coefficients of even and of odd place, and each further row
is what is left when the row two above is reduced by the row above. A zero there is a root on the axis, or one beyond.
"""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import flint_matrix, is_exact


def routh_column(coefficients: Any) -> list[Any]:
    """The first column of the table, as far as it is positive, and the first entry that is not.

    Args:
        coefficients: rationals, the leading one first; it must not be zero.

    >>> from proofs_check.arithmetic.linear_algebra import rationals
    >>> routh_column(rationals([1, 2, 3, 1]))  # s^3 + 2 s^2 + 3 s + 1
    [1, 2, 5/2, 1]
    >>> routh_column(rationals([1, 1, 1, 2]))
    [1, 1, -1]
    """
    p = [c / coefficients[0] for c in coefficients]
    width = len(p) // 2 + 1
    above, row = (part + [0 * p[0]] * (width + 1 - len(part)) for part in (p[0::2], p[1::2]))
    column = [above[0]]
    for _ in range(len(p) - 1):
        column.append(row[0])
        if not row[0] > 0:
            break
        factor = above[0] / row[0]
        above, row = row, [above[k + 1] - factor * row[k + 1] for k in range(width)] + [0 * p[0]]
    return column


def positive_stable(A: Any) -> bool:
    """Whether every eigenvalue of ``A`` has a positive real part: decided for rationals, computed for floats.

    >>> from proofs_check.arithmetic.linear_algebra import rationals
    >>> positive_stable(rationals([[1, 5], [-5, 1]])), positive_stable(rationals([[0, 1], [-1, 0]]))
    (True, False)
    """
    A = np.asarray(A)
    if not is_exact(A):
        return bool(np.linalg.eigvals(A).real.min() > 0)
    column = routh_column(opposite_polynomial(A))
    return len(column) == len(A) + 1 and bool(column[-1] > 0)


def opposite_polynomial(A: Any) -> list[Any]:
    """The characteristic polynomial of ``-A``, the leading coefficient first.

    >>> from proofs_check.arithmetic.linear_algebra import rationals
    >>> opposite_polynomial(rationals([[2, 0], [0, 3]]))
    [1, 5, 6]
    """
    p = flint_matrix(-np.asarray(A)).charpoly()
    return [p[k] for k in range(len(A), -1, -1)]
