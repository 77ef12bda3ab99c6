"""Rational numbers, vectors and matrices (python-flint's ``fmpq``, ``fmpq_mat``) from and to what people write."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpz
from scipy import sparse

from tabular_krope.arrays import Array, is_sparse
from tabular_krope.errors import KropeError


def rational(value: Any, name: str = "value") -> fmpq:
    """``value`` as a rational: an integer, a Fraction, a string such as ``"3/4"`` or a float as it stands.

    >>> rational("3/4"), rational(0.5), rational("0.1")
    (3/4, 1/2, 1/10)
    """
    if isinstance(value, fmpq):
        return value
    if isinstance(value, str):
        return fraction_from_text(str(value), name)
    try:
        fraction = Fraction(value.item() if isinstance(value, np.generic) else value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise KropeError(f'{name} must be a rational such as "3/4" or 0.75; got {value!r}') from None
    return fmpq(fraction.numerator, fraction.denominator)


def rational_vector(values: Iterable[Any], name: str = "vector") -> tuple[fmpq, ...]:
    """A tuple of rationals."""
    return tuple(rational(value, f"{name}[{i}]") for i, value in enumerate(values))


def rational_matrix(rows: Any, name: str = "matrix") -> fmpq_mat:
    """A rational matrix from nested sequences, an array or a sparse matrix.

    >>> rational_matrix([["1/2", 1], [0, 0.25]]).table()
    [[1/2, 1], [0, 1/4]]
    """
    if isinstance(rows, fmpq_mat):
        return fmpq_mat(rows)
    try:
        table = [list(row) for row in (sparse.csr_array(rows).toarray() if is_sparse(rows) else rows)]
    except TypeError:
        raise KropeError(f"{name} must be a matrix; got {rows!r}") from None
    width = len(table[0]) if table else 0
    for i, row in enumerate(table):
        if len(row) != width:
            raise KropeError(f"{name}[{i}] must have {width} entries like the first row; got {len(row)}")
    entries = [rational(v, f"{name}[{i}, {j}]") for i, row in enumerate(table) for j, v in enumerate(row)]
    return fmpq_mat(len(table), width, entries)


def column(values: Sequence[fmpq]) -> fmpq_mat:
    """A rational vector as a one-column matrix."""
    return fmpq_mat(len(values), 1, list(values))


def diagonal(values: Sequence[fmpq]) -> fmpq_mat:
    """The diagonal matrix of a rational vector."""
    matrix = fmpq_mat(len(values), len(values))
    for i, value in enumerate(values):
        matrix[i, i] = value
    return matrix


def identity(n: int) -> fmpq_mat:
    """The n-by-n identity."""
    return diagonal([fmpq(1)] * n)


def sandwiched(P: fmpq_mat, M: fmpq_mat) -> fmpq_mat:
    """``P M P'`` for a symmetric ``M`` of large fractions and a ``P`` that may be mostly zeros, [X, X].

    Denominators are taken out first: the products are of integers, and each entry is reduced once.

    >>> sandwiched(rational_matrix([["1/2", "1/2"]]), rational_matrix([[1, 0], [0, "1/3"]])).table()
    [[1/3]]
    """
    whole, denominator = M.numer_denom()
    table = whole.table()
    rows = [_whole_row(row) for row in P.table()]
    X, n = P.nrows(), M.nrows()
    product = fmpq_mat(X, X)
    for i, (places, scale) in enumerate(rows):
        left = [sum((value * table[k][j] for k, value in places), fmpz(0)) for j in range(n)]
        for j in range(i, X):
            others, other = rows[j]
            top = sum((value * left[k] for k, value in others), fmpz(0))
            product[i, j] = product[j, i] = fmpq(top, denominator * scale * other)
    return product


def _whole_row(row: list[fmpq]) -> tuple[list[tuple[int, fmpz]], fmpz]:
    """The places and values that are not zero, as integers, and their common denominator."""
    scale = fmpz(lcm(*(int(value.q) for value in row)))
    return [(k, value.p * (scale // value.q)) for k, value in enumerate(row) if value != 0], scale


def entries(matrix: fmpq_mat) -> tuple[fmpq, ...]:
    """All entries, row by row: the inverse of `column` on a one-column matrix."""
    return tuple(matrix.entries())


def nearest_float(value: fmpq) -> float:
    """The float64 nearest to a rational (correctly rounded: Python's integer division is)."""
    try:
        return int(value.p) / int(value.q)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def float_vector(values: Iterable[fmpq]) -> Array:
    """The nearest float64 vector."""
    return np.array([nearest_float(v) for v in values])


def float_matrix(matrix: fmpq_mat) -> Array:
    """The nearest float64 matrix.

    >>> float_matrix(rational_matrix([["1/3"]]))
    array([[0.33333333]])
    """
    return float_vector(matrix.entries()).reshape(matrix.nrows(), matrix.ncols())


_RATIO = re.compile(r"\s*([+-]?[0-9]+)(?:/([0-9]+))?\s*")
_DECIMAL = re.compile(r"\s*([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,3}))?\s*")


def fraction_from_text(value: Any, name: str) -> fmpq:
    """The rational written in ``value``, a string or an integer, however many digits it has.

    An exponent may have three digits: ``1e-999999999`` is a short text for a number that fills the memory.

    >>> fraction_from_text("3/4", "r[0]"), fraction_from_text("-2.5e-1", "r[1]"), fraction_from_text(2, "r[2]")
    (3/4, -1/4, 2)
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return fmpq(value)
    if isinstance(value, str):
        if ratio := _RATIO.fullmatch(value):
            whole, part = fmpz(ratio[1].lstrip("+")), fmpz(ratio[2] or "1")
            if part != 0:
                return fmpq(whole, part)
        elif (decimal := _DECIMAL.fullmatch(value)) and (digits := decimal[2] + (decimal[3] or "")):
            size = fmpq(fmpz(digits)) * fmpq(10) ** (int(decimal[4] or 0) - len(decimal[3] or ""))
            return -size if decimal[1] == "-" else size
    raise KropeError(f'{name} must be a rational such as "3/4" or 0.75; got {_shortened(value)}')


def _shortened(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
