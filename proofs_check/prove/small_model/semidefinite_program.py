"""The semidefinite program of a certificate: which products of factors, times which squares, add up to a goal."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from flint import fmpq

from proofs_check.prove.small_model.problem import Problem
from proofs_check.prove.small_model.ring import NAMES, ONE, PLACE, Polynomial, degree, used, variable
from tabular_krope.arrays import Array

#: Products of factors, and entries of all Gram matrices at each level, beyond which nothing is tried.
MOST_PRODUCTS, MOST_ENTRIES = 400, (2500, 1500)
MOST_FACTORS = 3
Powers = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """``product of factors * v' Q v`` with an unknown positive semidefinite ``Q`` and a basis ``v``."""

    chosen: tuple[int, ...]
    weight: Polynomial
    basis: tuple[Polynomial, ...]

    @property
    def entries(self) -> list[tuple[int, int]]:
        """Places of the upper triangle, column by column."""
        return [(i, j) for j in range(len(self.basis)) for i in range(j + 1)]


@dataclass(frozen=True, slots=True)
class Grades:
    """Bounds on degrees: in rewards from ``least`` to ``most``, in ``w``, and in everything bounded."""

    least: int
    most: int
    discount: int
    bounded: int


def _groups(problem: Problem) -> tuple[list[str], list[str], list[str]]:
    names = set(used(problem.goal))
    for g in problem.constraints:
        names |= set(used(g))
    for block in problem.simplices:
        if names & set(block):
            names |= set(block)
    order = [name for name in NAMES if name in names]
    bounded = {v for block in problem.simplices for v in block}
    scales = [name for name in order if name not in bounded and name != "w"]
    return scales, [name for name in order if name == "w" and name not in bounded], [v for v in order if v in bounded]


