"""Small data sets for tests of files."""

import numpy as np

from tabular_krope.data.continuous import BY_TRANSITION, ContinuousDataset
from tabular_krope.data.dataset import Dataset


def continuous_data(n=7, seed=0, everything=False):
    rng = np.random.default_rng(seed)
    more = {}
    if everything:
        more = {"next_actions": rng.standard_normal((n, 2)), "features": rng.standard_normal((n, 4)),
                "next_features": rng.standard_normal((n, 4)), "initial_observations": rng.standard_normal((2, 3)),
                "initial_actions": rng.standard_normal((2, 2)),
                "initial_features": rng.standard_normal((2, 4))}  # fmt: skip
    rewards = rng.standard_normal(n)
    rewards[:3] = -0.0, 5e-324, 1 / 3
    return ContinuousDataset(
        rng.standard_normal((n, 3)), rng.standard_normal((n, 2)), rewards, rng.standard_normal((n, 3)),
        rng.random(n) < 0.3, 0.9, rng.random(n) < 0.2, **more,
    )  # fmt: skip


def tabular_data(n=9, seed=0, d0=None, S=4, A=2):
    rng = np.random.default_rng(seed)
    r = rng.standard_normal(n)
    r[:3] = -0.0, 5e-324, 1e308
    return Dataset(
        rng.integers(S, size=n),
        rng.integers(A, size=n),
        r,
        rng.integers(S, size=n),
        rng.random(n) < 0.3,
        S,
        A,
        0.1 + 0.2,
        d0,
    )


def arrays(data, *without):
    values = {name: getattr(data, name) for name in BY_TRANSITION if name not in without}
    return {name: value for name, value in values.items() if value is not None}


#: A small data set in D4RL's layout, by field.
GOOD = {"observations": [[0.0], [1.0]], "actions": [[0.0], [1.0]], "rewards": [1.0, 2.0],
        "next_observations": [[1.0], [2.0]], "terminals": [False, True], "gamma": 0.9}  # fmt: skip
FIELDS = arrays(ContinuousDataset(**GOOD), "timeouts")
