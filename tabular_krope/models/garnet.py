"""Garnets: random MDPs in which each pair leads to a few uniformly chosen successors.

A set of ``b`` distinct successors is drawn for all pairs at once, by one of two rules that give the same law:
Floyd's (``b`` rounds, one new member in each) when ``b`` is small, the ``b`` smallest of ``S`` random keys otherwise.
Neither depends on how ``P`` is stored, so that the dense and the sparse model of one seed are the same model.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse as scipy_sparse

from tabular_krope.arrays import Array, Matrix, require_count
from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.models.mdp import MDP
from tabular_krope.models.randomness import generator

#: A transition array with more entries than this (64 MB) is kept sparse.
DENSE_ENTRIES = 8_000_000

REWARD_LAWS = ("uniform", "normal", "few")


def garnet(
    n_states: int,
    n_actions: int,
    branching: int | None = None,
    gamma: float = 0.99,
    seed: Any = 0,
    rewards: str = "uniform",
    n_rewards: int | None = None,
    sparse: bool | None = None,
) -> MDP:
    """A random MDP: each pair has ``branching`` distinct successors with flat Dirichlet probabilities.

    Args:
        n_states, n_actions: S and A.
        branching: successors of each pair, at most S; min(4, S) if None.
        gamma: discount factor below 1 (no episode ends).
        seed: an integer or a numpy Generator.
        rewards: "uniform" on [-1, 1], "normal" (standard), or "few": equally spaced values from -1 to 1, each taken
            by some pair. The transitions do not depend on it.
        n_rewards: how many values "few" has, at most X; min(3, X) if None.
        sparse: whether ``P`` is CSR; if None, when the dense array would have more than 8e6 entries.

    Returns:
        The MDP, starting in a uniformly chosen state.

    >>> mdp = garnet(8, 5, branching=3, gamma=0.99, seed=0)
    >>> mdp.P.shape, int((mdp.P > 0).sum(axis=2).max())
    ((8, 5, 8), 3)
    """
    S, A, b = require_sizes(n_states, n_actions, branching)
    rng = generator(seed)
    successors, p, r = garnet_draws(rng, S * A, S, b, rewards, n_rewards)
    r = r.reshape(S, A)
    if sparse if sparse is not None else S * A * S > DENSE_ENTRIES:
        indptr = np.arange(0, S * A * b + 1, b)
        P: Matrix = scipy_sparse.csr_array((p.reshape(-1), successors.reshape(-1), indptr), shape=(S * A, S))
    else:
        P = np.zeros((S * A, S))
        np.put_along_axis(P, successors, p, axis=1)
        P = P.reshape(S, A, S)
    return MDP(P, r, gamma)


def garnet_draws(
    rng: Any, X: int, S: int, b: int, rewards: str = "uniform", n_rewards: int | None = None
) -> tuple[NDArray[np.int64], Array, Array]:
    """Successors [X, b], their probabilities [X, b] and rewards [X], drawn in this order."""
    successors = distinct_successors(rng, X, S, b)
    p = rng.standard_exponential((X, b))
    p /= p.sum(axis=1, keepdims=True)
    return successors, p, _rewards(rng, rewards, n_rewards, X)


def require_sizes(n_states: Any, n_actions: Any, branching: Any) -> tuple[int, int, int]:
    """``S``, ``A`` and the branching number, checked; the branching is min(4, S) if None."""
    S, A = require_count(n_states, "n_states"), require_count(n_actions, "n_actions")
    b = min(4, S) if branching is None else require_count(branching, "branching")
    if b > S:
        raise KropeError(f"branching must be at most n_states = {S}; got {b}")
    return S, A, b


def distinct_successors(rng: np.random.Generator, n: int, S: int, b: int) -> NDArray[np.int64]:
    """``n`` independent uniform ``b``-subsets of 0..S-1, each sorted, [n, b].

    >>> distinct_successors(np.random.default_rng(0), 2, 3, 3)
    array([[0, 1, 2],
           [0, 1, 2]])
    """
    if b == S:
        return np.tile(np.arange(S, dtype=np.int64), (n, 1))
    chosen = _floyd(rng, n, S, b) if b * b <= S else _smallest_keys(rng, n, S, b)
    chosen.sort(axis=1)
    return chosen


def _floyd(rng: np.random.Generator, n: int, S: int, b: int) -> NDArray[np.int64]:
    chosen = np.empty((n, b), dtype=np.int64)
    for k, top in enumerate(range(S - b, S)):
        new = rng.integers(0, top + 1, size=n)
        taken = (chosen[:, :k] == new[:, None]).any(axis=1)
        chosen[:, k] = np.where(taken, top, new)  # `top` itself was out of range until now
    return chosen


def _smallest_keys(rng: np.random.Generator, n: int, S: int, b: int) -> NDArray[np.int64]:
    chosen = np.empty((n, b), dtype=np.int64)
    rows = max(1, DENSE_ENTRIES // S)  # bounds the memory for the keys
    for start in range(0, n, rows):
        keys = rng.random((min(rows, n - start), S))
        chosen[start : start + rows] = np.argpartition(keys, b - 1, axis=1)[:, :b]
    return chosen


def _rewards(rng: np.random.Generator, law: str, n_rewards: int | None, X: int) -> Array:
    if law not in REWARD_LAWS:
        raise unknown_name("rewards", law, REWARD_LAWS)
    if law != "few":
        if n_rewards is not None:
            raise KropeError(f"n_rewards must be None unless rewards is 'few'; got {n_rewards!r}")
        return rng.uniform(-1.0, 1.0, X) if law == "uniform" else rng.standard_normal(X)
    levels = few_levels(rng, n_rewards, X)
    values = np.linspace(-1.0, 1.0, k) if (k := int(levels.max()) + 1) > 1 else np.zeros(1)
    return values[levels]


def few_levels(rng: np.random.Generator, n_rewards: int | None, X: int) -> NDArray[np.int64]:
    """A level 0..k-1 for each of ``X`` pairs, every level taken by some pair; k = min(3, X) if None, [X]."""
    k = min(3, X) if n_rewards is None else require_count(n_rewards, "n_rewards")
    if k > X:
        raise KropeError(f"n_rewards must be at most the number of pairs, {X}; got {k}")
    levels = np.concatenate([np.arange(k), rng.integers(0, k, size=X - k)])
    rng.shuffle(levels)
    return levels
