"""Models of other libraries as lists of state-action pairs, the end of an episode a state or not."""

from typing import Any

import numpy as np
from scipy import sparse

from tabular_krope.arrays import Array, Matrix, dense, is_sparse, require_count
from tabular_krope.errors import KropeError
from tabular_krope.models.mdp import MDP


def model_of_pairs(
    rows: Matrix, r: Array, s: Any, a: Any, gamma: float, d0: Any = None, end_state: int | None = None
) -> MDP:
    """The MDP of pairs in any order: arrays over states and actions if every state has every action, else a list.

    Args:
        rows: next-state probabilities, [X, S].
        r: rewards, [X].
        s, a: states and actions of the pairs, [X].
        gamma: discount factor.
        d0: initial distribution over states, without the end state if there is one; uniform if None.
        end_state: the state that stands for the end of an episode, if there is one.

    >>> model_of_pairs(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([1.0, 0.0]), [0, 1], [0, 0], 0.9, None, 1).end
    array([[0.5]])
    """
    s, a, end = np.asarray(s), np.asarray(a), None
    if end_state is not None:
        rows, r, s, a, end = _without(rows, r, s, a, require_count(end_state, "end_state", least=0))
    S, A = rows.shape[1], int(a.max()) + 1
    if len(np.unique(s * A + a)) < S * A or len(r) != S * A:
        return MDP(rows, r, gamma, d0, end, s, a)  # type: ignore[arg-type]
    order = np.lexsort((a, s))
    return MDP(
        dense(rows)[order].reshape(S, A, S),
        r[order].reshape(S, A),
        gamma,
        d0,
        None if end is None else end[order].reshape(S, A),  # type: ignore[arg-type]
    )


def _without(rows: Matrix, r: Array, s: Any, a: Any, at: int) -> tuple[Matrix, Array, Any, Any, Array]:
    """The pairs without those of the state that stands for the end, and the probability of entering it."""
    S = rows.shape[1]
    if at >= S or S == 1:
        raise KropeError(f"end_state must be one of {S} states, and not the only one; got {at}")
    entering = dense(rows[:, [at]]).reshape(-1)
    own = s == at
    if not (np.all(entering[own] == 1) and np.all(r[own] == 0)):
        raise KropeError(f"end_state must absorb and pay nothing; got state {at}, which does not")
    kept, rest = np.flatnonzero(~own), np.flatnonzero(np.arange(S) != at)
    rows = sparse.csr_array(rows)[kept][:, rest] if is_sparse(rows) else rows[kept][:, rest]
    return rows, r[kept], s[kept] - (s[kept] > at), a[kept], entering[kept]
