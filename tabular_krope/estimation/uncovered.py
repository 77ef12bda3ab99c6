"""Where the data do not cover the target policy: which states, which actions.

- Tabular: pairs to which the target steps after the data's transitions, and that have no data of their own.
- Continuous: a successor of the target is *new* if its nearest transition of the data is farther away than that of 95%
  of the data themselves (in standard deviations, over a sample, rows of one episode not counted). Named are the
  columns of state and action in which new successors differ most from what is nearest to them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.estimation.transitions import TabularTransitions, Transitions
from tabular_krope.evaluation.bootstrap import groups_of

#: Rows that are looked at, and rows among which their nearest is sought.
LOOKED_AT, SOUGHT_AMONG = 1_000, 20_000
#: Share of the data that counts as near.
NEAR = 0.95
#: Columns or pairs that are named.
NAMED = 5


@dataclass(frozen=True, slots=True)
class Uncovered:
    """A direction, or a pair, that the data do not cover.

    Attributes:
        name: of the column of the inputs, or of the pair.
        share: of the target's steps that are new because of it: for a column its share in the squared distances, times
            the share of new successors; for a pair the share of steps to it.
        shift: how far the new successors lie from the nearest data in that column, in its standard deviations, with
            the sign of the mean; NaN for pairs.
        low, high: the middle 90% of the new successors in that column; NaN for pairs.
    """

    name: str
    share: float
    shift: float
    low: float
    high: float


def uncovered(rows: Transitions, weights: Array, seed: int = 0) -> tuple[Uncovered, ...]:
    """The directions that are not covered, the worst first; at most five.

    Args:
        rows: the transitions.
        weights: dual weights of the estimate, [n]: where they are large the target policy goes.
        seed: of the sample.

    >>> from tabular_krope.data.dataset import Dataset
    >>> from tabular_krope.estimation.transitions import transitions_of
    >>> data = Dataset(s=[0, 1], a=[0, 0], r=[0.0, 1.0], s_next=[1, 0], done=[False] * 2, n_states=2, n_actions=2,
    ...                gamma=0.9)
    >>> rows = transitions_of(data, [[1.0, 0.0], [0.0, 1.0]])
    >>> [(one.name, one.share) for one in uncovered(rows, np.ones(2))]
    [('state 1, action 1', 0.5)]
    """
    if isinstance(rows, TabularTransitions):
        return _pairs(rows)
    return _columns(rows, weights, np.random.default_rng([seed, 17]))


def _pairs(rows: TabularTransitions) -> tuple[Uncovered, ...]:
    S, A = rows.probs.shape
    seen = (np.bincount(rows.data.pairs, minlength=S * A) > 0).reshape(S, A)
    goes_on = ~rows.data.done
    visits = np.bincount(rows.data.s_next[goes_on], minlength=S) / max(int(goes_on.sum()), 1)
    share = visits[:, None] * rows.probs * ~seen
    worst = np.argsort(-share, axis=None, kind="stable")[:NAMED]
    nan = float("nan")
    return tuple(
        Uncovered(f"state {at // A}, action {at % A}", float(share.flat[at]), nan, nan, nan)
        for at in worst
        if share.flat[at] > 0
    )


def _columns(rows: Transitions, weights: Array, rng: np.random.Generator) -> tuple[Uncovered, ...]:
    center, scale = rows.inputs.mean(axis=0), rows.inputs.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    after, follows = rows.after()
    if len(after) == 0:
        return ()
    likely = np.maximum(weights[follows], 0.0)
    likely = likely / likely.sum() if likely.sum() > 0 else np.full(len(follows), 1 / len(follows))
    at = rng.choice(len(after), LOOKED_AT, p=likely)
    among = rng.choice(len(rows.inputs), min(SOUGHT_AMONG, len(rows.inputs)), replace=False)
    held = rng.choice(len(rows.inputs), LOOKED_AT)
    group = groups_of(rows.episodes).of_row
    data = (rows.inputs[among] - center) / scale
    usual, _ = _nearest((rows.inputs[held] - center) / scale, data, group[held], group[among])
    x = (after[at] - center) / scale
    distance, near = _nearest(x, data, group[follows[at]], group[among])
    new = distance > np.quantile(usual, NEAR)
    if not new.any():
        return ()
    gap = x[new] - data[near[new]]
    by_column = (gap**2).mean(axis=0)
    share = by_column / by_column.sum() * new.mean()
    values = after[at][new]
    low, high = np.quantile(values, 0.05, axis=0), np.quantile(values, 0.95, axis=0)
    return tuple(
        Uncovered(
            rows.names[j],
            float(share[j]),
            float(np.sign(gap[:, j].mean()) * np.sqrt(by_column[j])),
            float(low[j]),
            float(high[j]),
        )
        for j in np.argsort(-share, kind="stable")[:NAMED]
        if share[j] > 0
    )


def _nearest(x: Array, data: Array, own: Any, groups: Any) -> tuple[Array, Any]:
    """Distance to the nearest of ``data`` in another group of rows, [m], and its number, [m]."""
    squares = (data**2).sum(axis=1)
    distance, near = np.empty(len(x)), np.empty(len(x), dtype=np.int64)
    for start in range(0, len(x), 256):
        rows = slice(start, start + 256)
        gaps = squares - 2 * x[rows] @ data.T
        gaps[own[rows, None] == groups] = np.inf  # neighbors in time are near for no reason of coverage
        near[rows] = gaps.argmin(axis=1)
        distance[rows] = gaps[np.arange(len(gaps)), near[rows]] + (x[rows] ** 2).sum(axis=1)
    return np.sqrt(np.maximum(distance, 0.0)), near
