r"""The reward kernel between base features, $\Psi^\top D K_1 D \Psi = S^\top S$, without an n-by-n array.

Let $F(t) = \sum_{r_i \le t} w_i \psi_i$ over the rewards up to ``t`` and $T$ the sum over all. Between neighboring
rewards that lie $h_k$ apart, $|r_i - r_j|$ counts $h_k / R$ for every pair on either side, so that

$$\Psi^\top D K_1 D \Psi = \Big(1 - \frac{\rho_0}{2R}\Big) T T^\top
    + \sum_k \frac{2 h_k}{R}\,\big(F_k - \tfrac12 T\big)\big(F_k - \tfrac12 T\big)^\top, \qquad \rho_0 = \sum_k h_k:$$

a sum of squares of cumulative sums in the order of the rewards. The rows of ``S`` are their square roots.

A stream has no order. There, rewards are shared out between the two nearest points of a grid (weights $1 - u$ and $u$).
As $|r - r'|$ is linear in each while the two do not cross, $K_1$ changes only for pairs in one cell, by a Brownian
bridge $\frac{2h}{R}(\min(u, v) - uv)$, which is positive semidefinite and at most $h / 2R$: the kernel that is used,
$K_1^{grid} \preceq K_1$, is a reward kernel as good as any for the certificate, and
$\|D^{1/2}(K_1 - K_1^{grid})D^{1/2}\|_2 \le \max_{cells} \frac{h}{2R} \cdot$ (weight of the cell). It is zero when every
reward is a point of the grid.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Array
from tabular_krope.closed_form.blocks import ArrayBlocks, Block
from tabular_krope.evaluation.tall_qr import rows_at_once
from tabular_krope.kernels.reward import RewardKernel


def sorted_rows(data: ArrayBlocks, reward: RewardKernel) -> Iterator[Array]:
    """The rows of ``S`` in blocks [any, p], from the rows of ``data`` in the order of their rewards.

    >>> data = ArrayBlocks.of([[1.0, 0.0], [0.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]], [0.0, 1.0], None)
    >>> S = np.concatenate(list(sorted_rows(data, RewardKernel.of(data.r))))
    >>> bool(np.allclose(4 * S.T @ S, np.eye(2)))  # D = 1/2: a quarter of K1, which is the identity
    True
    """
    order = np.argsort(data.r, kind="stable")
    order = order[data.weights[order] > 0]
    step = rows_at_once(data.Psi.shape[1])
    blocks = [order[start : start + step] for start in range(0, len(order), step)]
    total = sum(w @ Psi for Psi, _, _, w in data)
    below = np.zeros(data.Psi.shape[1])
    span = 0.0
    for k, rows in enumerate(blocks):
        Psi, _, r, w = data.take(rows)
        ahead = blocks[k + 1][:1] if k + 1 < len(blocks) else rows[-1:]
        h = np.diff(np.append(r, data.r[ahead]))
        F = below + np.cumsum(w[:, None] * Psi, axis=0)
        below = F[-1]
        span += float(h.sum())
        yield np.sqrt(2 * reward.slope * h[h > 0])[:, None] * (F[h > 0] - total / 2)
    yield np.sqrt(1 - reward.slope * span / 2) * np.reshape(total, (1, -1))


class RewardGrid:
    """Points among which the rewards of a stream are shared out: every distinct reward while they are few.

    >>> grid = RewardGrid(3)
    >>> grid.see(np.array([0.0, 5.0, 1.0])); grid.points, grid.exact
    (array([0., 1., 5.]), True)
    >>> grid.see(np.array([2.0])); grid.points, grid.exact
    (array([0., 2., 5.]), False)
    """

    def __init__(self, levels: int) -> None:
        self.levels = levels
        self.points: Array = np.zeros(0)
        self.exact = True

    def see(self, r: Array) -> None:
        """Take in rewards; the ends stay points, those between are thinned out evenly when there are too many."""
        points = np.unique(np.concatenate([self.points, r]))
        if len(points) > self.levels:
            self.exact = False
            points = points[np.round(np.linspace(0, len(points) - 1, self.levels)).astype(int)]
        self.points = points

    def cells(self, r: Array) -> NDArray[np.int64]:
        """The cell of each reward, by the point at its left, [n]."""
        found = np.searchsorted(self.points, r, side="right") - 1
        return np.asarray(np.clip(found, 0, max(len(self.points) - 2, 0)))

    def shares(self, r: Array, left: NDArray[np.int64]) -> sparse.csr_array:
        """Weights of each reward on the points, [n, levels]: two a row, on the ends of its cell."""
        n, levels = len(r), len(self.points)
        if levels == 1:
            return sparse.csr_array(np.ones((n, 1)))
        u = (r - self.points[left]) / (self.points[left + 1] - self.points[left])
        columns = np.stack([left, left + 1], axis=1).reshape(-1)
        weights = np.stack([1 - u, u], axis=1).reshape(-1)
        return sparse.csr_array((weights, columns, np.arange(0, 2 * n + 1, 2)), shape=(n, levels))

    def error(self, cells: Array, reward: RewardKernel) -> float:
        """Bound on what sharing out changes in the kernel, from the weights of the cells."""
        return 0.0 if self.exact else float((reward.slope * np.diff(self.points) / 2 * cells).max())


def grid_rows(
    data: Iterable[Block], grid: RewardGrid, reward: RewardKernel, total_weight: float
) -> tuple[Array, float]:
    """The rows of ``S`` for rewards shared out on a grid, [levels, p], and the bound on what that changes."""
    sums: Any = 0.0
    cells = np.zeros(max(len(grid.points) - 1, 1))
    for Psi, _, r, w in data:
        left, share = grid.cells(r), w / total_weight
        sums = sums + grid.shares(r, left).T @ (share[:, None] * Psi)
        cells += np.bincount(left, share, len(cells))
    return rows_of_sums(sums, grid, reward), grid.error(cells, reward)


def rows_of_sums(sums: Array, grid: RewardGrid, reward: RewardKernel) -> Array:
    """The rows of ``S`` from sums of weighted base features at each point of a grid, [levels, p]."""
    total, h = sums.sum(axis=0), np.diff(grid.points)
    F = np.cumsum(sums, axis=0)[:-1]
    first = np.sqrt(1 - reward.slope * float(h.sum()) / 2) * total[None, :]
    return np.vstack([first, np.sqrt(2 * reward.slope * h)[:, None] * (F - total / 2)])
