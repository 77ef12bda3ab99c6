r"""The fixed point of a behavioral metric's operator, as the value of a game over couplings.

On ``n`` points with rewards $r_a$ and next-point laws $P_a$ for each action, both metrics of this package solve

$$d(i, j) = \max_a \Big( |r_a(i) - r_a(j)| + \gamma \min_T \sum_{k,l} T_{kl}\, d(k, l) \Big),$$

``T`` over the couplings of rows $i$ and $j$ of $P_a$: one player names an action, the other a coupling.
`strategy_iteration` solves it. There are finitely many vertices of couplings, so that improving them ends (Tang and van
Breugel, 2016); two coupled copies live apart for at most $1/(1-\gamma)$, and at most two lifetimes of one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Array, Matrix, csr_of, row_sums
from tabular_krope.metrics.strategy_iteration import Moves
from tabular_krope.metrics.transport import couple

#: Points and their probabilities.
Law: TypeAlias = tuple[NDArray[Any], Array]
Sides: TypeAlias = tuple[Law, Law]
#: A solved problem: value, gap, and the pairs of points that its coupling moves to, with the masses.
Solved: TypeAlias = tuple[float, float, NDArray[np.intp], Array]

#: Entries of a matrix up to which zeros cost less than the handling of a sparse one.
DENSE = 40_000


@dataclass(frozen=True, slots=True, eq=False)
class CouplingGame:
    """Points, their rewards and laws for each action.

    Attributes:
        rewards: [A, n].
        laws: for each action the next-point law of each point, CSR [n, n] with rows of sum 1 and no stored zeros.
        gamma: discount factor.
        lifetime: longest expected discounted time that two coupled copies live.
        has_end: whether the last point is the end of the episode.
        present: which points have which actions, [A, n]; every one has all of them if None.
    """

    rewards: Array
    laws: tuple[sparse.csr_array, ...]
    gamma: float
    lifetime: float
    has_end: bool
    present: NDArray[np.bool_] | None = None
    _sides: dict[Any, Sides | None] = field(init=False, repr=False, default_factory=dict)
    _solved: dict[Any, Any] = field(init=False, repr=False, default_factory=dict)

    @property
    def points(self) -> int:
        """Number of points."""
        return int(self.rewards.shape[1])

    def opening(self) -> tuple[Array, Moves, float]:
        """No future: what the dearest action costs at once."""
        c, most = self.costs()
        return c.max(axis=0), c.argmax(axis=0), most

    def replies(self, moves: Moves) -> Callable[[Array], tuple[Array, Matrix]]:
        """The cheapest couplings for an action of each pair of points."""
        c, _ = self.costs()
        now = c[moves, np.arange(len(moves))]

        def reply(d: Array) -> tuple[Array, Matrix]:
            value, _, T = self._couplings(d, moves)
            return now + self.gamma * value, T

        return reply

    def every_move(self, d: Array) -> tuple[Array, Array, Moves]:
        """Bounds of the dearest action, and which it is."""
        upper, _ = self.costs()  # [A, m]
        lower = upper.copy()
        for a in range(len(upper)):
            value, gap, _ = self._couplings(d, np.full(len(d), a))
            upper[a] += self.gamma * value
            lower[a] += self.gamma * (value - gap)
        return upper.max(axis=0), lower.max(axis=0), upper.argmax(axis=0)

    def costs(self) -> tuple[Array, float]:
        """What two points pay for each action, [A, m], and the largest of it.

        Points with different actions pay the greatest distance that there can be, the span of the rewards times the
        lifetime; an action that neither has is never the best.
        """
        i, j = pairs_of_points(self.points)
        c = np.abs(self.rewards[:, i] - self.rewards[:, j])
        if self.present is None:
            return c, float(c.max(initial=0.0))
        span = float(np.ptp(self.rewards[self.present]))
        c[~self.present[:, i]] = -np.inf
        c[:, self.apart()] = span * self.lifetime
        return c, span

    def apart(self) -> NDArray[np.bool_]:
        """Which pairs of points have different actions, [m]."""
        i, j = pairs_of_points(self.points)
        if self.present is None:
            return np.zeros(len(i), dtype=np.bool_)
        return np.asarray((self.present[:, i] != self.present[:, j]).any(axis=0))

    def _couplings(self, d: Array, actions: Moves) -> tuple[Array, Array, Matrix]:
        """Cheapest couplings for the ground cost ``d``: values [m], gaps [m], and the chain they make on pairs."""
        ground = d.tobytes()
        if self._solved.get("ground") != ground:  # every move is looked at where the last replies were found
            self._solved.clear()
            self._solved["ground"] = ground
        names = list(enumerate(actions.tolist()))
        return transports([self._laws_of(*name) for name in names], d, self.points, names, self._solved)

    def _laws_of(self, pair: int, a: int) -> Sides | None:
        """The laws of two points after an action; None for a fixed distance, or an action that neither has."""
        if (pair, a) not in self._sides:
            i, j = (int(side[pair]) for side in pairs_of_points(self.points))
            known = self.present is None or bool(
                self.present[a, i] and (self.present[:, i] == self.present[:, j]).all()
            )
            self._sides[pair, a] = (row_of(self.laws[a], i), row_of(self.laws[a], j)) if known else None
        return self._sides[pair, a]


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
        law = csr_of(matrix) if type(matrix) is np.ndarray else sparse.csr_array(matrix, copy=True)
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


def transports(
    sides: Sequence[Sides | None],
    d: Array,
    n: int,
    names: Sequence[Any] | None = None,
    solved: dict[Any, Solved] | None = None,
) -> tuple[Array, Array, Matrix]:
    """Optimal couplings of laws on ``n`` points for the ground cost ``d`` [m] on pairs of points, in their order.

    Args:
        sides: the two laws of each problem, K of them; None for a problem whose value is zero and nothing moves.
        d: costs of the pairs of points, [m] with m = n(n-1)/2.
        n: number of points.
        names: of the problems, K of them, by which they are known in ``solved``; none is known if None.
        solved: problems with this ground cost that are solved; others are added.

    Returns:
        Values [K], duality gaps [K], and where the couplings move to, [K, m], as an array if it is small, else as CSR.
    """
    m = len(d)
    index = _index(n)
    cost = np.append(d, 0.0)[index]
    value, gap = np.zeros(len(sides)), np.zeros(len(sides))
    columns, masses, counts = [np.zeros(0, dtype=np.intp)], [np.zeros(0)], np.zeros(len(sides), dtype=np.intp)
    known = {} if solved is None else solved
    for at, problem in enumerate(sides):
        if problem is None:
            continue
        name = at if names is None else names[at]
        if name not in known:
            known[name] = _solve(problem, cost, index)
        value[at], gap[at], to, mass = known[name]
        columns.append(to)
        masses.append(mass)
        counts[at] = len(to)
    to, mass = np.concatenate(columns), np.concatenate(masses)
    if len(sides) * m <= DENSE:
        # A pair of points is met at most twice, as (k, l) and as (l, k): the sums do not depend on the order.
        moves = np.zeros((len(sides), m))
        np.add.at(moves, (np.repeat(np.arange(len(sides)), counts), to), mass)
        return value, gap, moves
    T = sparse.csr_array((mass, to, np.cumsum([0, *counts])), shape=(len(sides), m))
    T.sum_duplicates()
    return value, gap, T


def _solve(problem: Sides, cost: Array, index: NDArray[np.intp]) -> Solved:
    """One problem for the ground costs of points [n, n]."""
    (k, p), (l, q) = problem  # noqa: E741 (k, l are the equation's letters)
    here = k[:, None], l
    found = couple(p, q, cost[here])
    moved = (found.coupling > 0) & (k[:, None] != l)
    return found.value, found.gap, index[here][moved], found.coupling[moved]


@lru_cache(maxsize=64)
def pairs_of_points(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The unordered pairs of ``n`` points: first points and second points, [m] each, read-only."""
    first, second = np.triu_indices(n, 1)
    first.flags.writeable = second.flags.writeable = False
    return first, second


@lru_cache(maxsize=64)
def _index(n: int) -> NDArray[np.intp]:
    """Which pair of points two points are, [n, n]; the number after the last on the diagonal, which costs nothing."""
    index = np.zeros((n, n), dtype=np.intp)
    index[pairs_of_points(n)] = np.arange(n * (n - 1) // 2)
    index += index.T
    np.fill_diagonal(index, n * (n - 1) // 2)
    index.flags.writeable = False
    return index


def row_of(law: sparse.csr_array, i: Any) -> Law:
    """Columns and probabilities of a row."""
    part = slice(law.indptr[i], law.indptr[i + 1])
    return law.indices[part], law.data[part]
