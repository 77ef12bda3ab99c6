r"""The bisimulation metric (Ferns, Panangaden and Precup, 2004) on the states of an MDP.

$$d(s, t) = \max_a \big( |r(s,a) - r(t,a)| + \gamma\, W_d(P(s,a), P(t,a)) \big),$$

``W`` the 1-Wasserstein distance with ground cost $d$. The fixed point is unique and a pseudometric, and
$|V^*(s) - V^*(t)| \le d(s, t)$. When ``gamma > 0`` its zero set on an MDP that never ends is the coarsest bisimulation.
Where episodes end, the end is one more point, with reward zero and leading to itself, as in `pi_bisimulation`.
"""

import numpy as np
from scipy import sparse

from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError
from tabular_krope.metrics.behavioural import BehaviouralMetric
from tabular_krope.metrics.coupling_game import coupling_game, solve_game
from tabular_krope.models.linear import solve_discounted
from tabular_krope.models.mdp import MDP


def bisimulation_metric(mdp: MDP, tolerance: float | None = None) -> BehaviouralMetric:
    r"""Fixed point of $d = \max_a (|\Delta r_a| + \gamma W_d(P_a, P_a))$ on states, by strategy iteration.

    Args:
        mdp: the model; ``gamma = 1`` is allowed when every policy surely ends.
        tolerance: largest error bound accepted; the size of rounding if None.

    Returns:
        Distances [S, S], a pseudometric up to the error bound, with evidence.

    >>> P = [[[1, 0], [1, 0]], [[0, 1], [0, 1]]]
    >>> bisimulation_metric(MDP(P, r=[[0.0, 0.0], [1.0, 2.0]], gamma=0.75)).matrix
    array([[0., 8.],
           [8., 0.]])
    """
    if not isinstance(mdp, MDP):
        raise KropeError(f"mdp must be an MDP; got {type(mdp).__name__}")
    pairs, A = sparse.csr_array(mdp.P_pairs), mdp.n_actions
    lifetime = 2 * _longest_lifetime(pairs, mdp.end) if mdp.gamma == 1.0 else 1.0 / (1.0 - mdp.gamma)
    game = coupling_game([pairs[a::A] for a in range(A)], mdp.r.T, mdp.end.T, mdp.gamma, lifetime)
    return solve_game(game, tolerance)


def _longest_lifetime(pairs: sparse.csr_array, end: Array) -> float:
    """Longest expected length of an undiscounted episode over states and policies, by policy iteration."""
    S, A = end.shape
    _require_every_policy_ends(pairs, end)
    actions = np.zeros(S, dtype=np.intp)
    lifetimes = np.zeros(S)
    while True:
        chain = pairs[np.arange(S) * A + actions]
        longer = solve_discounted(chain, np.ones(S), 1.0)
        if not np.any(longer > lifetimes * (1 + 8 * S * np.finfo(np.float64).eps)):
            return float(lifetimes.max())
        lifetimes = longer
        actions = (pairs @ lifetimes).reshape(S, A).argmax(axis=1)


def _require_every_policy_ends(pairs: sparse.csr_array, end: Array) -> None:
    """Refuse an MDP some of whose states can be kept from ending: the metric could be infinite."""
    S, A = end.shape
    leads = pairs.sign()
    forever = np.ones(S, dtype=bool)
    while True:
        stays = (leads @ (~forever).astype(float) == 0).reshape(S, A) & (end == 0)
        kept = forever & stays.any(axis=1)
        if kept.sum() == forever.sum():
            break
        forever = kept
    if forever.any():
        s = int(np.argmax(forever))
        raise KropeError(f"gamma must be below 1 unless every policy ends; got 1 and state {s} can avoid the end")
