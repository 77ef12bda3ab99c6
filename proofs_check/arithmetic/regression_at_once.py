r"""KROPE features and LSPE's maps of small float instances, many by one call of numpy each.

The same operations as in `tabular_krope.kernels.factor` and `tabular_krope.evaluation.lspe_on_chain`, in the same
order: each instance gets, to the last bit, what it would have found alone, as a reward process of its own.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import NULL
from proofs_check.chains.at_once import stacked
from proofs_check.chains.case import Case
from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.iteration import Factored, by_layers, coefficients
from tabular_krope.kernels.factor import compress
from tabular_krope.kernels.reward import RewardKernel
from tabular_krope.kernels.stein import EPS, MOST_DOUBLINGS
from tabular_krope.representations.layers import graded


def by_key(keys: Iterable[Any]) -> list[list[int]]:
    """Places of the keys that are equal.

    >>> by_key([1, 2, 1])
    [[0, 2], [1]]
    """
    groups: dict[Any, list[int]] = {}
    for k, key in enumerate(keys):
        groups.setdefault(key, []).append(k)
    return list(groups.values())


def kernel_factors(cases: Sequence[Case]) -> list[Array]:
    """``G`` [X, <= X] with ``G G' = K`` for each of some instances of one size."""
    starts = [case.once("reward factors", partial(_reward_factors, case)) for case in cases]
    out: list[Array] = [np.empty(0)] * len(cases)
    for places in by_key(
        (N.shape, case.P.shape, case.shares is None) for (N, _), case in zip(starts, cases, strict=True)
    ):
        P, shares, Pi, gamma = _parts([cases[k] for k in places])
        found = _doubled_factors(on_states(shares, Pi, P), np.array([starts[k][0] for k in places]), gamma)
        for k, p, g, N in zip(places, P, np.sqrt(gamma), found, strict=True):
            out[k] = compress(np.concatenate([starts[k][1], g * (p @ N)], axis=1))
    return out


def iterations(cases: Sequence[Case], features: Sequence[Array], weights: Sequence[Array]) -> list[Any]:
    """LSPE's ``L``, ``b`` and condition of each instance on its features [X, d] under its weights [X]."""
    out: list[Any] = [None] * len(cases)
    for places in by_key(
        (Phi.shape, case.P.shape, case.shares is None) for Phi, case in zip(features, cases, strict=True)
    ):
        here = [cases[k] for k in places]
        Phi = np.array([features[k] for k in places])
        root = np.sqrt(np.array([weights[k] for k in places]))
        P, shares, Pi, gamma = _parts(here)
        after, r = P @ on_states(shares, Pi, Phi), stacked(here, lambda case: case.r)
        layered = graded(root)
        for i in np.flatnonzero(layered):
            out[places[i]] = _layered(here[i], Phi[i], root[i], after[i])
        even = np.flatnonzero(~layered)
        column = root[:, :, None]
        U, sigma, Vt = np.linalg.svd((column * Phi)[even], full_matrices=False)
        counts = (sigma > NULL * sigma[:, :1]).sum(axis=1)
        for rank in sorted(set(counts.tolist())):
            at = counts == rank
            i = even[at]
            rows = Factored(U[at][:, :, :rank], sigma[at][:, :rank], Vt[at].transpose(0, 2, 1)[:, :, :rank])
            L, b = coefficients(rows, root[i] * r[i], gamma[i][:, None, None], column[i] * after[i])
            condition = rows.conditions() if rank else np.ones(len(i))
            for k, *found in zip(i.tolist(), L, b, condition.tolist(), strict=True):
                out[places[k]] = found
    return out


def on_states(shares: Any, Pi: Any, F: Any) -> Any:
    """``Pi F`` for ``F`` [..., X, m], term by term where each state has pairs of its own, see `Case.shares`.

    >>> on_states(np.array([[0.25, 0.75]]), None, np.array([[4.0], [8.0]]))
    array([[7.]])
    """
    if shares is None:
        return Pi @ F
    A = shares.shape[-1]
    out = shares[..., 0, None] * F[..., ::A, :]
    for a in range(1, A):
        out += shares[..., a, None] * F[..., a::A, :]
    return out


def _parts(cases: Sequence[Case]) -> tuple[Any, Any, Any, Array]:
    """``P``, the policies as `on_states` takes them, and gamma, stacked."""
    shares = None if cases[0].shares is None else stacked(cases, lambda case: case.shares)
    Pi = stacked(cases, lambda case: case.Pi) if shares is None else None
    return stacked(cases, lambda case: case.P), shares, Pi, stacked(cases, lambda case: case.gamma)


def _doubled_factors(A: Array, N: Array, gamma: Array) -> list[Array]:
    """`tabular_krope.kernels.factor.stein_factor` of each, for ``A`` [n, S, S] and ``N`` [n, S, m]."""
    out: list[Any] = [None] * len(A)
    lanes, root = np.arange(len(A)), np.sqrt(gamma)
    B = root[:, None, None] * A
    for _ in range(MOST_DOUBLINGS):
        ended = np.abs(B).sum(axis=2).max(axis=1) <= EPS
        mixed = ~ended & (root > 0.0) & (root < 1.0)
        mixed[mixed] = _mixed(B[mixed] / root[mixed][:, None, None], root[mixed])
        go = ~(ended | mixed)
        if not go.all():
            for i in np.flatnonzero(ended):
                out[lanes[i]] = N[i]
            for i in np.flatnonzero(mixed):
                tail = float(np.linalg.norm(B[i, 0] @ N[i])) / np.sqrt(1 - root[i] * root[i])
                out[lanes[i]] = compress(np.concatenate([N[i], np.full((A.shape[1], 1), tail)], axis=1))
            lanes, B, N, root = lanes[go], B[go], N[go], root[go]
            if not lanes.size:
                return out
        whole = np.concatenate([N, B @ N], axis=2)
        N = whole if whole.shape[2] <= whole.shape[1] else np.array([compress(G) for G in whole])
        B, root = B @ B, root * root
    raise KropeError(f"doubling must end within {MOST_DOUBLINGS} steps; got a factor that goes on")


def _mixed(A: Array, s: Array) -> Any:
    """Whether each is ``1 mu'`` to rounding, as `tabular_krope.kernels.factor.has_mixed` says, [n]."""
    conserves = np.abs(A[:, 0].sum(axis=1) - 1.0) <= A.shape[1] * EPS
    return conserves & (3 * s * np.abs(A - A[:, :1]).max(axis=(1, 2)) <= EPS)


def _reward_factors(case: Case) -> tuple[Array, Array]:
    """Factors of ``Pi K1 Pi'``, with no more columns than states, and of ``K1``."""
    low, high = (float(case.r.min()), float(case.r.max())) if case.reward_range is None else case.reward_range
    reward, S = RewardKernel(case.r, low, high), case.P.shape[1]
    blocks, N = list(reward.factor_blocks(S)), np.zeros((S, 0))
    for Z in blocks:
        N = compress(np.concatenate([N, on_states(case.shares, case.Pi, Z)], axis=1))
    return N, np.hstack(blocks) if case.X == S else reward.factor()


def _layered(case: Case, Phi: Array, root: Array, after: Array) -> tuple[Array, Array, float]:
    """By layers, for weights of very different sizes."""
    found = by_layers(Phi, root, case.r, case.gamma, after, lambda F: case.P @ on_states(case.shares, case.Pi, F), NULL)
    return found.L, found.b, float(found.condition) if found.rank else 1.0
