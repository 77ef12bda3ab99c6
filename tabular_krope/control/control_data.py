"""Transitions of continuous control, with the target policy's next actions, starts and values.

A next observation after the end of an episode is never bootstrapped on (``alive`` is 0); one after its time was up is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tabular_krope.arrays import Array, frozen_array, refuse_where, require_gamma
from tabular_krope.control.rollouts import MonteCarloValue
from tabular_krope.errors import KropeError

#: Training is in float32: beyond this the squares of a minibatch, or of a few of its values, would not fit.
LARGEST = 1e15
LIMITED = (
    "observations",
    "actions",
    "rewards",
    "next_observations",
    "next_actions",
    "initial_observations",
    "initial_actions",
)


@dataclass(frozen=True, slots=True, eq=False)
class ControlData:
    """An offline data set for the evaluation of one target policy.

    Attributes:
        name: of the data set.
        observations: [n, o].
        actions: [n, a].
        rewards: [n].
        next_observations: [n, o].
        next_actions: drawn once from the target policy, [n, a].
        alive: 0 where the episode ended, [n].
        initial_observations: starts of the task, [m, o].
        initial_actions: drawn from the target policy, [m, a].
        gamma: discount of one decision.
        target_value: the target policy's discounted value; None where nobody knows it.
        random_value: the random policy's.
        target_rows: rows where the target policy acted and most of the discounted return is on file, [k].
        target_returns: discounted rewards from those rows to the end of their episodes, [k]; samples of q.
        provenance: how the data came to be.
        beyond: discounted reward that the target's value leaves out, an estimate: its episodes are cut by a time limit,
            while what is learned from the data goes on. 0 where nothing is known of it.
        cut: 1 where the episode went no further though it had not ended (a time limit), [n]; None: nowhere.
    """

    name: str
    observations: Array
    actions: Array
    rewards: Array
    next_observations: Array
    next_actions: Array
    alive: Array
    initial_observations: Array
    initial_actions: Array
    gamma: float
    target_value: MonteCarloValue | None = None
    random_value: MonteCarloValue | None = None
    target_rows: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    target_returns: Array = field(default_factory=lambda: np.zeros(0))
    provenance: Mapping[str, Any] = field(default_factory=dict)
    beyond: float = 0.0
    cut: Array | None = None

    def __post_init__(self) -> None:
        observations = frozen_array(self.observations, "observations", (None, None))
        n, o = observations.shape
        if n < 2 or o < 1:
            raise KropeError(f"observations must have at least 2 rows and 1 column; got shape {observations.shape}")
        actions = frozen_array(self.actions, "actions", (n, None))
        a = actions.shape[1]
        starts = frozen_array(self.initial_observations, "initial_observations", (None, o))
        if not len(starts):
            raise KropeError("initial_observations must have at least one row; got none")
        fields: dict[str, Any] = {
            "observations": observations,
            "actions": actions,
            "rewards": frozen_array(self.rewards, "rewards", (n,)),
            "next_observations": frozen_array(self.next_observations, "next_observations", (n, o)),
            "next_actions": frozen_array(self.next_actions, "next_actions", (n, a)),
            "alive": frozen_array(self.alive, "alive", (n,)),
            "initial_observations": starts,
            "initial_actions": frozen_array(self.initial_actions, "initial_actions", (len(starts), a)),
            "gamma": require_gamma(self.gamma),
            "target_returns": frozen_array(self.target_returns, "target_returns", (len(self.target_rows),)),
        }
        fields["cut"] = frozen_array(np.zeros(n) if self.cut is None else self.cut, "cut", (n,))
        refuse_where((fields["alive"] != 0) & (fields["alive"] != 1), fields["alive"], "alive", "be 0 or 1")
        for name in LIMITED:
            too_large = ~(np.abs(fields[name]) <= LARGEST)
            refuse_where(too_large, fields[name], name, f"be at most {LARGEST:g} in size, to be squared in float32")
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.rewards)

    @property
    def n_inputs(self) -> int:
        """Dimensions of state and action together."""
        return int(self.observations.shape[1] + self.actions.shape[1])

    def pairs(self) -> Array:
        """State-action pairs, [n, o + a]."""
        return np.hstack([self.observations, self.actions])

    def next_pairs(self) -> Array:
        """Next pairs under the target policy, [n, o + a]; mask them by ``alive``."""
        return np.hstack([self.next_observations, self.next_actions])

    def initial_pairs(self) -> Array:
        """Start pairs, [m, o + a]."""
        return np.hstack([self.initial_observations, self.initial_actions])
