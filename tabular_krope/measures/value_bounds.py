r"""Bounds on $|q(x) - q(y)|$ by the KROPE distance: the paper's, and the ones that hold.

- *printed*: $d(x,y) + C$ with $C = \frac12 \sum_n \gamma^n (\Delta_n(x) + \Delta_n(y))$ and $\Delta_n(x)$ the expected
  reward gap of two children of a *common* ancestor, ``n`` steps after ``x``. False (zoo: ``c1-value-bound``).
- *rkhs*: $c\,\sqrt{d(x,y)}$, no additive constant, with $c = \sqrt{\rho_0 R / (2(1-\gamma))}$ for conservative chains
  and $\|r\|_{K_1}/\sqrt{1-\gamma}$ when episodes may end.
- *independent*: $\frac R2 d(x,y) + \frac12 \sum_n \gamma^n (D_n(x) + D_n(y))$ with $D_n(x)$ the expected reward gap of
  two *independent* copies, ``n`` steps after ``x``. Needs a conservative chain.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from tabular_krope.arrays import Array, dense, is_sparse
from tabular_krope.errors import KropeError
from tabular_krope.kernels.kernel import Kernel, require_kernel
from tabular_krope.models.linear import solve_discounted
from tabular_krope.models.mrp import MRP

#: Children that are sorted together, and entries of a block of reward gaps.
SIBLINGS = 2**20


@dataclass(frozen=True, slots=True, eq=False)
class ValueBounds:
    """Differences of action values and their bounds, each [X, X] or of the shape of the pairs asked for.

    Attributes:
        gaps: ``|q(x) - q(y)|``.
        distance: the KROPE distance ``d``.
        printed: the bound as the paper prints it.
        rkhs: the square-root bound; None when gamma = 1.
        independent: the repaired bound; None when episodes may end.
    """

    gaps: Array
    distance: Array
    printed: Array
    rkhs: Array | None
    independent: Array | None


def value_bounds(K: Kernel, i: Any = None, j: Any = None) -> ValueBounds:
    """All value bounds, on all pairs or on those asked for: then without any X-by-X array.

    Args:
        K: a KROPE kernel.
        i, j: broadcastable pair indices; all pairs if both are None.

    >>> from tabular_krope.kernels.krope import krope_kernel
    >>> mrp = MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.5)
    >>> bounds = value_bounds(krope_kernel(mrp))
    >>> bounds.gaps[0, 1], round(float(bounds.rkhs[0, 1]), 12)  # two absorbing pairs: equality
    (np.float64(2.0), 2.0)
    >>> value_bounds(krope_kernel(mrp, "matrix-free"), [0], [1]).gaps
    array([2.])
    """
    require_kernel(K)
    mrp, d = K.mrp, K.distance(i, j)
    x = np.arange(mrp.n_pairs)
    a, b = (x[:, None], x[None, :]) if i is None or j is None else np.broadcast_arrays(i, j)
    common = common_ancestor_constant(mrp)
    rkhs = None if mrp.gamma == 1.0 else rkhs_constant(K) * np.sqrt(d)
    independent = None
    if mrp.conservative:
        own = independent_copies(K) if i is None else None
        left, right = (independent_copies(K, pairs) if own is None else own[pairs] for pairs in (a, b))
        independent = K.reward.divisor / 2 * d + (left + right) / 2
    printed = d + (common[a] + common[b]) / 2
    return ValueBounds(np.abs(mrp.q[a] - mrp.q[b]), d, printed, rkhs, independent)


def rkhs_constant(K: Kernel) -> float:
    r"""``c`` with $|q(x) - q(y)| \le c \sqrt{d(x, y)}$; best possible for conservative chains.

    For ending chains it is $\|r\|_{K_1} / \sqrt{1-\gamma}$, with
    $\|r\|_{K_1}^2 = R \rho_0 / 2 + 2 R m^2 / (2R - \rho_0)$ and ``m`` the middle of the rewards.
    """
    mrp, R = K.mrp, K.reward.divisor
    if mrp.gamma == 1.0:
        raise KropeError("gamma must be below 1 for the RKHS bound; got 1")
    least, most = float(mrp.r.min()), float(mrp.r.max())
    spread, middle = most - least, (most + least) / 2
    if mrp.conservative:
        return float(np.sqrt(spread * R / (2 * (1 - mrp.gamma))))
    # With R = 0 every reward equals ``middle`` and K1 is all ones, so the norm of r is |middle|.
    square = R * spread / 2 + 2 * R * middle**2 / (2 * R - spread) if R > 0 else middle**2
    return float(np.sqrt(square / (1 - mrp.gamma)))


def common_ancestor_constant(mrp: MRP) -> Array:
    r"""The paper's $\sum_n \gamma^n \Delta_n(x)$, [X]; $\Delta_0$ is the expected reward gap of two children."""
    if is_sparse(mrp.P):
        return _discounted_sum(mrp, _sibling_gaps(mrp))
    children = (np.asarray(mrp.P @ _state_gaps(mrp)) * dense(mrp.P)).sum(axis=1)
    return _discounted_sum(mrp, children)


