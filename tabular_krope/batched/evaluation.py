r"""LSPE and the measures of features, on stacked chains.

The iteration is that of `tabular_krope.evaluation.lspe_on_stack`, the measures those of `tabular_krope.measures`, with
the same rules for rounding. Chains whose weights differ by more than a million are judged one by one, in layers, and
so are those whose features are dependent or nearly so, as to whether float64 determines the numbers.
"""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array
from tabular_krope.batched.chains import Chains
from tabular_krope.evaluation.iteration import Iteration, factored
from tabular_krope.evaluation.lspe import lspe_with_caveat
from tabular_krope.evaluation.lspe_on_stack import Stack
from tabular_krope.evaluation.spectral import radius_and_norm
from tabular_krope.kernels.stein import EPS
from tabular_krope.measures.completeness import bellman_completeness_error
from tabular_krope.measures.realizability import realizability_error
from tabular_krope.measures.value_error import value_error
from tabular_krope.models.mrp import MRP
from tabular_krope.representations.layers import graded

#: Condition number up to which rounding cannot reach digits that matter.
HARMLESS = 1e8
#: Difference of two computed spectral radii that rounding without consequences explains.
STEADY = 1e-9
#: What is not a float among the results.
KINDS: dict[str, Any] = {"rank": np.int64, "determined": np.bool_}


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
        determined: whether float64 determines rank and spectral radius.
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
    determined: NDArray[np.bool_]


def evaluate(chains: Chains, Phi: Array, D: Array) -> Evaluations:
    """LSPE and measures on features ``Phi`` [n, X, d] under data distributions ``D`` [n, X].

    >>> from tabular_krope.models.mrp import MRP
    >>> chains = Chains.stack([MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], gamma=0.9)])
    >>> evaluate(chains, np.array([[[1.0], [2.0]]]), np.array([[1.0, 0.0]])).spectral_radius.round(12)
    array([1.8])
    """
    found = {field.name: np.zeros(len(D), KINDS.get(field.name, float)) for field in fields(Evaluations)}
    layered = graded(np.sqrt(D))
    rest = np.flatnonzero(~layered)
    if len(rest):
        together = _together(chains.take(rest.tolist()) if layered.any() else chains, Phi[rest], D[rest])
        _put(found, rest, together)
    for k in np.flatnonzero(layered | ~found["determined"]):
        _put(found, [k], _alone(chains.member(int(k)), Phi[k], D[k]))
    return Evaluations(**found)


def _put(found: dict[str, Any], at: Any, part: Evaluations) -> None:
    for name, values in found.items():
        values[at] = getattr(part, name)


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
        determined=_determined(Phi, D, found) & _steady(found.core, radius),
    )


def _determined(Phi: Array, D: Array, found: Iteration) -> NDArray[np.bool_]:
    """Whether the rank is as large as the shape allows, zero columns aside, and the condition number harmless; [n]."""
    seen = D > 0
    columns = ((Phi != 0) & seen[:, :, None]).any(axis=1).sum(axis=1)
    return np.asarray((found.rank >= np.minimum(columns, seen.sum(axis=1))) & ~(found.condition > HARMLESS))


def _steady(core: Array, radius: Array) -> NDArray[np.bool_]:
    """Whether the spectral radius stays when it is rounded in another way, in the transposed core; [n]."""
    other = np.abs(np.linalg.eigvals(np.swapaxes(core, 1, 2))).max(axis=-1, initial=0.0)
    return np.asarray(np.abs(other - radius) <= STEADY * np.maximum(radius, 1.0))


def _alone(mrp: MRP, Phi: Array, D: Array) -> Evaluations:
    """The same for one chain with weights or features that singular values may not be right for; [1]."""
    out = lspe_with_caveat(mrp, Phi, D, steps=0)
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
    known = {"rank": np.array([out.rank]), "determined": np.array([not out.caveat])}
    return Evaluations(**known, **{name: np.array([value]) for name, value in numbers.items()})


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
