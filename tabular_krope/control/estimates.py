"""The closed-form estimate of a control data set: its value, its verdict, and its error where the truth is known."""

from collections.abc import Callable
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np

from tabular_krope.control.control_data import ControlData
from tabular_krope.estimation.estimate import Estimate, estimate
from tabular_krope.estimation.transitions import ContinuousTransitions


@dataclass(frozen=True, slots=True, eq=False)
class ControlEstimate:
    """An estimate beside the truth.

    Attributes:
        name: of the data set.
        estimate: what the data say.
        true_value, random_value: Monte Carlo means; NaN where nobody knows them.
        error: squared difference to the true value over that of the random policy's value; NaN where unknown.
        beyond: discounted reward after the time limit, which the true value leaves out.
    """

    name: str
    estimate: Estimate
    true_value: float
    random_value: float
    error: float
    beyond: float


def control_transitions(data: ControlData) -> ContinuousTransitions:
    """The transitions of a control data set; one after which the time was up goes on."""
    names = [f"observation[{i}]" for i in range(data.observations.shape[1])]
    names += [f"action[{i}]" for i in range(data.actions.shape[1])]
    over = (data.alive == 0) if data.cut is None else (data.alive == 0) | (data.cut == 1)
    episodes = np.concatenate([[0], np.cumsum(over)[:-1]]).astype(np.int64)
    return ContinuousTransitions(
        gamma=data.gamma,
        r=data.rewards,
        episodes=episodes,
        inputs=data.pairs(),
        next_inputs=data.next_pairs(),
        alive=data.alive,
        starts=data.initial_pairs(),
        names=tuple(names),
        start="the given starts",
        policy="given by its next actions",
    )


def control_estimate(
    data: ControlData, progress: Callable[[int], None] = lambda done: None, **how: Any
) -> ControlEstimate:
    """The estimate of a control data set; errors are measured against the random policy's value where it is known.

    Args:
        data: the data set. Its target value is compared with, and nothing else depends on it.
        progress: called with the number of draws done.
        how: as in `estimate`.
    """
    reference = None if data.random_value is None else data.random_value.mean
    found = estimate(control_transitions(data), "union", reference=reference, progress=progress, **how)
    true = nan if data.target_value is None else data.target_value.mean
    error = nan
    if reference is not None and data.target_value is not None and reference != true:
        error = ((found.value - true) / (reference - true)) ** 2
    return ControlEstimate(data.name, found, true, nan if reference is None else reference, error, data.beyond)
