"""Simulators behind one small interface: flat observations, actions in [-1, 1], repeated actions, seeded episodes."""

import logging
import os
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.control.tasks import Task
from tabular_krope.extras import needed


class Simulator:
    """One episode at a time of a task.

    Attributes:
        n_observations, n_actions: lengths of an observation and an action.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        begin = {"dmc": _dm_control, "gymnasium": _gymnasium}[task.suite]
        self._reset, self._step, self.n_observations, self.n_actions = begin(task)

    def reset(self, seed: int) -> Array:
        """Start the episode of ``seed``; its first observation, [n_observations]."""
        return self._reset(seed)

    def step(self, action: Array) -> tuple[Array, float, bool, bool]:
        """One decision: next observation, summed reward, whether the episode ended, whether its time was up."""
        total = 0.0
        for _ in range(self.task.action_repeat):
            observation, reward, ended, late = self._step(action)
            total += reward
            if ended or late:
                break
        return observation, total, ended, late


def _hear_warnings() -> None:
    """Take MuJoCo's warnings: its own way is a log file in whatever folder the user stands in."""
    needed("mujoco").set_mju_user_warning(_warn)


def _warn(message: str) -> None:
    if "deprecated" not in message:  # of the models that the suites bring along; nothing a user could change
        warnings.warn(f"MuJoCo: {message.strip()}", RuntimeWarning, stacklevel=2)


Parts = tuple[Callable[[int], Array], Callable[[Array], tuple[Array, float, bool, bool]], int, int]


def _dm_control(task: Task) -> Parts:
    # No picture is ever drawn, so no display is needed; read when dm_control is loaded.
    os.environ.setdefault("MUJOCO_GL", "disable")
    logging.getLogger("absl").setLevel(logging.ERROR)  # a deprecation in dm_control's own models
    suite = needed("dm_control.suite")
    _hear_warnings()
    environment = suite.load(task.domain, task.task, task_kwargs={"random": 0})

    def flat(observation: Any) -> Array:
        return np.concatenate([np.ravel(part) for part in observation.values()]).astype(np.float64)

    def reset(seed: int) -> Array:
        environment.task.random.seed(seed)
        return flat(environment.reset().observation)

    def step(action: Array) -> tuple[Array, float, bool, bool]:
        at = environment.step(action)
        # The suite's last step has discount 1 when the time is up and 0 when the episode ended.
        return flat(at.observation), float(at.reward), at.last() and at.discount == 0.0, at.last() and at.discount > 0.0

    return reset, step, len(reset(0)), int(environment.action_spec().shape[0])


def _gymnasium(task: Task) -> Parts:
    _hear_warnings()
    needed("imageio")  # gymnasium's own message would not name our extra
    environment = needed("gymnasium").make(task.domain)

    def reset(seed: int) -> Array:
        return np.asarray(environment.reset(seed=seed)[0], dtype=np.float64)

    def step(action: Array) -> tuple[Array, float, bool, bool]:
        observation, reward, ended, late, _ = environment.step(action)
        return np.asarray(observation, dtype=np.float64), float(reward), bool(ended), bool(late and not ended)

    return reset, step, len(reset(0)), int(np.prod(environment.action_space.shape))
