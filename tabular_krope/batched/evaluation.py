r"""LSPE and the measures of features, on stacked chains.

The iteration is that of `tabular_krope.evaluation.lspe_on_stack`, the measures those of `tabular_krope.measures`, with
the same rules for rounding. Chains whose weights differ by more than a million are judged one by one, in layers.
"""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array
from tabular_krope.batched.chains import Chains
from tabular_krope.evaluation.iteration import factored
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.evaluation.lspe_on_stack import Stack
from tabular_krope.evaluation.spectral import radius_and_norm
from tabular_krope.kernels.stein import EPS
from tabular_krope.measures.completeness import bellman_completeness_error
from tabular_krope.measures.realizability import realizability_error
from tabular_krope.measures.value_error import value_error
from tabular_krope.models.mrp import MRP
from tabular_krope.representations.layers import graded


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
    alone = graded(np.sqrt(D))
    if not alone.any():
        return _together(chains, Phi, D)
    found = {field.name: np.zeros(len(D), np.int64 if field.name == "rank" else float) for field in fields(Evaluations)}
    rest = np.flatnonzero(~alone)
    parts: list[tuple[Any, Evaluations]] = (
        [(rest, _together(chains.take(rest.tolist()), Phi[rest], D[rest]))] if len(rest) else []
    )
    parts += [([k], _alone(chains.member(int(k)), Phi[k], D[k])) for k in np.flatnonzero(alone)]
    for at, part in parts:
        for name, values in found.items():
            values[at] = getattr(part, name)
    return Evaluations(**found)


def _together(chains: Chains, Phi: Array, D: Array) -> Evaluations:
    gamma, root, q = chains.gamma[:, None, None], np.sqrt(D)[:, :, None], chains.q
    after = chains.after(Phi)
    stack = Stack(Phi, root, chains.r, chains.gamma, chains.after, after)
    rows, found = stack.iterations()
    radius, norm = radius_and_norm(found)
    U, Ut, over = rows.U, rows.U.transpose(0, 2, 1), rows.over
    apart = (Phi @ _fixed_points(found.L, found.b[:, :, None]))[:, :, 0] - q
    weighted_after, weighted_r = gamma * stack.weighted(), root * chains.r[:, :, None]
    outside, outside_r = (F - U @ (Ut @ F) for F in (weighted_after, weighted_r))
    linear = np.maximum(_norms(outside @ over), np.sqrt(np.sum(outside_r**2, axis=(1, 2))))
    return Evaluations(
        spectral_radius=radius,
        norm=norm,
        rank=found.rank,
        condition=found.condition,
        realizability=_realizability(Phi, q, rows if np.ptp(D) == 0 else None),
        value_error=np.sum(chains.starts * apart**2, axis=1),
        largest_error=np.abs(apart).max(axis=1),
        completeness=np.sum(outside**2, axis=(1, 2)) + np.sum(outside_r**2, axis=(1, 2)),
        completeness_linear=np.where(_hidden(weighted_after, rows.directions, gamma * after), np.inf, linear),
    )


def _alone(mrp: MRP, Phi: Array, D: Array) -> Evaluations:
    """The same for one chain whose weights are too different for singular values; [1]."""
    out = lspe(mrp, Phi, D, steps=0)
    numbers = {
        "spectral_radius": out.spectral_radius,
        "norm": out.norm,
        "condition": out.condition,
        "realizability": realizability_error(mrp, Phi),
        "value_error": value_error(mrp, out.q_hat),
        "largest_error": np.abs(out.q_hat - mrp.q).max(),
        "completeness": bellman_completeness_error(mrp, Phi, D),
        "completeness_linear": bellman_completeness_error(mrp, Phi, D, kind="linear"),
    }
    return Evaluations(rank=np.array([out.rank]), **{name: np.array([value]) for name, value in numbers.items()})


def _fixed_points(L: Array, b: Array) -> Array:
    """Solutions of ``theta = b + L theta``; of least norm and residual where there is not exactly one."""
    system = np.eye(L.shape[1]) - L
    try:
        return np.asarray(np.linalg.solve(system, b))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.pinv(system) @ b)


def _realizability(Phi: Array, q: Array, uniform: Any) -> Array:
    """Squared distance of ``q`` from the span, over its mean modulus; uniform weights have the basis already."""
    U = (factored(Phi, Phi.shape[1:]) if uniform is None else uniform).U
    outside = q[:, :, None] - U @ (U.transpose(0, 2, 1) @ q[:, :, None])
    scale = np.abs(q).mean(axis=1)
    return np.asarray(np.divide(np.sum(outside**2, axis=(1, 2)), scale, out=np.zeros(len(q)), where=scale > 0))


def _hidden(weighted_after: Array, V: Array, after: Array) -> NDArray[np.bool_]:
    """Whether directions that the data do not see are led to functions that they do see."""
    hidden = weighted_after - (weighted_after @ V) @ V.transpose(0, 2, 1)
    size = np.maximum(np.abs(after).max(axis=(1, 2)), 1e-300)
    return np.asarray(np.abs(hidden).max(axis=(1, 2)) > 16 * EPS * max(after.shape[1:]) * size)


def _norms(F: Array) -> Array:
    return np.asarray(np.linalg.norm(F, 2, axis=(1, 2)))
