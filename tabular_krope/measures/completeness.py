r"""Bellman completeness: does the Bellman operator stay inside a class of functions?

For the linear class $\{\Phi w\}$ it does iff the columns of $\gamma P_\pi \Phi$ and ``r`` lie in the span of ``Phi``;
for the class of functions constant on the groups of a partition iff the same holds of its indicator features.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array, frozen_array, roots_of_weights
from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.evaluation.iteration import numerical_rank
from tabular_krope.models.mrp import MRP, require_mrp
from tabular_krope.representations.layers import column_scales, eliminated, graded

KINDS = ("proxy", "linear")


def bellman_completeness_error(mrp: MRP, phi: Any, weights: Any = None, kind: str = "proxy") -> float:
    r"""How far the Bellman operator leads out of the span of the features.

    Args:
        mrp: the reward process.
        phi: features, [X, d].
        weights: data distribution over pairs, [X]; uniform if None.
        kind: "proxy", the paper's $\min_{M,\rho} E_D \|(M; \rho^\top)\phi - (\gamma E\phi'; r)\|^2$, which depends on
            the scale of the features; or "linear", the largest D-norm of what is outside the span over ``r`` and over
            $\gamma P_\pi f$ with ``f`` in the span and of D-norm 1, which does not.

    Returns:
        Zero iff the linear class is Bellman complete on the support of the weights (and, for "linear", infinite if some
        ``f`` that vanishes on the support is led to a function that does not).

    >>> mrp = MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [1.0, 1.0], 0.5)
    >>> round(bellman_completeness_error(mrp, [[1.0], [3.0]]), 12)  # M = 0.6 leaves 0.45, rho = 0.4 leaves 0.2
    0.65
    """
    require_mrp(mrp)
    Phi = frozen_array(phi, "phi", (mrp.n_pairs, None))
    if kind not in KINDS:
        raise unknown_name("kind", str(kind), KINDS)
    root = roots_of_weights(weights, mrp.n_pairs)
    seen = root > 0
    after = mrp.gamma * np.asarray(mrp.P @ (mrp.Pi @ Phi))
    layered = graded(root) or column_scales(root[:, None] * Phi) is not None
    span = _layers(Phi[seen], root[seen]) if layered else _singular(Phi, root)
    rows = seen if layered else slice(None)
    outside_r = span.outside(mrp.r[rows][:, None])
    if kind == "proxy":
        return float(np.sum(span.outside(after[rows]) ** 2) + np.sum(outside_r**2))
    hidden = after - (after @ span.back) @ span.ahead  # images of directions that the data do not see
    scale = np.finfo(np.float64).eps * max(Phi.shape) * max(float(np.abs(after).max(initial=0.0)), 1e-300)
    unseen = hidden[seen] if layered else root[:, None] * hidden
    if np.abs(unseen).max(initial=0.0) > 16 * scale:
        return float("inf")
    outside_P = span.outside(after[rows]) @ span.over
    return max(float(np.linalg.norm(outside_P, 2)) if outside_P.size else 0.0, float(np.linalg.norm(outside_r)))


@dataclass(frozen=True, slots=True, eq=False)
class _Span:
    """The span of features on the data.

    Attributes:
        outside: what the weighted regression leaves of columns, times the roots of the weights.
        over: coefficients of functions that are orthonormal under the weights, [d, k].
        back, ahead: factors [d, k] and [k, d] of the projector onto the directions that the data see.
    """

    outside: Callable[[Array], Array]
    over: Array
    back: Array
    ahead: Array


def _singular(Phi: Array, root: Array) -> _Span:
    U, sigma, Vt = scipy.linalg.svd(root[:, None] * Phi, full_matrices=False)
    rank = numerical_rank(sigma, Phi.shape)
    U, sigma, V = U[:, :rank], sigma[:rank], Vt[:rank].T

    def outside(F: Array) -> Array:
        weighted = root[:, None] * F
        return np.asarray(weighted - U @ (U.T @ weighted))

    return _Span(outside, V / sigma, V, V.T)


def _layers(Phi: Array, root: Array) -> _Span:
    layers = eliminated(Phi, root)
    return _Span(layers.outside, layers.normalized(), layers.inverse, layers.U)


def piecewise_completeness_error(mrp: MRP, labels: Any) -> float:
    r"""$\sup_f \inf_g \|g - Tf\|_\infty$ over functions constant on the groups, with values in the paper's box.

    The box is $[r_{min}, r_{max}]/(1-\gamma)$, widened to contain 0 when episodes may end. On a group the best constant
    is the middle of the range of $Tf$, so the error is half the largest difference $(Tf)(x) - (Tf)(y)$ within a group;
    that is linear in ``f``, hence extreme at a corner of the box, where it has a closed form.

    Args:
        mrp: the reward process, gamma below 1.
        labels: group of each pair, [X], integers; or a Partition's ``labels``.

    Returns:
        Zero iff the class is Bellman complete.

    >>> mrp = MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [1.0, 0.0], 0.5)
    >>> piecewise_completeness_error(mrp, [0, 0]), piecewise_completeness_error(mrp, [0, 1])
    (0.5, 0.0)
    """
    require_mrp(mrp)
    groups = np.asarray(labels)
    if groups.shape != (mrp.n_pairs,) or not np.issubdtype(groups.dtype, np.integer):
        raise KropeError(f"labels must be {mrp.n_pairs} integers; got {groups.dtype} with shape {groups.shape}")
    if mrp.gamma == 1.0:
        raise KropeError("gamma must be below 1 for the box of values to be finite; got 1")
    _, index = np.unique(groups, return_inverse=True)
    low, high = (float(bound) / (1 - mrp.gamma) for bound in (mrp.r.min(), mrp.r.max()))
    if not mrp.conservative:
        low, high = min(low, 0.0), max(high, 0.0)
    member = np.eye(index.max() + 1)[index]  # [X, groups]
    law = np.asarray(mrp.P @ (mrp.Pi @ member))  # probability of each group after each pair
    worst = 0.0
    for group in range(member.shape[1]):
        inside = np.flatnonzero(index == group)
        reward_gap = mrp.r[inside][:, None] - mrp.r[inside][None, :]
        moved = law[inside][:, None, :] - law[inside][None, :, :]
        lead = np.where(moved > 0, moved * high, moved * low).sum(axis=2)
        worst = max(worst, float((reward_gap + mrp.gamma * lead).max()) / 2)
    return worst