def _state_gaps(mrp: MRP) -> Array:
    """Expected reward gap of pairs drawn in two states, [S, S]; a block of columns of all gaps at a time."""
    found, columns, width = np.zeros((mrp.n_states, mrp.n_states)), mrp.Pi.tocsc(), max(1, SIBLINGS // mrp.n_pairs)
    for start in range(0, mrp.n_pairs, width):
        part = slice(start, start + width)
        gaps = np.abs(mrp.r[:, None] - mrp.r[None, part])
        found += (columns[:, part] @ (mrp.Pi @ gaps).T).T
    return found


def _sibling_gaps(mrp: MRP) -> Array:
    r"""Expected reward gap of two independent children of each pair, [X]: $2 \sum_l \Delta_l F_l (F_{end} - F_l)$.

    ``F`` sums the probabilities of a pair's children in the order of their rewards; as many pairs at a time as have
    `SIBLINGS` children.
    """
    found = np.empty(mrp.n_pairs)
    children = [int(np.diff(matrix.indptr).max(initial=0)) for matrix in (mrp.P, mrp.Pi)]
    height = max(1, SIBLINGS // max(1, children[0] * children[1]))
    for start in range(0, mrp.n_pairs, height):
        rows = sparse.csr_array(mrp.P[start : start + height] @ mrp.Pi)
        parent = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        r = mrp.r[rows.indices]
        order = np.lexsort((r, parent))
        r, p = r[order], rows.data[order]
        sums = np.concatenate([[0.0], np.cumsum(p)])
        F = sums[1:] - sums[rows.indptr[parent]]
        total = sums[rows.indptr[1:]] - sums[rows.indptr[:-1]]
        step = np.diff(r, append=r[-1:])  # from one pair's children to the next's nothing is left: F is the total
        gaps = 2 * step * F * (total[parent] - F)
        found[start : start + height] = np.bincount(parent, weights=gaps, minlength=rows.shape[0])
    return found


def independent_copies(K: Kernel, x: Any = None) -> Array:
    r"""$\sum_n \gamma^n D_n(x)$: the diagonal $U(x, x) = R(1/(1-\gamma) - K(x, x))$ of MICo, [X] or for pairs ``x``."""
    mrp = K.mrp
    if not mrp.conservative:
        raise KropeError("mrp must be conservative for independent copies; got episodes that end")
    diagonal = K.diagonal() if x is None else K.entries(x, x)
    return np.maximum(K.reward.divisor * (mrp.horizon - diagonal), 0.0)


def _discounted_sum(mrp: MRP, f: Array) -> Array:
    """``sum_n gamma^n P_pi^n f``, [X]."""
    on_states = solve_discounted(mrp.Q, mrp.Pi @ f, mrp.gamma)
    return np.asarray(f + mrp.gamma * (mrp.P @ on_states))
