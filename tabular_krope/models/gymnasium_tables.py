"""Tabular gymnasium environments as models.

FrozenLake, CliffWalking, Taxi and others like them carry their whole law as a table,
``env.unwrapped.P[s][a] = [(probability, next state, reward, terminated), ...]``. A transition that terminates becomes
``end``; the rewards of a pair are averaged. A limit on the number of steps is no part of the law, and is left aside.
"""

import warnings
from collections.abc import Mapping
from contextlib import suppress
from numbers import Real
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
from scipy import sparse

from tabular_krope.errors import KropeError, reason_of
from tabular_krope.models.blackjack import blackjack
from tabular_krope.models.garnet import DENSE_ENTRIES
from tabular_krope.models.mdp import MDP


def from_gymnasium(env: Any, gamma: float = 0.99, masked: bool = False) -> MDP:
    """The MDP of a tabular gymnasium environment.

    Args:
        env: an environment whose ``unwrapped.P`` is its table, or Blackjack, whose law is in its rules; or an id as
            ``gymnasium.make`` takes it, with options after a question mark:
            ``"FrozenLake-v1?map_name=8x8&is_slippery=false"``.
        gamma: discount factor.
        masked: whether a state has only the actions that ``env.unwrapped.action_mask(state)`` allows (Taxi has such
            masks); every action in its table otherwise.

    Returns:
        The model, a list of pairs where action sets differ by state. Its initial distribution is
        ``env.unwrapped.initial_state_distrib``, uniform if there is none.

    >>> mdp = from_gymnasium("FrozenLake-v1", gamma=0.9)
    >>> mdp.n_states, mdp.n_actions, int(mdp.d0[0]), mdp.r[14].round(4)
    (16, 4, 1, array([0.    , 0.3333, 0.3333, 0.3333]))
    """
    if not isinstance(env, str):
        return _model(env, gamma, masked)
    made = _make(env)
    try:
        return _model(made, gamma, masked)
    finally:
        made.close()


def options_of(text: str) -> tuple[str, dict[str, Any]]:
    """The id and the options in ``ID?name=value&name=value``: true, false, none, integers and numbers, else text.

    >>> options_of("FrozenLake-v1?map_name=8x8&is_slippery=false&success_rate=0.5")
    ('FrozenLake-v1', {'map_name': '8x8', 'is_slippery': False, 'success_rate': 0.5})
    """
    name, _, query = text.partition("?")
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=50)
    except ValueError:
        raise KropeError(f"env must be ID?name=value&name=value; got {text!r}") from None
    options = {key: _value(value) for key, value in pairs}
    if len(options) < len(pairs):
        raise KropeError(f"env must give each option once; got {text!r}")
    return name, options


def _value(text: str) -> Any:
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        with suppress(ValueError):  # what is no number stays a word
            return kind(text)
    return text


def _make(text: str) -> Any:
    import gymnasium

    name, options = options_of(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that an id is not the newest is no matter here
            return gymnasium.make(name, **options)
    except Exception as error:  # anything can go wrong in an environment's own code
        reason = reason_of(error)
        raise KropeError(
            f"env must be the id and options of an environment that can be made; got {text!r}: {reason}"
        ) from None


def _model(env: Any, gamma: float, masked: bool) -> MDP:
    bare = getattr(env, "unwrapped", env)
    table = getattr(bare, "P", None)
    if table is None and type(bare).__name__ == "BlackjackEnv":
        return blackjack(bool(bare.natural), bool(bare.sab), gamma).to_float()
    if not isinstance(table, Mapping) or not table:
        name = type(bare).__name__
        raise KropeError(f"env must be tabular, with its law in env.unwrapped.P; got {name}, which has no such table")
    S = len(table)
    pairs = [(s, a) for s in range(S) for a in _actions(bare, table, s, masked)]
    r, end = np.zeros(len(pairs)), np.zeros(len(pairs))
    where: list[tuple[int, int]] = []
    mass: list[float] = []
    for x, (s, a) in enumerate(pairs):
        for outcome in table[s][a]:
            p, s_next, reward, terminated = _outcome(outcome, s, a, S)
            r[x] += p * reward
            if terminated:
                end[x] += p
            else:
                where.append((x, s_next))
                mass.append(p)
    rows, columns = np.array(where, dtype=np.int64).reshape(-1, 2).T
    P = sparse.csr_array((mass, (rows, columns)), shape=(len(pairs), S))  # outcomes that lead to the same state add up
    d0: Any = getattr(bare, "initial_state_distrib", None)
    return _of_pairs(P, r, gamma, d0, np.minimum(end, 1.0), np.array(pairs))


def _of_pairs(P: Any, r: Any, gamma: float, d0: Any, end: Any, pairs: Any) -> MDP:
    """The model of sorted pairs: arrays over states and actions if every state has every action, else a list."""
    X, S = P.shape
    A = int(pairs[:, 1].max()) + 1
    small = X * S <= DENSE_ENTRIES
    if X < S * A:
        return MDP(P.toarray() if small else P, r, gamma, d0, end, *pairs.T)
    return MDP(P.toarray().reshape(S, A, S) if small else P, r.reshape(S, A), gamma, d0, end.reshape(S, A))


def _actions(env: Any, table: Any, s: int, masked: bool) -> list[int]:
    """The actions of a state, in order; with ``masked`` only those that ``env.action_mask`` allows."""
    if s not in table:
        raise KropeError(f"env.P must number its states and actions from 0; got no state {s}")
    there = table[s] if isinstance(table[s], Mapping) else range(len(table[s]))
    if not len(there) or not all(isinstance(a, int | np.integer) and a >= 0 for a in there):
        raise KropeError(f"env.P[{s}] must have actions numbered from 0; got {list(there)}")
    if not masked:
        return sorted(int(a) for a in there)
    if not callable(getattr(env, "action_mask", None)):
        raise KropeError(f"env must have an action_mask(state) to be masked; got {type(env).__name__}, which has none")
    mask = np.asarray(env.action_mask(s))
    if mask.ndim != 1 or not np.isin(mask, (0, 1)).all():
        raise KropeError(f"env.action_mask({s}) must be a vector of 0 and 1; got {mask!r}")
    return [a for a in sorted(int(a) for a in there) if a < len(mask) and mask[a]]


def _outcome(outcome: Any, s: int, a: int, S: int) -> tuple[float, int, float, bool]:
    try:
        p, s_next, reward, terminated = outcome
        whole = int(s_next)
    except (TypeError, ValueError):
        raise KropeError(
            f"env.P[{s}][{a}] must list (probability, state, reward, terminated); got {outcome!r}"
        ) from None
    if whole != s_next or not 0 <= whole < S:
        raise KropeError(f"env.P[{s}][{a}] must lead to states 0..{S - 1}; got {s_next!r}")
    if not (isinstance(p, Real) and isinstance(reward, Real) and float(p) >= 0):
        raise KropeError(f"env.P[{s}][{a}] must have probabilities and rewards that are numbers; got {outcome!r}")
    return float(p), whole, float(reward), bool(terminated)
