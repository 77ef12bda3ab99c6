r"""Models as the plain arrays of other libraries: pymdptoolbox's ``(P, R)`` and QuantEcon's ``(R, Q, beta)``.

Neither has ends of episodes. A model whose episodes end is exported with one more state, the last: it absorbs, pays
nothing, and is entered with probability ``end``. Told which state that is (``end_state``), the import takes it away
again, so that what comes back is the model that went out, to the last bit.
"""

from typing import Any

import numpy as np

from tabular_krope.arrays import Array, dense, frozen_array, is_sparse, require_count, shape_of
from tabular_krope.errors import KropeError
from tabular_krope.models.mdp import MDP


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
    return _without_end_state(np.stack(by_action, axis=1), frozen_array(r, "R", (S, A)), gamma, d0, end_state)


def to_mdptoolbox(mdp: MDP) -> tuple[Array, Array]:
    """``P`` [A, S, S] and ``R`` [S, A] in pymdptoolbox's layout, with the end as a last state if episodes end.

    >>> P, R = to_mdptoolbox(MDP(P=[[[0.25]]], r=[[2.0]], gamma=0.9, end=[[0.75]]))
    >>> P, R
    (array([[[0.25, 0.75],
            [0.  , 1.  ]]]), array([[2.],
           [0.]]))
    """
    P, r = _with_end_state(mdp)
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
        s_indices, a_indices: states and actions of the L pairs; every pair must be there once, in any order.
        d0, end_state: as for `from_mdptoolbox`.

    Raises:
        KropeError: for an infeasible pair (reward minus infinity, or a pair left out): here every action can be taken
            in every state.

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
        R, Q = _from_pairs(R, Q, s_indices, a_indices)
    if bool(np.any(np.isneginf(np.asarray(R, dtype=np.float64)))):
        s, a = (int(i) for i in np.argwhere(np.isneginf(np.asarray(R, dtype=np.float64)))[0])
        raise KropeError(f"R[{s}, {a}] must be finite, every action can be taken here; got an infeasible one (-inf)")
    r = frozen_array(R, "R", (None, None))
    S, A = r.shape
    return _without_end_state(frozen_array(Q, "Q", (S, A, S)), r, beta, d0, end_state)


def to_quantecon(mdp: MDP) -> tuple[Array, Array, float]:
    """``R`` [S, A], ``Q`` [S, A, S] and ``beta`` for ``DiscreteDP(R, Q, beta)``, the end a last state if episodes end.

    >>> to_quantecon(MDP(P=[[[1.0]]], r=[[2.0]], gamma=0.9))
    (array([[2.]]), array([[[1.]]]), 0.9)
    """
    P, r = _with_end_state(mdp)
    return r, P, mdp.gamma


def _with_end_state(mdp: MDP) -> tuple[Array, Array]:
    """``P`` [S', A, S'] and ``r`` [S', A], fresh arrays."""
    if not isinstance(mdp, MDP):
        raise KropeError(f"mdp must be an MDP; got {type(mdp).__name__}")
    S, A = mdp.r.shape
    P = dense(mdp.P_pairs).reshape(S, A, S)
    if not mdp.end.any():
        return P.copy(), mdp.r.copy()
    more = np.zeros((S + 1, A, S + 1))
    more[:S, :, :S] = P
    more[:S, :, S] = mdp.end
    more[S, :, S] = 1.0
    return more, np.vstack([mdp.r, np.zeros((1, A))])


def _without_end_state(P: Array, r: Array, gamma: float, d0: Any, end_state: int | None) -> MDP:
    if end_state is None:
        return MDP(P, r, gamma, d0)
    S = len(r)
    at = require_count(end_state, "end_state", least=0)
    if at >= S or S == 1:
        raise KropeError(f"end_state must be one of {S} states, and not the only one; got {at}")
    if not (np.all(P[at, :, at] == 1) and np.all(r[at] == 0)):
        raise KropeError(f"end_state must absorb and pay nothing; got state {at}, which does not")
    rest = np.arange(S) != at
    return MDP(P[rest][:, :, rest], r[rest], gamma, d0, P[rest][:, :, at])


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


def _from_pairs(R: Any, Q: Any, s_indices: Any, a_indices: Any) -> tuple[Array, Array]:
    """``R`` [S, A] and ``Q`` [S, A, S] of a list of state-action pairs."""
    r = np.asarray(R, dtype=np.float64)
    rows = dense(Q)
    s, a = (np.asarray(i) for i in (s_indices, a_indices))
    if not (r.ndim == 1 and rows.ndim == 2 and s.shape == a.shape == r.shape and len(rows) == len(r) > 0):
        raise KropeError(
            f"R, Q, s_indices and a_indices must have one entry a pair; "
            f"got shapes {r.shape}, {rows.shape}, {s.shape}, {a.shape}"
        )
    if not all(np.issubdtype(i.dtype, np.integer) and i.min() >= 0 for i in (s, a)) or s.max() >= rows.shape[1]:
        raise KropeError(
            f"s_indices and a_indices must be integers that number {rows.shape[1]} states and the actions from 0"
        )
    S, A = rows.shape[1], int(a.max()) + 1
    if A > len(r):
        raise KropeError(f"a_indices must number the actions from 0 without gaps; got {A - 1} among {len(r)} pairs")
    times = np.bincount(s * A + a, minlength=S * A)
    if (times != 1).any():
        x = int(np.argmax(times != 1))
        raise KropeError(f"every pair must be there once; got pair (s={x // A}, a={x % A}) {times[x]} times")
    out_r, out_P = np.empty((S, A)), np.empty((S, A, S))
    out_r[s, a], out_P[s, a] = r, rows
    return out_r, out_P
