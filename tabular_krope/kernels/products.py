r"""Products that cost less: matrices that are mostly zeros, and results that are known to be symmetric.

In $M + s\,A M A^\top$ with symmetric ``M`` the second of two products is symmetric, so one triangle of it is enough: a
quarter of the multiplications less. BLAS has no such product of two different factors. Splitting $M = L + L^\top$ for
its ``trmm`` and ``syr2k`` saves the same quarter and is hardly faster; a Cholesky factor with ``syrk`` saves more, but
asks for a definite ``M``; ``symm`` saves nothing. The times are in docs/scaling.md.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse

from tabular_krope.arrays import Array, Matrix, csr_of, dense, is_sparse

#: What scipy's ``A @ B`` calls: it adds to an array that is there, which no public name does. None if it is gone.
csr_matvecs: Any = getattr(getattr(sparse, "_sparsetools", None), "csr_matvecs", None)
#: Writes the block of rows from ``start`` on and columns ``start`` to ``stop`` of a symmetric matrix to an array.
Begin: TypeAlias = Callable[[int, int, Array], None]

#: Columns of a block, roughly: a thousand rows of it fit the second cache; a matrix of one block is computed whole.
BLOCK = 96
#: Share of nonzero entries up to which CSR multiplies faster than BLAS does; they break even at a fifth of 200 columns.
SPARSE = 1 / 9


def cheapest(matrix: Matrix) -> Matrix:
    """``matrix`` as CSR if at most one entry in 9 is nonzero, as an array otherwise: the faster one to multiply by.

    >>> [sparse.issparse(cheapest(A)) for A in (np.eye(9), np.eye(8))]
    [True, False]
    """
    most = SPARSE * matrix.shape[0] * matrix.shape[1]
    if is_sparse(matrix):
        return dense(matrix) if matrix.nnz > most else sparse.csr_array(matrix)
    there = matrix != 0
    return matrix if np.count_nonzero(there) > most else csr_of(matrix, there)


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


def add_rows(A: sparse.csr_array, start: int, stop: int, B: Array, out: Array, first: int = 0) -> None:
    """``out += A[start:stop] B`` for CSR ``A`` and C-contiguous ``B`` and ``out``, without a slice and a temporary.

    ``B`` has the rows from ``first`` on, as many as these rows of ``A`` have columns that are not zero.

    >>> out = np.ones((1, 2))
    >>> add_rows(sparse.csr_array(np.eye(2)), 1, 2, np.array([[1.0, 2.0], [3.0, 4.0]]), out)
    >>> out
    array([[4., 5.]])
    """
    if csr_matvecs is None:
        out += A[start:stop, first : first + len(B)] @ B
        return
    n, wide = A.shape[1], B.shape[1]
    columns = A.indices - A.indices.dtype.type(first) if first else A.indices
    csr_matvecs(stop - start, n, wide, A.indptr[start : stop + 1], columns, A.data, B.reshape(-1), out.reshape(-1))


def lower_blocks(B: Matrix, W: Array, begin: Begin) -> Iterator[tuple[int, int, Array]]:
    """``(start, stop, (T + B W')[start:, start:stop])`` for blocks of columns, where ``T`` and ``B W'`` are symmetric.

    ``begin(start, stop, out)`` writes such a block of ``T`` to ``out``. What is right of the blocks on the diagonal is
    not computed. The square on top of a block, on the diagonal, is made equal to its transpose to the last bit. The
    blocks share their memory: each is gone when the next is asked for.

    >>> B = np.array([[1.0, 2.0], [0.0, 1.0]])
    >>> [(start, stop, block.tolist()) for start, stop, block in lower_blocks(B, B, lambda i, j, out: out.fill(1.0))]
    [(0, 2, [[6.0, 3.0], [3.0, 2.0]])]
    """
    n = len(W)
    width = -(-n // max(1, round(n / BLOCK)))  # blocks of one width: a narrow one costs as many calls as a wide one
    works = np.empty((1 if is_sparse(B) else 2, n * width))
    for start in range(0, n, max(width, 1)):
        stop = min(start + width, n)
        tall, wide = n - start, stop - start
        block, *product = works[:, : tall * wide].reshape(-1, tall, wide)
        begin(start, stop, block)
        if product:
            block += np.matmul(B[start:], W[start:stop].T, out=product[0])
        else:
            add_rows(B, start, n, np.ascontiguousarray(W[start:stop].T), block)
        square = block[:wide]
        np.add(square, square.T, out=square)
        square *= 0.5
        yield start, stop, block


def mirror(M: Array, start: int, stop: int) -> None:
    """Copy a block of columns of the lower triangle to the rows above it."""
    M[start:stop, stop:] = M[stop:, start:stop].T


def add_symmetric(M: Array, W: Array, B: Matrix) -> None:
    """``M += W B'`` in place, for symmetric ``M`` and a product known to be symmetric.

    Block by block of columns the part below the diagonal is computed, then mirrored: ``M`` stays equal to its transpose
    to the last bit.

    >>> M, B = np.zeros((2, 2)), np.array([[1.0, 2.0], [0.0, 1.0]])
    >>> add_symmetric(M, B, B)
    >>> M
    array([[5., 2.],
           [2., 1.]])
    """

    if len(M) <= BLOCK and not is_sparse(B):  # one block: the same without its machinery
        product = np.matmul(B, W.T)
        product += M
        np.add(product, product.T, out=M)
        M *= 0.5
        return

    def begin(start: int, stop: int, out: Array) -> None:
        out[...] = M[start:, start:stop]

    for start, stop, block in lower_blocks(B, W, begin):
        M[start:, start:stop] = block
        mirror(M, start, stop)
