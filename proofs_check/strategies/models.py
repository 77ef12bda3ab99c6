"""Models: Markov decision processes, and reward processes in rationals and floats."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from hypothesis import strategies as st

from proofs_check.strategies.rows import Drawn, drawn
from proofs_check.strategies.wanted import GAMMAS, LARGEST_NUMBER, Wanted, wanted
from tabular_krope.arrays import require_count
from tabular_krope.errors import KropeError
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP

#: Least and largest reward unless the caller says otherwise.
REWARDS = (-LARGEST_NUMBER, LARGEST_NUMBER)


def rational_mrps(
    max_states: int = 4,
    max_actions: int = 2,
    ending: bool | None = None,
    gammas: Sequence[Any] = GAMMAS,
    *,
    n_states: int | None = None,
    n_actions: int | None = None,
    branching: int | None = None,
    irreducible: bool = False,
    deterministic: bool = False,
    rewards: Sequence[Any] = REWARDS,
) -> st.SearchStrategy[ExactMRP]:
    """Reward processes over the rationals.

    Args:
        max_states, max_actions: largest S and A; the process has X = S*A pairs.
        ending: True: every episode surely ends, whatever the policy; False: none ever ends; None: both, and episodes
            that end here and not there.
        gammas: discount factors to choose from, simplest first; anything that reads as a rational, below 1 unless
            ``ending``.
        n_states, n_actions: exact S and A, in place of the largest.
        branching: most successor states of a pair; 8 if None.
        irreducible: every pair is reached from every other (where an episode goes on).
        deterministic: every pair has one successor pair, or surely ends.
        rewards: least and largest reward. Integers are drawn, and quarters of a range that has few.

    >>> from hypothesis import find
    >>> find(rational_mrps(), lambda mrp: mrp.n_pairs == 2).P_pi.table()
    [[1, 0], [1, 0]]
    >>> find(rational_mrps(n_states=3, max_actions=1, irreducible=True, deterministic=True), lambda mrp: True).P.table()
    [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    """
    if irreducible and deterministic:  # with one choice in each state the other pairs would never be reached
        if n_actions not in (None, 1):
            raise KropeError(f"n_actions must be 1 where every pair has one successor and is reached; got {n_actions}")
        n_actions = require_count(max_actions, "max_actions") and 1
    sizes = (n_states, n_actions, branching, irreducible, deterministic, rewards)
    wish = wanted(max_states, max_actions, ending, gammas, *sizes)
    return drawn(wish).map(lambda model: _exact(model, wish))


def mrps(
    max_states: int = 4,
    max_actions: int = 2,
    ending: bool | None = None,
    gammas: Sequence[Any] = GAMMAS,
    **more: Any,
) -> st.SearchStrategy[MRP]:
    """Reward processes in floats: `rational_mrps`, rounded, with the same arguments.

    >>> from hypothesis import find
    >>> find(mrps(), lambda mrp: True).P
    array([[1.]])
    >>> find(mrps(rewards=("1/2", 1)), lambda mrp: mrp.r.max() < 1).r
    array([0.5])
    """
    return rational_mrps(max_states, max_actions, ending, gammas, **more).map(ExactMRP.to_float)


def mdps(
    max_states: int = 4,
    max_actions: int = 2,
    ending: bool | None = None,
    gammas: Sequence[Any] = GAMMAS,
    *,
    n_states: int | None = None,
    n_actions: int | None = None,
    branching: int | None = None,
    irreducible: bool = False,
    deterministic: bool = False,
    rewards: Sequence[Any] = REWARDS,
) -> st.SearchStrategy[MDP]:
    """Markov decision processes in floats; arguments as for `rational_mrps`.

    ``irreducible``: every state is reached from every other, whatever the policy.

    >>> from hypothesis import find
    >>> find(mdps(), lambda mdp: mdp.n_actions == 2).P.shape
    (1, 2, 1)
    >>> find(mdps(n_states=2, n_actions=1, ending=True, gammas=[1]), lambda mdp: True)
    MDP([[[0.0, 0.0]], [[0.0, 0.0]]], r=[[0.0], [0.0]], gamma=1.0, end=[[1.0], [1.0]])
    """
    sizes = (n_states, n_actions, branching, irreducible, deterministic, rewards)
    wish = wanted(max_states, max_actions, ending, gammas, *sizes)
    return drawn(wish).map(lambda model: _mdp(model, wish))


def _exact(model: Drawn, wish: Wanted) -> ExactMRP:
    S, A = model.S, model.A
    P, end = fmpq_mat(S * A, S), []
    for x, (weights, stop) in enumerate(model.rows):
        whole = sum(weights.values()) + stop
        for s, weight in weights.items():
            P[x, s] = fmpq(weight, whole)
        end.append(fmpq(stop, whole))
    Pi = fmpq_mat(S, S * A)
    for s in range(S):
        choices = _choices(model.choices[s * A : (s + 1) * A], wish)
        for a, weight in enumerate(choices):
            Pi[s, s * A + a] = fmpq(weight, sum(choices))
    r = tuple(wish.rewards[k] for k in model.rewards)
    return ExactMRP(P, Pi, r, wish.gammas[model.gamma], tuple(end))


def _choices(weights: list[int], wish: Wanted) -> list[int]:
    """What the policy gives to each action of a state."""
    if wish.irreducible:
        return [max(weight, 1) for weight in weights]
    if wish.deterministic or not any(weights):
        return [int(a == weights.index(max(weights))) for a in range(len(weights))]
    return weights


def _mdp(model: Drawn, wish: Wanted) -> MDP:
    shape = model.S, model.A
    P, end = np.zeros((*shape, model.S)), np.zeros(shape)
    for x, (weights, stop) in enumerate(model.rows):
        s, a = divmod(x, model.A)
        whole = sum(weights.values()) + stop
        P[s, a, list(weights)] = [weight / whole for weight in weights.values()]
        end[s, a] = stop / whole
    values = np.array([int(r.p) / int(r.q) for r in wish.rewards])
    gamma = wish.gammas[model.gamma]
    return MDP(P, values[model.rewards].reshape(shape), int(gamma.p) / int(gamma.q), end=end)
