"""What else a crossed chain is made of: patterns of rewards, reward ranges and data distributions, by name."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
from flint import fmpq

#: Rewards of ``n`` pairs by pattern, with the word under which a pattern is counted.
REWARDS: Mapping[str, tuple[str, Callable[[int], Any]]] = MappingProxyType(
    {
        "counting": ("distinct", np.arange),
        "first": ("two-valued", lambda n: np.arange(n) == 0),
        "alternating": ("two-valued", lambda n: np.arange(n) % 2),
        "last": ("two-valued", lambda n: np.arange(n) == n - 1),
        "in twos": ("tied", lambda n: np.arange(n) // 2),
        "all": ("tied", lambda n: np.ones(n, dtype=np.int64)),
        "all but last": ("two-valued", lambda n: np.arange(n) < n - 1),
        "signs": ("tied", lambda n: (np.arange(n) == 0) * 1 - (np.arange(n) == 1) * 1),
    }
)
#: Numbers in proportion to the data on ``n`` pairs by pattern, with the word under which a pattern is counted.
DATA: Mapping[str, tuple[str, Callable[[int], Any]]] = MappingProxyType(
    {
        "uniform": ("uniform", lambda n: np.ones(n, dtype=np.int64)),
        "last": ("one-hot", lambda n: (np.arange(n) == n - 1).astype(np.int64)),
        "rising": ("skewed", lambda n: np.arange(1, n + 1)),
        "first": ("one-hot", lambda n: (np.arange(n) == 0).astype(np.int64)),
        "first two": ("skewed", lambda n: (np.arange(n) < 2).astype(np.int64)),
        "heavy": ("skewed", lambda n: np.where(np.arange(n) == 0, n * n, 1)),
    }
)
#: How much of their own range is added to the reward range, below and above.
RANGES: Mapping[str, tuple[fmpq, fmpq] | None] = MappingProxyType(
    {
        "own": None,
        "doubled": (fmpq(0), fmpq(1)),
        "hundredfold": (fmpq(50), fmpq(49)),
        "barely wider": (fmpq(0), fmpq(1, 1000)),
    }
)


@lru_cache(maxsize=1024)
def rewards(pattern: str, n: int) -> tuple[fmpq, ...]:
    """The rewards of a pattern on ``n`` pairs.

    >>> rewards("in twos", 5)
    (0, 0, 1, 1, 2)
    """
    return tuple(fmpq(int(value)) for value in REWARDS[pattern][1](n))


def reward_range(pattern: str | fmpq, r: tuple[fmpq, ...]) -> tuple[fmpq, fmpq] | None:
    """The reward range of a pattern for given rewards, or that many times their own range; None for their own.

    Constant rewards are widened by ones.

    >>> reward_range("doubled", (fmpq(0), fmpq(3))), reward_range(fmpq(4, 3), (fmpq(0), fmpq(3)))
    ((0, 6), (0, 4))
    """
    added = RANGES[pattern] if isinstance(pattern, str) else (fmpq(0), pattern - 1)
    if added is None:
        return None
    low, high = min(r), max(r)
    spread = high - low if high > low else fmpq(1)
    return low - added[0] * spread, high + added[1] * spread
