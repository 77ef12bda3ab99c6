r"""Optimal transport between finite distributions over the rationals, with a proof of optimality.

A coupling ``T`` of the two masses costs at least as much as any potentials with $u_i + v_j \le C_{ij}$ are worth; where
the two agree both are optimal, whatever found them. Here a simplex method on spanning trees does, with Bland's rule
(smallest index first, on entering and on leaving), which cannot cycle.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import rationals

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Coupling:
    """A cheapest coupling and the potentials that prove it.

    Attributes:
        mass: mass moved from each point to each point, [n, m].
        u, v: potentials of the points, [n] and [m].
        cost: what the coupling costs.
        worth: what the potentials are worth; equal to ``cost``.
    """

    mass: Any
    u: Any
    v: Any
    cost: Any
    worth: Any


def couple_exactly(mu: Any, nu: Any, cost: Any) -> Coupling:
    """The cheapest way to turn one positive mass into another of the same total.

    Args:
        mu, nu: rational masses, [n] and [m].
        cost: rational cost of moving a unit, [n, m].

    >>> found = couple_exactly(rationals(["1/2", "1/2"]), rationals(["1/4", "3/4"]), rationals([[0, 1], [1, 0]]))
    >>> found.cost, found.worth, found.mass[0].tolist()
    (1/4, 1/4, [1/4, 1/4])
    """
    basis = _northwest_corner(list(mu), list(nu))
    while True:
        u, v = _potentials(basis, cost)
        entering = next((cell for cell in np.ndindex(cost.shape) if cost[cell] < u[cell[0]] + v[cell[1]]), None)
        if entering is None:
            break
        _pivot(basis, entering)
    mass = 0 * cost
    for cell, moved in basis.items():
        mass[cell] = mass[cell] + moved
    return Coupling(mass, u, v, (mass * cost).sum(), mu @ u + nu @ v)


def _northwest_corner(mu: list[Any], nu: list[Any]) -> dict[Cell, Any]:
    """A first coupling on the cells of a spanning tree (n + m - 1 of them, some perhaps with no mass)."""
    i = j = 0
    basis = {}
    while True:
        moved = min(mu[i], nu[j])
        basis[i, j] = moved
        mu[i], nu[j] = mu[i] - moved, nu[j] - moved
        if i == len(mu) - 1 and j == len(nu) - 1:
            return basis
        if i < len(mu) - 1 and (mu[i] == 0 or j == len(nu) - 1):
            i += 1
        else:
            j += 1


def _potentials(basis: dict[Cell, Any], cost: Any) -> tuple[Any, Any]:
    """``u_i + v_j = C_ij`` on the cells of the tree, with ``u_0 = 0``."""
    n, m = cost.shape
    u, v = rationals([0] * n), rationals([0] * m)
    rows, columns, left = {0}, set[int](), set(basis)
    while left:
        for i, j in sorted(left):
            if i in rows or j in columns:
                if i in rows:
                    v[j] = cost[i, j] - u[i]
                else:
                    u[i] = cost[i, j] - v[j]
                rows.add(i)
                columns.add(j)
                left.remove((i, j))
    return u, v


def _pivot(basis: dict[Cell, Any], entering: Cell) -> None:
    """Bring a cell into the tree: mass goes round the cycle that it closes until a cell is empty, which leaves."""
    cycle = _path(basis, entering)
    losing, gaining = cycle[::2], cycle[1::2]
    moved = min(basis[cell] for cell in losing)
    leaving = min(cell for cell in losing if basis[cell] == moved)
    for cell in losing:
        basis[cell] -= moved
    for cell in gaining:
        basis[cell] += moved
    del basis[leaving]
    basis[entering] = moved


def _path(basis: dict[Cell, Any], entering: Cell) -> list[Cell]:
    """The cells of the tree between the row and the column of a cell outside it, the row's first."""

    def search(along_row: bool, at: int, before: list[Cell]) -> list[Cell] | None:
        for cell in basis:
            if cell in before or cell[0 if along_row else 1] != at:
                continue
            if along_row and cell[1] == entering[1]:
                return [*before, cell]
            found = search(not along_row, cell[1 if along_row else 0], [*before, cell])
            if found is not None:
                return found
        return None

    path = search(True, entering[0], [])
    assert path is not None  # a spanning tree joins every two of its points
    return path
