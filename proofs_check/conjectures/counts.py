"""Numbers of actions, of groups of pairs and of rewards, on rational chains and on stacks of float ones."""

from typing import Any

import numpy as np
from flint import fmpq

from proofs_check.arithmetic.reals import UNDEFINED, Number
from proofs_check.arithmetic.rounding import EPS, Rounded
from proofs_check.chains.case import Case
from tabular_krope.arrays import Array
from tabular_krope.batched.chains import Chains

#: How many times its rounding a difference must be to count as one.
CLEAR = 10.0


def actions(case: Case) -> Number:
    """Number of actions: pairs for each state, where all states have as many and the policy keeps to its own.

    >>> actions(Case.from_matrix(np.eye(2), np.ones(2), 0.5))
    1
    """
    S, X = case.Pi.shape
    A = X // S
    own = np.repeat(np.arange(S), A) if A * S == X else np.zeros(0, dtype=int)
    foreign = len(own) != X or any(case.Pi[s, x] != 0 for s in range(S) for x in range(X) if own[x] != s)
    return UNDEFINED if foreign else fmpq(A)


def groups(d: Any) -> fmpq:
    """Number of groups of pairs at distance 0, from exact distances [X, X].

    >>> groups(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    2
    """
    return fmpq(sum(all(d[x, y] != 0 for y in range(x)) for x in range(len(d))))


def float_groups(chains: Chains) -> Rounded:
    """The same of stacked float chains, [B]; NaN where a difference is too near to zero to be called one.

    Pairs at distance 0 are those with equal laws of the reward, step by step. So a generic function of the reward is
    averaged over these laws: distances are squares of such differences, and half of the digits are lost in them.

    >>> path = np.eye(3, k=-1)[None]
    >>> float_groups(Chains(path, np.ones((1, 3)), np.array([0.5]), np.array([[1.0, 0.0, 0.0]]))).value
    array([3.])
    """
    B, X = chains.r.shape
    order = np.argsort(chains.r, axis=1)
    higher = np.diff(np.take_along_axis(chains.r, order, axis=1), axis=1) > 0
    levels = np.zeros((B, X), dtype=int)
    np.put_along_axis(levels, order[:, 1:], np.cumsum(higher, axis=1), axis=1)
    means: Array = np.random.default_rng(0).random((X,))[levels]
    laws = [means]
    for _ in range(X - 1):
        means = (chains.P @ means[:, :, None])[:, :, 0]
        laws.append(means * (chains.gamma > 0)[:, None])
    apart = np.zeros((B, X, X))
    for means in laws:
        np.maximum(apart, np.abs(means[:, :, None] - means[:, None, :]), out=apart)
    earlier = np.tri(X, k=-1, dtype=bool)
    first = ~((apart <= 4 * X * EPS) & earlier).any(axis=2)
    unsure = ((apart > 4 * X * EPS) & (apart < CLEAR * X * X * EPS)).any(axis=(1, 2))
    return Rounded.exact(np.where(unsure, np.nan, first.sum(axis=1)))


def float_rewards(r: Array) -> Rounded:
    """Number of different floats in each row of ``r`` [B, X].

    >>> float_rewards(np.array([[1.0, 2.0, 1.0]])).value
    array([2.])
    """
    return Rounded.exact(1.0 + (np.diff(np.sort(r, axis=1), axis=1) > 0).sum(axis=1))
