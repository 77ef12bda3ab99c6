r"""How sure an estimate from data is: the Bayesian bootstrap over episodes.

The value estimate solves $(B - \gamma C)\,\theta = c$ with moments $B = \sum_g B_g$ of groups of episodes. A replicate
weights the groups by independent exponential variables of mean 1 (Rubin, 1981) and solves again; the interval is
between quantiles of the replicates. Unlike drawing groups with replacement, no group ever vanishes, so that rare pairs
do not make replicates singular. With more than `MOST_RESOLVED` features a replicate takes one Newton step from the
estimate instead: $v + \sum_g (e_g - 1)\,z^\top (c_g - (B_g - \gamma C_g)\theta)$, $z = (B - \gamma C)^{-\top}\phi_0$.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array

#: Groups of episodes that are weighted together; more would change nothing but the work.
MOST_GROUPS = 200
#: With fewer episodes than this the groups are blocks of consecutive transitions.
FEWEST_EPISODES = 20
#: Features up to which each replicate is solved anew.
MOST_RESOLVED = 128


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Which rows are weighted together.

    Attributes:
        of_row: number of the group of each row, [n].
        count: number of groups.
        unit: what a group consists of: "episodes" or "blocks of transitions".
    """

    of_row: NDArray[np.int64]
    count: int
    unit: str


def groups_of(episodes: NDArray[np.int64]) -> Groups:
    """Groups from the episode of each row, in order: some episodes each, or blocks of rows if there are few episodes.

    >>> groups_of(np.arange(1000)).count, groups_of(np.zeros(1000, dtype=int)).unit
    (200, 'blocks of transitions')
    """
    _, numbered = np.unique(episodes, return_inverse=True)
    many = int(numbered.max()) + 1
    unit = "episodes"
    if many < FEWEST_EPISODES:
        many, unit = len(episodes), "blocks of transitions"
        numbered = np.arange(many)
    count = min(many, MOST_GROUPS)
    return Groups(numbered * count // many, count, unit)


def bootstrap(
    Q: Array, Q_next: Array, r: Array, D: Array, gamma: float, start: Array, groups: Groups, replicates: int, rng: Any
) -> Array:
    """Values at ``start`` of replicates, [replicates].

    Args:
        Q, Q_next: features of the rows and of their successors, in a basis that is orthonormal under ``D``, [n, k].
        r, D: rewards and normalised weights of the rows, [n].
        gamma: discount.
        start: mean features of the starts, [k].
        groups: of the rows.
        replicates: how many.
        rng: a numpy Generator.
    """
    e = rng.exponential(size=(replicates, groups.count))
    order = np.argsort(groups.of_row, kind="stable")
    parts = np.split(order, np.searchsorted(groups.of_row[order], np.arange(1, groups.count)))
    if Q.shape[1] > MOST_RESOLVED:
        return _one_step(Q, Q_next, r, D, gamma, start, parts, e)
    k = Q.shape[1]
    H, c = np.empty((groups.count, k * k)), np.empty((groups.count, k))
    for g, rows in enumerate(parts):
        weighted = D[rows][:, None] * Q[rows]
        H[g] = (weighted.T @ (Q[rows] - gamma * Q_next[rows])).reshape(-1)
        c[g] = weighted.T @ r[rows]
    values = np.empty(replicates)
    for at in range(0, replicates, 64):
        some = e[at : at + 64]
        values[at : at + 64] = _solved((some @ H).reshape(-1, k, k), some @ c) @ start
    return values


def interval(values: Array, value: float, level: float) -> tuple[float, float]:
    """Between the quantiles of the replicates; with fewer than two beyond each, by Student's law of their spread.

    >>> interval(np.arange(101.0), 50.0, 0.9)
    (5.0, 95.0)
    >>> [round(end, 3) for end in interval(np.array([0.0, 2.0]), 1.0, 0.9)]  # 6.314 standard deviations of sqrt(2)
    [-7.929, 9.929]
    """
    if len(values) * (1 - level) >= 4 - 1e-9:
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)
    from scipy.stats import t

    half = float(t.ppf((1 + level) / 2, len(values) - 1) * values.std(ddof=1))
    return value - half, value + half


def _solved(H: Array, c: Array) -> Array:
    try:
        return np.asarray(np.linalg.solve(H, c[:, :, None])[:, :, 0], dtype=np.float64)
    except np.linalg.LinAlgError:  # one of them is singular: take its solution of least norm
        return np.stack([np.linalg.lstsq(h, b, rcond=None)[0] for h, b in zip(H, c, strict=True)])


def _one_step(
    Q: Array, Q_next: Array, r: Array, D: Array, gamma: float, start: Array, parts: list[Any], e: Array
) -> Array:
    difference = Q - gamma * Q_next
    H = Q.T @ (D[:, None] * difference)
    theta = np.linalg.lstsq(H, Q.T @ (D * r), rcond=None)[0]
    z = np.linalg.lstsq(H.T, start, rcond=None)[0]
    by_row = D * (Q @ z) * (r - difference @ theta)
    by_group = np.array([by_row[rows].sum() for rows in parts])
    return np.asarray(float(start @ theta) + (e - 1.0) @ by_group)
