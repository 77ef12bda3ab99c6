r"""The value of a game on pairs of points, by strategy iteration, with a bound on its error.

The game is $d = \max_m \min_t \big( c_{m,t} + \gamma\,T_{m,t}\,d \big)$ on the $n(n-1)/2$ unordered pairs of points
(the diagonal is zero): a move ``m`` of one player, a reply ``t`` of the other. For fixed moves and replies it is a
linear system. Policy iteration improves the replies until none is cheaper; around it goes the strategy iteration of
Hoffman and Karp (1966): moves are switched where another is larger, which increases $d$. Value iteration would need
$\log(1/\epsilon)/(1-\gamma)$ sweeps instead of a dozen.

At the end the operator itself is applied once. With its residual $\rho$, taken over the upper and the lower bound of
each reply, the error is at most $\rho\,h$, where $h$ is the longest expected discounted time that the game lasts.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array, Matrix
from tabular_krope.errors import KropeError
from tabular_krope.kernels.stein import rounding_floor
from tabular_krope.metrics.behavioral import BehavioralMetric
from tabular_krope.models.linear import solve_discounted

EPS = float(np.finfo(np.float64).eps)
#: Linear systems before giving up; a few dozen is the most that has been seen.
MOST_STEPS = 1000

Moves = NDArray[np.intp]


class Game(Protocol):
    """A game on the ``m`` unordered pairs of points, whose value is a metric."""

    @property
    def gamma(self) -> float:
        """Discount factor."""
        ...

    @property
    def lifetime(self) -> float:
        """Longest expected discounted time that it lasts: what a residual is magnified by."""
        ...

    @property
    def has_end(self) -> bool:
        """Whether the last point is the end of the episode."""
        ...

    @property
    def points(self) -> int:
        """Number of points."""
        ...

    def opening(self) -> tuple[Array, Moves, float]:
        """Where to begin: distances [m], the move of each pair of points [m], and the largest cost of one step."""
        ...

    def replies(self, moves: Moves) -> Callable[[Array], tuple[Array, Matrix]]:
        """For given moves: from distances to the right-hand side [m] and where the best replies lead, [m, m]."""
        ...

    def every_move(self, d: Array) -> tuple[Array, Array, Moves]:
        """Upper and lower bounds of the right-hand side, [m] each, and the moves that attain the upper ones, [m]."""
        ...


def solve_game(game: Game, tolerance: float | None = None) -> BehavioralMetric:
    """The value of the game, certified; raises if the error bound exceeds the tolerance.

    Args:
        game: what is played.
        tolerance: largest error bound accepted; the size of rounding if None.
    """
    if tolerance is not None and not tolerance > 0:
        raise KropeError(f"tolerance must be positive; got {tolerance!r}")
    n = game.points
    d, moves, most = game.opening()
    floor = rounding_floor(most * game.lifetime, game.lifetime, n)
    allowed = floor if tolerance is None else tolerance
    steps = 0
    while True:
        d, taken = _best_replies(game, moves, d, floor / (2 * game.lifetime))
        steps += max(taken, 1)
        above, below, better = game.every_move(d)
        residual = float(np.maximum(np.abs(above - d), np.abs(below - d)).max(initial=0.0))
        # The residual is itself computed in floating point: sums of at most 2n products of size at most max d.
        bound = (residual + 2 * EPS * n * float(d.max(initial=0.0))) * game.lifetime
        if bound <= allowed:
            return _metric(n, game.has_end, d, steps, residual, bound)
        switch = above > d + floor / game.lifetime
        if not switch.any() or steps >= MOST_STEPS:
            raise KropeError(f"the metric must reach an error of {allowed:.3g}; got {bound:.3g} after {steps} steps")
        moves = np.where(switch, better, moves)


def _best_replies(game: Game, moves: Moves, d: Array, target: float) -> tuple[Array, int]:
    """Policy iteration over replies to fixed moves, until the residual is at most ``target``: (d, steps)."""
    reply = game.replies(moves)
    for step in range(MOST_STEPS):
        value, T = reply(d)
        residual = value - d
        if np.abs(residual).max(initial=0.0) <= target:
            return d, step
        # Solving for the change, not for d, makes later steps refine what rounding left of earlier ones.
        d = np.maximum(d + solve_discounted(T, residual, game.gamma), 0.0)
    return d, MOST_STEPS


def _metric(n: int, has_end: bool, d: Array, steps: int, residual: float, bound: float) -> BehavioralMetric:
    """Distances of pairs of points as a metric; the last point is the end of the episode if there is one."""
    matrix = np.zeros((n, n))
    matrix[np.triu_indices(n, 1)] = d
    matrix += matrix.T
    to_end = None
    if has_end:
        matrix, to_end = matrix[:-1, :-1].copy(), matrix[-1, :-1].copy()
        to_end.flags.writeable = False
    matrix.flags.writeable = False
    return BehavioralMetric(matrix, to_end, steps, residual, bound)
