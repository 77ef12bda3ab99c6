"""Transitions under a target policy, as features see them: of any function, its values on rows, successors and starts.

What differs between tabular and continuous data ends here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array
from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.data.continuous_rows import NEEDED, next_actions_of
from tabular_krope.data.dataset import Dataset
from tabular_krope.data.target import by_the_target, tabular_policy
from tabular_krope.errors import KropeError

#: From inputs [n, k] to the values of p functions there, [n, p].
Functions = Callable[[Array], Array]
#: Rows of a block.
BLOCK = 8192


@dataclass(frozen=True, slots=True, eq=False)
class ContinuousTransitions:
    """Rows of continuous data.

    Attributes:
        gamma: discount.
        r: rewards, [n].
        episodes: number of the episode of each row, [n].
        inputs, next_inputs: state and action side by side, of the rows and of their successors, [n, k].
        alive: 0 where the episode ended, [n].
        starts: inputs of the starts, [m, k].
        names: of the columns of the inputs, [k].
        start: whose value is estimated, in words.
        policy: the target policy, in words.
    """

    gamma: float
    r: Array
    episodes: NDArray[np.int64]
    inputs: Array
    next_inputs: Array
    alive: Array
    starts: Array
    names: tuple[str, ...]
    start: str
    policy: str

    def blocks(self, f: Functions) -> Iterator[tuple[Array, Array, Array]]:
        """Values on the rows [m, p] and on their successors [m, p], zero after an end, and rewards [m], in blocks."""
        for at in range(0, len(self.r), BLOCK):
            rows = slice(at, at + BLOCK)
            yield f(self.inputs[rows]), self.alive[rows, None] * f(self.next_inputs[rows]), self.r[rows]

    def at_start(self, f: Functions) -> Array:
        """Mean values over the starts under the target policy, [p]."""
        return np.asarray(f(self.starts).mean(axis=0), dtype=np.float64)

    def after(self) -> tuple[Array, NDArray[np.int64]]:
        """Inputs of successors under the target policy and the rows that they follow, [m, k] and [m]."""
        alive = np.flatnonzero(self.alive).astype(np.int64)
        return self.next_inputs[alive], alive


@dataclass(frozen=True, slots=True, eq=False)
class TabularTransitions:
    """Rows of tabular data; inputs are ``(s, a)``, and successors are averaged over the target's actions.

    Attributes:
        data: the rows.
        probs: the target policy, [S, A].
        inputs, r, gamma, episodes, names, start, policy: as in `ContinuousTransitions`.
    """

    data: Dataset
    probs: Array
    inputs: Array
    r: Array
    gamma: float
    episodes: NDArray[np.int64]
    names: tuple[str, ...]
    start: str
    policy: str

    def blocks(self, f: Functions) -> Iterator[tuple[Array, Array, Array]]:
        """Values on the rows, on their successors, and rewards, in blocks; see `ContinuousTransitions.blocks`."""
        table = f(self._pairs())
        by_state = np.einsum("sa,sap->sp", self.probs, table.reshape(*self.probs.shape, -1))
        alive, pairs = 1.0 - self.data.done, self.data.pairs
        for at in range(0, len(self.r), BLOCK):
            rows = slice(at, at + BLOCK)
            yield table[pairs[rows]], alive[rows, None] * by_state[self.data.s_next[rows]], self.r[rows]

    def at_start(self, f: Functions) -> Array:
        """Mean values over the starts under the target policy, [p]."""
        return np.asarray((self.data.d0[:, None] * self.probs).reshape(-1) @ f(self._pairs()), dtype=np.float64)

    def after(self) -> tuple[Array, NDArray[np.int64]]:
        """Successors with the likeliest action of the target, and the rows that they follow, [m, 2] and [m]."""
        goes_on = np.flatnonzero(~self.data.done).astype(np.int64)
        states = self.data.s_next[goes_on]
        return np.column_stack([states, self.probs[states].argmax(axis=1)]).astype(np.float64), goes_on

    def _pairs(self) -> Array:
        S, A = self.probs.shape
        return np.column_stack([np.repeat(np.arange(S), A), np.tile(np.arange(A), S)]).astype(np.float64)


#: What an estimate needs of data.
Transitions: TypeAlias = ContinuousTransitions | TabularTransitions


def transitions_of(data: Dataset | ContinuousDataset, policy: Any = None) -> Transitions:
    """Transitions of a data set under a target policy, which is named as in `offline_problem`.

    >>> data = Dataset(s=[0, 1], a=[0, 0], r=[0.0, 1.0], s_next=[1, 1], done=[False, True], n_states=2, n_actions=1,
    ...                gamma=0.9)
    >>> [block] = transitions_of(data).blocks(lambda x: x[:, :1] + 1)
    >>> block[1]
    array([[2.],
           [0.]])
    """
    if isinstance(data, Dataset):
        target, words = tabular_policy(data, policy)
        inputs = np.column_stack([data.s, data.a]).astype(np.float64)
        known = (inputs, data.r, data.gamma, data.episode_numbers, ("state", "action"))
        return TabularTransitions(data, target.probs, *known, "the initial distribution d0", words)
    if isinstance(data, ContinuousDataset):
        return _continuous(data, policy)
    raise KropeError(f"data must be a Dataset or a ContinuousDataset; got {type(data).__name__}")


def _continuous(data: ContinuousDataset, policy: Any) -> ContinuousTransitions:
    data, policy = by_the_target(data, policy)
    data, after, episodes, words = next_actions_of(data, policy)
    if after is None:
        raise KropeError(f"{NEEDED}; got none of them")
    now = np.hstack([data.observations, data.actions])
    if data.initial_observations is not None and data.initial_actions is not None:
        starts, start = np.hstack([data.initial_observations, data.initial_actions]), "the given starts"
    else:
        starts = now[np.unique(episodes, return_index=True)[1]]
        start = "the first row of each episode, with the action in the data"
    names = [f"observation[{i}]" for i in range(data.observations.shape[1])]
    names += [f"action[{i}]" for i in range(data.actions.shape[1])]
    return ContinuousTransitions(
        gamma=data.gamma,
        r=data.rewards,
        episodes=episodes,
        inputs=now,
        next_inputs=np.hstack([data.next_observations, after]),
        alive=1.0 - data.terminals.astype(np.float64),
        starts=starts,
        names=tuple(names),
        start=start,
        policy=words,
    )
