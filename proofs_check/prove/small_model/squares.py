r"""Sums of squares with rational coefficients: solved in floats, read off as fractions, verified exactly.

A tight inequality has certificates on the edge of the cone only: the Gram matrices are singular, and rounding would
leave the cone. So the range of each matrix is read off first, its reduced echelon form rounded to fractions; on these
smaller bases the program has an interior, and what is rounded there stays positive.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from proofs_check.prove.small_model.patience import spend
from proofs_check.prove.small_model.problem import Problem
from proofs_check.prove.small_model.ring import ONE, ZERO, Polynomial, as_terms, constant, variable
from proofs_check.prove.small_model.samples import sample, values
from proofs_check.prove.small_model.semidefinite_program import MOST_FACTORS, Block, blocks, equations, solve
from tabular_krope.arrays import Array

#: Eigenvalues below this share of the largest one count as zero, most trusting last.
CUTS = (1e-6, 1e-4, 1e-3)
#: Denominators that echelon forms are rounded to.
DENOMINATOR = 120
#: Binary places that entries are rounded to, one denominator for all of them so that fractions stay short.
BITS = (6, 14, 24)


def sum_of_squares(problem: Problem, level: int = 0, power: int = 0) -> dict[str, Any] | None:
    """A proof by squares; None if none was found.

    Args:
        problem: what is to be shown.
        level: by how much the degree of the squares may exceed that of the goal, in steps of two.
        power: of ``1 + w`` that the goal is multiplied by.

    >>> b, c = variable("b1"), variable("b2")
    >>> proof = sum_of_squares(Problem((b - c) ** 2, simplices=(("b1",), ("b2",))))
    >>> [(weight, factors) for weight, factors, _ in proof["terms"]]
    [('1', [])]
    """
    goal = problem.goal * (ONE + variable("w")) ** power
    for margin in _margins(problem):
        terms = _terms(problem, level, goal - constant(margin), level == power == 0)
        if terms is not None:
            return {"rule": "squares", "power": power, "margin": str(margin), "terms": terms}
    return None


def _margins(problem: Problem) -> list[fmpq]:
    """What a strict goal may exceed 0 by: fractions of the least value seen."""
    if not problem.strict:
        return [fmpq(0)]
    total, _ = values(problem.goal, sample(problem.nonnegative, problem.simplices, problem.free))
    least = Fraction(float(total.min())).limit_denominator(1000)
    return [fmpq(least.numerator, least.denominator) / k for k in (1, 4)] if least > 0 else []


def _terms(problem: Problem, level: int, goal: Polynomial, in_steps: bool) -> list[list[Any]] | None:
    """Squares that add up to the goal; ``in_steps`` tries few factors first, whose programs are a fraction as large."""
    before = 0
    for most in range(0 if in_steps else MOST_FACTORS, MOST_FACTORS + 1):
        found = blocks(problem, level, goal, most)
        entries = sum(len(block.entries) for block in found)
        if entries <= before:  # too many, or none that were not tried
            continue
        before = entries
        terms = _solved(found, goal)
        if terms is not None:
            return terms
    return None


def _solved(found: list[Block], goal: Polynomial) -> list[list[Any]] | None:
    rows, right = equations(found, goal)
    if any(not row and value for row, value in zip(rows, right, strict=True)):
        return None
    if not spend(sum(len(block.entries) for block in found)):
        return None
    floats = solve(found, rows, right, push=False)
    if floats is None:
        return None
    for cut in CUTS:
        smaller = _faces(found, floats, cut)
        if not smaller:
            continue
        rows, right = equations(smaller, goal)
        if any(not row and value for row, value in zip(rows, right, strict=True)):
            continue
        centered = solve(smaller, rows, right, push=True)
        if centered is None:
            continue
        for bits in BITS:
            exact = _project(smaller, centered, rows, right, bits)
            terms = None if exact is None else _squares(smaller, exact)
            if terms is not None:
                return terms
            if exact is None:
                break
    return None


def _faces(found: list[Block], matrices: list[Array], cut: float) -> list[Block]:
    """Each basis replaced by one of the range of its matrix, in fractions."""
    largest = max(float(np.abs(Q).max()) for Q in matrices)
    smaller = []
    for block, Q in zip(found, matrices, strict=True):
        lengths, vectors = np.linalg.eigh(Q)
        kept = vectors[:, lengths > cut * largest].T
        if not len(kept):
            continue
        echelon = _echelon(kept)
        basis = []
        for row in echelon:
            form = ZERO
            for value, monomial in zip(row, block.basis, strict=True):
                near = Fraction(float(value)).limit_denominator(DENOMINATOR)
                form = form + monomial * fmpq(near.numerator, near.denominator)
            basis.append(form)
        smaller.append(Block(block.chosen, block.weight, tuple(basis)))
    return smaller


def _echelon(rows: Array) -> Array:
    """Reduced row echelon form of independent rows, largest pivots first."""
    E = rows.copy()
    used: list[int] = []
    for i in range(len(E)):
        columns = [j for j in range(E.shape[1]) if j not in used]
        part = np.abs(E[i:][:, columns])
        row, j = np.unravel_index(int(np.argmax(part)), part.shape)
        column = columns[int(j)]
        E[[i, i + int(row)]] = E[[i + int(row), i]]
        E[i] /= E[i, column]
        for other in range(len(E)):
            if other != i:
                E[other] -= E[other, column] * E[i]
        used.append(column)
    return E


def _project(
    found: list[Block], matrices: list[Array], rows: list[list[tuple[int, fmpq]]], right: list[fmpq], bits: int
) -> list[fmpq] | None:
    """Rational entries near to float ones that satisfy every equation; None if no entries do."""
    guess = []
    for block, Q in zip(found, matrices, strict=True):
        for i, j in block.entries:
            guess.append(fmpq(round(float(Q[i, j]) * 2**bits), 2**bits))
    m, n = len(rows), len(guess)
    A = fmpq_mat(m, n)
    for r, row in enumerate(rows):
        for c, value in row:
            A[r, c] = value
    wide = fmpq_mat(m, n + 1, [v for r in range(m) for v in (*[A[r, c] for c in range(n)], right[r])])
    reduced, rank = wide.rref()
    for i in range(rank):
        if all(reduced[i, j] == 0 for j in range(n)):
            return None
    # Pivot entries are solved for; the others keep their rounded values.
    result = list(guess)
    for i in range(rank):
        pivot = next(j for j in range(n) if reduced[i, j] != 0)
        value = reduced[i, n]
        for j in range(pivot + 1, n):
            if reduced[i, j] != 0:
                value -= reduced[i, j] * guess[j]
        result[pivot] = value
    return result


def _squares(found: list[Block], entries: list[fmpq]) -> list[list[Any]] | None:
    """Weights and roots of the squares; None unless every matrix is positive semidefinite."""
    terms, start = [], 0
    for block in found:
        n = len(block.basis)
        Q = [[fmpq(0)] * n for _ in range(n)]
        for k, (i, j) in enumerate(block.entries):
            Q[i][j] = Q[j][i] = entries[start + k]
        start += len(block.entries)
        for i in range(n):
            pivot = Q[i][i]
            if pivot < 0 or (pivot == 0 and any(Q[i][j] != 0 for j in range(i, n))):
                return None
            if pivot == 0:
                continue
            root = sum((block.basis[j] * (Q[i][j] / pivot) for j in range(i, n)), ZERO)
            terms.append([str(pivot), list(block.chosen), as_terms(root)])
            row = list(Q[i])
            for a in range(i, n):
                for b in range(i, n):
                    Q[a][b] -= row[a] * row[b] / pivot
    return terms
