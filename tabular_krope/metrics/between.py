r"""A bisimulation metric between the states of two MDPs (Castro and Precup, 2010; Tao, Xu and You, 2025).

$$d_{12}(s, t) = \max_a \big( |r_1(s,a) - r_2(t,a)| + \gamma\, W_{d_{12}}(P_1(s,a), P_2(t,a)) \big)$$

for MDPs with the same actions and the same discount factor. It is the bisimulation metric of the two put side by side,
as neither is ever left: so $|V_1^*(s) - V_2^*(t)| \le d_{12}(s, t)$, $d_{12}(s, t) = d_{21}(t, s)$, and
$d_{13} \le d_{12} + d_{23}$ for a third.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError
from tabular_krope.metrics.bisimulation import bisimulation_metric
from tabular_krope.models.mdp import MDP


@dataclass(frozen=True, slots=True, eq=False)
class DistancesBetween:
    """Distances from the states of one MDP to those of another; usable as an array.

    Attributes:
        matrix: distances, non-negative, [S1, S2].
        iterations, residual, error_bound: of the computation, as in `BehavioralMetric`.
    """

    matrix: Array
    iterations: int
    residual: float
    error_bound: float

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.matrix, dtype=dtype, copy=copy)


def metric_between(first: MDP, second: MDP, tolerance: float | None = None) -> DistancesBetween:
    r"""Fixed point of $d(s,t) = \max_a (|r_1(s,a) - r_2(t,a)| + \gamma W_d(P_1(s,a), P_2(t,a)))$, certified.

    Args:
        first, second: MDPs with the same number of actions and the same gamma. Where episodes end, both end in the
            same place.
        tolerance: largest error bound accepted; the size of rounding if None.

    >>> poor = MDP(P=[[[1.0]]], r=[[0.0]], gamma=0.75)
    >>> rich = MDP(P=[[[0.0, 1.0]], [[0.0, 1.0]]], r=[[0.0], [1.0]], gamma=0.75)
    >>> metric_between(poor, rich).matrix
    array([[3., 4.]])
    """
    union = side_by_side(first, second)
    found, S = bisimulation_metric(union, tolerance), first.n_states
    matrix = found.matrix[:S, S:].copy()
    matrix.flags.writeable = False
    return DistancesBetween(matrix, found.iterations, found.residual, found.error_bound)


def side_by_side(first: MDP, second: MDP) -> MDP:
    """One MDP with the states of both, those of the first first; neither leads to the other.

    >>> one = MDP(P=[[[1.0]]], r=[[2.0]], gamma=0.5)
    >>> side_by_side(one, one).P_pairs.toarray()
    array([[1., 0.],
           [0., 1.]])
    """
    for name, mdp in (("first", first), ("second", second)):
        if not isinstance(mdp, MDP):
            raise KropeError(f"{name} must be an MDP; got {type(mdp).__name__}")
    if first.n_actions != second.n_actions:
        raise KropeError(f"second must have the actions of the first, {first.n_actions}; got {second.n_actions}")
    if first.gamma != second.gamma:
        raise KropeError(f"second must have the gamma of the first, {first.gamma}; got {second.gamma}")
    P = sparse.block_diag([sparse.csr_array(first.P_pairs), sparse.csr_array(second.P_pairs)], format="csr")
    end = np.vstack([first.end, second.end])
    return MDP(sparse.csr_array(P), np.vstack([first.r, second.r]), first.gamma, end=end)
