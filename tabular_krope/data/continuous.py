"""Offline data with real-valued observations and actions, in the layout of D4RL."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array, frozen_array, require_count, require_gamma, shape_of
from tabular_krope.errors import KropeError

#: Arrays with a row for each transition, and those with a row for each start.
BY_TRANSITION = (
    "observations",
    "actions",
    "rewards",
    "next_observations",
    "terminals",
    "timeouts",
    "next_actions",
    "features",
    "next_features",
)
BY_START = ("initial_observations", "initial_actions", "initial_features")
#: Rows of a block, unless asked for otherwise.
BLOCK = 65_536


@dataclass(frozen=True, slots=True, eq=False)
class ContinuousDataset:
    """Transitions of a continuous problem, validated and immutable.

    Args:
        observations, actions: what was seen and done, [n, p] and [n, k]; vectors count as one column.
        rewards: [n].
        next_observations: what was seen next, [n, p]; without meaning where ``terminals``.
        terminals: whether the episode ended, so that the next value is zero, [n].
        gamma: discount factor in [0, 1].
        timeouts: whether the episode was cut off after the transition though it had not ended, [n]; never if None.
        next_actions: an action of the *target* policy in each next observation, [n, k]; None if not known.
        features, next_features: features of (observation, action) and of (next observation, next action), [n, d].
        initial_observations, initial_actions, initial_features: starts of episodes under the target policy, [m, ...].

    >>> data = ContinuousDataset(observations=[[0.0], [1.0]], actions=[0.5, -0.5], rewards=[1, 2],
    ...                          next_observations=[[1.0], [2.0]], terminals=[False, True], gamma=0.9)
    >>> len(data), data.actions.shape, data.episodes
    (2, (2, 1), array([0, 0]))
    """

    observations: Array
    actions: Array
    rewards: Array
    next_observations: Array
    terminals: NDArray[np.bool_]
    gamma: float
    timeouts: NDArray[np.bool_] = None  # type: ignore[assignment]
    next_actions: Array | None = None
    features: Array | None = None
    next_features: Array | None = None
    initial_observations: Array | None = None
    initial_actions: Array | None = None
    initial_features: Array | None = None

    def __post_init__(self) -> None:
        put = object.__setattr__
        observations = _rows(self.observations, "observations", None, None)
        n, p = observations.shape
        actions = _rows(self.actions, "actions", n, None)
        put(self, "observations", observations)
        put(self, "actions", actions)
        put(self, "rewards", frozen_array(self.rewards, "rewards", (n,)))
        put(self, "next_observations", _rows(self.next_observations, "next_observations", n, p))
        put(self, "terminals", _flags(self.terminals, "terminals", n))
        put(self, "timeouts", _flags(np.zeros(n, bool) if self.timeouts is None else self.timeouts, "timeouts", n))
        put(self, "gamma", require_gamma(self.gamma))
        d = None if self.features is None else (*shape_of(self.features, "features"), 1, 1)[1]
        widths = {"next_actions": actions.shape[1], "features": d, "next_features": d}
        widths |= {"initial_observations": p, "initial_actions": actions.shape[1], "initial_features": d}
        starts = None
        for name, width in widths.items():
            value = getattr(self, name)
            if value is None:
                continue
            rows = _rows(value, name, n if name in BY_TRANSITION else starts, width)
            if name in BY_START:
                starts = len(rows)
            put(self, name, rows)
        if self.features is None and not (self.next_features is None and self.initial_features is None):
            raise KropeError("features must be given when next_features or initial_features are; got none")

    def __len__(self) -> int:
        return len(self.rewards)

    @property
    def episodes(self) -> NDArray[np.int64]:
        """The episode of each transition, [n]: a new one begins after every terminal and every timeout."""
        over = self.terminals | self.timeouts
        return np.concatenate([[0], np.cumsum(over)[:-1]]).astype(np.int64)

    def rows(self, part: Any) -> "ContinuousDataset":
        """The transitions ``part`` (a slice or indices), with the same starts."""
        values = {name: getattr(self, name) for name in BY_TRANSITION}
        cut: dict[str, Any] = {name: None if value is None else value[part] for name, value in values.items()}
        return ContinuousDataset(**cut, gamma=self.gamma, **{name: getattr(self, name) for name in BY_START})

    def blocks(self, size: int = BLOCK) -> Iterator["ContinuousDataset"]:
        """The transitions in blocks of ``size``, in order."""
        for at in range(0, len(self), require_count(size, "size")):
            yield self.rows(slice(at, at + size))


def _rows(value: Any, name: str, n: int | None, width: int | None) -> Array:
    if value is None:
        raise KropeError(f"{name} must be given; got None")
    shape = shape_of(value, name)
    array = frozen_array(value, name, (n,) if len(shape) == 1 else (n, width))
    if array.ndim == 1:
        array = array[:, None]
        if width not in (None, 1):
            raise KropeError(f"{name} must have {width} columns; got one")
    if 0 in array.shape:
        raise KropeError(f"{name} must have at least one row and one column; got shape {array.shape}")
    return array


def _flags(value: Any, name: str, n: int) -> NDArray[np.bool_]:
    array = frozen_array(value, name, (n,))  # D4RL has booleans, other files 0.0 and 1.0
    bad = (array != 0) & (array != 1)
    if bad.any():
        i = int(np.argmax(bad))
        raise KropeError(f"{name}[{i}] must be true or false; got {array[i]:.10g}")
    flags = array.astype(np.bool_)
    flags.flags.writeable = False
    return flags
