r"""The $\pi$-bisimulation metric (Castro, 2020) on the pairs of a chain.

$$d_\pi(x, y) = |r_x - r_y| + \gamma\, W_{d_\pi}(P_\pi(x), P_\pi(y)),$$

``W`` the 1-Wasserstein distance with ground cost $d_\pi$. The fixed point is unique and a pseudometric, and
$|q_x - q_y| \le d_\pi(x, y)$. When ``gamma > 0`` its zero set on a chain that never ends is the coarsest
$\pi$-bisimulation.

Where episodes end, the end is one more point, with reward zero and leading to itself, and $|q_x|$ is at most the
distance to it. A pair that collects zero for ever is at distance zero from the end, so the zero set may be coarser than
`bisimulation_partition`, which tells ending from living on without reward.
"""

import numpy as np
from scipy import sparse

from tabular_krope.errors import KropeError
from tabular_krope.metrics.behavioral import BehavioralMetric
from tabular_krope.metrics.coupling_game import coupling_game
from tabular_krope.metrics.strategy_iteration import solve_game
from tabular_krope.models.mrp import MRP


def pi_bisimulation_metric(mrp: MRP, tolerance: float | None = None) -> BehavioralMetric:
    r"""Fixed point of $d = |\Delta r| + \gamma W_d(P_\pi, P_\pi)$ on pairs, by policy iteration over couplings.

    Args:
        mrp: the chain; ``gamma = 1`` and episodes that end are allowed.
        tolerance: largest error bound accepted; the size of rounding if None.

    Returns:
        Distances [X, X], a pseudometric up to the error bound, with evidence.

    >>> pi_bisimulation_metric(MRP.from_matrix([[1, 0], [0, 1]], r=[0.0, 1.0], gamma=0.75)).matrix
    array([[0., 4.],
           [4., 0.]])
    """
    if not isinstance(mrp, MRP):
        raise KropeError(f"mrp must be an MRP; got {type(mrp).__name__}")
    # Two coupled copies part for at most the sum of their lifetimes.
    lifetime = 2 * mrp.horizon if mrp.gamma == 1.0 else min(2 * mrp.horizon, 1.0 / (1.0 - mrp.gamma))
    P_pi = sparse.csr_array(mrp.P) @ mrp.Pi
    game = coupling_game([P_pi], np.array(mrp.r[None, :]), mrp.end[None, :], mrp.gamma, lifetime)
    return solve_game(game, tolerance)
