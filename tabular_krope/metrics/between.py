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

from tabular_krope.arrays import Array, Matrix, is_sparse
from tabular_krope.errors import KropeError
from tabular_krope.metrics.bisimulation import bisimulation_metric
from tabular_krope.metrics.coupling_game import DENSE
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
    union = _joined(first, second, DENSE)
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
    return _joined(first, second, 0)


def _joined(first: MDP, second: MDP, most: int) -> MDP:
    """`side_by_side`, densely where both are dense and the whole has at most so many entries."""
    for name, mdp in (("first", first), ("second", second)):
        if not isinstance(mdp, MDP):
            raise KropeError(f"{name} must be an MDP; got {type(mdp).__name__}")
    if first.n_actions != second.n_actions:
        raise KropeError(f"second must have the actions of the first, {first.n_actions}; got {second.n_actions}")
    if first.gamma != second.gamma:
        raise KropeError(f"second must have the gamma of the first, {first.gamma}; got {second.gamma}")
    end, r = np.vstack([first.end, second.end]), np.vstack([first.r, second.r])
    P = _block_diagonal(first.P_pairs, second.P_pairs, most)
    if not is_sparse(P) and P.shape == (r.size, len(r)):
        P = P.reshape(*r.shape, len(r))
    return MDP(P, r, first.gamma, end=end)


def _block_diagonal(P: Matrix, Q: Matrix, most: int) -> Matrix:
    """Both matrices with zeros around them: dense where they are and it has at most ``most`` entries, CSR otherwise."""
    if is_sparse(P) or is_sparse(Q) or (len(P) + len(Q)) * (P.shape[1] + Q.shape[1]) > most:
        return sparse.csr_array(sparse.block_diag([sparse.csr_array(P), sparse.csr_array(Q)], format="csr"))
    out = np.zeros((len(P) + len(Q), P.shape[1] + Q.shape[1]))
    out[: len(P), : P.shape[1]], out[len(P) :, P.shape[1] :] = P, Q
    return out
