"""Arrays at the door: copied to float64, checked once, made read-only.

Every check names the argument, the first bad index and the value found there. ``~(x <= bound)`` is used instead of
``x > bound`` so that NaN counts as bad.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias, TypeGuard

import numpy as np
from flint import fmpq
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.errors import KropeError

Array: TypeAlias = NDArray[np.float64]
#: An ndarray or a scipy ``csr_array`` (scipy ships no types).
Matrix: TypeAlias = Any

#: Slack allowed to a sum of ``n`` probabilities that were rounded to float64 (or written with 9 digits in a file).
SUM_TOLERANCE = 1e-9


def frozen_array(value: Any, name: str, shape: tuple[int | None, ...]) -> Array:
    """A read-only float64 copy of ``value`` with the given shape (None: any length) and finite entries.

    >>> frozen_array([1, 2], "r", (2,))
    array([1., 2.])
    """
    _refuse_complex(value, name)
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise KropeError(f"{name} must be an array of numbers; got {type(value).__name__} ({error})") from None
    if array.ndim != len(shape) or any(want not in (None, have) for want, have in zip(shape, array.shape, strict=True)):
        wanted = ", ".join("any" if n is None else str(n) for n in shape)
        raise KropeError(f"{name} must have shape ({wanted}); got {array.shape}")
    refuse_where(~np.isfinite(array), array, name, "be finite")
    array.flags.writeable = False
    return array


def shape_of(value: Any, name: str) -> tuple[int, ...]:
    """The shape of an array, a sparse matrix or nested sequences.

    >>> shape_of([[1, 2, 3]], "P")
    (1, 3)
    """
    try:
        return tuple(np.shape(value))
    except ValueError:
        raise KropeError(f"{name} must have rows of one length; got rows of different lengths") from None


def _refuse_complex(value: Any, name: str) -> None:
    # numpy would drop the imaginary part with no more than a warning
    if getattr(getattr(value, "dtype", None), "kind", "f") == "c":
        raise KropeError(f"{name} must be real; got {value.dtype} numbers")


def refuse_rounding(value: Any, name: str) -> None:
    """Raise KropeError at the first fraction that is no float64: a model of floats would round it without a word.

    >>> from fractions import Fraction
    >>> refuse_rounding([0.1, Fraction(1, 4)], "P")
    >>> refuse_rounding([0, Fraction(1, 3)], "P")
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: P[1] must be a float64, exact models keep fractions (ExactMDP, ExactMRP); got 1/3
    """
    if is_sparse(value) or getattr(value, "dtype", None) not in (None, np.dtype(object)):
        return
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths, which are told when they are copied
        return
    if array.dtype != object:
        return
    for index, entry in np.ndenumerate(array):
        if isinstance(entry, Fraction | fmpq) and Fraction(float(entry)) != Fraction(str(entry)):
            where = f"[{', '.join(map(str, index))}]" if index else ""
            raise KropeError(
                f"{name}{where} must be a float64, exact models keep fractions (ExactMDP, ExactMRP); got {entry}"
            )


def refuse_where(bad: NDArray[np.bool_], values: Any, name: str, requirement: str) -> None:
    """Raise KropeError at the first index where ``bad`` is true.

    >>> refuse_where(np.array([False, True]), [0.0, -1.0], "r", "be non-negative")
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: r[1] must be non-negative; got -1
    """
    if not bad.any():
        return
    index = tuple(int(i) for i in np.argwhere(bad)[0])
    value = np.asarray(values)[index]
    where = f"[{', '.join(str(i) for i in index)}]" if index else ""
    raise KropeError(f"{name}{where} must {requirement}; got {value:.10g}")


def frozen_csr(value: Any, name: str, shape: tuple[int, int]) -> sparse.csr_array:
    """A read-only float64 CSR copy of a sparse ``value`` with the given shape and finite entries."""
    _refuse_complex(value, name)
    if type(value) is np.ndarray and value.ndim == 2:
        matrix = csr_of(value.astype(np.float64, copy=False))
    else:
        matrix = sparse.csr_array(value, dtype=np.float64, copy=True)
    if matrix.shape != shape:
        raise KropeError(f"{name} must have shape {shape}; got {matrix.shape}")
    matrix.sum_duplicates()
    refuse_where(~np.isfinite(matrix.data), matrix.data, f"{name}.data", "be finite")
    for part in (matrix.data, matrix.indices, matrix.indptr):
        part.flags.writeable = False
    return matrix


def csr_of(matrix: Array, there: NDArray[np.bool_] | None = None) -> sparse.csr_array:
    """A dense matrix as CSR, in a tenth of the time that scipy's conversion takes; ``there`` is ``matrix != 0``.

    >>> csr_of(np.array([[0.0, 2.0], [1.0, 0.0]])).toarray()
    array([[0., 2.],
           [1., 0.]])
    """
    there = matrix != 0 if there is None else there
    flat = np.flatnonzero(there)
    kind: Any = np.int32 if matrix.size < 2**31 else np.int64
    rows, wide = matrix.shape
    ends = np.searchsorted(flat, np.arange(rows + 1) * wide).astype(kind)
    parts = (matrix.reshape(-1)[flat], flat.astype(kind) % kind(wide), ends)
    out = sparse.csr_array(parts, shape=matrix.shape)
    out.has_canonical_format = True  # in order and each once: there is nothing to look for
    return out


def row_sums(matrix: Matrix) -> Array:
    """Sums of the rows of a dense or CSR matrix, [n]."""
    if type(matrix) is np.ndarray:
        return np.asarray(matrix.sum(axis=1), dtype=np.float64)
    return np.asarray(matrix.sum(axis=1), dtype=np.float64).reshape(-1)


def substochastic(matrix: Matrix, end: Array, name: str, labels: Sequence[str] | None = None) -> Matrix:
    """``matrix`` with rows that sum with ``end`` to 1 up to rounding; a row that is not meant to is refused by name.

    Probabilities written with ten digits miss 1 by so much that a chain would seem to end, or to grow. Rows that are
    off by more than rounding are scaled; all others are kept to the last bit.

    Args:
        matrix: transition probabilities, [n, m], dense or CSR, read-only.
        end: probability that the episode ends, [n].
        name: what the matrix is called in the message.
        labels: how row ``i`` is written in the message; ``[i, :]`` if None.

    >>> substochastic(np.array([[0.3333333333, 0.6666666666], [0.25, 0.75]]), np.zeros(2), "P").sum(axis=1) == 1
    array([ True,  True])
    """
    if is_sparse(matrix):
        if np.any(bad := ~(matrix.data >= 0)):
            at = int(np.argmax(bad))
            row = int(np.searchsorted(matrix.indptr, at, side="right")) - 1
            _refuse_negative(name, labels, row, int(matrix.indices[at]), matrix.data[at])
    elif np.any(bad := ~(np.asarray(matrix) >= 0)):
        row, column = (int(i) for i in np.argwhere(bad)[0])
        _refuse_negative(name, labels, row, column, matrix[row, column])
    total = row_sums(matrix) + end
    bad = ~(np.abs(total - 1.0) <= SUM_TOLERANCE)
    if bad.any():
        row = int(np.argmax(bad))
        label = labels[row] if labels else str(row)
        also = " with end" if np.any(end) else ""
        raise KropeError(f"{name}[{label}, :] must sum to 1{also}; got {total[row]:.10g}")
    sums, terms = total - end, np.diff(matrix.indptr) if is_sparse(matrix) else np.count_nonzero(matrix, axis=1)
    off = (np.abs(total - 1.0) > (terms + 4) * np.finfo(np.float64).eps) & (sums > 0)
    if not off.any():
        return matrix
    scale = np.where(off, (1.0 - end) / np.where(off, sums, 1.0), 1.0)
    return _scaled_rows(matrix, scale)


def rows_to_one(matrix: Matrix, end: Array) -> tuple[Matrix, Array]:
    """``matrix`` and ``end`` with each row divided by what it sums to with its end, read-only.

    Rows that sum to nothing that can be divided by are left for `substochastic` to refuse.

    >>> rows_to_one(np.array([[1.0, 2.0]]), np.array([1.0]))
    (array([[0.25, 0.5 ]]), array([0.25]))
    """
    total = row_sums(matrix) + end
    scale = 1.0 / np.where(np.isfinite(total) & (total > 0), total, 1.0)
    ends = end * scale
    ends.flags.writeable = False
    return _scaled_rows(matrix, scale), ends


def _scaled_rows(matrix: Matrix, scale: Array) -> Matrix:
    """Row ``i`` times ``scale[i]``, read-only."""
    if is_sparse(matrix):
        data = matrix.data * np.repeat(scale, np.diff(matrix.indptr))
        data.flags.writeable = False
        return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)
    scaled = matrix * scale[:, None]
    scaled.flags.writeable = False
    return scaled


def _refuse_negative(name: str, labels: Sequence[str] | None, row: int, column: int, value: float) -> None:
    label = labels[row] if labels else str(row)
    raise KropeError(f"{name}[{label}, {column}] must be non-negative; got {value:.10g}")


def distribution(weights: Any, size: int, name: str = "weights") -> Array:
    """Normalized non-negative weights, [size]; uniform if None. Zeros are legal, an all-zero vector is not.

    Weights that sum to 1 up to rounding are kept to the last bit, so that a saved distribution is read back unchanged.
    A positive weight is not a zero: one that would become zero is refused.

    >>> distribution([1, 3], 2)
    array([0.25, 0.75])
    """
    if weights is None:
        weights = np.ones(size)
    array = frozen_array(weights, name, (size,))
    refuse_where(~(array >= 0), array, name, "be non-negative")
    top = array.max(initial=0.0)
    if not top > 0:
        raise KropeError(f"{name} must have a positive sum; got 0")
    if top <= 1.0 and abs(float(array.sum()) - 1.0) <= size * np.finfo(np.float64).eps:
        normal = array
    else:
        scaled = array / top  # first, so that the sum of huge weights does not overflow
        normal = np.asarray(scaled / scaled.sum())
    refuse_where((array > 0) & (normal == 0), array, name, "be 0 or at least 1e-307 of their sum")
    normal.flags.writeable = False
    return normal


def roots_of_weights(weights: Any, size: int, name: str = "weights") -> Array:
    """``D^1/2`` of a `distribution` whose positive weights all have their full digits, [size].

    >>> roots_of_weights([1, 3, 0], 3)
    array([0.5      , 0.8660254, 0.       ])
    """
    D = distribution(weights, size, name)
    least = float(np.finfo(np.float64).tiny)
    refuse_where((D > 0) & (D < least), D, name, f"be 0 or at least {least:.3g} of their sum")
    return np.asarray(np.sqrt(D))


def require_gamma(gamma: Any) -> float:
    """The discount factor as a float in [0, 1]."""
    try:
        if isinstance(gamma, bool | np.bool_):
            raise TypeError
        value = float(gamma)
    except (TypeError, ValueError, OverflowError):
        raise KropeError(f"gamma must be a number; got {gamma!r}") from None
    if not 0.0 <= value <= 1.0:
        raise KropeError(f"gamma must lie in [0, 1]; got {value:.10g}")
    return value


def require_count(value: Any, name: str, least: int = 1) -> int:
    """An integer of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise KropeError(f"{name} must be an integer of at least {least}; got {value!r}")
    return int(value)


def is_sparse(matrix: object) -> TypeGuard["sparse.csr_array[Any, tuple[int, int]]"]:
    """Whether ``matrix`` is one of scipy's sparse arrays.

    >>> is_sparse(sparse.csr_array(np.eye(2))), is_sparse(np.eye(2))
    (True, False)
    """
    return type(matrix) is not np.ndarray and bool(sparse.issparse(matrix))


def dense(matrix: Matrix) -> Array:
    """``matrix`` as an ndarray."""
    return matrix.toarray() if is_sparse(matrix) else np.asarray(matrix)
