r"""The bisimulation metric (Ferns, Panangaden and Precup, 2004) on the states of an MDP.

$$d(s, t) = \max_a \big( |r(s,a) - r(t,a)| + \gamma\, W_d(P(s,a), P(t,a)) \big),$$

``W`` the 1-Wasserstein distance with ground cost $d$. The fixed point is unique and a pseudometric, and
$|V^*(s) - V^*(t)| \le d(s, t)$. When ``gamma > 0`` its zero set on an MDP that never ends is the coarsest bisimulation.
Where episodes end, the end is one more point, with reward zero and leading to itself, as in `pi_bisimulation`.

Where action sets differ by state, two states with different actions (by name) lie as far apart as can be: the span of
the rewards (and of zero, where episodes end) times $1/(1-\gamma)$; with gamma = 1, times twice the longest expected
length of an episode. That keeps $|V^*(s) - V^*(t)| \le d(s, t)$ and the triangle inequality. The end has every action.
`lax_bisimulation_metric` compares sets of behaviors instead.
"""

import numpy as np
from scipy import sparse

from tabular_krope.arrays import Matrix, is_sparse
from tabular_krope.errors import KropeError
from tabular_krope.metrics.behavioral import BehavioralMetric
from tabular_krope.metrics.coupling_game import coupling_game
from tabular_krope.metrics.strategy_iteration import solve_game
from tabular_krope.models.linear import solve_discounted
from tabular_krope.models.mdp import MDP, require_mdp


def bisimulation_metric(mdp: MDP, tolerance: float | None = None) -> BehavioralMetric:
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
    require_mdp(mdp)
    by_action, present = _by_action(mdp), mdp.allowed.T if mdp.listed else None
    r, end = mdp.table(mdp.r_pairs, 0.0).T, mdp.table(mdp.end_pairs, 0.0).T
    return solve_game(coupling_game(by_action, r, end, mdp.gamma, coupled_lifetime(mdp), present), tolerance)


def _by_action(mdp: MDP) -> list[Matrix]:
    """Next-state laws for each action, [S, S] each; a state that does not have the action has an empty row."""
    S, A = mdp.n_states, mdp.n_actions
    if not mdp.listed and not is_sparse(mdp.P_pairs):
        return [mdp.P_pairs[a::A] for a in range(A)]
    pairs = sparse.csr_array(mdp.P_pairs)
    if not mdp.listed:
        return [pairs[a::A] for a in range(A)]
    laws: list[Matrix] = []
    for a in range(A):
        x = np.flatnonzero(mdp.pair_action == a)
        spread = sparse.csr_array((np.ones(len(x)), (mdp.pair_state[x], x)), shape=(S, mdp.n_pairs))
        laws.append(sparse.csr_array(spread @ pairs))
    return laws


def coupled_lifetime(mdp: MDP) -> float:
    r"""Longest expected discounted time that two coupled copies of an MDP live, under any policies.

    >>> coupled_lifetime(MDP(P=[[[1.0], [1.0]]], r=[[0.0, 1.0]], gamma=0.5))
    2.0
    """
    return 2 * _longest_lifetime(mdp) if mdp.gamma == 1.0 else 1.0 / (1.0 - mdp.gamma)


def _longest_lifetime(mdp: MDP) -> float:
    """Longest expected length of an undiscounted episode over states and policies, by policy iteration."""
    S, pairs = mdp.n_states, sparse.csr_array(mdp.P_pairs)
    _require_every_policy_ends(mdp)
    actions = mdp.allowed.argmax(axis=1)
    lifetimes = np.zeros(S)
    while True:
        chain = pairs[mdp.pairs_of(actions)]
        longer = solve_discounted(chain, np.ones(S), 1.0)
        if not np.any(longer > lifetimes * (1 + 8 * S * np.finfo(np.float64).eps)):
            return float(lifetimes.max())
        lifetimes = longer
        actions = mdp.table(pairs @ lifetimes, -np.inf).argmax(axis=1)


def _require_every_policy_ends(mdp: MDP) -> None:
    """Refuse an MDP some of whose states can be kept from ending: the metric could be infinite."""
    leads = sparse.csr_array(mdp.P_pairs).sign()
    forever = np.ones(mdp.n_states, dtype=bool)
    while True:
        leaves = mdp.table((leads @ (~forever).astype(float) > 0) | (mdp.end_pairs > 0), True)
        stays = leaves == 0
        kept = forever & stays.any(axis=1)
        if kept.sum() == forever.sum():
            break
        forever = kept
    if forever.any():
        s = int(np.argmax(forever))
        raise KropeError(f"gamma must be below 1 unless every policy ends; got 1 and state {s} can avoid the end")
