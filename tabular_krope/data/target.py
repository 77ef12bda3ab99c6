"""The target policy of offline data, in every form in which people have it.

Tabular: probabilities, a function of the state, or the number of its action after each row. Either way what follows a
row is a distribution over pairs: of the next state, or one pair for sure.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Array, Matrix, frozen_array
from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.data.dataset import Dataset
from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.models.policy import Policy

POLICIES = ("uniform", "behavior")
#: The policy that made the data, by either spelling.
BEHAVIOR = ("behavior", "behaviour")
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """What follows each row under the target policy, and its starts.

    Attributes:
        after: which distribution over pairs follows each row; without meaning where the episode ended, [n].
        matrix: these distributions, sparse [any, S*A].
        starts: distribution of the pairs at the start, [S*A].
        words, start: the policy, and whose value is estimated.
    """

    after: Indices
    matrix: Matrix
    starts: Array
    words: str
    start: str


def tabular_target(data: Dataset, policy: Any = None, next_actions: Any = None, first_actions: Any = None) -> Target:
    """The target as `offline_problem` takes it, for tabular data.

    >>> data = Dataset([0, 1], [0, 0], [0.0, 1.0], [1, 0], [False, False], n_states=2, n_actions=2, gamma=0.9)
    >>> target = tabular_target(data, next_actions=[1, 0], first_actions=[1])
    >>> target.matrix.toarray()[target.after], target.starts
    (array([[0., 0., 0., 1.],
           [1., 0., 0., 0.]]), array([0., 1., 0., 0.]))
    """
    if next_actions is None:
        if first_actions is not None:
            raise KropeError("first_actions must be None without next_actions: a policy has its own; got an array")
        target, words = tabular_policy(data, policy)
        starts = (data.d0[:, None] * target.probs).reshape(-1)
        return Target(data.s_next, target.matrix(), starts, words, start_in_words(data))
    if policy is not None:
        raise KropeError(f"policy must be None with next_actions; got {policy!r}")
    S, A = data.n_states, data.n_actions
    after = data.s_next * A + _actions(next_actions, "next_actions", len(data), A)
    _, firsts = np.unique(data.episode_numbers, return_index=True)
    taken = data.a[firsts] if first_actions is None else _actions(first_actions, "first_actions", len(firsts), A)
    starts = np.bincount(data.s[firsts] * A + taken, minlength=S * A) / len(firsts)
    whose = "the data" if first_actions is None else "the target"
    start = f"the first state of each episode, with the action of {whose}"
    return Target(after, sparse.eye_array(S * A, format="csr"), starts, "given by its next actions", start)


def start_in_words(data: Dataset) -> str:
    """Whose value is estimated, where the policy is known in every state."""
    if not data.d0_assumed:
        return "the initial distribution d0"
    count = len(np.unique(data.episode_numbers))
    which = "every row" if count == len(data) > 1 else "the one episode" if count == 1 else f"{count} episodes"
    return f"the first state of {which} in the data (assumed: no initial distribution is given)"


def behavior(data: Dataset) -> Policy:
    """How often each action was taken in each state; uniform in states without data.

    >>> data = Dataset([0, 0, 0], [1, 1, 0], [0.0] * 3, [0] * 3, [True] * 3, n_states=2, n_actions=2, gamma=0.9)
    >>> behavior(data).probs.round(3)
    array([[0.333, 0.667],
           [0.5  , 0.5  ]])
    """
    S, A = data.n_states, data.n_actions
    count = np.bincount(data.pairs, minlength=S * A).reshape(S, A).astype(float)
    count[count.sum(axis=1) == 0] = 1.0
    return Policy(count / count.sum(axis=1, keepdims=True))


def tabular_policy(data: Dataset, policy: Any) -> tuple[Policy, str]:
    """The target policy that `offline_problem` takes, and what it is in words."""
    shape = (data.n_states, data.n_actions)
    if policy is None or (isinstance(policy, str) and policy in BEHAVIOR):
        return behavior(data), "behavior (the data's own)"
    if isinstance(policy, str):
        if policy != "uniform":
            raise unknown_name("policy", policy, POLICIES)
        return Policy.uniform(*shape), "uniform"
    words = "given"
    if callable(policy):
        policy, words = _asked(policy, data), "given as a function"
    target = policy if isinstance(policy, Policy) else Policy(policy)
    if target.probs.shape != shape:
        raise KropeError(f"policy must have shape {shape} like the data; got {target.probs.shape}")
    return target, words


def _asked(policy: Callable[[Any], Any], data: Dataset) -> Array:
    """A function of a state as probabilities, [S, A]; states are given by name where they have one."""
    S, A = data.n_states, data.n_actions
    probs = np.zeros((S, A))
    for s, state in enumerate(data.state_names or range(S)):
        answer = policy(state)
        if np.ndim(answer) == 0:
            probs[s, _actions([answer], f"policy({state!r})", 1, A)] = 1.0
        else:
            probs[s] = frozen_array(answer, f"policy({state!r})", (A,))
    return probs


def _actions(value: Any, name: str, length: int, A: int) -> Indices:
    numbers = np.asarray(value)
    if numbers.shape != (length,) or numbers.dtype.kind not in "iu":
        raise KropeError(f"{name} must be {length} numbers of actions; got {numbers.dtype} of shape {numbers.shape}")
    if (bad := (numbers < 0) | (numbers >= A)).any():
        i = int(np.argmax(bad))
        raise KropeError(f"{name}[{i}] must lie in 0..{A - 1}; got {numbers[i]}")
    return numbers.astype(np.int64)


def by_the_target(
    data: ContinuousDataset, policy: Any, next_actions: Any = None, first_actions: Any = None
) -> tuple[ContinuousDataset, Any]:
    """Continuous data with the actions of a policy that is a function, or of arrays, in their places; and the policy.

    >>> data = ContinuousDataset([[0.0], [1.0]], [0.5, -0.5], [1, 2], [[1.0], [2.0]], [False, True], gamma=0.9)
    >>> filled, _ = by_the_target(data, lambda observations: 2 * observations)
    >>> filled.next_actions.ravel(), filled.initial_actions
    (array([2., 4.]), array([[0.]]))
    """
    starts = data.initial_observations
    if starts is None:
        starts = data.observations[np.unique(data.episodes, return_index=True)[1]]
    if callable(policy):
        if next_actions is not None or first_actions is not None:
            raise KropeError("next_actions and first_actions must be None with a policy that is a function; got arrays")
        filled = {"next_actions": policy(data.next_observations), "initial_actions": policy(starts)}
        return replace(data, **filled, initial_observations=starts), None
    if policy is not None and (next_actions is not None or first_actions is not None):
        raise KropeError(f"policy must be None with next_actions or first_actions; got {policy!r}")
    if next_actions is not None:
        data = replace(data, next_actions=next_actions)
    if first_actions is not None:
        data = replace(data, initial_observations=starts, initial_actions=first_actions)
    return data, policy
