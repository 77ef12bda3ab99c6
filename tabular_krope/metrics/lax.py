r"""The lax bisimulation metric (Taylor, Precup and Panangaden, 2008): states as sets of behaviors.

$$d(s, t) = \max\Big( \max_a \min_b \delta(sa, tb),\; \max_b \min_a \delta(sa, tb) \Big), \qquad
\delta(x, y) = |r_x - r_y| + \gamma\, W_d(P_x, P_y):$$

the Hausdorff distance of the two states' sets of pairs. Names of actions do not matter, so that it is at most
`bisimulation_metric`, and $|V^*(s) - V^*(t)| \le d(s, t)$ still holds. When ``gamma > 0`` its zero set on an MDP that
never ends is the coarsest lax bisimulation. Where episodes end, the end is one more state with one action.

It is the value of a game: one player names a pair of either state, the other answers with a pair of the other state and
a coupling. `strategy_iteration` solves it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Array, Matrix, row_sums
from tabular_krope.metrics.behavioral import BehavioralMetric
from tabular_krope.metrics.bisimulation import coupled_lifetime
from tabular_krope.metrics.coupling_game import row_of, transports
from tabular_krope.metrics.strategy_iteration import Moves, solve_game
from tabular_krope.models.mdp import MDP, require_mdp


def lax_bisimulation_metric(mdp: MDP, tolerance: float | None = None) -> BehavioralMetric:
    r"""Fixed point of the Hausdorff distance between the states' sets of behaviors, by strategy iteration.

    Args:
        mdp: the model; ``gamma = 1`` is allowed when every policy surely ends.
        tolerance: largest error bound accepted; the size of rounding if None.

    Returns:
        Distances [S, S], a pseudometric up to the error bound, with evidence.

    >>> P = [[[1, 0], [1, 0]], [[0, 1], [0, 1]]]
    >>> lax_bisimulation_metric(MDP(P, r=[[1.0, 2.0], [2.0, 1.0]], gamma=0.75)).matrix
    array([[0., 0.],
           [0., 0.]])
    """
    require_mdp(mdp)
    return solve_game(_game(mdp), tolerance)


@dataclass(frozen=True, slots=True, eq=False)
class _Game:
    """Behaviors and the comparisons between them.

    Attributes:
        laws: next-point law of each behavior, [E, n].
        x, y: the behaviors of each comparison, [K]; those of different points.
        cost: difference of their rewards, [K].
        move: for each comparison the moves that it answers, [2, K]: naming ``x``, and naming ``y``.
        of: the pair of points that each move is about, [moves].
        gamma, lifetime: discount factor, and what a residual is magnified by.
        has_end: whether the last point is the end of the episode.
    """

    laws: sparse.csr_array
    x: NDArray[np.intp]
    y: NDArray[np.intp]
    cost: Array
    move: NDArray[np.intp]
    of: NDArray[np.intp]
    gamma: float
    lifetime: float
    has_end: bool

    @property
    def points(self) -> int:
        """Number of points."""
        return self.laws.shape[1]

    def opening(self) -> tuple[Array, Moves, float]:
        """No future: what the named pairs of least answer cost at once."""
        worth = self._answers(self.cost)
        return self._best(worth), self._named(worth), float(self.cost.max(initial=0.0))

    def replies(self, moves: Moves) -> Callable[[Array], tuple[Array, Matrix]]:
        """The cheapest answers and couplings for a named behavior of each pair of points."""
        asked = np.zeros(len(self.of), dtype=bool)
        asked[moves] = True
        which = np.flatnonzero(asked[self.move].any(axis=0))
        answered = np.where(asked[self.move[0][which]], self.move[0][which], self.move[1][which])
        pair = self.of[answered]

        def reply(d: Array) -> tuple[Array, Matrix]:
            delta, _, T = self._delta(d, which)
            order = np.lexsort((-delta, pair))
            chosen = np.zeros(len(d), dtype=np.intp)
            chosen[pair[order]] = order  # the last one written is the least
            return delta[chosen], T[chosen]

        return reply

    def every_move(self, d: Array) -> tuple[Array, Array, Moves]:
        """Bounds of the dearest name, and which it is."""
        delta, gap, _ = self._delta(d, np.arange(len(self.x)))
        worth = self._answers(delta)
        return self._best(worth), self._best(self._answers(delta - gap)), self._named(worth)

    def _delta(self, d: Array, which: NDArray[np.intp]) -> tuple[Array, Array, Matrix]:
        """Distances of comparisons for the ground cost ``d``, their gaps, and where the couplings move to."""
        sides = [
            (row_of(self.laws, x), row_of(self.laws, y)) for x, y in zip(self.x[which], self.y[which], strict=True)
        ]
        value, gap, T = transports(sides, d, self.laws.shape[1])
        return self.cost[which] + self.gamma * value, self.gamma * gap, T

    def _answers(self, delta: Array) -> Array:
        """What each move is worth: the least distance among its answers, [moves]."""
        worth = np.full(len(self.of), np.inf)
        for side in self.move:
            np.minimum.at(worth, side, delta)
        return worth

    def _best(self, worth: Array) -> Array:
        """The greatest worth of a move for each pair of points, [m]."""
        out = np.zeros(self.points * (self.points - 1) // 2)
        np.maximum.at(out, self.of, worth)
        return out

    def _named(self, worth: Array) -> Moves:
        """The move of greatest worth for each pair of points, the first of equals, [m]."""
        order = np.lexsort((-np.arange(len(worth)), worth, self.of))
        out = np.zeros(self.points * (self.points - 1) // 2, dtype=np.intp)
        out[self.of[order]] = order  # the last one written is the greatest
        return out


def _game(mdp: MDP) -> _Game:
    has_end = bool(mdp.end_pairs.any())
    laws, r, owner = sparse.csr_array(mdp.P_pairs, copy=True), mdp.r_pairs, mdp.pair_state
    n = mdp.n_states
    if has_end:
        end = sparse.csr_array(mdp.end_pairs[:, None])
        laws = sparse.block_array([[laws, end], [None, sparse.csr_array(np.ones((1, 1)))]], format="csr")
        r, owner, n = np.append(r, 0.0), np.append(owner, n), n + 1
    laws.data /= np.repeat(row_sums(laws), np.diff(laws.indptr))
    laws.eliminate_zeros()
    x, y = np.triu_indices(len(r), 1)  # behaviors are in the order of their points
    x, y = x[owner[x] < owner[y]], y[owner[x] < owner[y]]
    named = np.concatenate([np.stack([x, owner[y]]), np.stack([y + len(r), owner[x]])], axis=1)
    keys, move = np.unique(named, axis=1, return_inverse=True)
    i, j = owner[keys[0] % len(r)], keys[1]
    low, high = np.minimum(i, j), np.maximum(i, j)
    of = low * n - low * (low + 1) // 2 + high - low - 1  # position among the pairs i < j
    cost = np.abs(r[x] - r[y])
    return _Game(laws, x, y, cost, move.reshape(2, -1), of, mdp.gamma, coupled_lifetime(mdp), has_end)
