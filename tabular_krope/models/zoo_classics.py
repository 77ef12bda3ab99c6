"""Textbook examples: two states, Van Roy's chain, Baird's star, the chain walk."""

from typing import Any

import numpy as np

from tabular_krope.arrays import require_count
from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.policy import Policy
from tabular_krope.models.values import occupancy
from tabular_krope.models.zoo_model import ZooModel


def two_state(gamma: Any = "9/10") -> ZooModel:
    """The smallest interesting chain: q = (2/(2 - gamma), 0)."""
    chain = ExactMRP.from_matrix([["1/2", "1/2"], [0, 1]], [1, 0], gamma)
    return ZooModel("two-state", "the smallest chain: P = [[.5,.5],[0,1]], r = [1,0]", chain, labels=("0", "1"))


def van_roy(p: float = 0.8, q: float = 0.8, n_on: int = 2000, n_w3: int = 5000) -> ZooModel:
    """Feng, Li and Liu's variant of Tsitsiklis and Van Roy's example, a reconstruction; gamma = 1.

    ``w1`` leads to ``w2`` (p) or ``w3``; ``w2`` pays 1 and ends; ``w3`` leads to ``2w3``, which stays (q) or ends. The
    features represent the values, with weights (p, 1, 0). The data weights are those of ``n_on`` transitions on
    trajectories from ``w1`` and ``n_w3`` more from ``w3``: fitted value iteration diverges on them.

    The drawing that gives the original's probabilities is not in the source, so they are parameters.
    """
    w1, w2, twice, w3 = range(4)
    P = np.zeros((4, 1, 4))
    P[w1, 0, w2], P[w1, 0, w3] = p, 1.0 - p
    P[w3, 0, twice] = 1.0
    P[twice, 0, twice] = q
    end = np.array([[0.0], [1.0], [1.0 - q], [0.0]])
    mdp = MDP(P, np.eye(4)[:, [w2]], 1.0, d0=np.eye(4)[w1], end=end)
    policy = Policy.uniform(4, 1)
    counts = require_count(n_on, "n_on", least=0) * occupancy(induce(mdp, policy))
    counts[w3] += require_count(n_w3, "n_w3", least=0)
    return ZooModel(
        "van-roy",
        "Feng/Van Roy divergence example with gamma = 1 (a reconstruction)",
        mdp,
        policy,
        features=np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 2], [0, 0, 1]]),
        weights=counts,
        labels=("w1", "w2", "2w3", "w3"),
    )


def baird(gamma: float = 0.99, weighting: str = "importance") -> ZooModel:
    """Baird's star: seven states, no rewards, eight features; the target policy always takes ``solid``.

    ``dashed`` (action 0) leads to one of the six outer states, ``solid`` (action 1) to the center; the behavior policy
    takes ``dashed`` with probability 6/7 and visits all states equally. Features depend on the state alone.

    ``weighting`` "importance" (the classical example: data reweighted to the target's actions, so only ``solid`` pairs
    count) makes semi-gradient TD diverge; "behavior" keeps the data's own weights, under which state features see the
    behavior policy, and TD is stable.
    """
    P = np.zeros((7, 2, 7))
    P[:, 0, :6] = 1 / 6
    P[:, 1, 6] = 1.0
    by_state = np.hstack([2 * np.eye(7), np.ones((7, 1))])
    by_state[6, 6:] = 1.0, 2.0
    actions = {"importance": [0.0, 1.0], "behavior": [6 / 7, 1 / 7]}
    weighting = "behavior" if weighting == "behaviour" else weighting
    if weighting not in actions:
        raise unknown_name("weighting", weighting, actions)
    return ZooModel(
        "baird",
        "Baird's star: off-policy TD diverges although values are zero",
        MDP(P, np.zeros((7, 2)), gamma),
        Policy.deterministic([1] * 7, 2),
        features=np.repeat(by_state, 2, axis=0),
        weights=np.tile(actions[weighting], 7),
        labels=tuple(str(s + 1) for s in range(7)),
    )


def chain_walk(n_states: int = 4, fail: float = 0.1, rewarded: Any = None, gamma: float = 0.9) -> ZooModel:
    """Koller and Parr's chain: left (0) and right (1), each goes the other way with probability ``fail``.

    Reward 1 in the states ``rewarded``, by default the two (or one) in the middle; at either wall the walker stays.
    """
    n = require_count(n_states, "n_states")
    if not 0.0 <= fail <= 1.0:
        raise KropeError(f"fail must lie in [0, 1]; got {fail!r}")
    s = np.arange(n)
    P = np.zeros((n, 2, n))
    for action, step in ((0, -1), (1, 1)):
        np.add.at(P[:, action], (s, np.clip(s + step, 0, n - 1)), 1.0 - fail)
        np.add.at(P[:, action], (s, np.clip(s - step, 0, n - 1)), fail)
    r = np.zeros((n, 2))
    for state in ((n - 1) // 2, n // 2) if rewarded is None else rewarded:
        if require_count(state, "rewarded", least=0) >= n:
            raise KropeError(f"rewarded must hold states below {n}; got {state}")
        r[state] = 1.0
    return ZooModel(
        "chain-walk", "a walk between two walls, paid in the middle", MDP(P, r, gamma), labels=tuple(map(str, range(n)))
    )
