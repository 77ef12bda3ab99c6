r"""Weights of transitions that are bounded below by zero, by the dual of a quadratic program.

The smallest weights that balance base features up to a ridge,

$$\min_{w \ge 0}\ \frac1{2n}\|w\|^2 + \frac1{2c}\,\Bigl\|\frac1n \sum_i w_i\,\delta_i - \mu\Bigr\|^2_{V^{-1}},
\qquad \delta_i = \psi_i - \gamma\psi_i',$$

are $w_i = \max(0, \delta_i^\top z)$ where ``z`` minimizes the smooth convex function
$\frac1{2n}\sum_i \max(0, \delta_i^\top z)^2 + \frac c2\,z^\top V z - \mu^\top z$ of as many variables as there are
features: no program of the size of the data is solved. Without the bound the maximum is left out, and ``z`` is the
solution of linear equations.
"""

from typing import Any

import numpy as np
from scipy.optimize import minimize

from tabular_krope.arrays import Array

#: Steps of the quasi-Newton method.
STEPS = 500


def balancing_weights(delta: Array, start: Array, penalty: Array, bounded: bool = True) -> Array:
    """Weights of the rows, [n].

    Args:
        delta: base features minus gamma times those of the successors, [n, p].
        start: mean base features of the starts, [p].
        penalty: ``c`` times the diagonal of ``V``, [p], positive.
        bounded: whether weights are bounded below by zero.

    >>> delta = np.array([[1.0], [-1.0]])
    >>> balancing_weights(delta, np.ones(1), np.full(1, 1e-9), bounded=False).round(6)
    array([ 1., -1.])
    >>> balancing_weights(delta, np.ones(1), np.full(1, 1e-9)).round(4)
    array([2., 0.])
    """
    n = len(delta)
    z: Any = np.linalg.solve(delta.T @ delta / n + np.diag(penalty), start)
    if not bounded:
        return np.asarray(delta @ z)

    def dual(z: Array) -> tuple[float, Array]:
        w = np.maximum(delta @ z, 0.0)
        return float(w @ w / (2 * n) + (penalty * z) @ z / 2 - start @ z), delta.T @ w / n + penalty * z - start

    found = minimize(dual, z, jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    return np.maximum(delta @ found.x, 0.0)
