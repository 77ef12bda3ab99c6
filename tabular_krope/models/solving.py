r"""Value and policy iteration, each with what it proves about the optimal values.

From any values $v$ with $Tv$ one application of the optimality operator, $\delta = Tv - v$ and $\gamma < 1$,

$$Tv + \tfrac{\gamma}{1-\gamma} \min_s \delta(s) \;\le\; V^* \;\le\; Tv + \tfrac{\gamma}{1-\gamma} \max_s \delta(s)$$

(MacQueen, 1966; Porteus, 1971); where episodes end, a minimum above zero and a maximum below it count as zero. The
rounding of $Tv$ is added on both sides, so that the bounds hold for the model as it is stored. On an `ExactMDP` policy
iteration ends with $v = Tv$ over the rationals, which proves that the policy is optimal.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq

from tabular_krope.arrays import Array, is_sparse, require_count
from tabular_krope.errors import KropeError
from tabular_krope.models.exact_control import action_value, exact_values
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.mdp import MDP
from tabular_krope.models.optimal import howard, optimal_policy
from tabular_krope.models.policy import Policy


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A policy with values, and bounds on the optimal ones.

    Attributes:
        policy: a deterministic policy.
        values: its values, or (value iteration) the last iterate, [S]; rationals for an ExactMDP.
        lower, upper: ``lower <= V* <= upper``, [S]; equal, and rational, for an ExactMDP.
        iterations: how many policies, or sweeps, it took.
        proved: whether the policy is proved optimal, which exact policy iteration does.
    """

    policy: Policy
    values: Any
    lower: Any
    upper: Any
    iterations: int
    proved: bool

    @property
    def error_bound(self) -> float:
        """How far apart the bounds are, at most."""
        return float(max((high - low for low, high in zip(self.lower, self.upper, strict=True)), default=0.0))


def policy_iteration(mdp: MDP | ExactMDP) -> Solution:
    """The best policy by Howard's policy iteration, with bounds; over the rationals, and proved, for an ExactMDP.

    With gamma = 1 the float model's values have no upper bound here (infinity); those of an ExactMDP are the best of
    the policies that surely end.

    >>> mdp = ExactMDP([[["1/2", "1/2"], [0, 1]], [[0, 1]]], r=[[5, 10], [-1]], gamma="19/20")
    >>> found = policy_iteration(mdp)
    >>> found.values, found.policy.probs.tolist(), found.proved
    ((-60/7, -20), [[1.0, 0.0], [1.0, 0.0]], True)
    """
    if isinstance(mdp, ExactMDP):
        return _over_the_rationals(mdp)
    _, v, tie, rounds = howard(mdp)
    policy = optimal_policy(mdp)
    lower, upper = v - tie / 2, np.full(len(v), np.inf)
    if mdp.gamma < 1:
        low, upper = _bounds(mdp, v)
        lower = np.maximum(lower, low)
    return Solution(policy, v, lower, upper, rounds, proved=False)


def value_iteration(mdp: MDP, tolerance: float = 1e-8, most: int = 1_000_000) -> Solution:
    """Values within ``tolerance`` of the optimal ones, by iterating the optimality operator until the bounds say so.

    Args:
        mdp: the model, with gamma below 1.
        tolerance: how far apart the bounds may be.
        most: sweeps before giving up.

    >>> found = value_iteration(MDP([[[1.0], [1.0]]], r=[[0.0, 1.0]], gamma=0.5), tolerance=1e-6)
    >>> bool(found.lower[0] <= 2 <= found.upper[0]), found.error_bound < 1e-6, found.policy.probs.tolist()
    (True, True, [[0.0, 1.0]])
    """
    if not isinstance(mdp, MDP):
        raise KropeError(f"mdp must be an MDP (policy_iteration solves an ExactMDP); got {type(mdp).__name__}")
    if not mdp.gamma < 1:
        raise KropeError("gamma must be below 1 for value iteration (policy_iteration takes 1); got 1")
    if not tolerance > 0:
        raise KropeError(f"tolerance must be positive; got {tolerance!r}")
    v = np.zeros(mdp.n_states)
    for sweep in range(1, require_count(most, "most") + 1):
        q = _action_values(mdp, v)
        lower, upper = _bounds(mdp, v, q)
        if float((upper - lower).max()) <= tolerance:
            policy = Policy.deterministic(q.argmax(axis=1), mdp.n_actions)
            return Solution(policy, np.clip(q.max(axis=1), lower, upper), lower, upper, sweep, proved=False)
        new = q.max(axis=1)
        if np.array_equal(new, v):
            break
        v = new
    raise KropeError(f"tolerance must be one that float64 reaches in {most} sweeps; got {tolerance:.3g}")


def _action_values(mdp: MDP, v: Array) -> Array:
    return mdp.table(mdp.r_pairs + mdp.gamma * (mdp.P_pairs @ v), -np.inf)


def _bounds(mdp: MDP, v: Array, q: Array | None = None) -> tuple[Array, Array]:
    """Bounds on the optimal values from values ``v`` and their action values, rounding included."""
    Tv = (_action_values(mdp, v) if q is None else q).max(axis=1)
    P = mdp.P_pairs
    terms = int(np.diff(P.indptr).max()) if is_sparse(P) else P.shape[1]
    size = float(np.abs(mdp.r).max() + np.abs(v).max() + np.abs(Tv).max())
    rounding = float(np.finfo(np.float64).eps) * (2 * terms + 8) * size
    low, high = float((Tv - v).min()) - rounding, float((Tv - v).max()) + rounding
    if mdp.end.any():
        low, high = min(low, 0.0), max(high, 0.0)
    ahead = mdp.gamma / (1 - mdp.gamma)
    slack = rounding * (1 + ahead)
    return Tv + ahead * low - slack, Tv + ahead * high + slack


def _over_the_rationals(mdp: ExactMDP) -> Solution:
    """Policy iteration from the best policy of the rounded model: usually there is nothing left to improve."""
    rounded = mdp.to_float()
    there: list[list[int]] = [[] for _ in range(mdp.n_states)]
    for x, s in enumerate(mdp.pair_state):
        there[s].append(x)
    chosen = rounded.pairs_of(optimal_policy(rounded).probs.argmax(axis=1)).tolist()
    rounds = 0
    while True:
        rounds += 1
        v = exact_values(mdp, chosen)
        better = [max(pairs, key=lambda x: action_value(mdp, x, v)) for pairs in there]
        switch = [action_value(mdp, x, v) > v[s] for s, x in enumerate(better)]
        if not any(switch):
            policy = Policy.deterministic([mdp.pair_action[x] for x in chosen], mdp.n_actions)
            values: tuple[fmpq, ...] = tuple(v)
            return Solution(policy, values, values, values, rounds, proved=True)
        chosen = [new if switched else old for new, old, switched in zip(better, chosen, switch, strict=True)]
