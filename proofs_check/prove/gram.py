"""Sums of squares by a small semidefinite program, made rational: untrusted, the kernel expands what is found.

A value is looked for as ``sum_b sum_ij G_b[i, j] T_b[i, j]`` with psd matrices ``G_b``, the ``T_b[i, j]`` being given
values. Coefficients are compared key by key, which is linear in the ``G_b``; what the solver finds is rounded to
rationals that satisfy the equations exactly.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from scipy import sparse

from proofs_check.prove.algebra import Value
from tabular_krope.errors import KropeError
from tabular_krope.exact.psd import rational_ldl

#: One table of values for each block, [n, n].
Block = Sequence[Sequence[Value]]
#: Largest denominators that are tried, simplest first.
DENOMINATORS = (1, 2, 4, 12, 60, 5040)


def rational_gram(goal: Value, blocks: Sequence[Block]) -> list[fmpq_mat] | None:
    """Rational psd matrices that weigh the blocks to the goal; None if none are found.

    >>> from proofs_check.prove.text import parse_value
    >>> one, x = parse_value("1", ()), parse_value("x", ())
    >>> table = [[one, x], [x, parse_value("x x", ())]]
    >>> [G.table() for G in rational_gram(parse_value("1 - 2 x + x x", ()), [table])]
    [[[1, -1], [-1, 1]]]
    """
    system, right = _equations(goal, blocks)
    if system is None:
        return None
    found = _solved(system, right, [len(block) for block in blocks])
    if found is None:
        return None
    for most in DENOMINATORS:
        rounded = [Fraction(float(v)).limit_denominator(most) for v in found]
        exact = _corrected(system, right, rounded)
        if exact is not None:
            gram = _matrices(exact, [len(block) for block in blocks])
            if all(_is_psd(G) for G in gram):
                return gram
    return None


def squares_of(G: fmpq_mat) -> list[tuple[Fraction, list[Fraction]]]:
    """``G = sum_k weight_k w_k w_k'`` with positive weights.

    >>> squares_of(fmpq_mat([[1, -1], [-1, 1]]))
    [(Fraction(1, 1), [Fraction(1, 1), Fraction(-1, 1)])]
    """
    factor = rational_ldl(G)
    columns = factor.G.transpose().table()
    return [(_fraction(t), [_fraction(v) for v in column]) for t, column in zip(factor.T, columns, strict=True)]


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _is_psd(G: fmpq_mat) -> bool:
    try:
        rational_ldl(G)
    except KropeError:
        return False
    return True


def _equations(goal: Value, blocks: Sequence[Block]) -> tuple[Any, Any]:
    """One row for each key, one column for each entry ``i <= j`` of each block."""
    columns: list[dict[Any, Fraction]] = []
    for block in blocks:
        for i, row in enumerate(block):
            for j in range(i, len(row)):
                both = [row[j]] if i == j else [row[j], block[j][i]]
                total: dict[Any, Fraction] = {}
                for value in both:
                    for key, number in value.items():
                        total[key] = total.get(key, Fraction(0)) + number
                columns.append(total)
    keys = sorted({key for column in (*columns, goal) for key in column})
    if not columns or any(not any(key in column for column in columns) for key in goal):
        return None, None
    system = [[column.get(key, Fraction(0)) for column in columns] for key in keys]
    return system, [goal.get(key, Fraction(0)) for key in keys]


def _solved(system: Any, right: Any, sizes: Sequence[int]) -> np.ndarray | None:
    """A point of the spectrahedron with a small trace: the program as Clarabel takes it, without a modeling layer."""
    import clarabel

    A, b = np.array(system, dtype=float), np.array(right, dtype=float)
    rows, cones, places, total = [A], [clarabel.ZeroConeT(len(b))], [], 0
    for n in sizes:
        order = [_place(i, j, n) for j in range(n) for i in range(j + 1)]  # by columns, as a cone of matrices has it
        scale = [1.0 if i == j else np.sqrt(2) for j in range(n) for i in range(j + 1)]
        cone = np.zeros((len(order), A.shape[1]))
        cone[np.arange(len(order)), [total + k for k in order]] = -np.array(scale)
        rows.append(cone)
        cones.append(clarabel.PSDTriangleConeT(n) if n > 1 else clarabel.NonnegativeConeT(1))
        places += [total + _place(i, i, n) for i in range(n)]
        total += len(order)
    trace = np.zeros(total)
    trace[places] = 1.0
    whole = sparse.csc_matrix(np.vstack(rows))
    far = np.concatenate([b, np.zeros(total)])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    found = clarabel.DefaultSolver(sparse.csc_matrix((total, total)), trace, whole, far, cones, settings).solve()
    if str(found.status) not in ("Solved", "AlmostSolved"):  # what is inaccurate is rounded and checked anyway
        return None
    return np.array(found.x)


def _place(i: int, j: int, n: int) -> int:
    """Where the entry ``i <= j`` stands among those of an upper triangle by rows.

    >>> [_place(i, j, 3) for i in range(3) for j in range(i, 3)]
    [0, 1, 2, 3, 4, 5]
    """
    return i * n - i * (i - 1) // 2 + j - i


def _corrected(system: Any, right: Any, rounded: list[Fraction]) -> list[Fraction] | None:
    """The rounded point moved into the affine space: free entries are kept, the others solved for."""
    used = [j for j, x in enumerate(rounded) if x]
    misses = [b - sum(row[j] * rounded[j] for j in used if row[j]) for row, b in zip(system, right, strict=True)]
    if not any(misses):
        return rounded
    table = fmpq_mat(
        [[fmpq(v.numerator, v.denominator) for v in (*row, m)] for row, m in zip(system, misses, strict=True)]
    )
    reduced, rank = table.rref()
    change = [Fraction(0)] * len(rounded)
    for k in range(rank):
        pivot = next(j for j in range(table.ncols()) if reduced[k, j] != 0)
        if pivot == len(rounded):
            return None
        change[pivot] = _fraction(reduced[k, len(rounded)])
    return [x + y for x, y in zip(rounded, change, strict=True)]


def _matrices(entries: list[Fraction], sizes: Sequence[int]) -> list[fmpq_mat]:
    out, at = [], 0
    for n in sizes:
        G = fmpq_mat(n, n)
        for i in range(n):
            for j in range(i, n):
                G[i, j] = G[j, i] = fmpq(entries[at].numerator, entries[at].denominator)
                at += 1
        out.append(G)
    return out
