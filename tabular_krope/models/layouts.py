r"""Models as the plain arrays of other libraries: pymdptoolbox's ``(P, R)`` and QuantEcon's ``(R, Q, beta)``.

Neither has ends of episodes. A model whose episodes end is exported with one more state, the last: it absorbs, pays
nothing, and is entered with probability ``end``. Told which state that is (``end_state``), the import takes it away
again, so that what comes back is the model that went out, to the last bit.
"""

from typing import Any

import numpy as np
from scipy import sparse

from tabular_krope.arrays import Array, Matrix, dense, frozen_array, is_sparse, shape_of
from tabular_krope.errors import KropeError
from tabular_krope.models.mdp import MDP, require_mdp
from tabular_krope.models.pair_layout import model_of_pairs
from tabular_krope.models.pairs import every_pair


def from_mdptoolbox(P: Any, R: Any, gamma: float, d0: Any = None, end_state: int | None = None) -> MDP:
    """The MDP of arrays in pymdptoolbox's layout.

    Args:
        P: transition probabilities, [A, S, S], or A matrices [S, S], dense or sparse.
        R: rewards: [S] (of the state), [S, A], or of the transition, [A, S, S] or A matrices [S, S].
        gamma: discount factor.
        d0: initial distribution over states, [S]; uniform if None. Without the end state if there is one.
        end_state: the state that stands for the end of an episode, if there is one.

    >>> mdp = from_mdptoolbox([[[0.5, 0.5], [0.0, 1.0]]], [1.0, 0.0], gamma=0.9)
    >>> mdp.P[:, 0], mdp.r[:, 0]
    (array([[0.5, 0.5],
           [0. , 1. ]]), array([1., 0.]))
    """
    by_action = _matrices(P, "P")
    S, A = by_action[0].shape[0], len(by_action)
    if _is_stack(R):
        rewards = _matrices(R, "R")
        if len(rewards) != A or rewards[0].shape[0] != S:
            raise KropeError(
                f"R must have a reward for every transition of P, {A} x {S} x {S}; got {len(rewards)} actions"
            )
        r = np.stack([(p * m).sum(axis=1) for p, m in zip(by_action, rewards, strict=True)], axis=1)
    else:
        r = dense(R) if is_sparse(R) else np.asarray(frozen_array(R, "R", (None,) * len(shape_of(R, "R"))))
        r = np.repeat(r[:, None], A, axis=1) if r.ndim == 1 else r
    rows = np.stack(by_action, axis=1).reshape(S * A, S)
    return model_of_pairs(rows, frozen_array(r, "R", (S, A)).reshape(-1), *every_pair(S, A), gamma, d0, end_state)


def to_mdptoolbox(mdp: MDP) -> tuple[Array, Array]:
    """``P`` [A, S, S] and ``R`` [S, A] in pymdptoolbox's layout, with the end as a last state if episodes end.

    >>> P, R = to_mdptoolbox(MDP(P=[[[0.25]]], r=[[2.0]], gamma=0.9, end=[[0.75]]))
    >>> P, R
    (array([[[0.25, 0.75],
            [0.  , 1.  ]]]), array([[2.],
           [0.]]))
    """
    P, r = _with_end_state(mdp)
    if np.isneginf(r).any():
        s, a = (int(i) for i in np.argwhere(np.isneginf(r))[0])
        raise KropeError(
            f"mdp must have every action in every state there (to_quantecon can do without); got none for s={s}, a={a}"
        )
    return np.ascontiguousarray(P.transpose(1, 0, 2)), r


def from_quantecon(
    R: Any,
    Q: Any = None,
    beta: float | None = None,
    s_indices: Any = None,
    a_indices: Any = None,
    d0: Any = None,
    end_state: int | None = None,
) -> MDP:
    """The MDP of a ``quantecon.markov.DiscreteDP``, or of its arrays in either of its two forms.

    Args:
        R: a DiscreteDP, or rewards: [S, A], or [L] of state-action pairs.
        Q: transition probabilities, [S, A, S], or [L, S] (dense or sparse) of state-action pairs.
        beta: discount factor.
        s_indices, a_indices: states and actions of the L pairs, each once, in any order.
        d0, end_state: as for `from_mdptoolbox`.

    Returns:
        The model. A pair that is infeasible (reward minus infinity, or left out of the pairs) is not there: the state
        does not have the action.

    >>> from_quantecon([[1.0, 2.0]], [[[1.0], [1.0]]], 0.5).r
    array([[1., 2.]])
    """
    if Q is None:
        ddp = R
        try:
            R, Q, beta, s_indices, a_indices = ddp.R, ddp.Q, ddp.beta, ddp.s_indices, ddp.a_indices
        except AttributeError:
            raise KropeError(f"R must be a DiscreteDP, or given with Q and beta; got {type(ddp).__name__}") from None
    if beta is None:
        raise KropeError("beta must be given with R and Q; got None")
    if s_indices is not None:
        rows, r, s, a = _from_pairs(R, Q, s_indices, a_indices)
    else:
        r = np.array(R, dtype=np.float64)
        S, A = frozen_array(np.where(np.isneginf(r), 0.0, r), "R", (None, None)).shape
        rows, (s, a) = frozen_array(Q, "Q", (S, A, S)).reshape(S * A, S), every_pair(S, A)
    r = r.reshape(-1)
    feasible = np.flatnonzero(~np.isneginf(r))
    if len(feasible) < len(r):
        rows, r, s, a = rows[feasible], r[feasible], s[feasible], a[feasible]
    if len(r) == 0:
        raise KropeError("R must have a feasible pair; got none")
    return model_of_pairs(rows, r, s, a, beta, d0, end_state)


