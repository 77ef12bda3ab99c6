r"""What float instances of one size are asked for, computed for all of them by one call of numpy each.

Matrices of 12 by 12 are multiplied in a microsecond, and a call of numpy takes as long. Instances that are judged one
after another `stand_together`: what the first of them is asked for, all get. Each gets what it would have found alone
(`Case.kernel_of`, `Case.value_of`), by the same operations in the same order, so that it makes no difference to a digit
who stands beside it.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.kernels.stein import DENSE, EPS, MOST_DOUBLINGS

if TYPE_CHECKING:
    from proofs_check.chains.case import Case


def stand_together(cases: Iterable["Case"]) -> None:
    """Let float instances of one size share their calls; others are left as they are.

    >>> from proofs_check.chains.case import Case
    >>> one, two = (Case.from_matrix(np.eye(2), np.array([0.0, r]), 0.5) for r in (1.0, 3.0))
    >>> stand_together([one, two])
    >>> one.q, "q" in two._cache
    (array([0., 2.]), True)
    """
    groups: dict[Any, list[Case]] = {}
    for case in cases:
        if not case.exact and case.X <= DENSE:
            groups.setdefault((case.P.shape, case.lone), []).append(case)
    for group in groups.values():
        for case in group:
            case._peers[:] = group


def stacked(cases: Sequence["Case"], read: Callable[["Case"], Any]) -> Any:
    """One part of every instance, [n, ...]."""
    return np.array([read(case) for case in cases])


def between_pairs(cases: Sequence["Case"]) -> Any:
    """``P Pi`` of each."""
    if cases[0].lone:
        return [case.P for case in cases]
    return stacked(cases, lambda case: case.P) @ stacked(cases, lambda case: case.Pi)


def between_states(cases: Sequence["Case"]) -> Any:
    """``Pi P`` of each."""
    if cases[0].lone:
        return [case.P for case in cases]
    return stacked(cases, lambda case: case.Pi) @ stacked(cases, lambda case: case.P)


def values(cases: Sequence["Case"], reward: Any) -> Any:
    """``sum_n gamma^n P_pi^n reward`` of each, [n, X], for rewards [n, X]."""
    P, Pi, Q = (stacked(cases, read) for read in (lambda case: case.P, lambda case: case.Pi, lambda case: case.Q))
    gamma = stacked(cases, lambda case: case.gamma)[:, None, None]
    v = np.linalg.solve(np.eye(Q.shape[1]) - gamma * Q, Pi @ reward[:, :, None])
    return reward + (gamma * (P @ v))[:, :, 0]


def horizons(cases: Sequence["Case"]) -> list[float]:
    """The longest expected discounted lifetime of each."""
    return [float(most) for most in values(cases, np.ones((len(cases), cases[0].X))).max(axis=1)]


def action_values(cases: Sequence["Case"]) -> Any:
    """``q`` of each."""
    return values(cases, stacked(cases, lambda case: case.r))


def distances(cases: Sequence["Case"]) -> Any:
    """``K_xx + K_yy - 2 K_xy`` of each."""
    K = stacked(cases, lambda case: case.K)
    diagonal = np.diagonal(K, axis1=1, axis2=2)
    return diagonal[:, :, None] + diagonal[:, None, :] - 2 * K


def pushed(cases: Sequence["Case"]) -> Any:
    """``P_pi K P_pi'`` of each."""
    P = stacked(cases, lambda case: case.P_pi)
    return P @ stacked(cases, lambda case: case.K) @ P.transpose(0, 2, 1)


