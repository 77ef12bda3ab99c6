r"""What a time limit takes from a Monte Carlo value: the discounted reward after the last decision of an episode.

LSPE and FQE bootstrap through time limits, so they estimate the value without one. The two differ by $\gamma^T$ times
the value at the limit: with $\gamma = 0.99$ and DM Control's $T = 500$ decisions, 0.7% of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tabular_krope.control.tasks import TARGET
from tabular_krope.data.continuous import ContinuousDataset


def longest_cut(infos: Mapping[str, np.ndarray]) -> int | None:
    """Decisions of the longest episode that was cut by its time limit; None where none was.

    >>> longest_cut({"remaining": np.array([3, 2, 1, 9]), "ends": np.array([0, 0, 0, 1])})
    3
    """
    cut = infos["remaining"][~infos["ends"].astype(bool)]
    return int(cut.max()) if len(cut) and cut.min() > 0 and np.isfinite(cut.max()) else None


def reward_beyond(rows: ContinuousDataset, infos: Mapping[str, np.ndarray], roles: Sequence[Any], limit: int) -> float:
    r"""Discounted reward of the target policy after ``limit`` decisions, $\gamma^T |\bar r|/(1 - \gamma)$.

    The level $\bar r$ is its mean reward over the last $1/(1 - \gamma)$ decisions before the limit that are on file;
    where it acted in none of them, the largest reward of the data, which makes this a bound.

    Args:
        rows: the transitions.
        infos: ``behaviour``, ``remaining`` and ``ends`` of each, or nothing.
        roles: what the numbers of ``behaviour`` mean.
        limit: decisions of an episode, T.
    """
    if rows.gamma == 1:
        return 0.0  # what has no discounted value beyond the limit has no estimate of it
    level = float(np.abs(rows.rewards).max())
    if infos and TARGET in roles:
        late = (infos["behaviour"] == roles.index(TARGET)) & ~infos["ends"].astype(bool)
        if late.any():
            left = infos["remaining"]
            last = late & (left < left[late].min() + 1 / (1 - rows.gamma))
            level = abs(float(rows.rewards[last].mean()))
    return float(rows.gamma**limit * level / (1 - rows.gamma))