def to_quantecon(mdp: MDP) -> tuple[Array, Array, float]:
    """``R`` [S, A], ``Q`` [S, A, S] and ``beta`` for ``DiscreteDP(R, Q, beta)``, the end a last state if episodes end.

    An action that a state does not have gets the reward minus infinity, which is QuantEcon's word for it.

    >>> to_quantecon(MDP(P=[[[1.0]]], r=[[2.0]], gamma=0.9))
    (array([[2.]]), array([[[1.]]]), 0.9)
    """
    P, r = _with_end_state(mdp)
    return r, P, mdp.gamma


def _with_end_state(mdp: MDP) -> tuple[Array, Array]:
    """``P`` [S', A, S'] and ``r`` [S', A], fresh arrays."""
    require_mdp(mdp)
    S, A = mdp.n_states, mdp.n_actions
    P, r = np.zeros((S, A, S)), mdp.table(mdp.r_pairs, -np.inf)
    P[mdp.pair_state, mdp.pair_action] = dense(mdp.P_pairs)
    if not mdp.end.any():
        return P, r.copy()
    more = np.zeros((S + 1, A, S + 1))
    more[:S, :, :S] = P
    more[:S, :, S] = mdp.table(mdp.end_pairs, 0.0)
    more[S, :, S] = 1.0
    return more, np.vstack([r, np.zeros((1, A))])


def _is_stack(R: Any) -> bool:
    """Whether ``R`` has one matrix for each action: three dimensions, or a sequence of (sparse) matrices."""
    if isinstance(R, list | tuple) and len(R) and all(is_sparse(m) or np.ndim(m) == 2 for m in R):
        return True
    return not is_sparse(R) and len(shape_of(R, "R")) == 3


def _matrices(stack: Any, name: str) -> list[Array]:
    """A matrices [S, S] of one size."""
    if is_sparse(stack) or not hasattr(stack, "__len__") or len(stack) == 0:
        raise KropeError(f"{name} must be one square matrix for each action; got {type(stack).__name__}")
    matrices = [_matrix(m, f"{name}[{a}]") for a, m in enumerate(stack)]
    S = matrices[0].shape[0]
    for a, m in enumerate(matrices):
        if m.shape != (S, S):
            raise KropeError(f"{name}[{a}] must be a square matrix of {S} states like the first; got shape {m.shape}")
    return matrices


def _matrix(value: Any, name: str) -> Array:
    return frozen_array(dense(value) if is_sparse(value) else value, name, (None, None))


def _from_pairs(R: Any, Q: Any, s_indices: Any, a_indices: Any) -> tuple[Matrix, Array, Any, Any]:
    """Transitions [L, S], rewards, states and actions of a list of state-action pairs."""
    r = np.asarray(R, dtype=np.float64)
    rows: Matrix = sparse.csr_array(Q) if is_sparse(Q) else np.asarray(Q, dtype=np.float64)
    s, a = (np.asarray(i) for i in (s_indices, a_indices))
    if not (r.ndim == 1 and rows.ndim == 2 and s.shape == a.shape == r.shape and rows.shape[0] == len(r) > 0):
        raise KropeError(
            f"R, Q, s_indices and a_indices must have one entry a pair; "
            f"got shapes {r.shape}, {rows.shape}, {s.shape}, {a.shape}"
        )
    if not all(np.issubdtype(i.dtype, np.integer) and i.min() >= 0 for i in (s, a)) or s.max() >= rows.shape[1]:
        raise KropeError(
            f"s_indices and a_indices must be integers that number {rows.shape[1]} states and the actions from 0"
        )
    return rows, r, s.astype(np.int64), a.astype(np.int64)