def kernels_of(cases: Sequence["Case"], read: Callable[["Case"], Any]) -> list[Any]:
    """The solution of ``K = C + gamma P_pi K P_pi'`` for each, ``C`` [X, X] being what ``read`` gives."""
    P, Pi, Q = (stacked(cases, part) for part in (lambda case: case.P, lambda case: case.Pi, lambda case: case.Q))
    C, gamma = stacked(cases, read), stacked(cases, lambda case: case.gamma)
    g, horizon = gamma[:, None, None], stacked(cases, lambda case: case.horizon)
    on_states = Pi @ C @ Pi.transpose(0, 2, 1)
    on_states = (on_states + on_states.transpose(0, 2, 1)) / 2
    M = doubled(Q, on_states, gamma)
    W = Q @ M
    W *= g
    rest = on_states - M
    rest += Q @ W.transpose(0, 2, 1)
    residual = np.abs((rest + rest.transpose(0, 2, 1)) * 0.5).max(axis=(1, 2))
    bound = (residual + 2 * EPS * np.abs(on_states).max(axis=(1, 2)) * horizon) * horizon
    sure = bound <= 32 * EPS * max(C.shape[1], 4) * np.abs(C).max(axis=(1, 2)) * horizon**2
    found = C + g * (P @ M @ P.transpose(0, 2, 1))
    return [
        K if fine or case.gamma == 0 else case.kernel_of(c)
        for case, K, c, fine in zip(cases, found, C, sure, strict=True)
    ]


def doubled(Q: Array, C: Array, gamma: Array) -> Array:
    """The sums ``M = C + gamma Q M Q'`` of `solve_stein`, [n, S, S], each ended where it would end alone.

    NaN where it does not end.

    >>> doubled(np.ones((1, 1, 1)), np.ones((1, 1, 1)), np.array([0.5])).item()
    2.0
    """
    out, lanes = np.full(C.shape, np.nan), np.arange(len(C))
    M, A, s, left = C, Q, gamma, 1.0 - gamma
    for steps in range(MOST_DOUBLINGS):
        sums = A.sum(axis=2)
        c = s * sums.max(axis=1) ** 2
        conserves = (left > 0.0) & (np.abs(sums - 1.0).max(axis=1) <= C.shape[1] * EPS)
        e = np.where(conserves, s * _distances_from_mixed(A) ** 2, 1.0)
        ended, closed = c <= EPS * (1.0 - c), 3 * e <= EPS
        go = ~(ended | closed)
        if not go.all():
            out[lanes[ended]] = M[ended]
            at = closed & ~ended
            out[lanes[at]] = _with_tail(M[at], A[at], s[at], left[at], False)
            lanes, M, A, s, left, c, e = (part[go] for part in (lanes, M, A, s, left, c, e))
            if not lanes.size:
                break
        W = A @ M
        W *= s[:, None, None]
        M = A @ W.transpose(0, 2, 1) + M
        M = (M + M.transpose(0, 2, 1)) * 0.5
        ended, closed = c * c <= EPS * (1.0 - c * c), 3 * e * e <= EPS
        go = ~(ended | closed)
        if not go.all():
            out[lanes[ended]] = M[ended]
            at = closed & ~ended
            out[lanes[at]] = _with_tail(M[at], A[at], s[at], left[at], True)
            lanes, M, A, s, left = (part[go] for part in (lanes, M, A, s, left))
            if not lanes.size:
                break
        A, left = A @ A, left * (1.0 + s)
        s = np.array([g ** (2 ** (steps + 1)) for g in gamma[lanes].tolist()])
    return out


def _distances_from_mixed(A: Array) -> Array:
    """Sup norms of ``E = A - 1 mu'``, or 1 where a glance says that it is not small, [n]."""
    sizes = np.abs(A - A[:, :1] @ A).sum(axis=2).max(axis=1)
    return np.where(np.abs(A[:, -1] - A[:, 0]).sum(axis=1) > 0.1, 1.0, sizes)


def _with_tail(M: Array, A: Array, s: Array, left: Array, squared: bool) -> Array:
    """``M`` and the remainder of the series, for ``A`` and ``s`` or their squares."""
    s, left = s[:, None, None], left[:, None, None]
    mu = A[:, :1] @ A @ A
    u = M @ mu.transpose(0, 2, 1)
    m = mu @ u
    Eu = A @ u - m
    if squared:
        s, left, Eu = s * s, left * (1.0 + s), A @ Eu - mu @ Eu
    half = s * (Eu + m / (2 * left))
    return np.asarray(M + (half + half.transpose(0, 2, 1)))
