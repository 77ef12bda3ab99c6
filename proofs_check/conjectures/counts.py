"""Numbers of actions, of groups of pairs and of rewards, on rational chains and on stacks of float ones."""

from typing import Any

import numpy as np
from flint import fmpq

from proofs_check.arithmetic.reals import UNDEFINED, Number
from proofs_check.arithmetic.rounding import Rounded
from proofs_check.chains.case import Case
from tabular_krope.arrays import Array

#: How many times its error a distance must be to count as one.
CLEAR = 1e4


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


def float_groups(d: Rounded) -> Rounded:
    """The same of float distances [B, X, X]; NaN where a distance is too near to zero to be called one."""
    X = d.value.shape[1]
    earlier = np.tri(X, k=-1, dtype=bool)
    first = ~((d.value == 0) & earlier).any(axis=2)
    unsure = ((d.value > 0) & (d.value < CLEAR * d.error)).any(axis=(1, 2))
    return Rounded.exact(np.where(unsure, np.nan, first.sum(axis=1)))


def float_rewards(r: Array) -> Rounded:
    """Number of different floats in each row of ``r`` [B, X].

    >>> float_rewards(np.array([[1.0, 2.0, 1.0]])).value
    array([2.])
    """
    return Rounded.exact(1.0 + (np.diff(np.sort(r, axis=1), axis=1) > 0).sum(axis=1))
