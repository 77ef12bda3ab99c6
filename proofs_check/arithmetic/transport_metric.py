r"""Behavioral metrics $d = \max_a |\Delta r_a| + \gamma W_d(P_a, P_a)$, in floats and exactly over the rationals.

Over the rationals the fixed point is found by strategy iteration: for fixed actions the couplings are improved until
none is cheaper (each round solves a linear system), then actions are switched where another is larger. It ends after
finitely many rounds with ``B(d) = d`` to the last digit, proved by a coupling and potentials for every two points.
"""

from itertools import combinations
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import identity, is_exact, solve
from proofs_check.arithmetic.transport import couple_exactly
from tabular_krope.metrics.coupling_game import coupling_game
from tabular_krope.metrics.strategy_iteration import solve_game
from tabular_krope.metrics.transport import couple

Laws = list[Any]


def transport_metric(laws: Laws, rewards: Laws, gamma: Any) -> Any:
    """The fixed point on ``n`` points, [n, n].

    Args:
        laws: for each action the law of the next point, [n, n] with rows of sum 1.
        rewards: for each action, [n].
        gamma: discount factor below 1.

    >>> from proofs_check.arithmetic.linear_algebra import rationals
    >>> transport_metric([rationals([["1/2", "1/2"], [0, 1]])], [rationals([0, 1])], rationals(["1/2"])[0])
    array([[0, 4/3],
           [4/3, 0]], dtype=object)
    """
    if is_exact(laws[0]):
        return _exact_metric(laws, rewards, gamma)
    r = np.stack(rewards)
    game = coupling_game(laws, r, 0 * r, gamma, 1.0 / (1.0 - gamma))
    return solve_game(game).matrix


def transport_bounds(P: Any, d: Any) -> tuple[Any, Any]:
    """The cost of a cheapest coupling of the laws of each two points, and the worth of its potentials, [n, n] each."""
    cost, worth = 0 * d, 0 * d
    for i, j in combinations(range(len(d)), 2):
        rows, columns = np.flatnonzero(P[i]), np.flatnonzero(P[j])
        between = d[np.ix_(rows, columns)]
        if is_exact(P):
            found = couple_exactly(P[i, rows], P[j, columns], between)
            above, below = found.cost, found.worth
        else:
            moved = couple(P[i, rows], P[j, columns], np.ascontiguousarray(between))
            above, below = moved.value, moved.value - moved.gap
        cost[i, j] = cost[j, i] = above
        worth[i, j] = worth[j, i] = below
    return cost, worth


def operator_bounds(laws: Laws, rewards: Laws, gamma: Any, d: Any) -> tuple[Any, Any]:
    """``B(d)`` from couplings and from potentials, [n, n] each: the two sides of its proof."""
    above, below = [], []
    for P, r in zip(laws, rewards, strict=True):
        cost, worth = transport_bounds(P, d)
        apart = np.abs(np.subtract.outer(r, r))
        above.append(apart + gamma * cost)
        below.append(apart + gamma * worth)
    return np.max(np.stack(above), axis=0), np.max(np.stack(below), axis=0)


def _exact_metric(laws: Laws, rewards: Laws, gamma: Any) -> Any:
    n = len(rewards[0])
    pairs = list(combinations(range(n), 2))
    now = [np.abs(np.subtract.outer(r, r)) for r in rewards]
    actions = dict.fromkeys(pairs, 0)
    d = 0 * now[0]
    while True:
        d = _best_couplings(laws, now, gamma, actions, d)
        each = [apart + gamma * transport_bounds(P, d)[0] for P, apart in zip(laws, now, strict=True)]
        better = {p: max(range(len(laws)), key=lambda a: each[a][p]) for p in pairs}
        switched = {p: a for p, a in better.items() if each[a][p] > d[p]}
        if not switched:
            return d
        actions.update(switched)


def _best_couplings(laws: Laws, now: Laws, gamma: Any, actions: dict[tuple[int, int], int], d: Any) -> Any:
    """The fixed point for one action at each two points: couplings are improved until none is cheaper."""
    index = {pair: k for k, pair in enumerate(actions)}
    start = True
    while True:
        moves = 0 * identity(len(actions), True)
        reward = np.array([now[a][pair] for pair, a in actions.items()], dtype=object)
        value = reward.copy()
        for (i, j), a in actions.items():
            rows, columns = np.flatnonzero(laws[a][i]), np.flatnonzero(laws[a][j])
            found = couple_exactly(laws[a][i, rows], laws[a][j, columns], d[np.ix_(rows, columns)])
            value[index[i, j]] += gamma * found.cost
            for k, l in zip(*np.nonzero(found.mass), strict=True):  # noqa: E741
                x, y = sorted((int(rows[k]), int(columns[l])))
                if x != y:
                    moves[index[i, j], index[x, y]] += found.mass[k, l]
        if not start and all(value[k] == d[pair] for pair, k in index.items()):
            return d
        solved = solve(identity(len(actions), True) - gamma * moves, reward) if actions else reward
        d = d.copy()
        for (i, j), k in index.items():
            d[i, j] = d[j, i] = solved[k]
        start = False
