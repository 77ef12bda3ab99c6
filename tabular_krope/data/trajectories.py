"""Many trajectories simulated side by side, and put one after another.

Complete trajectories are independent and alike, so the first ``n`` transitions of a row of them, cut at ``n``, have
exactly the law of a single walker who starts again at each end and at each restart. No trajectory is cut earlier: that
would favor the states near the start.
"""

from math import ceil

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Matrix
from tabular_krope.models.mdp import MDP
from tabular_krope.models.policy import Policy

Indices = NDArray[np.int64]


class Draws:
    """Draws a column of a row of a stochastic matrix, for many rows at once.

    >>> Draws(np.array([[0.0, 1.0], [1.0, 0.0]]))(np.random.default_rng(0), np.array([0, 1, 0]))
    array([1, 0, 1])
    """

    def __init__(self, matrix: Matrix) -> None:
        rows = sparse.csr_array(matrix, copy=True)
        rows.eliminate_zeros()
        self._first, self._last = rows.indptr[:-1].astype(np.int64), rows.indptr[1:].astype(np.int64) - 1
        self._columns = rows.indices.astype(np.int64)
        total = np.cumsum(rows.data)
        before = np.concatenate([[0.0], total])[self._first]
        # Entry k of row i sits at i + (probability of the columns up to k): one sorted array holds all rows.
        height = np.repeat(total[self._last] - before, np.diff(rows.indptr))
        row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        self._steps = row + (total - np.repeat(before, np.diff(rows.indptr))) / height

    def __call__(self, rng: np.random.Generator, rows: Indices) -> Indices:
        """A column for each of ``rows``; only columns of positive probability, rounding notwithstanding."""
        at = np.searchsorted(self._steps, rows + rng.random(len(rows)), side="right")
        return self._columns[np.clip(at, self._first[rows], self._last[rows])]


def trajectories(mdp: MDP, policy: Policy, n: int, rng: np.random.Generator, restart: float) -> tuple[Indices, Indices]:
    """Pairs and next states of the first ``n`` transitions, [n] and [n]; next state S means that the episode ended."""
    move = Draws(sparse.hstack([sparse.csr_array(mdp.P_pairs), sparse.csr_array(mdp.end.reshape(-1, 1))], format="csr"))
    pairs_of = (mdp.pair_state, mdp.pair_action) if mdp.listed else ()
    act, start = Draws(policy.matrix(*pairs_of)), Draws(mdp.d0[None, :])
    pairs, following = [], []
    have = tried = 0
    while have < n:
        # As many as the mean length so far makes likely, but at most four times those tried: early means are rough.
        expected = ceil((n - have) * tried / have) if tried else ceil(n * restart)
        more = max(1, min(expected, 4 * tried or n))
        x, s_next = _side_by_side(mdp.n_states, start, act, move, rng, restart, more, n - have)
        pairs.append(x)
        following.append(s_next)
        have += len(x)
        tried += more
    return np.concatenate(pairs)[:n], np.concatenate(following)[:n]


def _side_by_side(
    S: int, start: Draws, act: Draws, move: Draws, rng: np.random.Generator, restart: float, count: int, enough: int
) -> tuple[Indices, Indices]:
    """``count`` trajectories one after another, complete as far as the first ``enough`` transitions reach."""
    alive = np.arange(count)
    s = start(rng, np.zeros(count, dtype=np.int64))
    length = np.zeros(count, dtype=np.int64)
    who, pairs, following = [], [], []
    step = 0
    while alive.size and step < enough:
        x = act(rng, s)
        s_next = move(rng, x)
        who.append(alive)
        pairs.append(x)
        following.append(s_next)
        length[alive] += 1
        step += 1
        keep = (s_next < S) & (rng.random(len(s)) >= restart)
        if step & (step - 1) == 0:
            # Those behind enough transitions of earlier ones will not be looked at: do not simulate them for ever.
            keep &= (np.cumsum(length) - length)[alive] < enough
        alive, s = alive[keep], s_next[keep]
    order = np.argsort(np.concatenate(who), kind="stable")[:enough]
    return np.concatenate(pairs)[order], np.concatenate(following)[order]
