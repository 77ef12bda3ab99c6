r"""The value estimate on one-hot features of any number of pairs, by sparse solves: see `estimate_on_rows`.

The interval is that of the bootstrap with a Newton step. A row's leverage is, with $K = (I - \gamma \Pi \hat P)^{-1}$
and $\sigma$ the state of its pair x,

$$\frac{1}{c_x}\Big(1 + \gamma\,\pi_x\,\big(\hat P_x K - K_{s'}\big)_\sigma\Big).$$
"""

from typing import Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.evaluation.bootstrap import Scores, groups_of, newton
from tabular_krope.evaluation.pair_rows import PairRows
from tabular_krope.evaluation.pair_spectrum import radius_of_pairs
from tabular_krope.evaluation.value_estimate import ValueEstimate, require_bootstrap, with_interval
from tabular_krope.models.randomness import generator

#: States up to which leverages are computed; beyond, that of a pair is one over how often it occurs.
MOST_STATES = 5000
#: Columns of the inverse that are computed at once.
COLUMNS = 256


def estimate_on_pairs(rows: PairRows, episodes: Any, level: float, replicates: int, seed: Any) -> ValueEstimate:
    """The value estimate of ``rows``, the same that `estimate_on_rows` finds on their features.

    >>> from tabular_krope.evaluation.pair_rows import pair_rows
    >>> rows = pair_rows(np.array([0, 1]), np.array([1, 1]), np.array([False, True]), np.array([0.0, 1.0]), 0.5,
    ...                  np.eye(2), np.array([1.0, 0.0]))
    >>> estimate_on_pairs(rows, episodes=None, level=0.95, replicates=0, seed=0).value
    0.5
    """
    n = len(rows.r)
    numbers = require_bootstrap(level, replicates, episodes, n)
    q, v = rows.model.values()
    value, groups = float(rows.start @ q), groups_of(numbers)
    dual = (rows.model.dual() / rows.counts)[rows.pair]
    next_value = np.where(rows.after >= 0, np.append(v, 0.0)[rows.after], 0.0)
    residuals = dual * (rows.r + rows.gamma * next_value - q[rows.pair])
    scores = Scores.of(dual * rows.r, residuals, leverages(rows), groups)
    again = newton(value, scores, groups, replicates, generator(seed))
    return with_interval(value, level, again, groups, q[rows.pair], q, radius_of_pairs(rows.model))


def leverages(rows: PairRows) -> Array:
    """How far each row fits itself, [n]."""
    leverage = 1.0 / rows.counts[rows.pair]
    if rows.m > MOST_STATES or not rows.m:
        return leverage
    Pi = rows.Pi.tocoo()
    state, target = np.full(rows.k, -1), np.zeros(rows.k)
    state[Pi.col], target[Pi.col] = Pi.row, Pi.data
    for at in range(0, rows.m, COLUMNS):
        block = np.eye(rows.m)[:, at : at + COLUMNS]
        K = rows.model.resolvent.solve(np.ascontiguousarray(block))  # [m, columns]
        PK = np.vstack([K, np.zeros((1, K.shape[1]))])
        mine = np.flatnonzero((state[rows.pair] >= at) & (state[rows.pair] < at + COLUMNS))
        x, column = rows.pair[mine], state[rows.pair[mine]] - at
        through = (rows.model.P @ K)[x, column] - PK[rows.after[mine], column]
        leverage[mine] *= 1.0 + rows.gamma * target[x] * through
    return leverage
