"""Offline data: transitions with the sizes and the discount of the problem they come from."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Array, distribution, frozen_array, require_count, require_gamma
from tabular_krope.data.trajectories import Draws, trajectories
from tabular_krope.errors import KropeError
from tabular_krope.looks import Tabled
from tabular_krope.models.mdp import MDP, require_mdp
from tabular_krope.models.policy import Policy, policy_of
from tabular_krope.models.randomness import generator
from tabular_krope.notebook_tables import Grid

Indices = NDArray[np.int64]
#: Transitions that a notebook shows.
SHOWN = 6


@dataclass(frozen=True, slots=True, eq=False)
class Dataset(Tabled):
    """Transitions ``(s, a, r, s_next, done)``, validated and immutable.

    Args:
        s, a: states and actions, [n], integers.
        r: rewards, [n].
        s_next: next states, [n], integers; a valid state without meaning where ``done``.
        done: whether the episode ended, so that the next value is zero, [n].
        n_states, n_actions: S and A.
        gamma: discount factor in [0, 1].
        d0: initial distribution over states, [S]; that of the states in which the data's episodes begin if None.
        episodes: number of the episode of each row, [n], integers; if None a new one begins after an end, and where a
            row does not follow on the last.
        state_names, action_names: what the numbers stand for, [S] and [A] texts, where the data came with names.
        ignored: names of columns of the file that were left aside.

    Attributes:
        d0_assumed: whether ``d0`` was not given but taken from the data.

    >>> data = Dataset(s=[0, 1], a=[1, 0], r=[0.5, 1.0], s_next=[1, 1], done=[False, True], n_states=2, n_actions=2,
    ...                gamma=0.9)
    >>> len(data), data.pairs
    (2, array([1, 2]))
    >>> data.d0, data.d0_assumed  # one episode, from state 0
    (array([1., 0.]), True)
    """

    s: Indices
    a: Indices
    r: Array
    s_next: Indices
    done: NDArray[np.bool_]
    n_states: int
    n_actions: int
    gamma: float
    d0: Array = None  # type: ignore[assignment]
    episodes: Indices = None  # type: ignore[assignment]
    state_names: tuple[str, ...] | None = None
    action_names: tuple[str, ...] | None = None
    ignored: tuple[str, ...] = ()
    d0_assumed: bool = field(init=False, repr=False, default=False)

    def _table(self) -> tuple[str, dict[str, Any], Grid]:
        sizes = {"transitions": len(self.s), "states": self.n_states, "actions": self.n_actions, "gamma": self.gamma}
        columns = {name: getattr(self, name)[:SHOWN].tolist() for name in ("s", "a", "r", "s_next", "done")}
        more = len(self.s) - SHOWN
        grid = Grid(list(columns), list(zip(*columns.values(), strict=True)), note=f"{more} more rows" * (more > 0))
        return "transitions", sizes, grid

    def __post_init__(self) -> None:
        S, A = require_count(self.n_states, "n_states"), require_count(self.n_actions, "n_actions")
        s = _indices(self.s, "s", S, None)
        if len(s) == 0:
            raise KropeError("s must hold at least one transition; got an empty array")
        put = object.__setattr__
        put(self, "n_states", S)
        put(self, "n_actions", A)
        put(self, "s", s)
        put(self, "a", _indices(self.a, "a", A, len(s)))
        put(self, "s_next", _indices(self.s_next, "s_next", S, len(s)))
        put(self, "r", frozen_array(self.r, "r", (len(s),)))
        put(self, "done", _flags(self.done, len(s)))
        put(self, "gamma", require_gamma(self.gamma))
        if self.episodes is not None:
            put(self, "episodes", _indices(self.episodes, "episodes", np.iinfo(np.int64).max, len(s)))
        put(self, "state_names", _names(self.state_names, "state_names", S))
        put(self, "action_names", _names(self.action_names, "action_names", A))
        put(self, "ignored", tuple(self.ignored))
        put(self, "d0_assumed", self.d0 is None)
        put(self, "d0", distribution(self._begin() if self.d0 is None else self.d0, S, "d0"))

    def __len__(self) -> int:
        return len(self.s)

    @property
    def episode_numbers(self) -> Indices:
        """Number of the episode of each row, [n], given or found.

        >>> Dataset([0, 1, 0], [0] * 3, [0.0] * 3, [1, 1, 1], [False, True, True], 2, 1, 0.9).episode_numbers
        array([0, 0, 1])
        """
        if self.episodes is not None:
            return self.episodes
        new = self.done[:-1] | (self.s_next[:-1] != self.s[1:])
        return np.concatenate([[0], np.cumsum(new)]).astype(np.int64)

    def _begin(self) -> Array:
        """How many episodes begin in each state, [S]: each in its first row."""
        _, first = np.unique(self.episode_numbers, return_index=True)
        return np.bincount(self.s[first], minlength=self.n_states).astype(np.float64)

    @property
    def pairs(self) -> Indices:
        """The pair ``x = s*A + a`` of each transition, [n]."""
        return self.s * self.n_actions + self.a


def sample_dataset(mdp: MDP, policy: Policy, n: int, seed: Any = 0, restart: float | None = None) -> Dataset:
    r"""The first ``n`` transitions of trajectories from ``d0`` under ``policy``, one after another.

    A trajectory stops where its episode ends (``done``) and, with probability ``restart``, after any step (not
    ``done``). With the default $1 - \gamma$ the pairs follow the discounted `occupancy` as ``n`` grows.

    Args:
        mdp, policy: what is sampled.
        n: number of transitions.
        seed: an integer or a numpy Generator.
        restart: in [0, 1]; ``1 - gamma`` if None. With 0 and no end there is a single trajectory, which is slow: the
            trajectories are simulated side by side, in as many rounds as the longest has steps.

    >>> mdp = MDP(P=[[[0.0, 1.0]], [[0.0, 0.0]]], r=[[0.0], [1.0]], gamma=1.0, d0=[1.0, 0.0], end=[[0.0], [1.0]])
    >>> data = sample_dataset(mdp, Policy.uniform(2, 1), n=4)
    >>> data.s, data.done
    (array([0, 1, 0, 1]), array([False,  True, False,  True]))
    """
    policy = policy_of(mdp, policy)
    chance = 1.0 - mdp.gamma if restart is None else restart
    if not (isinstance(chance, int | float | np.number) and 0.0 <= chance <= 1.0):
        raise KropeError(f"restart must lie in [0, 1]; got {restart!r}")
    x, s_next = trajectories(mdp, policy, require_count(n, "n"), generator(seed), float(chance))
    return _transitions(mdp, x, s_next)


def sample_pairs(mdp: MDP, weights: Any, n: int, seed: Any = 0) -> Dataset:
    """``n`` independent transitions whose pairs are drawn from ``weights`` [X], whatever the policy that has them.

    >>> mdp = MDP(P=[[[0.0, 1.0]], [[0.0, 0.0]]], r=[[0.0], [1.0]], gamma=1.0, end=[[0.0], [1.0]])
    >>> data = sample_pairs(mdp, [0.0, 1.0], n=3)
    >>> data.s, data.r, data.done
    (array([1, 1, 1]), array([1., 1., 1.]), array([ True,  True,  True]))
    """
    require_mdp(mdp)
    law, rng = distribution(weights, mdp.n_pairs), generator(seed)
    x = Draws(law[None, :])(rng, np.zeros(require_count(n, "n"), dtype=np.int64))
    laws = [sparse.csr_array(mdp.P_pairs), sparse.csr_array(mdp.end.reshape(-1, 1))]
    return _transitions(mdp, x, Draws(sparse.hstack(laws, format="csr"))(rng, x))


def _transitions(mdp: MDP, x: Indices, s_next: Indices) -> Dataset:
    """Transitions from pairs ``x`` to ``s_next``, where S stands for the end."""
    done, s = s_next == mdp.n_states, mdp.pair_state[x]
    after = np.where(done, s, s_next)
    return Dataset(s, mdp.pair_action[x], mdp.r_pairs[x], after, done, mdp.n_states, mdp.n_actions, mdp.gamma, mdp.d0)


def _indices(value: Any, name: str, below: int, length: int | None) -> Indices:
    array = _plain_array(value, name)
    if array.ndim != 1 or not (np.issubdtype(array.dtype, np.integer) or array.size == 0):
        raise KropeError(f"{name} must be a vector of integers; got {array.dtype} with shape {array.shape}")
    if length is not None and len(array) != length:
        raise KropeError(f"{name} must have {length} entries like s; got {len(array)}")
    bad = (array < 0) | (array >= below)
    if bad.any():
        i = int(np.argmax(bad))
        raise KropeError(f"{name}[{i}] must lie in 0..{below - 1}; got {array[i]}")
    array = array.astype(np.int64)
    array.flags.writeable = False
    return array


def _names(value: Any, name: str, size: int) -> tuple[str, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list | tuple | np.ndarray):
        raise KropeError(f"{name} must be {size} different texts; got {type(value).__name__}")
    names = tuple(value.tolist() if isinstance(value, np.ndarray) else value)
    if len(names) != size or not all(isinstance(text, str) for text in names) or len(set(names)) < size:
        raise KropeError(f"{name} must be {size} different texts; got {names[:3]!r}{'...' if len(names) > 3 else ''}")
    return names


def _plain_array(value: Any, name: str) -> NDArray[Any]:
    try:
        return np.array(value)
    except ValueError:
        raise KropeError(f"{name} must be a vector; got rows of different lengths") from None


def _flags(value: Any, length: int) -> NDArray[np.bool_]:
    array = _plain_array(value, "done")
    if array.shape != (length,):
        raise KropeError(f"done must have {length} entries like s; got shape {array.shape}")
    flags = np.isin(array, (0, 1)) if array.dtype.kind in "biu" else np.zeros(length, dtype=np.bool_)
    if not flags.all():
        i = int(np.argmin(flags))
        raise KropeError(f"done[{i}] must be true or false; got {array[i]}")
    array = array.astype(np.bool_)
    array.flags.writeable = False
    return array
