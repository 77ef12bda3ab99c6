r"""Optimal transport between finite distributions, with a proof of optimality.

$$W(\mu, \nu) = \min_{T \ge 0,\ T 1 = \mu,\ T^\top 1 = \nu} \langle T, C \rangle
             = \max_{u_i + v_j \le C_{ij}} \mu^\top u + \nu^\top v.$$

The coupling ``T`` is found by the network simplex of POT on the two supports only. Its cost bounds $W$ from above; the
solver's potentials ``u``, with $v_j = \min_i (C_{ij} - u_i)$ so that they are feasible whatever rounding did to them,
bound it from below. The difference is reported as the ``gap``.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tabular_krope.arrays import SUM_TOLERANCE, Array, frozen_array, refuse_where
from tabular_krope.errors import KropeError
from tabular_krope.metrics.network_simplex import network_simplex

EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class Transport:
    """A cheapest coupling and its evidence.

    Attributes:
        value: its cost, an upper bound on the minimum.
        coupling: mass moved from each point to each point, [n, m]; row sums ``mu``, column sums ``nu``.
        gap: ``value`` minus a lower bound on the minimum; not negative, and of the size of rounding.
    """

    value: float
    coupling: Array
    gap: float


def transport(mu: Any, nu: Any, cost: Any) -> Transport:
    r"""The 1-Wasserstein cost $W(\mu, \nu)$ under a ground cost, and a coupling that attains it.

    Args:
        mu: masses of the first distribution, [n]. The total need not be 1 but must be positive.
        nu: masses of the second, [m], with the same total. When episodes end with different probabilities, add the
            end of the episode as a point.
        cost: cost of moving a unit from each point to each point, [n, m].

    Returns:
        The cost, the coupling and the duality gap.

    >>> moved = transport([0.5, 0.5], [0.25, 0.75], [[0.0, 1.0], [1.0, 0.0]])
    >>> moved.value, moved.coupling
    (0.25, array([[0.25, 0.25],
           [0.  , 0.5 ]]))
    """
    mu, nu = frozen_array(mu, "mu", (None,)), frozen_array(nu, "nu", (None,))
    C = frozen_array(cost, "cost", (len(mu), len(nu)))
    for mass, name in ((mu, "mu"), (nu, "nu")):
        refuse_where(~(mass >= 0), mass, name, "be non-negative")
        if not mass.sum() > 0:
            raise KropeError(f"{name} must have a positive sum; got 0")
    if not abs(mu.sum() - nu.sum()) <= SUM_TOLERANCE * mu.sum():
        raise KropeError(f"nu must have the same sum as mu, {mu.sum():.10g}; got {nu.sum():.10g}")
    rows, columns = np.flatnonzero(mu), np.flatnonzero(nu)
    found = couple(mu[rows], nu[columns], C[np.ix_(rows, columns)])
    allowed = 8 * EPS * (len(rows) + len(columns)) * float(np.abs(C).max()) * float(mu.sum())
    if not found.gap <= allowed:
        raise KropeError(f"the network simplex must close its duality gap to {allowed:.3g}; got {found.gap:.3g}")
    coupling = np.zeros(C.shape)
    coupling[np.ix_(rows, columns)] = found.coupling
    coupling.flags.writeable = False
    return Transport(found.value, coupling, found.gap)


def couple(a: Array, b: Array, C: Array) -> Transport:
    """`transport` between positive masses of one total, unchecked: the inner loop of the metrics."""
    if len(a) == 1 or len(b) == 1:
        only = np.outer(a, b) / a.sum()
        return Transport(float((only * C).sum()), only, 0.0)
    scale = float(np.abs(C).max())
    if scale == 0.0:
        return Transport(0.0, np.outer(a, b) / a.sum(), 0.0)
    # POT's starting basis has arcs of cost 1 + max C, and its potentials carry the rounding of those numbers: costs of
    # 1e-5 would be optimized to five digits less than costs of 1.
    T, u = network_simplex()(a, b, C / scale)
    u = u * scale
    v = (C - u[:, None]).min(axis=0)
    value = float((T * C).sum())
    return Transport(value, T, max(0.0, value - float(a @ u + b @ v)))
