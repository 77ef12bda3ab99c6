"""The fields of an MDP at the door: arrays over states and actions, or lists over pairs."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from tabular_krope.arrays import Array, Matrix, frozen_array, frozen_csr, is_sparse, shape_of
from tabular_krope.errors import KropeError
from tabular_krope.models.pairs import Indices, every_pair, listed_pairs
from tabular_krope.models.recurrence import states_that_never_end

#: Transitions of pairs [X, S], rewards and ends ([S, A] or [X]), states and actions of the pairs.
Parts = tuple[Matrix, Array, Array, Indices, Indices]


def fields_of_pairs(P: Any, r: Any, end: Any, pair_state: Any, pair_action: Any, names: Any) -> Parts:
    """The fields of an `MDP` in either form, copied and of matching shapes.

    >>> fields_of_pairs([[1.0], [1.0]], [1, 2], None, [0, 0], [3, 1], None)[1]
    array([2., 1.])
    """
    given = pair_state is not None or pair_action is not None
    if given and len(shape_of(r, "r")) == 1:
        return _listed(P, r, end, pair_state, pair_action, names)
    return _arrays(P, r, end, {"pair_state": pair_state, "pair_action": pair_action})


def _listed(P: Any, r: Any, end: Any, pair_state: Any, pair_action: Any, names: Any) -> Parts:
    """Transitions, rewards, ends, states and actions of a list of pairs, sorted."""
    r = frozen_array(r, "r", (None,))
    X = len(r)
    if X == 0:
        raise KropeError("r must have at least one pair; got an empty array")
    shape = shape_of(P, "P")
    if len(shape) != 2 or shape[0] != X or shape[1] == 0:
        raise KropeError(f"P must have shape ({X}, S) for a list of {X} pairs; got {shape}")
    state, action, order = listed_pairs(pair_state, pair_action, X, shape[1], names)
    rows: Matrix = sparse.csr_array(P)[order] if is_sparse(P) else frozen_array(P, "P", shape)[order]
    pairs = frozen_csr(rows, "P", (X, shape[1])) if is_sparse(rows) else frozen_array(rows, "P", shape)
    end = frozen_array(np.zeros(X) if end is None else end, "end", (X,))
    return pairs, frozen_array(r[order], "r", (X,)), frozen_array(end[order], "end", (X,)), state, action


def _arrays(P: Any, r: Any, end: Any, given: Mapping[str, Any]) -> Parts:
    """The same of arrays over states and actions, in which every action can be taken in every state."""
    _require_rewards_like(P, r)
    r = frozen_array(r, "r", (None, None))
    S, A = r.shape
    if S == 0 or A == 0:
        raise KropeError(f"r must have at least one state and one action; got shape {r.shape}")
    end = frozen_array(np.zeros((S, A)) if end is None else end, "end", (S, A))
    P = frozen_csr(P, "P", (S * A, S)) if is_sparse(P) else frozen_array(P, "P", (S, A, S))
    every = every_pair(S, A)
    for (name, here), wanted in zip(given.items(), every, strict=True):
        if here is not None and not np.array_equal(here, wanted):
            raise KropeError(f"{name} must be None for r [S, A], where every pair is there; got {here!r}")
    return P if is_sparse(P) else P.reshape(S * A, S), r, end, *every


def _require_rewards_like(P: Any, r: Any) -> None:
    """Where transitions are of one number of states throughout, rewards of another shape are what is wrong."""
    try:
        of_P, of_r = tuple(np.shape(P)), tuple(np.shape(r))
    except ValueError:  # rows of different lengths, which are told when they are copied
        return
    if len(of_P) == 3 and of_P[0] == of_P[2] and of_r != of_P[:2]:
        raise KropeError(f"r must have shape [S, A] = {of_P[:2]}, as P [S, A, S] has; got {of_r}")


def require_an_end(pairs: Matrix, end: Array, state: Indices) -> None:
    """Refuse a model with a state from which no policy can end the episode."""
    X, S = pairs.shape
    choose = sparse.csr_array((np.ones(X), (state, np.arange(X))), shape=(S, X))
    most = np.zeros(S)
    np.maximum.at(most, state, end)
    stuck = states_that_never_end(sparse.csr_array(choose @ sparse.csr_array(pairs)), most)
    if stuck.size:
        raise KropeError(f"gamma must be below 1 unless episodes end; got 1 and no end after state {stuck[0]}")
