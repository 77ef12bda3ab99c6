r"""KROPE inside the span of base features, from data and in closed form.

Base features $\Psi$ [n, p] on transitions with weights ``D``, and $\Psi'$ on their successors under the target policy
(zero where an episode ended), give

$$G = \Psi^\top D \Psi, \quad A = G^{-1}\Psi^\top D \Psi', \quad M_1 = G^{-1}\Psi^\top D K_1 D \Psi G^{-1}, \quad
M = M_1 + \gamma A M A^\top,$$

and the features are the top ``d`` eigenvectors of $G^{1/2} M G^{1/2}$ in the coordinates of $\Psi$. LSPE on these
features and this data has $\|L\|_2 \le \sqrt\gamma$ for every ``d`` and any coverage: regressing on a part of the span
absorbs regressing on $\Psi$, and $M \succeq \gamma A M A^\top$.

Everything is computed in a basis that is orthonormal on the data (`span`), on factors: no condition number is squared.
``M`` exists when $\gamma \rho(A)^2 < 1$; otherwise the span is restricted to the directions that do not grow.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array, require_count, require_gamma
from tabular_krope.closed_form.blocks import ArrayBlocks, Block, Source, StreamedBlocks
from tabular_krope.closed_form.certificate import certificate
from tabular_krope.closed_form.feature_map import FeatureMap
from tabular_krope.closed_form.reward_rows import RewardGrid, grid_rows, sorted_rows
from tabular_krope.closed_form.span import MARGIN, Span, defects, kernel_factor, orthonormal_span, restricted
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.tall_qr import TallQR
from tabular_krope.kernels.reward import RewardKernel
from tabular_krope.kernels.stein import EPS

#: Directions of the base features below this share of the largest count as null on the data.
RCOND = 1e-6
#: Features are counted in the rank while rounding can move the certificate by no more than this.
CERTAINTY = 1e-6


def feature_space_krope(
    Psi: Any,
    Psi_next: Any,
    r: Any,
    gamma: float,
    d: int | None = None,
    weights: Any = None,
    reward_range: tuple[float, float] | None = None,
    ridge: float = 0.0,
    rcond: float = RCOND,
    restrict: bool = True,
) -> FeatureMap:
    r"""Features of transitions on which LSPE is stable: $\|L\|_2 \le \sqrt\gamma$, recomputed from the data.

    Args:
        Psi: base features of the transitions, [n, p]. Arrays of float32 or float64 are used without a copy.
        Psi_next: base features of the successors, [n, p]: the next action drawn once from the target policy, or the
            mean over its actions. A zero row where the episode ended.
        r: rewards, [n].
        gamma: discount in [0, 1].
        d: number of features, at most the rank; the rank if None.
        weights: weights of the rows, [n]; uniform if None. Zeros are legal.
        reward_range: (r_min, r_max) covering the rewards; their own range if None.
        ridge: added to the diagonal of ``G``, in the features and in LSPE alike. LSPE without it on the same features
            has a norm of at most ``plain_bound``.
        rcond: directions of ``D^1/2 Psi`` (columns scaled to norm 1) below this share of the largest are left out.
        restrict: whether directions with ``gamma |lambda|^2 >= 1`` are dropped; if False, such data are refused.

    Returns:
        A `FeatureMap`; the features are ``Psi @ map``.

    >>> out = feature_space_krope([[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.81)
    >>> out.norm <= 0.9 + out.tolerance, round(out.spectral_radius, 9)
    (True, 0.81)
    >>> out.values([[1.0, 0.0], [0.0, 1.0]]).round(9)  # q = gamma / (1 - gamma) and 1 / (1 - gamma)
    array([4.26315789, 5.26315789])
    """
    gamma = require_gamma(gamma)
    ridge, rcond = _share(ridge, "ridge", np.inf), _share(rcond, "rcond", 1.0)
    data = ArrayBlocks.of(Psi, Psi_next, r, weights)
    seen = data.r[data.weights > 0]
    reward = RewardKernel.of(seen, reward_range)
    p = data.Psi.shape[1]
    S = TallQR(p)
    for rows in sorted_rows(data, reward):
        S.add(rows)
    R, _ = _triangle(data, ridge)
    return _finished(data, R, S.R, gamma, d, ridge, rcond, restrict, 0.0, len(seen))


def feature_space_krope_stream(
    blocks: Source,
    gamma: float,
    d: int | None = None,
    reward_range: tuple[float, float] | None = None,
    ridge: float = 0.0,
    rcond: float = RCOND,
    restrict: bool = True,
    levels: int = 4096,
) -> FeatureMap:
    """`feature_space_krope` on data that need not fit in memory, in three passes over blocks of rows.

    Memory is that of one block, of ``levels`` rows and of a few ``2p`` by ``2p`` matrices, however many rows there are.

    Args:
        blocks: tuples ``(Psi, Psi_next, r)`` or ``(Psi, Psi_next, r, weights)``: a list or another iterable that can be
            gone through again, or a function without arguments that returns an iterator. See `featurised` for raw data.
        levels: up to this many distinct rewards are used as they are; more are shared out on a grid of so many points,
            which the certificate does not notice and whose effect on the kernel is bounded by ``reward_error``.
        gamma, d, reward_range, ridge, rcond, restrict: as in `feature_space_krope`.

    >>> block = ([[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 1.0]], [0.0, 1.0])
    >>> feature_space_krope_stream([block] * 1000, gamma=0.81).values([[1.0, 0.0]]).round(9)
    array([4.26315789])
    """
    gamma = require_gamma(gamma)
    ridge, rcond = _share(ridge, "ridge", np.inf), _share(rcond, "rcond", 1.0)
    data, grid = StreamedBlocks(blocks), RewardGrid(require_count(levels, "levels", least=2))
    R, (n, total) = _triangle(data, ridge, grid)
    reward = RewardKernel.of(grid.points, reward_range)
    S, error = grid_rows(data, grid, reward, total)
    return _finished(data, R, S, gamma, d, ridge, rcond, restrict, error, n, total)


def _triangle(data: Iterable[Block], ridge: float, grid: RewardGrid | None = None) -> tuple[Array, tuple[int, float]]:
    """The triangular factor of ``D^1/2 [Psi, Psi_next]`` and the ridge, with the number of rows and their weight."""
    qr: TallQR | None = None
    n, total = 0, 0.0
    for Psi, Psi_next, r, w in data:
        if qr is None:
            qr = TallQR(2 * Psi.shape[1])
        qr.add(np.sqrt(w)[:, None] * np.hstack([Psi, Psi_next]))
        n, total = n + len(r), total + float(w.sum())
        if grid is not None:
            grid.see(r)
    if qr is None or not total > 0:
        raise KropeError(f"blocks must hold a row with positive weight; got {n} rows")
    qr.R = qr.R / np.sqrt(total)
    p = qr.R.shape[1] // 2
    if ridge > 0:
        qr.add(np.hstack([np.sqrt(ridge) * np.eye(p), np.zeros((p, p))]))
    return qr.R, (n, total)


def _finished(
    data: Iterable[Block],
    R: Array,
    S: Array,
    gamma: float,
    d: int | None,
    ridge: float,
    rcond: float,
    restrict: bool,
    reward_error: float,
    n: int,
    total: float = 1.0,
) -> FeatureMap:
    span = orthonormal_span(R, S, rcond)
    size, base_radius = len(span.A), span.radius
    if not np.sqrt(gamma) * base_radius < 1.0 - MARGIN:
        if not restrict:
            raise KropeError(
                f"gamma rho(A)^2 must be below 1 for the kernel to exist; got {gamma * base_radius**2:.6g}"
            )
        span = restricted(span, gamma)
    root = kernel_factor(span.A, span.N, gamma)
    V, sigma, _ = scipy.linalg.svd(root, full_matrices=False, check_finite=False)
    W, tolerances = _map_and_tolerances(span, V, sigma, R)
    tolerances = tolerances + np.sqrt(gamma) * defects(span, root, V, sigma, gamma) / 2
    rank = int(np.argmin(np.append(tolerances <= CERTAINTY, False)))
    if rank == 0:
        raise KropeError(_no_feature(sigma, tolerances))
    if d is None:
        d = rank
    if require_count(d, "d") > rank:
        raise KropeError(f"d must be at most the rank {rank} of the kernel on the data; got {d}")
    W = W[:, :d]
    found = certificate(data, W, gamma, ridge, total)
    out = FeatureMap(
        map=W,
        eigenvalues=sigma[:d] ** 2,
        theta=found.theta,
        gamma=gamma,
        norm=found.norm,
        spectral_radius=found.radius,
        tolerance=float(tolerances[d - 1]),
        condition=found.condition,
        rank=rank,
        span=size,
        base_radius=base_radius,
        dropped=span.dropped,
        ridge=ridge,
        plain_norm=found.plain_norm,
        plain_radius=found.plain_radius,
        plain_bound=found.plain_factor * float(np.sqrt(gamma)),
        reward_error=reward_error,
        transitions=n,
    )
    if not out.certified:
        most = f"{out.bound:.10g} + {out.tolerance:.3g}"
        raise KropeError(f"LSPE on the features must have a norm of at most {most}; got {out.norm:.10g}")
    return out


def _map_and_tolerances(span: Span, V: Array, sigma: Array, R: Array) -> tuple[Array, Array]:
    """Columns ``E v_j sigma_j``, and what rounding may do to the certificate of the first 1, 2, ... of them.

    A product of base features with column j is wrong by eps times the sum of the products' sizes, ``kappa_j`` times the
    feature's own size; in ``L`` that is magnified by the ratio of the largest feature to the smallest.
    """
    p = R.shape[1] // 2
    W = span.E @ (V * sigma)
    W = W * np.where(W[np.abs(W).argmax(axis=0), np.arange(W.shape[1])] < 0, -1.0, 1.0)
    sizes = np.linalg.norm(R[:, :p], axis=0) + np.linalg.norm(R[:, p:], axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = span.growth + np.maximum.accumulate((sizes @ np.abs(W)) / sigma)
        tolerances = 16 * EPS * np.sqrt(p) * kappa * sigma[0] / sigma
    return W, np.nan_to_num(tolerances, nan=np.inf)


def _no_feature(sigma: Array, tolerances: Array) -> str:
    if not sigma[0] > 0:
        return "Psi must have a non-zero mean over the data, or rewards that vary with it; got a kernel that is zero"
    return f"rounding must leave the certificate of one feature right to {CERTAINTY:g}; got {tolerances[0]:.3g}"


def _share(value: Any, name: str, below: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 <= value < below:
        raise KropeError(f"{name} must be a number in [0, {below:g}); got {value!r}")
    return float(value)
