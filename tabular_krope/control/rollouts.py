"""Episodes of a policy in a task, several simulators in step, and the discounted values they give.

Episode ``k`` of a seed depends on (seed, k) alone: it has a start and noise of its own, whatever runs beside it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array
from tabular_krope.control.simulators import Simulator
from tabular_krope.control.tasks import Task

FLOAT_MAX = float(np.finfo(np.float64).max)
#: Simulators that take a decision together; the policy then costs one call for all.
WIDTH = 20


class Acts(Protocol):
    """What a rollout needs of a policy."""

    def act(self, observations: Array, noise: Array) -> Array:
        """Actions [n, a] at observations [n, o] from standard normal noise [n, a]."""


@dataclass(frozen=True, slots=True, eq=False)
class Episode:
    """One episode of T decisions.

    Attributes:
        observations: all T + 1 of them, [T + 1, o].
        actions: [T, a].
        rewards: [T].
        ended: whether it ended by itself; False if the time was up.
    """

    observations: Array
    actions: Array
    rewards: Array
    ended: bool

    def discounted_return(self, gamma: float) -> float:
        r"""$\sum_t \gamma^t r_t$.

        >>> Episode(np.zeros((3, 1)), np.zeros((2, 1)), np.array([1.0, 2.0]), True).discounted_return(0.5)
        2.0
        """
        return float(self.rewards @ gamma ** np.arange(len(self.rewards)))


@dataclass(frozen=True, slots=True)
class MonteCarloValue:
    """Mean discounted return and its standard error over ``episodes`` episodes from the task's starts."""

    mean: float
    error: float
    episodes: int

    @classmethod
    def of(cls, returns: Array) -> "MonteCarloValue":
        """From discounted returns [n].

        >>> MonteCarloValue.of(np.array([1.0, 3.0]))
        MonteCarloValue(mean=2.0, error=1.0, episodes=2)
        """
        n = len(returns)
        return cls(float(returns.mean()), float(returns.std(ddof=1) / sqrt(n)) if n > 1 else float("nan"), n)


def read_values(stored: Mapping[str, Any]) -> dict[str, MonteCarloValue]:
    """Values by role as a file has them; ValueError or TypeError where one is not three finite numbers.

    >>> read_values({"target": {"mean": 2, "error": 0.5, "episodes": 300}})
    {'target': MonteCarloValue(mean=2.0, error=0.5, episodes=300)}
    """
    found = {}
    for role, fields in stored.items():
        value = MonteCarloValue(**fields)
        for name, number in asdict(value).items():
            numeric = isinstance(number, int | float) and not isinstance(number, bool)
            if not numeric or not abs(number) <= FLOAT_MAX or (number < 0 and name != "mean"):
                raise ValueError(f"{number!r} for {role} ({name})")
        found[str(role)] = MonteCarloValue(float(value.mean), float(value.error), value.episodes)
    return found


def episode_streams(seed: int, episode: int) -> tuple[int, np.random.Generator]:
    """Seed of the simulator and random generator of the policy for one episode."""
    start, noise = np.random.SeedSequence([seed, episode]).spawn(2)
    return int(start.generate_state(1)[0]), np.random.default_rng(noise)


def episodes(task: Task, policy: Acts, seed: int, first: int = 0, width: int = WIDTH) -> Iterator[Episode]:
    """Episodes number ``first``, ``first + 1``, ... of a seed, without end."""
    simulators = [Simulator(task) for _ in range(width)]
    while True:
        yield from _together(simulators, policy, seed, first)
        first += width


def monte_carlo(task: Task, policy: Acts, count: int, seed: int) -> MonteCarloValue:
    """The policy's discounted value over ``count`` episodes."""
    from itertools import islice

    run = islice(episodes(task, policy, seed, width=min(WIDTH, count)), count)
    return MonteCarloValue.of(np.array([one.discounted_return(task.gamma) for one in run]))


def _together(simulators: list[Simulator], policy: Acts, seed: int, first: int) -> list[Episode]:
    streams = [episode_streams(seed, first + k) for k in range(len(simulators))]
    now = [simulator.reset(start) for simulator, (start, _) in zip(simulators, streams, strict=True)]
    seen: list[list[Array]] = [[observation] for observation in now]
    acted: list[list[Array]] = [[] for _ in simulators]
    paid: list[list[float]] = [[] for _ in simulators]
    ended = [False] * len(simulators)
    running = list(range(len(simulators)))
    while running:
        noise: NDArray[np.float64] = np.stack([streams[k][1].standard_normal(simulators[k].n_actions) for k in running])
        actions = policy.act(np.stack([seen[k][-1] for k in running]), noise)
        still = []
        for k, action in zip(running, actions, strict=True):
            observation, reward, ended[k], late = simulators[k].step(action)
            seen[k].append(observation)
            acted[k].append(action)
            paid[k].append(reward)
            if not (ended[k] or late):
                still.append(k)
        running = still
    return [Episode(np.array(seen[k]), np.array(acted[k]), np.array(paid[k]), ended[k]) for k in range(len(simulators))]
