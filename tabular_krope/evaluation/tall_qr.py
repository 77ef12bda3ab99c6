r"""The triangular factor of a tall matrix that need not fit in memory.

For blocks of rows $M = [M_1; M_2; \dots]$, $R_{k+1}$ is the triangular factor of $[R_k; M_{k+1}]$. At every step
$R^\top R = M^\top M$, and $R$ is as accurate as a factorization of all of ``M`` at once, while forming $M^\top M$
would square the condition number. A regression on the rows of ``M`` is the same regression on the rows of ``R``.
"""

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array

#: Rows that are factored together: at least so many, and more of a narrow matrix, up to so many numbers.
ROWS, NUMBERS = 4096, 2**19


def rows_at_once(columns: int) -> int:
    """Rows of a matrix with so many columns that are worth a step: few steps, little memory.

    >>> rows_at_once(4), rows_at_once(512)
    (131072, 4096)
    """
    return max(ROWS, 4 * columns, NUMBERS // max(columns, 1))


class TallQR:
    """Accumulates the triangular factor ``R`` [<= c, c] of all rows added so far.

    >>> qr = TallQR(1)
    >>> for rows in ([[3.0]], [[4.0]], []):
    ...     qr.add(np.reshape(rows, (-1, 1)))
    >>> abs(float(qr.R[0, 0]))
    5.0
    """

    def __init__(self, columns: int, dtype: type = np.float64) -> None:
        self.R: Array = np.zeros((0, columns), dtype)

    def add(self, rows: Array) -> None:
        """Take in ``rows`` [n, c], in pieces of bounded size."""
        step = rows_at_once(rows.shape[1])
        for start in range(0, len(rows), step):
            stacked = np.concatenate([self.R, rows[start : start + step]])
            columns = stacked.shape[1]
            if len(stacked) <= columns:
                self.R = stacked
                continue
            (R,) = scipy.linalg.qr(stacked, mode="r", overwrite_a=True, check_finite=False)
            self.R = np.ascontiguousarray(R[:columns])
