r"""Averages over transitions, from one pass in blocks: all that closed-form KROPE needs of them.

$$G = \Psi^\top D \Psi, \qquad H = \Psi^\top D \Psi', \qquad b = \Psi^\top D r, \qquad \mu = E_0\,\psi,$$

and rows ``S`` with $S^\top S = \Psi^\top D K_1 D \Psi$ for rewards on a grid. Forming ``G`` squares the condition
number of $\Psi$; with a ridge $c$ on columns of variance 1 that square is at most $p / c$, which float64 bears easily,
and products of matrices take a third of the time of triangular factors.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.closed_form.reward_rows import RewardGrid
from tabular_krope.errors import KropeError
from tabular_krope.kernels.reward import RewardKernel

#: Psi [m, p], Psi_next [m, p], r [m].
Rows: TypeAlias = tuple[Array, Array, Array]
#: Points of the grid of rewards: any positive semidefinite reward kernel has the certificate.
LEVELS = 256
#: Variance of a column, relative to its mean square, below which it counts as a constant.
FLAT = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Averages over transitions whose first feature is the constant 1.

    Attributes:
        G, H: products of the features with themselves and with those of the successors, [p, p].
        b: products with the rewards, [p].
        start: mean features of the starts, [p].
        S: rows of the reward kernel, [any, p].
        transitions: number of rows.
    """

    G: Array
    H: Array
    b: Array
    start: Array
    S: Array
    transitions: int

    @property
    def variances(self) -> Array:
        """Of the features over the data, [p]; exactly 0 for the constant and for columns that do not vary.

        >>> moments([(np.array([[1.0, 0.0], [1.0, 2.0]]), np.zeros((2, 2)), np.zeros(2))], np.zeros(2)).variances
        array([0., 1.])
        """
        squares = self.G.diagonal()
        out = squares - self.G[0] ** 2
        return np.where(out > FLAT * squares, out, 0.0)


def moments(rows: Iterable[Rows], start: Array, rewards: Any = None, levels: int = LEVELS) -> Moments:
    """One pass over the transitions.

    Args:
        rows: blocks ``(Psi, Psi_next, r)`` whose first column is 1 in ``Psi``, all of one weight.
        start: mean features of the starts, [p].
        rewards: all rewards, for the grid, [n]; those of the first block if None.
        levels: points of the grid; rewards beyond it count as its ends.

    >>> out = moments([(np.ones((2, 1)), np.array([[1.0], [0.0]]), np.array([1.0, 3.0]))], np.ones(1))
    >>> out.G, out.H, out.b, out.transitions
    (array([[1.]]), array([[0.5]]), array([2.]), 2)
    """
    n = 0
    G: Any = None
    H: Any = None
    b: Any = None
    sums: Any = None
    grid = RewardGrid(levels)
    if rewards is not None:
        grid.see(np.asarray(rewards, dtype=np.float64))
    for Psi, Psi_next, r in rows:
        if G is None:
            p = Psi.shape[1]
            G, H, b = np.zeros((p, p)), np.zeros((p, p)), np.zeros(p)
            if rewards is None:
                grid.see(r)
            sums = np.zeros((len(grid.points), p))
        if not (Psi[:, 0] == 1.0).all():
            raise KropeError("Psi[:, 0] must be the constant 1, which the ridge spares; got another column")
        G += Psi.T @ Psi
        H += Psi.T @ Psi_next
        b += Psi.T @ r
        inside = np.clip(r, grid.points[0], grid.points[-1])
        sums += grid.shares(inside, grid.cells(inside)).T @ Psi
        n += len(r)
    if n == 0:
        raise KropeError("rows must hold a transition; got none")
    return Moments(G / n, H / n, b / n, np.asarray(start, dtype=np.float64), _reward_rows(grid, sums / n), n)


def _reward_rows(grid: RewardGrid, sums: Array) -> Array:
    """Rows ``S`` from the features summed at each point of the grid; see `reward_rows`."""
    reward = RewardKernel.of(grid.points)
    total, h = sums.sum(axis=0), np.diff(grid.points)
    first = np.sqrt(1 - reward.slope * float(h.sum()) / 2) * total[None, :]
    steps = np.sqrt(2 * reward.slope * h)[:, None] * (np.cumsum(sums, axis=0)[:-1] - total / 2)
    return np.vstack([first, steps])
