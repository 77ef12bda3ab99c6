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
from tabular_krope.models.garnet import DENSE_ENTRIES
from tabular_krope.models.mdp import MDP


def from_gymnasium(env: Any, gamma: float = 0.99) -> MDP:
    """The MDP of a tabular gymnasium environment.

    Args:
        env: an environment whose ``unwrapped.P`` is its table, or an id as ``gymnasium.make`` takes it, with options
            after a question mark: ``"FrozenLake-v1?map_name=8x8&is_slippery=false"``.
        gamma: discount factor.

    Returns:
        The model. Its initial distribution is ``env.unwrapped.initial_state_distrib``, uniform if there is none.

    >>> mdp = from_gymnasium("FrozenLake-v1", gamma=0.9)
    >>> mdp.n_states, mdp.n_actions, int(mdp.d0[0]), mdp.r[14].round(4)
    (16, 4, 1, array([0.    , 0.3333, 0.3333, 0.3333]))
    """
    if not isinstance(env, str):
        return _model(env, gamma)
    made = _make(env)
    try:
        return _model(made, gamma)
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


def _model(env: Any, gamma: float) -> MDP:
    bare = getattr(env, "unwrapped", env)
    table = getattr(bare, "P", None)
    if not isinstance(table, Mapping) or not table:
        name = type(bare).__name__
        raise KropeError(f"env must be tabular, with its law in env.unwrapped.P; got {name}, which has no such table")
    S = len(table)
    A = len(_row(table, 0, "state 0"))
    r, end = np.zeros((S, A)), np.zeros((S, A))
    where: list[tuple[int, int]] = []
    mass: list[float] = []
    for s in range(S):
        actions = _row(table, s, f"state {s}")
        if len(actions) != A:
            raise KropeError(f"env.P[{s}] must have {A} actions like state 0; got {len(actions)}")
        for a in range(A):
            for outcome in _row(actions, a, f"action {a} of state {s}"):
                p, s_next, reward, terminated = _outcome(outcome, s, a, S)
                r[s, a] += p * reward
                if terminated:
                    end[s, a] += p
                else:
                    where.append((s * A + a, s_next))
                    mass.append(p)
    rows, columns = np.array(where, dtype=np.int64).reshape(-1, 2).T
    P = sparse.csr_array((mass, (rows, columns)), shape=(S * A, S))  # outcomes that lead to the same state add up
    d0: Any = getattr(bare, "initial_state_distrib", None)
    return MDP(P if S * A * S > DENSE_ENTRIES else P.toarray().reshape(S, A, S), r, gamma, d0, np.minimum(end, 1.0))


def _row(table: Any, index: int, what: str) -> Any:
    try:
        return table[index]
    except (KeyError, IndexError, TypeError):
        raise KropeError(f"env.P must number its states and actions from 0; got no {what}") from None


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
