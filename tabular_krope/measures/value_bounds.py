r"""Bounds on $|q(x) - q(y)|$ by the KROPE distance: the paper's, and the ones that hold.

- *printed*: $d(x,y) + C$ with $C = \frac12 \sum_n \gamma^n (\Delta_n(x) + \Delta_n(y))$ and $\Delta_n(x)$ the expected
  reward gap of two children of a *common* ancestor, ``n`` steps after ``x``. False (zoo: ``c1-value-bound``).
- *rkhs*: $c\,\sqrt{d(x,y)}$, no additive constant, with $c = \sqrt{\rho_0 R / (2(1-\gamma))}$ for conservative chains
and
  $\|r\|_{K_1}/\sqrt{1-\gamma}$ when episodes may end.
- *independent*: $\frac R2 d(x,y) + \frac12 \sum_n \gamma^n (D_n(x) + D_n(y))$ with $D_n(x)$ the expected reward gap of
  two *independent* copies, ``n`` steps after ``x``. Needs a conservative chain.
"""

from dataclasses import dataclass

import numpy as np

from tabular_krope.arrays import Array, dense
from tabular_krope.errors import KropeError
from tabular_krope.kernels.kernel import Kernel, require_kernel
from tabular_krope.models.linear import solve_discounted
from tabular_krope.models.mrp import MRP


@dataclass(frozen=True, slots=True, eq=False)
class ValueBounds:
    """Differences of action values and their bounds, each [X, X].

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


def value_bounds(K: Kernel) -> ValueBounds:
    """All value bounds on all pairs.

    >>> from tabular_krope.kernels.kernel import krope_kernel
    >>> mrp = MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.5)
    >>> bounds = value_bounds(krope_kernel(mrp))
    >>> bounds.gaps[0, 1], round(float(bounds.rkhs[0, 1]), 12)  # two absorbing pairs: equality
    (np.float64(2.0), 2.0)
    """
    require_kernel(K)
    mrp, d = K.mrp, K.distance()
    common = common_ancestor_constant(mrp)
    rkhs = None if mrp.gamma == 1.0 else rkhs_constant(K) * np.sqrt(d)
    independent = None
    if mrp.conservative:
        own = independent_copies(K)
        independent = K.reward.divisor / 2 * d + (own[:, None] + own[None, :]) / 2
    printed = d + (common[:, None] + common[None, :]) / 2
    return ValueBounds(np.abs(mrp.q[:, None] - mrp.q[None, :]), d, printed, rkhs, independent)


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
    gaps = np.abs(mrp.r[:, None] - mrp.r[None, :])
    on_states = mrp.Pi @ (mrp.Pi @ gaps).T  # expected gap of pairs drawn in two states, [S, S]
    children = (np.asarray(mrp.P @ on_states) * dense(mrp.P)).sum(axis=1)
    return _discounted_sum(mrp, children)


def independent_copies(K: Kernel) -> Array:
    r"""$\sum_n \gamma^n D_n(x)$, [X]: the diagonal $U(x, x) = R(1/(1-\gamma) - K(x, x))$ of the MICo distance."""
    mrp = K.mrp
    if not mrp.conservative:
        raise KropeError("mrp must be conservative for independent copies; got episodes that end")
    return np.maximum(K.reward.divisor * (mrp.horizon - K.diagonal()), 0.0)


def _discounted_sum(mrp: MRP, f: Array) -> Array:
    """``sum_n gamma^n P_pi^n f``, [X]."""
    on_states = solve_discounted(mrp.Q, mrp.Pi @ f, mrp.gamma)
    return f + mrp.gamma * (mrp.P @ on_states)
