r"""LSPE and the measures of features, on stacked chains.

With $D^{1/2}\Phi = U \Sigma V^\top$ (null directions dropped), $L = \gamma V \Sigma^{-1} U^\top D^{1/2} P_\pi \Phi$,
and $T = \gamma U^\top D^{1/2} P_\pi (\Phi V \Sigma^{-1})$ has the same non-zero eigenvalues: the formulas, and the
rules for rounding, of `tabular_krope.evaluation.lspe` and `tabular_krope.measures`, which judge single models.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array
from tabular_krope.batched.chains import Chains
from tabular_krope.kernels.stein import EPS


@dataclass(frozen=True, slots=True, eq=False)
class Evaluations:
    """One number for each chain, [n].

    Attributes:
        spectral_radius, norm: of LSPE's iteration matrix.
        rank: numerical rank of ``D^1/2 Phi``.
        condition: ratio of its extreme non-null singular values.
        realizability: the paper's error of the best linear fit of ``q``.
        value_error: mean squared error of LSPE's fixed point where episodes start.
        largest_error: its largest error on any pair.
        completeness: the paper's proxy of the Bellman-completeness error.
        completeness_linear: the error of the linear class itself, independent of the features' scale.
    """

    spectral_radius: Array
    norm: Array
    rank: NDArray[np.int64]
    condition: Array
    realizability: Array
    value_error: Array
    largest_error: Array
    completeness: Array
    completeness_linear: Array


def evaluate(chains: Chains, Phi: Array, D: Array) -> Evaluations:
    """LSPE and measures on features ``Phi`` [n, X, d] under data distributions ``D`` [n, X].

    >>> from tabular_krope.models.mrp import MRP
    >>> chains = Chains.stack([MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], gamma=0.9)])
    >>> evaluate(chains, np.array([[[1.0], [2.0]]]), np.array([[1.0, 0.0]])).spectral_radius.round(12)
    array([1.8])
    """
    gamma, root, q = chains.gamma[:, None, None], np.sqrt(D)[:, :, None], chains.q
    U, sigma, V = _kept(root * Phi)
    Ut, V_over = U.transpose(0, 2, 1), V * _inverse(sigma)[:, None, :]
    weighted_after = root * (gamma * chains.after(Phi))
    weighted_r = root * chains.r[:, :, None]
    L, b = V_over @ (Ut @ weighted_after), V_over @ (Ut @ weighted_r)
    unscaled = np.divide(U, root, out=Phi @ V_over, where=np.broadcast_to(root > 0, U.shape))
    T = Ut @ (root * (gamma * chains.after(unscaled)))
    apart = (Phi @ _fixed_points(L, b))[:, :, 0] - q
    outside, outside_r = (F - U @ (Ut @ F) for F in (weighted_after, weighted_r))
    linear = np.maximum(_norms(outside @ V_over), np.sqrt(np.sum(outside_r**2, axis=(1, 2))))
    return Evaluations(
        spectral_radius=np.abs(np.linalg.eigvals(T)).max(axis=1),
        norm=_norms(L),
        rank=(sigma > 0).sum(axis=1),
        condition=_conditions(sigma),
        realizability=_realizability(Phi, q, (U, sigma) if np.ptp(D) == 0 else None),
        value_error=np.sum(chains.d0 * apart**2, axis=1),
        largest_error=np.abs(apart).max(axis=1),
        completeness=np.sum(outside**2, axis=(1, 2)) + np.sum(outside_r**2, axis=(1, 2)),
        completeness_linear=np.where(_hidden(weighted_after, V, gamma * chains.after(Phi)), np.inf, linear),
    )


def _kept(F: Array) -> tuple[Array, Array, Array]:
    """``U``, ``sigma`` and ``V`` of the singular value decompositions, null directions set to zero."""
    U, sigma, Vt = np.linalg.svd(F, full_matrices=False)
    sigma = np.where(sigma > max(F.shape[1:]) * EPS * sigma[:, :1], sigma, 0.0)
    kept = (sigma > 0)[:, None, :]
    return U * kept, sigma, Vt.transpose(0, 2, 1) * kept


def _inverse(sigma: Array) -> Array:
    return np.divide(1.0, sigma, out=np.zeros_like(sigma), where=sigma > 0)


def _conditions(sigma: Array) -> Array:
    """Largest over least non-null singular value; infinite where all are null."""
    least = np.where(sigma > 0, sigma, np.inf).min(axis=1)
    return np.asarray(np.where(sigma[:, 0] > 0, sigma[:, 0] / least, np.inf))


def _fixed_points(L: Array, b: Array) -> Array:
    """Solutions of ``theta = b + L theta``; of least norm and residual where there is not exactly one."""
    system = np.eye(L.shape[1]) - L
    try:
        return np.asarray(np.linalg.solve(system, b))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.pinv(system) @ b)


def _realizability(Phi: Array, q: Array, uniform: Any) -> Array:
    """Squared distance of ``q`` from the span, over its mean modulus; uniform weights have the basis already."""
    U = (_kept(Phi) if uniform is None else uniform)[0]
    outside = q[:, :, None] - U @ (U.transpose(0, 2, 1) @ q[:, :, None])
    scale = np.abs(q).mean(axis=1)
    return np.divide(np.sum(outside**2, axis=(1, 2)), scale, out=np.zeros(len(q)), where=scale > 0)


def _hidden(weighted_after: Array, V: Array, after: Array) -> NDArray[np.bool_]:
    """Whether directions that the data do not see are led to functions that they do see."""
    hidden = weighted_after - (weighted_after @ V) @ V.transpose(0, 2, 1)
    size = np.maximum(np.abs(after).max(axis=(1, 2)), 1e-300)
    return np.asarray(np.abs(hidden).max(axis=(1, 2)) > 16 * EPS * max(after.shape[1:]) * size)


def _norms(F: Array) -> Array:
    return np.asarray(np.linalg.norm(F, 2, axis=(1, 2)))
