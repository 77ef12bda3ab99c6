r"""Where a chain spends its time: discounted occupancy and stationary distribution of the pairs.

Both are found on states and pushed to pairs. With $u = P^\top \rho$ the states entered,

$$\rho = d_0 + \gamma\,\Pi^\top u, \qquad u = P^\top d_0 + \gamma\,Q^\top u,$$

and a distribution $\nu = Q^\top \nu$ over states gives the stationary distribution $\Pi^\top \nu$ over pairs.
"""

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array, Matrix, dense
from tabular_krope.errors import KropeError
from tabular_krope.models.linear import solve_discounted
from tabular_krope.models.mrp import MRP, require_mrp
from tabular_krope.models.recurrence import recurrent_classes, states_that_never_end


def occupancy(mrp: MRP) -> Array:
    r"""Share of discounted time in each pair from ``d0``, $\rho \propto d_0^\top (I - \gamma P_\pi)^{-1}$, [X].

    Returns:
        A distribution. The divisor is the expected discounted length of an episode from ``d0``: $1/(1-\gamma)$ for a
        chain that never ends, the expected number of steps if gamma is 1. It is the law of the pair seen at a late time
        by one who restarts at every end and, with probability $1-\gamma$, after every step.

    >>> occupancy(MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], r=[0.0, 1.0], gamma=0.5, d0=[1.0, 0.0]))
    array([0.5, 0.5])
    """
    require_mrp(mrp)
    entered = solve_discounted(mrp.Q.T, mrp.P.T @ mrp.d0, mrp.gamma)
    rho = np.maximum(mrp.d0 + mrp.gamma * (mrp.Pi.T @ entered), 0.0)
    return np.asarray(rho / rho.sum())


def stationary_distribution(mrp: MRP) -> Array:
    r"""Long-run share of time in each pair from ``d0``, $\mu = P_\pi^\top \mu$, [X]; gamma plays no part.

    Periodic chains are fine: it is the limit of the averages over time. With several recurrent classes each class's own
    stationary distribution is weighted by the probability of being absorbed in it from ``d0``.

    Raises:
        KropeError: if the episode may end from ``d0``, for then there is none.

    >>> stationary_distribution(MRP.from_matrix([[0.0, 1.0], [1.0, 0.0]], r=[0.0, 1.0], gamma=0.5))
    array([0.5, 0.5])
    """
    require_mrp(mrp)
    Q, start = mrp.Q, mrp.P.T @ mrp.d0
    if np.any(bad := (mrp.d0 > 0) & (mrp.end > 0)):
        raise _ends(f"pair {mrp.pair_label(int(np.argmax(bad)))}")
    bad = start > 0
    bad[states_that_never_end(Q, mrp.Pi @ mrp.end)] = False
    if bad.any():
        raise _ends(f"state {int(np.argmax(bad))}")
    classes = recurrent_classes(Q)
    nu = np.zeros(mrp.n_states)
    for members, share in zip(classes, _absorption(Q, start, classes), strict=True):
        if share > 0:
            nu[members] = share * _class_distribution(Q[members][:, members])
    mu = mrp.Pi.T @ nu
    return np.asarray(mu / mu.sum())


def _ends(where: str) -> KropeError:
    return KropeError(f"mrp must never end from d0 to have a stationary distribution; got an end after {where}")


def _absorption(Q: Matrix, start: Array, classes: list[NDArray[np.intp]]) -> list[float]:
    """Probability of being absorbed in each class from the states' law ``start``: visits to transient states first."""
    transient = np.ones(len(start), dtype=bool)
    for members in classes:
        transient[members] = False
    mass = start.copy()
    if (T := np.flatnonzero(transient)).size and start[T].any():
        visits = solve_discounted(Q[T][:, T].T, start[T], 1.0)
        mass = start + Q[T].T @ visits
    return [float(mass[members].sum()) for members in classes]


def _class_distribution(Q: Matrix) -> Array:
    """Stationary distribution of one recurrent class: visits to each state between two visits to the first."""
    others = np.arange(1, Q.shape[0])
    if others.size == 0:
        return np.ones(1)
    visits = solve_discounted(Q[others][:, others].T, dense(Q[[0]][:, others]).reshape(-1), 1.0)
    nu = np.maximum(np.concatenate([np.ones(1), visits]), 0.0)
    return np.asarray(nu / nu.sum())
