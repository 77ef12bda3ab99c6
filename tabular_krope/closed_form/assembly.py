r"""From what passes over the data have gathered to features with a certificate."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array, require_count, require_gamma
from tabular_krope.closed_form.blocks import Block
from tabular_krope.closed_form.certificate import certificate
from tabular_krope.closed_form.feature_map import FeatureMap
from tabular_krope.closed_form.reward_rows import RewardGrid
from tabular_krope.closed_form.span import LETTERS, MARGIN, Span, defects, kernel_factor, orthonormal_span, restricted
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.tall_qr import TallQR
from tabular_krope.kernels.stein import EPS

#: Directions of the base features below this share of the largest count as null on the data.
RCOND = 1e-6
#: Features are counted in the rank while rounding can move the certificate by no more than this.
CERTAINTY = 1e-6


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller asks for, checked."""

    gamma: float
    d: int | None
    ridge: float
    rcond: float
    restrict: bool

    @classmethod
    def of(cls, gamma: Any, d: Any, ridge: Any, rcond: Any, restrict: Any) -> "Options":
        """Checked options."""
        wanted = None if d is None else require_count(d, "d")
        ridge, rcond = _share(ridge, "ridge", np.inf), _share(rcond, "rcond", 1.0)
        return cls(require_gamma(gamma), wanted, ridge, rcond, bool(restrict))


def triangle(data: Iterable[Block], ridge: float, grid: RewardGrid | None = None) -> tuple[Array, tuple[int, float]]:
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


def assembled(
    data: Iterable[Block], R: Array, S: Array, how: Options, n: int, total: float = 1.0, reward_error: float = 0.0
) -> FeatureMap:
    """Features and certificate, from the triangle of the rows ``R``, the rows ``S`` of the reward kernel, and the data.

    Args:
        data: blocks of rows whose weights sum to ``total``; gone through once more, for the certificate.
        R: triangular factor of ``D^1/2 [Psi, Psi_next]`` and the ridge, [m, 2p].
        S: rows with ``S' S = Psi' D K1 D Psi``, [any, p].
        how: what was asked for.
        n: number of rows with positive weight.
        reward_error: what is known about the accuracy of ``S``.
    """
    gamma = how.gamma
    span = orthonormal_span(R, S, how.rcond)
    size, base_radius = len(span.A), span.radius
    if not np.sqrt(gamma) * base_radius < 1.0 - MARGIN:
        if not how.restrict:
            raise KropeError(
                f"gamma rho(A)^2 must be below 1 for the kernel to exist {LETTERS}; got {gamma * base_radius**2:.6g}"
            )
        span = restricted(span, gamma)
    root = kernel_factor(span.A, span.N, gamma)
    return finished(data, span, (size, base_radius), root, column_sizes(R), how, n, total, reward_error)


def finished(
    data: Iterable[Block],
    span: Span,
    whole: tuple[int, float],
    root: Array,
    sizes: Array,
    how: Options,
    n: int,
    total: float,
    reward_error: float,
) -> FeatureMap:
    """Features and certificate, from the span and the factor ``root`` of the kernel in it.

    Args:
        whole: dimension and ``rho(A)`` of the span before any restriction.
        sizes: norms of the weighted base features, of the rows and of their successors together, [p].
        data, how, n, total, reward_error: as in `assembled`.
    """
    gamma = how.gamma
    V, sigma, _ = scipy.linalg.svd(root, full_matrices=False, check_finite=False)
    W, tolerances = map_and_tolerances(span, V, sigma, sizes)
    if gamma > 0:
        tolerances = tolerances + np.sqrt(gamma) * defects(span, root, V, sigma, gamma) / 2
    rank = int(np.argmin(np.append(tolerances <= CERTAINTY, False)))
    if rank == 0:
        raise KropeError(_no_feature(sigma, tolerances))
    d = rank if how.d is None else how.d
    if d > rank:
        raise KropeError(f"d must be at most the rank {rank} of the kernel on the data; got {d}")
    W = W[:, :d]
    found = certificate(data, W, gamma, how.ridge, total)
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
        span=whole[0],
        base_radius=whole[1],
        dropped=span.dropped,
        ridge=how.ridge,
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


def column_sizes(R: Array) -> Array:
    """Norms of base features, of the rows and of the successors together, from the triangle [m, 2p]; [p]."""
    p = R.shape[1] // 2
    return np.asarray(np.linalg.norm(R[:, :p], axis=0) + np.linalg.norm(R[:, p:], axis=0))


def map_and_tolerances(span: Span, V: Array, sigma: Array, sizes: Array) -> tuple[Array, Array]:
    """Columns ``E v_j sigma_j``, and what rounding may do to the certificate of the first 1, 2, ... of them.

    A product of base features with column j is wrong by eps times the sum of the products' sizes, ``kappa_j`` times the
    feature's own size; in ``L`` that is magnified by the ratio of the largest feature to the smallest.
    """
    W = span.E @ (V * sigma)
    W = W * np.where(W[np.abs(W).argmax(axis=0), np.arange(W.shape[1])] < 0, -1.0, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = span.growth + np.maximum.accumulate((sizes @ np.abs(W)) / sigma)
        tolerances = 16 * EPS * np.sqrt(len(sizes)) * kappa * sigma[0] / sigma
    return W, np.nan_to_num(tolerances, nan=np.inf)


def _no_feature(sigma: Array, tolerances: Array) -> str:
    if not sigma[0] > 0:
        return (
            "Psi (the base features) must have a non-zero mean over the data, or rewards that vary with it; got a "
            "kernel that is zero"
        )
    return f"rounding must leave the certificate of one feature right to {CERTAINTY:g}; got {tolerances[0]:.3g}"


def _share(value: Any, name: str, below: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 <= value < below:
        raise KropeError(f"{name} must be a number in [0, {below:g}); got {value!r}")
    return float(value)
