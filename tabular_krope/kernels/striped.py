r"""A CSR matrix cut for products with long vectors: by rows for the threads, by columns for the cache.

``A v`` reads entries of ``v`` in no order. While ``v`` fits into the cache that costs little; a vector of 16 MB doubled
the time of a product, one of 80 MB tripled it. So the columns of a wide matrix are cut into bands whose part of ``v``
fits, and the sums of the bands are added; the rows are shared among the threads of `threads`. A row's sum is rounded in
the same way whoever makes it. (A block of ``k`` vectors, which reads ``A`` once for all, is no faster here: it fetches
``k`` times as many bytes from places just as far apart. docs/scaling.md has the measurement.)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Array
from tabular_krope.kernels.compiling import loops_for
from tabular_krope.kernels.threads import together, workers

#: What scipy's ``A @ v`` calls: it adds to an array that is there, which no public name does. None if it is gone.
csr_matvec: Any = getattr(getattr(sparse, "_sparsetools", None), "csr_matvec", None)
#: Entries from which a product is shared among threads.
SHARED = 2**20
#: Bytes of a vector of doubles that are read in one band, and entries of a row that a band has at least, on average.
BAND_BYTES, LEAST_IN_BAND = 2**22, 6


@dataclass(frozen=True, slots=True, eq=False)
class Striped:
    """A matrix [n, m] in pieces; ``A @ V`` is its product with V [m] or [m, k].

    Attributes:
        shape: (n, m).
        roundings: additions in the longest row, those of bands included.
        stripes: ranges of rows, each with its bands: ranges of columns and their part as CSR.

    >>> A = sparse.csr_array(np.array([[0.0, 2.0], [1.0, 1.0]]))
    >>> Striped.of(A) @ np.array([1.0, 10.0])
    array([20., 11.])
    """

    shape: tuple[int, int]
    roundings: int
    stripes: tuple[tuple[slice, tuple[tuple[slice, sparse.csr_array], ...]], ...]

    @classmethod
    def of(cls, matrix: Any) -> "Striped":
        """The pieces of a CSR matrix; without bands they share its arrays."""
        A = compact(matrix)
        n, m = A.shape
        parts = workers() if A.nnz >= SHARED else 1
        bands = max(1, min(-(-8 * m // BAND_BYTES), A.nnz // (LEAST_IN_BAND * max(n, 1))))
        lengths = np.diff(A.indptr)
        longest = int(lengths.max(initial=0)) + bands - 1
        ends = np.searchsorted(A.indptr, A.nnz * np.arange(1, parts) / parts)
        limits = np.unique(np.concatenate([[0], np.minimum(ends, n), [n]])).tolist()
        stripes = tuple((slice(a, b), tuple(_bands(A, a, b, bands))) for a, b in pairwise(limits))
        return cls((n, m), longest, stripes)

    def light(self) -> "Striped":
        """The same in float32; indices are shared."""
        stripes = tuple((rows, tuple((cols, _light(A)) for cols, A in bands)) for rows, bands in self.stripes)
        return Striped(self.shape, self.roundings, stripes)

    def __matmul__(self, V: Array) -> Array:
        """``A V``, [n] or [n, k], in the precision of ``V``."""
        return self.add_to(np.zeros((self.shape[0], *V.shape[1:]), dtype=V.dtype), V)

    def add_to(self, out: Array, V: Array) -> Array:
        """``out + A V`` in the place of ``out`` [n] or [n, k], which is returned."""
        together([partial(_fill, out, rows, bands, V) for rows, bands in self.stripes])
        return out


def _fill(out: Array, rows: slice, bands: tuple[tuple[slice, sparse.csr_array], ...], V: Array) -> None:
    for cols, A in bands:
        if V.dtype == np.float64 and V.ndim == 1 and V.flags.c_contiguous and (loops := loops_for(A.nnz)) is not None:
            columns = A.indices.view(f"u{A.indices.itemsize}")
            loops.add_product(A.indptr.view(columns.dtype), columns, A.data, V[cols], out[rows])
        elif csr_matvec is None or V.ndim == 2 or not V.flags.c_contiguous:
            out[rows] += A @ V[cols]
        else:
            csr_matvec(*A.shape, A.indptr, A.indices, A.data, V[cols], out[rows])


def _bands(A: sparse.csr_array, start: int, stop: int, bands: int) -> Iterator[tuple[slice, sparse.csr_array]]:
    """Rows ``start`` to ``stop`` of a CSR matrix, in that many bands of columns."""
    first, last = int(A.indptr[start]), int(A.indptr[stop])
    data, indices, indptr = A.data[first:last], A.indices[first:last], A.indptr[start : stop + 1] - A.indptr[start]
    m = A.shape[1]
    if bands == 1:
        yield slice(0, m), sparse.csr_array((data, indices, indptr), shape=(stop - start, m))
        return
    width = -(-m // bands)
    for left in range(0, m, width):
        right = min(left + width, m)
        inside = (indices >= left) & (indices < right)
        before: NDArray[Any] = np.concatenate([[0], np.cumsum(inside, dtype=indptr.dtype)])[indptr]
        part = (data[inside], indices[inside] - indices.dtype.type(left), before.astype(indptr.dtype))
        yield slice(left, right), sparse.csr_array(part, shape=(stop - start, right - left))


def compact(matrix: Any) -> sparse.csr_array:
    """The same matrix as CSR with 32-bit indices where they suffice: a third fewer bytes to read in a product."""
    rows: sparse.csr_array = matrix if isinstance(matrix, sparse.csr_array) else sparse.csr_array(matrix)
    if max(rows.nnz, *rows.shape) >= 2**31:
        return rows
    parts = (rows.data, rows.indices.astype(np.int32, copy=False), rows.indptr.astype(np.int32, copy=False))
    return sparse.csr_array(parts, shape=rows.shape)


def _light(matrix: sparse.csr_array) -> sparse.csr_array:
    return sparse.csr_array((matrix.data.astype(np.float32), matrix.indices, matrix.indptr), shape=matrix.shape)
