"""Random policies, and noisy versions of the optimal one."""

from typing import Any

import numpy as np

from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.models.mdp import MDP, require_mdp
from tabular_krope.models.optimal import optimal_policy
from tabular_krope.models.policy import Policy
from tabular_krope.models.randomness import generator

KINDS = ("stochastic", "deterministic", "epsilon-greedy")


def random_policy(mdp: MDP, seed: Any = 0, kind: str = "stochastic", epsilon: float = 0.1) -> Policy:
    """A policy for ``mdp``.

    Args:
        mdp: the model whose states and actions it is for.
        seed: an integer or a numpy Generator.
        kind: "stochastic" (each state's distribution from a flat Dirichlet), "deterministic" (each state's action
            uniform), or "epsilon-greedy": the optimal action with probability ``1 - epsilon``, a uniform one otherwise
            (nothing is drawn then, whatever the seed).
        epsilon: in [0, 1]; read by "epsilon-greedy" only.

    >>> mdp = MDP(P=[[[1.0], [1.0]]], r=[[0.0, 1.0]], gamma=0.5)
    >>> random_policy(mdp, kind="epsilon-greedy", epsilon=0.2).probs
    array([[0.1, 0.9]])
    """
    require_mdp(mdp)
    if kind not in KINDS:
        raise unknown_name("kind", kind, KINDS)
    S, A, allowed = mdp.n_states, mdp.n_actions, mdp.allowed
    rng = generator(seed)
    if kind == "stochastic":
        weights = rng.standard_exponential((S, A)) * allowed
        return Policy(weights / weights.sum(axis=1, keepdims=True))
    if kind == "deterministic":
        choice = rng.integers(0, allowed.sum(axis=1)) if mdp.listed else rng.integers(0, A, size=S)
        return Policy.deterministic(np.argmax(np.cumsum(allowed, axis=1) > choice[:, None], axis=1), A)
    if not (isinstance(epsilon, int | float | np.number) and 0.0 <= epsilon <= 1.0):
        raise KropeError(f"epsilon must lie in [0, 1]; got {epsilon!r}")
    return Policy((1.0 - epsilon) * optimal_policy(mdp).probs + epsilon * allowed / allowed.sum(axis=1, keepdims=True))


def uniform_policy(mdp: MDP) -> Policy:
    """Every action that a state has, with the same probability.

    >>> uniform_policy(MDP([[1, 0], [0, 1], [0, 1]], [0, 1, 2], 0.9, pair_state=[0, 0, 1], pair_action=[0, 1, 1])).probs
    array([[0.5, 0.5],
           [0. , 1. ]])
    """
    require_mdp(mdp)
    allowed = mdp.allowed
    return Policy(allowed / allowed.sum(axis=1, keepdims=True))
