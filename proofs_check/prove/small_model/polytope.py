"""Corners and rays of small polyhedra: every point is a weighted mean of corners plus a combination of rays."""

from collections.abc import Sequence
from itertools import combinations

from flint import fmpq, fmpq_mat

#: A half-space ``a . z + c >= 0`` as (a_1, .., a_n, c).
HalfSpace = tuple[fmpq, ...]
Vector = tuple[fmpq, ...]


def generators(halfspaces: Sequence[HalfSpace], n: int) -> tuple[list[Vector], list[Vector]]:
    """Corners and rays of a polyhedron in ``n`` dimensions that contains no line.

    >>> corners, rays = generators([(fmpq(1), fmpq(0), fmpq(0)), (fmpq(0), fmpq(1), fmpq(-1))], 2)
    >>> corners, rays
    ([(0, 1)], [(1, 0), (0, 1)])
    """
    cone = [*dict.fromkeys(halfspaces), (*[fmpq(0)] * n, fmpq(1))]
    found: dict[Vector, None] = {}
    for chosen in combinations(range(len(cone)), n):
        matrix = fmpq_mat(n, n + 1, [v for i in chosen for v in cone[i]])
        for direction in _directions(matrix, n):
            if all(_dot(half, direction) >= 0 for half in cone):
                found[direction] = None
    corners = [tuple(v / z[-1] for v in z[:-1]) for z in found if z[-1] > 0]
    rays = [z[:-1] for z in found if z[-1] == 0]
    return sorted(dict.fromkeys(corners), reverse=False), sorted(dict.fromkeys(rays), reverse=True)


def _directions(matrix: fmpq_mat, n: int) -> list[Vector]:
    """Both directions of the null line of ``n`` equations; none if they leave more than a line."""
    reduced, rank = matrix.rref()
    if rank < n:
        return []
    pivots = [next(j for j in range(n + 1) if reduced[i, j] != 0) for i in range(n)]
    free = next(j for j in range(n + 1) if j not in pivots)
    line = [fmpq(0)] * (n + 1)
    line[free] = fmpq(1)
    for i, j in enumerate(pivots):
        line[j] = -reduced[i, free]
    scale = sum((abs(v) for v in line), fmpq(0))
    return [tuple(sign * v / scale for v in line) for sign in (fmpq(1), fmpq(-1))]


def _dot(half: Vector, direction: Vector) -> fmpq:
    return sum((a * b for a, b in zip(half, direction, strict=True)), fmpq(0))
