"""Garnets over the rationals: probabilities are integers over one denominator."""

from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from tabular_krope.arrays import require_count
from tabular_krope.errors import KropeError
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.garnet import distinct_successors, few_levels, require_sizes
from tabular_krope.models.randomness import generator


def rational_garnet(
    n_states: int,
    n_actions: int,
    branching: int | None = None,
    gamma: Any = "9/10",
    seed: Any = 0,
    denominator: int = 12,
    n_rewards: int | None = None,
) -> ExactMRP:
    """A random chain over Q: a garnet under a random policy, every probability a multiple of ``1/denominator``.

    Args:
        n_states, n_actions: S and A.
        branching: successors of each pair, each with positive probability, at most S; min(4, S) if None.
        gamma: discount factor below 1, anything that reads as a rational.
        seed: an integer or a numpy Generator.
        denominator: at least ``branching``.
        n_rewards: how many equally spaced rewards from -1 to 1 there are; if None, each reward is a uniformly chosen
            multiple of ``1/denominator`` in [-1, 1].

    Returns:
        The process on X = S*A pairs, starting in a uniform state. The policy is drawn uniformly from those with the
        given denominator, zeros included; so are a pair's probabilities, zeros excluded.

    >>> rational_garnet(2, 1, branching=2, seed=0, denominator=2).P
    [1/2, 1/2]
    [1/2, 1/2]
    """
    S, A, b = require_sizes(n_states, n_actions, branching)
    whole = require_count(denominator, "denominator")
    if whole < b:
        raise KropeError(f"denominator must be at least branching = {b}; got {whole}")
    rng = generator(seed)
    successors = distinct_successors(rng, S * A, S, b)
    parts = compositions(rng, S * A, whole, b)
    P = fmpq_mat(S * A, S)
    for x in range(S * A):
        for successor, part in zip(successors[x], parts[x], strict=True):
            P[x, int(successor)] = fmpq(int(part), whole)
    policy = compositions(rng, S, whole + A, A) - 1
    Pi, d0 = fmpq_mat(S, S * A), []
    for s in range(S):
        for a in range(A):
            Pi[s, s * A + a] = fmpq(int(policy[s, a]), whole)
            d0.append(Pi[s, s * A + a] / S)
    return ExactMRP(P, Pi, _rewards(rng, n_rewards, S * A, whole), gamma, d0=d0)  # type: ignore[arg-type]


def compositions(rng: np.random.Generator, n: int, whole: int, parts: int) -> NDArray[np.int64]:
    """``n`` uniformly chosen ways to write ``whole`` as an ordered sum of positive integers, [n, parts].

    >>> compositions(np.random.default_rng(0), 2, 3, 3)
    array([[1, 1, 1],
           [1, 1, 1]])
    """
    cuts = np.zeros((n, parts + 1), dtype=np.int64)
    cuts[:, -1] = whole
    if parts > 1:
        cuts[:, 1:-1] = distinct_successors(rng, n, whole - 1, parts - 1) + 1
    return np.diff(cuts, axis=1)


def _rewards(rng: np.random.Generator, n_rewards: int | None, X: int, whole: int) -> tuple[fmpq, ...]:
    if n_rewards is None:
        return tuple(fmpq(int(k), whole) for k in rng.integers(-whole, whole, size=X, endpoint=True))
    levels = few_levels(rng, n_rewards, X)
    steps = int(levels.max())
    return tuple(fmpq(2 * int(k), steps) - 1 if steps else fmpq(0) for k in levels)
