"""Policies and optimal values of rational models, proved over the rationals."""

from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from tabular_krope.errors import KropeError
from tabular_krope.exact.rationals import column, entries, identity, rational
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.policy import Policy

#: A policy that does not end has no values when gamma is 1.
LOOP = "r must not pay an endless loop when gamma is 1; got a policy that never ends"


def induce_exactly(mdp: ExactMDP, policy: Any) -> ExactMRP:
    """The rational reward process that a policy makes of a rational model.

    Args:
        mdp: the model.
        policy: probabilities [S, A], anything that reads as rationals, or a Policy, whose floats stand for the
            rationals they are, each row divided by its exact sum. Zero for actions that a state does not have. Or the
            number of each state's action, [S].

    >>> mdp = ExactMDP([[["1/3", "2/3"], [1, 0]], [[0, 1]]], r=[[1, 0], [0]], gamma="1/2")
    >>> induce_exactly(mdp, [["1/4", "3/4"], [1, 0]]).q
    (15/14, 3/14, 0)
    """
    probs = _probabilities(mdp, policy)
    Pi = fmpq_mat(mdp.n_states, mdp.n_pairs)
    d0 = []
    for x, (s, a) in enumerate(zip(mdp.pair_state, mdp.pair_action, strict=True)):
        Pi[s, x] = probs[s][a]
        d0.append(mdp.d0[s] * probs[s][a])
    full = mdp.n_pairs == mdp.n_states * mdp.n_actions
    where = (None, None) if full else (mdp.pair_state, mdp.pair_action)
    return ExactMRP(mdp.P_pairs, Pi, mdp.r, mdp.gamma, mdp.end, d0, *where)  # type: ignore[arg-type]


def exact_values(mdp: ExactMDP, actions: list[int]) -> list[fmpq]:
    """Values of the policy that takes pair ``actions[s]`` in state ``s``, [S].

    >>> exact_values(ExactMDP([[["1/2"]]], r=[[1]], gamma=1, end=[["1/2"]]), [0])
    [2]
    """
    S = mdp.n_states
    system = identity(S)
    for s, x in enumerate(actions):
        for t, p in mdp.P[x].items():
            system[s, t] -= mdp.gamma * p
    try:
        return list(entries(system.solve(column([mdp.r[x] for x in actions]))))
    except ZeroDivisionError:
        raise KropeError(LOOP) from None


def action_value(mdp: ExactMDP, x: int, v: list[fmpq]) -> fmpq:
    r"""$r(x) + \gamma E v(S')$ of one pair."""
    return mdp.r[x] + mdp.gamma * sum((p * v[t] for t, p in mdp.P[x].items()), fmpq(0))


def _probabilities(mdp: ExactMDP, policy: Any) -> list[list[fmpq]]:
    S, A = mdp.n_states, mdp.n_actions
    given = policy.probs.tolist() if isinstance(policy, Policy) else policy
    if isinstance(given, list | tuple | np.ndarray) and all(isinstance(action, int | np.integer) for action in given):
        given = Policy.deterministic(given, A).probs.tolist()
    try:
        rows = [[rational(p, f"policy[{s}, {a}]") for a, p in enumerate(row)] for s, row in enumerate(given)]
    except TypeError:
        raise KropeError(f"policy must be a Policy or an array [S, A]; got {type(policy).__name__}") from None
    if [len(row) for row in rows] != [A] * S:
        raise KropeError(f"policy must have shape ({S}, {A}) like the model; got rows of {[len(row) for row in rows]}")
    there = set(zip(mdp.pair_state, mdp.pair_action, strict=True))
    for s, row in enumerate(rows):
        for a, p in enumerate(row):
            if p < 0:
                raise KropeError(f"policy[{s}, {a}] must be non-negative; got {p}")
            if p != 0 and (s, a) not in there:
                raise KropeError(f"policy[{s}, {a}] must be 0 for an action the state lacks; got {p}")
        total = sum(row, fmpq(0))
        if isinstance(policy, Policy):
            rows[s] = [p / total for p in row]
        elif total != 1:
            raise KropeError(f"policy[{s}, :] must sum to 1; got {total}")
    return rows
