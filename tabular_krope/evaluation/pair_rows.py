r"""Rows of one-hot features, kept by their numbers: which pair, which state next, which reward.

With one feature for each of k pairs that occur, $B = \Phi^\top D \Phi$ is diagonal (the shares of the pairs), and
LSPE's matrix is $\gamma \hat P \Pi$: ``P`` [k, m] how often each of m states follows a pair, ``Pi`` [m, k] what the
target policy does there. Its rows sum to at most gamma. Nothing of size k by k is needed, for
$(I - \gamma \hat P \Pi)^{-1} = I + \gamma \hat P\,(I - \gamma \Pi \hat P)^{-1}\,\Pi$: the m states suffice.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import splu

from tabular_krope.arrays import Array, Matrix

Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairRows:
    """Transitions between pairs that occur and states that follow them.

    Attributes:
        pair: number of the pair of each row, below k, [n].
        after: number of the state that follows, below m; -1 where the episode ended, [n].
        r: rewards, [n].
        gamma: discount; what solves equations needs it below 1.
        Pi: what the target policy does in the states, as far as such pairs occur, sparse [m, k].
        start: share of each pair among the starts, [k].
        number: of each pair among all pairs of the problem, ``s * A + a``, [k].
    """

    pair: Indices
    after: Indices
    r: Array
    gamma: float
    Pi: Matrix
    start: Array
    number: Indices

    @property
    def k(self) -> int:
        """Number of pairs, which is that of the features."""
        return int(self.Pi.shape[1])

    @property
    def m(self) -> int:
        """Number of states that follow."""
        return int(self.Pi.shape[0])

    @cached_property
    def counts(self) -> Array:
        """How often each pair occurs, [k]."""
        return np.bincount(self.pair, minlength=self.k).astype(np.float64)

    @cached_property
    def model(self) -> "PairModel":
        """Frequencies and mean rewards."""
        goes = self.after >= 0
        at = (self.pair[goes], self.after[goes])
        P = sparse.csr_array((1.0 / self.counts[self.pair[goes]], at), shape=(self.k, self.m))
        rewards = np.bincount(self.pair, weights=self.r, minlength=self.k) / self.counts
        return PairModel(P, self.Pi, rewards, self.counts / len(self.r), self.gamma, self.start)

    def features(self) -> tuple[Matrix, Matrix]:
        """``Phi`` and ``Phi_next``, sparse [n, k]: a one, and the target's probabilities after it."""
        return _features(self, self.pair, self.after)

    def distinct(self) -> "DistinctRows":
        """The rows without repetitions."""
        key, which, count = np.unique(
            self.pair * (self.m + 1) + self.after + 1, return_inverse=True, return_counts=True
        )
        which = which.reshape(-1)
        pair, after = key // (self.m + 1), key % (self.m + 1) - 1
        Phi, Phi_next = _features(self, pair, after)
        mean = np.bincount(which, weights=self.r, minlength=len(key)) / count
        return DistinctRows(Phi, Phi_next, mean, count / len(self.r), which.astype(np.int64))


@dataclass(frozen=True, eq=False)
class PairModel:
    """What the rows say of the pairs, and what follows from it.

    Attributes:
        P: how often each state follows a pair, sparse [k, m]; rows sum to 1 less the share that ended.
        Pi: the target policy, sparse [m, k].
        rewards: mean reward of each pair, [k].
        shares: of the pairs among the rows, the diagonal of ``B``, [k].
        gamma: discount.
        start: share of each pair among the starts, [k].
    """

    P: Matrix
    Pi: Matrix
    rewards: Array
    shares: Array
    gamma: float
    start: Array

    @property
    def m(self) -> int:
        """Number of states that follow."""
        return int(self.Pi.shape[0])

    @cached_property
    def between_states(self) -> Matrix:
        """``Pi P``, sparse [m, m]: from state to state under the target policy."""
        return (self.Pi @ self.P).tocsc()

    @cached_property
    def resolvent(self) -> Any:
        """A factorization of ``I - gamma Pi P``, [m, m]; ``solve`` applies its inverse."""
        return splu(sparse.csc_array(sparse.eye_array(self.m) - self.gamma * self.between_states))

    def values(self) -> tuple[Array, Array]:
        """Action values of the pairs [k] and values of the states [m]: the fixed point of LSPE."""
        v = self.resolvent.solve(self.Pi @ self.rewards) if self.m else np.zeros(0)
        return self.rewards + self.gamma * (self.P @ v), v

    def dual(self) -> Array:
        """``(I - gamma P Pi)^-T start``, [k]: discounted visits to each pair from the starts."""
        if not self.m:
            return self.start
        passed = self.resolvent.solve(self.P.T @ self.start, trans="T")
        return np.asarray(self.start + self.gamma * (self.Pi.T @ passed))


@dataclass(frozen=True, slots=True, eq=False)
class DistinctRows:
    """Rows that differ in pair or next state; a regression on them is that on all rows.

    Attributes:
        Phi, Phi_next: sparse [u, k].
        r: mean rewards, [u].
        weights: shares of the rows, [u].
        which: number of the distinct row of each row, [n].
    """

    Phi: Matrix
    Phi_next: Matrix
    r: Array
    weights: Array
    which: Indices


def pair_rows(
    pairs: Indices, follows: Indices, done: NDArray[np.bool_], r: Array, gamma: float, target: Matrix, starts: Array
) -> PairRows:
    """Rows from numbers of pairs ``s * A + a``.

    Args:
        pairs: of the rows, [n].
        follows: which row of ``target`` follows each row, unless ``done``, [n].
        r, gamma: rewards [n] and discount.
        target: distributions over pairs, sparse [any, S*A], no two of which share a pair: one for each state.
        starts: share of each pair among the starts, [S*A].

    >>> rows = pair_rows(np.array([0, 2]), np.array([1, 1]), np.array([False, True]), np.array([0.0, 1.0]), 0.5,
    ...                  sparse.csr_array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]), np.array([1.0, 0, 0, 0]))
    >>> rows.k, rows.m, rows.model.values()[0]  # the second pair ends with 1, the first leads to it
    (2, 1, array([0.5, 1. ]))
    """
    number, pair = np.unique(pairs, return_inverse=True)
    states, at = np.unique(follows[~done], return_inverse=True)
    after = np.full(len(r), -1, dtype=np.int64)
    after[~done] = at.reshape(-1)
    Pi = sparse.csr_array(sparse.csr_array(target)[states][:, number])
    Pi.eliminate_zeros()
    return PairRows(pair.reshape(-1).astype(np.int64), after, r, gamma, Pi, starts[number], number.astype(np.int64))


def _features(rows: PairRows, pair: Indices, after: Indices) -> tuple[Matrix, Matrix]:
    n = len(pair)
    Phi = sparse.csr_array((np.ones(n), pair, np.arange(n + 1)), shape=(n, rows.k))
    padded = sparse.vstack([sparse.csr_array(rows.Pi), sparse.csr_array((1, rows.k))], format="csr")
    return Phi, padded[np.where(after >= 0, after, rows.m)]
