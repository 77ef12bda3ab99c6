r"""Products that cost less: matrices that are mostly zeros, and results that are known to be symmetric.

In $M + s\,A M A^\top$ with symmetric ``M`` the second of two products is symmetric, so one triangle of it is enough: a
quarter of the multiplications less. BLAS has no such product of two different factors. Splitting $M = L + L^\top$ for
its ``trmm`` and ``syr2k`` saves the same quarter and is hardly faster; a Cholesky factor with ``syrk`` saves more, but
asks for a definite ``M``; ``symm`` saves nothing. The times are in docs/scaling.md.
"""

import numpy as np
from scipy import sparse

from tabular_krope.arrays import Array, Matrix, dense, is_sparse

#: Rows of a block; a matrix of one block is computed whole.
BLOCK = 128
#: Share of nonzero entries up to which CSR multiplies faster than BLAS does; they break even at a tenth.
SPARSE = 1 / 16


def cheapest(matrix: Matrix) -> Matrix:
    """``matrix`` as CSR if at most one entry in 16 is nonzero, as an array otherwise: the faster one to multiply by.

    >>> [sparse.issparse(cheapest(A)) for A in (np.eye(16), np.eye(15))]
    [True, False]
    """
    if SPARSE * matrix.shape[0] * matrix.shape[1] < (matrix.nnz if is_sparse(matrix) else np.count_nonzero(matrix)):
        return dense(matrix)
    return sparse.csr_array(matrix)


def multiply(A: Matrix, B: Matrix, out: Array) -> Array:
    """``A B`` written to ``out``, which is returned.

    >>> multiply(sparse.csr_array(np.eye(2)), np.ones((2, 2)), np.empty((2, 2)))
    array([[1., 1.],
           [1., 1.]])
    """
    if is_sparse(A):
        out[...] = A @ dense(B)
        return out
    return np.matmul(A, B, out=out)


def add_symmetric(M: Array, W: Array, B: Matrix, scale: float) -> None:
    """``M += scale W B'`` in place, for symmetric ``M`` and a product known to be symmetric.

    Block by block of rows the part right of the diagonal is computed, then mirrored: ``M`` stays equal to its transpose
    to the last bit.

    >>> M, B = np.zeros((2, 2)), np.array([[1.0, 2.0], [0.0, 1.0]])
    >>> add_symmetric(M, B, B, 0.5)
    >>> M
    array([[2.5, 1. ],
           [1. , 0.5]])
    """
    n = len(M)
    if n <= BLOCK:
        added = B @ W.T  # W B' as well, up to rounding
        added *= scale / 2
        M += added + added.T
        return
    for start in range(0, n, BLOCK):
        rows, right = slice(start, start + BLOCK), slice(start + BLOCK, n)
        # A sparse factor must stand on the left.
        added = (B[start:] @ W[rows].T).T if is_sparse(B) else W[rows] @ B[start:].T  # [BLOCK, n - start]
        added *= scale
        M[rows, start:] += added
        corner = M[rows, rows]
        corner[...] = (corner + corner.T) / 2
        M[right, rows] = M[rows, right].T
