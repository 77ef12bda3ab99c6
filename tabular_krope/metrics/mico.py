r"""The MICo distance (Castro, Kastner, Panangaden and Rowland, 2021) on the pairs of a chain.

$$U(x, y) = |r_x - r_y| + \gamma\, E\,U(X', Y'), \qquad X' \sim P_\pi(x),\ Y' \sim P_\pi(y)\ \text{independent}.$$

It is a Stein equation, solved on states: with $W = \Pi\,U\,\Pi^\top$,

$$W = \Pi\,|\Delta r|\,\Pi^\top + \gamma\,Q W Q^\top, \qquad U = |\Delta r| + \gamma\,P W P^\top.$$

$U(x, x)$ need not be zero. On a chain that never ends the KROPE kernel is $K = 11^\top/(1-\gamma) - U/R$ and
$|q_x - q_y| \le U(x, y)$. On a chain that ends neither holds: when one of the two copies has ended, what the other
still collects is not counted.
"""

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError
from tabular_krope.kernels.stein import solve_stein
from tabular_krope.models.mrp import MRP


def mico(mrp: MRP) -> Array:
    r"""Fixed point of $U = |\Delta r| + \gamma P_\pi U P_\pi^\top$, by Smith doubling on states.

    Args:
        mrp: the chain; ``gamma = 1`` and episodes that end are allowed.

    Returns:
        [X, X], symmetric and non-negative; satisfies the triangle inequality on chains that never end.

    >>> mico(MRP.from_matrix([[0.5, 0.5], [0.5, 0.5]], r=[0.0, 1.0], gamma=0.5))
    array([[0.5, 1.5],
           [1.5, 0.5]])
    """
    if not isinstance(mrp, MRP):
        raise KropeError(f"mrp must be an MRP; got {type(mrp).__name__}")
    apart = np.abs(mrp.r[:, None] - mrp.r[None, :])
    on_states = (mrp.Pi @ (mrp.Pi @ apart).T).T
    W = solve_stein(mrp.Q, (on_states + on_states.T) / 2, mrp.gamma, mrp.horizon).matrix
    after = mrp.P @ (mrp.P @ W).T
    U: Array = apart + mrp.gamma * (after + after.T) / 2
    U.flags.writeable = False
    return U
