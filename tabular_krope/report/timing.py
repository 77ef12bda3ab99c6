"""CPU times of short jobs: medians, and batches of what a clock could not tell apart.

CPU time, not the time on the wall: with one thread they are the same on an idle machine, and a busy one disturbs CPU
time less.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

#: Seconds that a repetition of a batch lasts at least, by as many runs as that takes, up to a limit.
SHORTEST, MOST_RUNS = 0.02, 50


def median_time(actions: Sequence[Callable[[], Any]]) -> tuple[float, Any]:
    """Median of the CPU seconds that the actions take, one after the other, and what the last one returned.

    >>> median_time([lambda: "first", lambda: "last"])[1]
    'last'
    """
    times, value = [], None
    for action in actions:
        start = time.process_time()
        value = action()
        times.append(time.process_time() - start)
    return float(np.median(times)), value


def medians_in_turn(sides: Sequence[Sequence[Callable[[], Any]]]) -> list[tuple[float, Any]]:
    """`median_time` of each side, whose actions, as many on each, take turns: what disturbs one disturbs the others.

    >>> [value for _, value in medians_in_turn([[lambda: "a"] * 3, [lambda: "b"] * 3])]
    ['a', 'b']
    """
    times, values = np.empty((len(sides[0]), len(sides))), [None] * len(sides)
    for k, actions in enumerate(zip(*sides, strict=True)):
        for side, action in enumerate(actions):
            times[k, side], values[side] = median_time([action])
    return [(float(np.median(times[:, side])), value) for side, value in enumerate(values)]


def batch_time(action: Callable[[], Any], repeats: int) -> float:
    """CPU seconds of one run of ``action``: the median over repetitions that are long enough to be timed.

    >>> batch_time(lambda: None, repeats=3) < 0.01
    True
    """
    once = median_time([action])[0]
    runs = int(np.clip(np.ceil(SHORTEST / max(once, 1e-9)), 1, MOST_RUNS))

    def several() -> None:
        for _ in range(runs):
            action()

    return median_time([several] * repeats)[0] / runs
