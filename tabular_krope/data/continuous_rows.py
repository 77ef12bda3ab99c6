"""Continuous data as rows of features, and what has to be in the data for that."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array, frozen_array
from tabular_krope.closed_form.base_features import FourierFeatures, random_fourier_features
from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.data.offline import FOURIER, Base, OfflineProblem, require_affordable
from tabular_krope.data.target import BEHAVIOR
from tabular_krope.errors import KropeError, unknown_name

Chosen: TypeAlias = tuple[Array, Array, Array, str]
Episodes: TypeAlias = NDArray[np.int64]
NEEDED = (
    "data must say what the target policy does next: next_actions (its action in each next observation), or features "
    "and next_features, or policy 'behavior' for the actions in the data"
)


def continuous_problem(data: ContinuousDataset, policy: Any, features: Any, seed: Any) -> OfflineProblem:
    """The rows of continuous data; see `offline_problem`."""
    if policy is not None and not (isinstance(policy, str) and policy in BEHAVIOR):
        raise unknown_name("policy of continuous data", str(policy), ("behavior",))
    if policy is not None and (features is not None or data.features is not None):
        raise KropeError(
            "policy must be None with features, whose next_features are the target policy's; got 'behavior'"
        )
    data, next_actions, episodes, words = next_actions_of(data, policy)
    given = _given(data, features, episodes)
    waves = None if next_actions is None else _fourier(data, next_actions, episodes, seed)
    base = None if waves is None else Base("Fourier features", waves[0], rows=waves[1][:3])
    own = None
    if given is None:
        if waves is None:
            raise KropeError(f"{NEEDED}; got none of them")
        chosen, name, base, own = waves[1], "random Fourier", None, base
    else:
        chosen, name = given, "given"
    Phi, Phi_next, starts, start = chosen
    require_affordable(len(data), Phi.shape[1])
    return OfflineProblem(
        Phi=Phi,
        Phi_next=Phi_next,
        r=data.rewards,
        gamma=data.gamma,
        starts=starts,
        start_weights=np.full(len(starts), 1.0 / len(starts)),
        episodes=episodes,
        base=base,
        features=name,
        policy=words,
        start=start,
        own=own,
    )


def next_actions_of(data: ContinuousDataset, policy: Any) -> tuple[ContinuousDataset, Array | None, Episodes, str]:
    """The data, the target's next actions if they are known, the episode of each row, and the policy in words.

    For the behavior policy the next action is that of the next row; a row whose episode was cut off, and the last row,
    have none and are left out. A terminal row needs none.
    """
    if policy is None:
        return (
            data,
            data.next_actions,
            data.episodes,
            "given by its next actions" if data.next_actions is not None else "given",
        )
    episodes = data.episodes
    follows = np.append(episodes[1:] == episodes[:-1], False)
    keep = np.flatnonzero(follows | data.terminals)
    if len(keep) == 0:
        raise KropeError("data must have a row that is followed by another of its episode; got none")
    after = data.actions[np.minimum(keep + 1, len(data) - 1)]
    return data.rows(keep), after, episodes[keep], "behavior (the next action in the data)"


def _given(data: ContinuousDataset, features: Any, episodes: Episodes) -> Chosen | None:
    n = len(data)
    if features is not None:
        if not isinstance(features, tuple) or len(features) not in (2, 3):
            raise KropeError(
                "features of continuous data must be (features, next_features) and perhaps initial_features"
            )
        Phi = frozen_array(features[0], "features", (n, None))
        Phi_next = frozen_array(features[1], "next_features", Phi.shape)
        initial = None if len(features) == 2 else frozen_array(features[2], "initial_features", (None, Phi.shape[1]))
    elif data.features is not None and data.next_features is not None:
        Phi, Phi_next, initial = data.features, data.next_features, data.initial_features
    else:
        return None
    Phi_next = np.where(data.terminals[:, None], 0.0, Phi_next)
    if initial is not None:
        return Phi, Phi_next, initial, "the given starts"
    return Phi, Phi_next, Phi[_firsts(episodes)], FIRSTS


FIRSTS = "the first row of each episode, with the action in the data"


def _firsts(episodes: Episodes) -> Any:
    return np.unique(episodes, return_index=True)[1]


def _fourier(
    data: ContinuousDataset, next_actions: Array, episodes: Episodes, seed: Any
) -> tuple[FourierFeatures, Chosen]:
    require_affordable(len(data), FOURIER)
    now = np.hstack([data.observations, data.actions])
    base = random_fourier_features(now, FOURIER, seed=seed)
    Psi = base(now)
    Psi_next = base(np.hstack([data.next_observations, next_actions]))
    Psi_next = np.where(data.terminals[:, None], 0.0, Psi_next)
    if data.initial_observations is not None and data.initial_actions is not None:
        starts = base(np.hstack([data.initial_observations, data.initial_actions]))
        return base, (Psi, Psi_next, starts, "the given starts")
    return base, (Psi, Psi_next, Psi[_firsts(episodes)], FIRSTS)
