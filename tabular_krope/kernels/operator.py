r"""The KROPE operator $F(K) = K_1 + \gamma\,P_\pi K P_\pi^\top$ and its literal iteration.

``F`` is a contraction. From $K^* - K_n = \sum_{m \ge 1} \gamma^m P_\pi^m (K_n - K_{n-1}) P_\pi^{m\top}$ follows the
a-posteriori bound

$$\|K^* - K_n\|_\infty \le (h - 1)\,\|K_n - K_{n-1}\|_\infty, \qquad h = \|(I - \gamma P_\pi)^{-1}\|_\infty,$$

where $h - 1 = \gamma/(1-\gamma)$ for a conservative chain. That bound, not the size of the step, is the stopping rule.
"""

from typing import Any

import numpy as np

from tabular_krope.arrays import Array, dense, frozen_array
from tabular_krope.errors import KropeError
from tabular_krope.kernels.reward import RewardKernel
from tabular_krope.kernels.stein import EPS, SteinSolution, rounding_floor, stein_residual
from tabular_krope.models.mrp import MRP


def krope_operator(mrp: MRP, K: Any, reward_range: tuple[float, float] | None = None) -> Array:
    r"""One application of the operator, $F(K) = K_1 + \gamma P_\pi K P_\pi^\top$.

    Args:
        mrp: the reward process.
        K: any real matrix on pairs, [X, X].
        reward_range: (r_min, r_max) covering the rewards; their own range if None.

    Returns:
        [X, X]; symmetric or positive semidefinite when ``K`` is.

    >>> krope_operator(MRP.from_matrix([[0.0, 1.0], [1.0, 0.0]], [0.0, 1.0], 0.5), [[2.0, 0.0], [0.0, 4.0]])
    array([[3., 0.],
           [0., 2.]])
    """
    X = mrp.n_pairs
    matrix = frozen_array(K, "K", (X, X))
    return RewardKernel.of(mrp.r, reward_range).matrix() + mrp.gamma * _push(mrp, matrix)


def iterate(mrp: MRP, K1: Array, tolerance: float | None) -> SteinSolution:
    """The fixed point of the operator from ``K = 0``, one application after another, on all pairs.

    Args:
        mrp: the reward process.
        K1: reward kernel, [X, X].
        tolerance: wanted bound on the sup-norm distance to the fixed point; what rounding allows if None.

    Returns:
        The kernel with the number of applications, its residual and the a-posteriori error bound.

    >>> iterate(MRP.from_matrix([[1.0]], [0.0], 0.5), np.array([[1.0]]), tolerance=0.01).iterations
    8
    """
    scale = float(np.abs(K1).max()) * mrp.horizon
    allowed = rounding_floor(scale, mrp.horizon, mrp.n_pairs) if tolerance is None else tolerance
    P_pi = dense(mrp.P_pi)
    K = np.zeros_like(K1)
    most = 2 + int(np.ceil(mrp.horizon * np.log(max(scale * mrp.horizon / max(allowed, EPS * scale), 2.0))))
    for n in range(1, most + 1):
        following = K1 + mrp.gamma * (P_pi @ K @ P_pi.T)
        # Each application rounds by an ulp or two of the kernel, which the horizon magnifies.
        bound = (mrp.horizon - 1.0) * float(np.abs(following - K).max()) + 2 * EPS * scale * mrp.horizon
        K = following
        if bound <= allowed:
            K = (K + K.T) / 2
            return SteinSolution(K, n, stein_residual(K, P_pi, K1, mrp.gamma), bound)
    raise KropeError(f"iteration must reach an error of {allowed:.3g}; got {bound:.3g} after {n} applications")


def _push(mrp: MRP, K: Array) -> Array:
    on_states = mrp.Pi @ (mrp.Pi @ K.T).T  # Pi K Pi', [S, S]
    return np.asarray(mrp.P @ (mrp.P @ on_states.T).T)
