r"""The fixed point of a behavioral metric's operator, as the value of a game over couplings.

On ``n`` points with rewards $r_a$ and next-point laws $P_a$ for each action, both metrics of this package solve

$$d(i, j) = \max_a \Big( |r_a(i) - r_a(j)| + \gamma \min_T \sum_{k,l} T_{kl}\, d(k, l) \Big),$$

``T`` over the couplings of rows $i$ and $j$ of $P_a$. For fixed actions and couplings this is a linear system on the
$n(n-1)/2$ unordered pairs (the diagonal is zero). Policy iteration re-optimises the couplings until none improves: each
step decreases $d$, and there are finitely many vertices (Tang and van Breugel, 2016). Around it goes the strategy
iteration of Hoffman and Karp (1966): the actions are switched where another is larger, which increases $d$. Value
iteration would need $\log(1/\epsilon)/(1-\gamma)$ sweeps instead of a dozen.

At the end the operator itself is applied once. With its residual $\rho$, taken over the upper and the lower bound of
each transport problem, the error is at most $\rho\,h$, where $h$ is the longest expected discounted time that two
coupled copies live apart: at most $1/(1-\gamma)$, and at most two lifetimes of one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Array, Matrix, row_sums
from tabular_krope.errors import KropeError
from tabular_krope.kernels.stein import rounding_floor
from tabular_krope.metrics.behavioural import BehaviouralMetric
from tabular_krope.metrics.transport import couple
from tabular_krope.models.linear import solve_discounted

EPS = float(np.finfo(np.float64).eps)
#: Linear systems before giving up; a few dozen is the most that has been seen.
MOST_STEPS = 1000


#: Points and their probabilities.
Law: TypeAlias = tuple[NDArray[Any], Array]
Sides: TypeAlias = tuple[Law, Law]


@dataclass(frozen=True, slots=True, eq=False)
class CouplingGame:
    """Points, their rewards and laws for each action.

    Attributes:
        rewards: [A, n].
        laws: for each action the next-point law of each point, CSR [n, n] with rows of sum 1 and no stored zeros.
        gamma: discount factor.
        lifetime: longest expected discounted time that two coupled copies live: what a residual is magnified by.
        has_end: whether the last point is the end of the episode.
        present: which points have which actions, [A, n]; every one has all of them if None.
    """

    rewards: Array
    laws: tuple[sparse.csr_array, ...]
    gamma: float
    lifetime: float
    has_end: bool
    present: NDArray[np.bool_] | None = None

    def costs(self) -> tuple[Array, float]:
        """What two points pay for each action, [A, m], and the largest of it.

        Points with different actions pay the greatest distance that there can be, the span of the rewards times the
        lifetime; an action that neither has is never the best.
        """
        i, j = np.triu_indices(self.rewards.shape[1], 1)
        c = np.abs(self.rewards[:, i] - self.rewards[:, j])
        if self.present is None:
            return c, float(c.max(initial=0.0))
        span = float(np.ptp(self.rewards[self.present]))
        c[~self.present[:, i]] = -np.inf
        c[:, self.apart()] = span * self.lifetime
        return c, span

    def apart(self) -> NDArray[np.bool_]:
        """Which pairs of points have different actions, [m]."""
        i, j = np.triu_indices(self.rewards.shape[1], 1)
        if self.present is None:
            return np.zeros(len(i), dtype=np.bool_)
        return np.asarray((self.present[:, i] != self.present[:, j]).any(axis=0))


def coupling_game(
    P: list[Matrix],
    r: Array,
    end: Array,
    gamma: float,
    lifetime: float,
    present: NDArray[np.bool_] | None = None,
) -> CouplingGame:
    """The game of ``A`` chains on the same points; where episodes end, the end becomes a point.

    The end has reward zero and leads to itself, so every law is a full distribution. Rows are divided by their sums.

    Args:
        P: transitions for each action, [n, n] each.
        r: rewards, [A, n].
        end: probabilities that the episode ends, [A, n].
        gamma: discount factor.
        lifetime: longest expected discounted lifetime of a pair of points.
        present: which points have which actions, [A, n], if not all have all; rows of ``P`` for others are empty. The
            end has every action.
    """
    has_end = bool(end.any())
    laws = []
    for matrix, ends in zip(P, end, strict=True):
        law = sparse.csr_array(matrix, copy=True)
        if has_end:
            law = sparse.block_array(
                [[law, sparse.csr_array(ends[:, None])], [None, sparse.csr_array(np.ones((1, 1)))]], format="csr"
            )
        law.data /= np.repeat(row_sums(law), np.diff(law.indptr))
        law.eliminate_zeros()
        laws.append(law)
    rewards = np.pad(r, ((0, 0), (0, 1))) if has_end else r
    if present is not None and has_end:
        present = np.pad(present, ((0, 0), (0, 1)), constant_values=True)
    return CouplingGame(rewards, tuple(laws), gamma, lifetime, has_end, present)


def solve_game(game: CouplingGame, tolerance: float | None = None) -> BehaviouralMetric:
    """The value of the game, certified; raises if the error bound exceeds the tolerance.

    Args:
        game: what is played.
        tolerance: largest error bound accepted; the size of rounding if None.
    """
    if tolerance is not None and not tolerance > 0:
        raise KropeError(f"tolerance must be positive; got {tolerance!r}")
    n = game.rewards.shape[1]
    c, most = game.costs()  # [A, m]
    d, actions = c.max(axis=0), c.argmax(axis=0)
    floor = rounding_floor(most * game.lifetime, game.lifetime, n)
    allowed = floor if tolerance is None else tolerance
    steps = 0
    while True:
        d, taken = _best_couplings(game, c, actions, d, floor / (2 * game.lifetime))
        steps += max(taken, 1)
        upper, lower = _every_action(game, c, d)  # [A, m]
        above, below = upper.max(axis=0), lower.max(axis=0)
        residual = float(np.maximum(np.abs(above - d), np.abs(below - d)).max(initial=0.0))
        # The residual is itself computed in floating point: sums of at most 2n products of size at most max d.
        bound = (residual + 2 * EPS * n * float(d.max(initial=0.0))) * game.lifetime
        switch = above > d + floor / game.lifetime
        if bound <= allowed:
            return metric_of(n, game.has_end, d, steps, residual, bound)
        if not switch.any() or steps >= MOST_STEPS:
            raise KropeError(f"the metric must reach an error of {allowed:.3g}; got {bound:.3g} after {steps} steps")
        actions = np.where(switch, upper.argmax(axis=0), actions)


def _best_couplings(game: CouplingGame, c: Array, actions: np.ndarray, d: Array, target: float) -> tuple[Array, int]:
    """Policy iteration over couplings for fixed actions, until the residual is at most ``target``: (d, steps)."""
    now = c[actions, np.arange(len(d))]
    for step in range(MOST_STEPS):
        value, _, T = _transports(game, d, actions)
        residual = now + game.gamma * value - d
        if np.abs(residual).max(initial=0.0) <= target:
            return d, step
        # Solving for the change, not for d, makes later steps refine what rounding left of earlier ones.
        d = np.maximum(d + solve_discounted(T, residual, game.gamma), 0.0)
    return d, MOST_STEPS


def _every_action(game: CouplingGame, c: Array, d: Array) -> tuple[Array, Array]:
    """Upper and lower bounds of the right-hand side for each action, [A, m] each."""
    upper, lower = c.copy(), c.copy()
    for a in range(len(c)):
        value, gap, _ = _transports(game, d, np.full(len(d), a))
        upper[a] += game.gamma * value
        lower[a] += game.gamma * (value - gap)
    return upper, lower


def _transports(game: CouplingGame, d: Array, actions: np.ndarray) -> tuple[Array, Array, sparse.csr_array]:
    """Optimal couplings for the ground cost ``d``: values [m], gaps [m], and the chain they make on pairs [m, m]."""
    n, apart = game.rewards.shape[1], game.apart()
    sides: list[Sides | None] = []
    for pair, (i, j, a) in enumerate(zip(*np.triu_indices(n, 1), actions, strict=True)):
        if apart[pair] or (game.present is not None and not game.present[a, i]):
            sides.append(None)  # a fixed distance, or an action that neither has
        else:
            sides.append((row_of(game.laws[a], i), row_of(game.laws[a], j)))
    return transports(sides, d, n)


def transports(sides: Sequence[Sides | None], d: Array, n: int) -> tuple[Array, Array, sparse.csr_array]:
    """Optimal couplings of laws on ``n`` points for the ground cost ``d`` [m] on pairs of points, in their order.

    Args:
        sides: the two laws of each problem, K of them; None for a problem whose value is zero and nothing moves.
        d: costs of the pairs of points, [m] with m = n(n-1)/2.
        n: number of points.

    Returns:
        Values [K], duality gaps [K], and where the couplings move to, [K, m].
    """
    m = len(d)
    index = np.zeros((n, n), dtype=np.intp)
    index[np.triu_indices(n, 1)] = np.arange(m)
    index += index.T
    cost = np.append(d, 0.0)[np.where(np.eye(n, dtype=bool), m, index)]
    value, gap = np.zeros(len(sides)), np.zeros(len(sides))
    columns, masses, counts = [np.zeros(0, dtype=np.intp)], [np.zeros(0)], np.zeros(len(sides) + 1, dtype=np.intp)
    for at, problem in enumerate(sides):
        if problem is None:
            continue
        (k, p), (l, q) = problem  # noqa: E741 (k, l are the equation's letters)
        found = couple(p, q, cost[np.ix_(k, l)])
        value[at], gap[at] = found.value, found.gap
        moved = (found.coupling > 0) & (k[:, None] != l)
        columns.append(index[np.ix_(k, l)][moved])
        masses.append(found.coupling[moved])
        counts[at + 1] = len(columns[-1])
    T = sparse.csr_array((np.concatenate(masses), np.concatenate(columns), np.cumsum(counts)), shape=(len(sides), m))
    T.sum_duplicates()
    return value, gap, T


def row_of(law: sparse.csr_array, i: Any) -> Law:
    """Columns and probabilities of a row."""
    part = slice(law.indptr[i], law.indptr[i + 1])
    return law.indices[part], law.data[part]


def metric_of(n: int, has_end: bool, d: Array, steps: int, residual: float, bound: float) -> BehaviouralMetric:
    """Distances of pairs of points as a metric; the last point is the end of the episode if there is one."""
    matrix = np.zeros((n, n))
    matrix[np.triu_indices(n, 1)] = d
    matrix += matrix.T
    to_end = None
    if has_end:
        matrix, to_end = matrix[:-1, :-1].copy(), matrix[-1, :-1].copy()
        to_end.flags.writeable = False
    matrix.flags.writeable = False
    return BehaviouralMetric(matrix, to_end, steps, residual, bound)
