r"""Closed-form KROPE of one-hot pairs, however many: `feature_space_krope` on their features, without a k-by-k matrix.

In the orthonormal basis $A = F G$ with $F = B^{1/2}\hat P$ [k, m] and $G = \Pi B^{-1/2}$ [m, k], so that

$$M = N N^\top + \gamma\,F M_s F^\top, \qquad M_s = G M G^\top = (G N)(G N)^\top + \gamma\,(G F) M_s (G F)^\top:$$

an equation between the m states, and $[N, \sqrt\gamma F W_s]$ is a factor of ``M`` where ``W_s`` is one of ``M_s``.
"""

import numpy as np
from scipy import sparse

from tabular_krope.arrays import Array, Matrix
from tabular_krope.closed_form.assembly import RCOND, Options, finished
from tabular_krope.closed_form.feature_map import FeatureMap
from tabular_krope.closed_form.moments import LEVELS
from tabular_krope.closed_form.reward_rows import RewardGrid, rows_of_sums
from tabular_krope.closed_form.span import MARGIN, Span, kernel_factor
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.pair_rows import PairRows
from tabular_krope.evaluation.pair_spectrum import balanced, radius_of_pairs
from tabular_krope.kernels.factor import compress
from tabular_krope.kernels.reward import RewardKernel

#: States between which the kernel is solved for: seconds, not minutes.
MOST_STATES = 1500


def pair_krope(rows: PairRows, d: int | None = None) -> FeatureMap:
    """KROPE features of the pairs that occur, ``map`` [k, d], with their certificate.

    More than 256 distinct rewards are shared out on a grid, as in `feature_space_krope_stream`.

    >>> from tabular_krope.evaluation.pair_rows import pair_rows
    >>> rows = pair_rows(np.array([0, 1]), np.array([1, 1]), np.array([False, False]), np.array([0.0, 1.0]), 0.81,
    ...                  np.eye(2), np.array([1.0, 0.0]))
    >>> (pair_krope(rows).map @ pair_krope(rows).theta).round(9)
    array([4.26315789, 5.26315789])
    """
    gamma, n = rows.gamma, len(rows.r)
    how = Options.of(gamma, d, 0.0, RCOND, True)
    if rows.m > MOST_STATES:
        raise KropeError(f"the kernel is not solved for with more than {MOST_STATES} states; got {rows.m}")
    base_radius = radius_of_pairs(rows.model) / gamma if gamma > 0 else 0.0
    if not np.sqrt(gamma) * base_radius < 1.0 - MARGIN:
        raise KropeError(f"gamma rho(A)^2 must be below 1 for the kernel to exist; got {gamma * base_radius**2:.10g}")
    root_of_shares = np.sqrt(rows.model.shares)
    S, error = _reward_rows(rows)
    N = compress((S / root_of_shares).T)
    F, G = balanced(rows.model)
    W = kernel_factor((G @ F).toarray(), compress(G @ N), gamma)
    root = compress(np.hstack([N, np.sqrt(gamma) * (F @ W)]))
    A: Matrix = sparse.csr_array(F @ G)
    E: Matrix = sparse.diags_array(1 / root_of_shares)
    condition = float(root_of_shares.max() / root_of_shares.min())
    span = Span(E, A, N, condition, float(np.sqrt((A.data**2).sum())), np.zeros(0))
    once = rows.distinct()
    follow = np.sqrt(np.asarray(once.Phi_next.multiply(once.Phi_next).T @ once.weights))
    block = (once.Phi, once.Phi_next, once.r, once.weights)
    return finished([block], span, (rows.k, base_radius), root, root_of_shares + follow, how, n, 1.0, error)


def _reward_rows(rows: PairRows) -> tuple[Array, float]:
    """``S`` with ``S' S = Phi' D K1 D Phi``, [levels, k], and what a grid changes."""
    grid, n = RewardGrid(LEVELS), len(rows.r)
    grid.see(rows.r)
    reward = RewardKernel.of(grid.points)
    left = grid.cells(rows.r)
    Phi, _ = rows.features()
    sums = (grid.shares(rows.r, left).T @ Phi).toarray() / n
    cells = np.bincount(left, minlength=max(len(grid.points) - 1, 1)) / n
    return rows_of_sums(sums, grid, reward), grid.error(cells, reward)