def blocks(problem: Problem, level: int, goal: Polynomial, most: int = MOST_FACTORS) -> list[Block]:
    """Candidates for the terms of a certificate, with at most so many factors; empty if there would be too many."""
    scales, discount, bounded = _groups(problem)
    least = _least_degree(goal, scales)
    degrees = [degree(goal, names) for names in (scales, discount, bounded)]
    up = [2 * ((d + 1) // 2) for d in degrees]
    grades = Grades(least, degrees[0], up[1] if discount else 0, up[2] + 2 * level if bounded else 0)
    names = {*scales, *discount, *bounded}
    factors = [(i, g) for i, g in enumerate(problem.factors) if set(used(g)) <= names]
    found: list[Block] = []
    for size in range(most + 1):
        for chosen in combinations_with_replacement(range(len(factors)), size):
            if any(chosen.count(c) > 1 and size > 2 for c in chosen):
                continue
            weight = ONE
            for c in chosen:
                weight = weight * factors[c][1]
            basis = _basis(weight, grades, scales, discount, bounded)
            if basis and not weight.is_zero():
                found.append(Block(tuple(factors[c][0] for c in chosen), weight, basis))
            if len(found) > MOST_PRODUCTS:
                break
    found = _pruned(found, goal)
    entries = sum(len(block.entries) for block in found)
    return found if entries <= MOST_ENTRIES[level] else []


def _least_degree(p: Polynomial, names: Sequence[str]) -> int:
    places = [PLACE[name] for name in names]
    return min((sum(m[i] for i in places) for m in p.monoms()), default=0)


def _basis(
    weight: Polynomial, grades: Grades, scales: list[str], discount: list[str], bounded: list[str]
) -> tuple[Polynomial, ...]:
    """Monomials whose squares, times the weight, keep within the degrees of the goal."""
    high, low = degree(weight, scales), _least_degree(weight, scales)
    sizes = range(max(0, -(-(grades.least - low) // 2)), (grades.most - high) // 2 + 1)
    rest = [(grades.discount - degree(weight, discount)) // 2, (grades.bounded - degree(weight, bounded)) // 2]
    if min(rest) < 0 or not sizes:
        return ()
    found = []
    for s in sizes:
        for a in _monomials(scales, s):
            for power in range(rest[0] + 1 if discount else 1):
                for total in range(rest[1] + 1):
                    for b in _monomials(bounded, total):
                        found.append(a * b * (variable("w") ** power if power else ONE))
    return tuple(found)


def _monomials(names: Sequence[str], size: int) -> Iterator[Polynomial]:
    for chosen in combinations_with_replacement(names, size):
        result = ONE
        for name in chosen:
            result = result * variable(name)
        yield result


def _pruned(found: list[Block], goal: Polynomial) -> list[Block]:
    """Without monomials whose squares nothing could cancel."""
    support = set(goal.monoms())
    while True:
        seen: Counter[Powers] = Counter()
        tops: list[list[Powers]] = []
        for block in found:
            lead = max(block.weight.monoms(), key=sum)
            tops.append([_add(lead, m.monoms()[0], m.monoms()[0]) for m in block.basis])
            for i, j in block.entries:
                seen.update(set((block.weight * block.basis[i] * block.basis[j]).monoms()))
        kept, changed = [], False
        for block, own in zip(found, tops, strict=True):
            basis = tuple(m for m, top in zip(block.basis, own, strict=True) if top in support or seen[top] > 1)
            changed = changed or len(basis) < len(block.basis)
            if basis:
                kept.append(Block(block.chosen, block.weight, basis))
        found = kept
        if not changed or sum(len(block.entries) for block in found) > MOST_ENTRIES[0]:
            return found


def _add(*powers: Powers) -> Powers:
    return tuple(sum(p) for p in zip(*powers, strict=True))


def equations(found: list[Block], goal: Polynomial) -> tuple[list[list[tuple[int, fmpq]]], list[fmpq]]:
    """One row for each monomial: coefficients of the entries of all Gram matrices, and that of the goal."""
    rows: dict[Powers, list[tuple[int, fmpq]]] = {}
    column = 0
    for block in found:
        for i, j in block.entries:
            part = block.weight * block.basis[i] * block.basis[j] * (1 if i == j else 2)
            for powers, value in part.to_dict().items():
                rows.setdefault(powers, []).append((column, value))
            column += 1
    right = goal.to_dict()
    for powers in right:
        rows.setdefault(powers, [])
    keys = list(rows)
    return [rows[key] for key in keys], [right.get(key, fmpq(0)) for key in keys]


def solve(found: list[Block], rows: list[list[tuple[int, fmpq]]], right: list[fmpq], push: bool) -> list[Array] | None:
    """Gram matrices in floats; ``push`` asks for ones whose least eigenvalue is as large as can be."""
    import clarabel
    from scipy import sparse

    sizes = [len(block.basis) for block in found]
    n = sum(s * (s + 1) // 2 for s in sizes)
    root = np.sqrt(2.0)
    off = np.array([i == j for block in found for i, j in block.entries])
    scale = np.where(off, 1.0, root)  # entries of the triangle as the solver wants them
    entry = [(r, c, float(v.p) / float(v.q)) for r, row in enumerate(rows) for c, v in row]
    A = sparse.csc_matrix(
        ([v for *_, v in entry], ([r for r, *_ in entry], [c for _, c, _ in entry])), shape=(len(rows), n)
    )
    b = np.array([float(v.p) / float(v.q) for v in right])
    norms = np.maximum(np.sqrt(np.asarray(A.multiply(A).sum(axis=1)).ravel()), 1e-9)
    A, b = sparse.diags(1 / norms) @ A, b / norms
    last = sparse.csc_matrix((np.where(off, 1.0, 0.0), (range(n), [0] * n)), shape=(n, 1))
    top = sparse.hstack([A, sparse.csc_matrix((len(rows), 1))])
    middle = sparse.hstack([-sparse.diags(scale), last])
    bottom = sparse.hstack([sparse.csc_matrix((1, n)), sparse.csc_matrix([[1.0]])])
    cones: list[Any] = [clarabel.ZeroConeT(len(rows))]
    cones += [clarabel.NonnegativeConeT(1) if s == 1 else clarabel.PSDTriangleConeT(s) for s in sizes]
    cones.append(clarabel.NonnegativeConeT(1) if push else clarabel.ZeroConeT(1))
    q = np.zeros(n + 1)
    q[n] = -1.0 if push else 0.0
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_iter, settings.max_threads = False, 60, 1
    matrix = sparse.csc_matrix(sparse.vstack([top, middle, bottom]))
    bound = np.concatenate([b, np.zeros(n), [1.0 if push else 0.0]])
    answer = clarabel.DefaultSolver(sparse.csc_matrix((n + 1, n + 1)), q, matrix, bound, cones, settings).solve()
    if str(answer.status) not in ("Solved", "AlmostSolved"):
        return None
    return _matrices(found, np.array(answer.x[:n]))


def _matrices(found: list[Block], x: Array) -> list[Array]:
    matrices, start = [], 0
    for block in found:
        Q = np.zeros((len(block.basis),) * 2)
        for k, (i, j) in enumerate(block.entries):
            Q[i, j] = Q[j, i] = x[start + k]
        start += len(block.entries)
        matrices.append(Q)
    return matrices
