"""Error of an action-value estimate where episodes start, relative to a random policy's values."""

from typing import Any

import numpy as np

from tabular_krope.arrays import distribution, frozen_array
from tabular_krope.errors import KropeError
from tabular_krope.models.mrp import MRP, require_mrp


def value_error(mrp: MRP, q_hat: Any, q_random: Any = None, weights: Any = None) -> float:
    r"""Mean squared error of ``q_hat``, divided by that of a random policy's values.

    $$E_{d_0}[(\hat q - q)^2] \; / \; E_{d_0}[(q_{rand} - q)^2]$$

    Args:
        mrp: the reward process of the target policy; its ``q`` is the truth.
        q_hat: the estimate, [X].
        q_random: exact action values of a random policy, [X] (``induce(mdp, uniform).q``); not divided if None.
        weights: distribution over pairs of the mean, [X]; the initial distribution ``mrp.d0`` if None.

    Returns:
        0 for the truth; 1 for an estimate as far off as the random policy's values.

    >>> mrp = MRP.from_matrix([[1.0]], [1.0], 0.5)
    >>> value_error(mrp, [3.0]), value_error(mrp, [3.0], q_random=[0.0])
    (1.0, 0.25)
    """
    require_mrp(mrp)
    X = mrp.n_pairs
    D = mrp.d0 if weights is None else distribution(weights, X)
    error = float(D @ (frozen_array(q_hat, "q_hat", (X,)) - mrp.q) ** 2)
    if q_random is None:
        return error
    scale = float(D @ (frozen_array(q_random, "q_random", (X,)) - mrp.q) ** 2)
    if not scale > 0:
        raise KropeError("q_random must differ from the target's values where the weights are positive; got equality")
    return float(np.divide(error, scale))
