r"""The best policy of an MDP, by Howard's policy iteration.

From a policy with values $v$, every state whose best action beats its present one switches to it. Float values carry an
error of at most the residual of their equation times the horizon, so a state switches only when the gain exceeds twice
that: each new policy is then truly better than the last, none comes back, and the iteration ends.

With $\gamma = 1$ it starts from a policy that surely ends. If a later one did not, one of its endless loops would
contain a switched state, hence pay a positive reward on average, and values would be unbounded: that is refused. The
result is the best among the policies that surely end.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Array, is_sparse
from tabular_krope.errors import KropeError
from tabular_krope.models.linear import solve_discounted
from tabular_krope.models.mdp import MDP, require_mdp
from tabular_krope.models.policy import Policy
from tabular_krope.models.recurrence import states_that_never_end

Actions = NDArray[np.int64]


#: Policy iteration improves strictly and so ends; in practice within a few dozen rounds.
MOST_ROUNDS = 10_000


def optimal_values(mdp: MDP) -> Array:
    r"""The optimal state values $V^*(s) = \max_a r(s, a) + \gamma E V^*(S')$, [S].

    >>> optimal_values(MDP(P=[[[1.0], [1.0]]], r=[[0.0, 1.0]], gamma=0.5))
    array([2.])
    """
    return howard(mdp)[1]


def optimal_policy(mdp: MDP) -> Policy:
    """A deterministic policy that attains the optimal values.

    Among equally good actions (up to rounding) it takes the lowest; with gamma = 1, where some of those may loop for
    ever, the lowest of those that lead nearer to an end of the episode.

    >>> optimal_policy(MDP(P=[[[1.0], [1.0]]], r=[[0.0, 1.0]], gamma=0.5)).probs
    array([[0., 1.]])
    """
    actions, v, tie, _ = howard(mdp)
    q = _action_values(mdp, v)
    tied = q >= q.max(axis=1, keepdims=True) - tie
    tied[np.arange(mdp.n_states), actions] = True
    lowest = _toward_an_end(mdp, tied) if mdp.gamma == 1.0 else np.argmax(tied, axis=1)
    return Policy.deterministic(lowest, mdp.n_actions)


def howard(mdp: MDP) -> tuple[Actions, Array, float, int]:
    """Actions of an optimal policy, its values, the largest gain that may be rounding, and the rounds it took."""
    require_mdp(mdp)
    first = mdp.table(mdp.r_pairs, -np.inf)
    actions = _toward_an_end(mdp, mdp.allowed) if mdp.gamma == 1.0 else np.argmax(first, axis=1)
    states = np.arange(mdp.n_states)
    for rounds in range(1, MOST_ROUNDS + 1):
        v, tie = _evaluate(mdp, actions)
        q = _action_values(mdp, v)
        best = np.argmax(q, axis=1)
        better = q[states, best] > q[states, actions] + tie
        if not better.any():
            return actions, v, tie, rounds
        actions = np.where(better, best, actions)
    raise KropeError(f"policy iteration must end within {MOST_ROUNDS} rounds; got one that still improves")


def _evaluate(mdp: MDP, actions: Actions) -> tuple[Array, float]:
    """Values of a deterministic policy, [S], and twice the bound on their error."""
    S, chosen = mdp.n_states, mdp.pairs_of(actions)
    Q, r, end = mdp.P_pairs[chosen], mdp.r_pairs[chosen], mdp.end_pairs[chosen]
    if mdp.gamma == 1.0 and (stuck := states_that_never_end(Q, end)).size:
        raise KropeError(f"r must not pay an endless loop when gamma is 1; got one after state {stuck[0]}")
    v, lifetimes = solve_discounted(Q, np.stack([r, np.ones(S)], axis=1), mdp.gamma).T
    residual = np.abs(r + mdp.gamma * (Q @ v) - v).max()
    terms = np.diff(Q.indptr).max() if is_sparse(Q) else S
    rounding = np.finfo(float).eps * (terms + 2) * (np.abs(r).max() + np.abs(v).max())
    return v, 2.0 * float(lifetimes.max() * (residual + rounding))


def _action_values(mdp: MDP, v: Array) -> Array:
    """Action values, [S, A]; minus infinity for an action that the state does not have."""
    return mdp.table(mdp.r_pairs + mdp.gamma * (mdp.P_pairs @ v), -np.inf)


def _toward_an_end(mdp: MDP, allowed: NDArray[np.bool_]) -> Actions:
    """For each state the lowest allowed action that may bring the episode nearer to its end, [S].

    Distance to the end counts the steps of the shortest possible way by allowed actions; the policy surely ends, since
    from every state it has a chance to end within S steps.
    """
    leads_to = sparse.csr_array(mdp.P_pairs).astype(bool).astype(float)
    ends = allowed & (mdp.table(mdp.end_pairs, 0.0) > 0)
    actions = np.where(ends.any(axis=1), np.argmax(ends, axis=1), -1)
    while (actions < 0).any():
        nearer = allowed & (mdp.table(leads_to @ (actions >= 0).astype(float), 0.0) > 0)
        new = (actions < 0) & nearer.any(axis=1)
        actions = np.where(new, np.argmax(nearer, axis=1), actions)
    return actions
