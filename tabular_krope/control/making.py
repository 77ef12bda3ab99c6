"""Data sets from the policies: equal shares of transitions from each behavior, starts, and the target's next actions.

The layout is D4RL's (``observations``, ``actions``, ``rewards``, ``terminals``, ``timeouts``, ``next_observations``),
with ``next_actions``, ``initial_observations`` and ``initial_actions`` of the target policy beside it, ``infos/``
telling who acted and what came of it, and where everything comes from in the attributes.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from tabular_krope import __version__
from tabular_krope.arrays import Array, require_count
from tabular_krope.control.actors import Actor, UniformActor
from tabular_krope.control.policy_files import Policies, missing_policy
from tabular_krope.control.rollouts import WIDTH, Acts, Episode, MonteCarloValue, episode_streams, episodes, monte_carlo
from tabular_krope.control.simulators import Simulator
from tabular_krope.control.tasks import RANDOM, TARGET, Recipe
from tabular_krope.data.atomic import atomic_write
from tabular_krope.errors import KropeError
from tabular_krope.settings import require_seed

LAYOUT = "krope control data 1"
#: Random streams of one data set.
ACTING, NEXT, STARTS = range(3)


def policies_for(recipe: Recipe, policies: Policies) -> dict[str, Acts]:
    """The behaviors of a data set by role, and the target; a policy that is missing says how to train it."""
    missing = policies.missing((*recipe.behaviours, TARGET))
    if missing:
        raise KropeError(missing_policy(recipe.task, missing[0]))
    simulator = Simulator(recipe.task)
    for role, actor in policies.actors.items():
        require_sizes(actor, simulator, role)
    return {RANDOM: UniformActor(simulator.n_actions), **policies.actors}


def require_sizes(actor: Actor, simulator: Simulator, role: str) -> None:
    """Refuse a policy of other observations or actions than the simulator's."""
    for kind, wanted, got in (
        ("observations", simulator.n_observations, actor.n_observations),
        ("actions", simulator.n_actions, actor.n_actions),
    ):
        if wanted != got:
            task = simulator.task.name
            raise KropeError(f"policy {role} must have {wanted} {kind} like {task}; got {got} (train or copy it again)")


def make_data(
    recipe: Recipe,
    policies: Policies,
    transitions: int = 100_000,
    seed: int = 0,
    starts: int = 1_000,
    rollouts: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Arrays and attributes of a data set.

    Args:
        recipe: which one.
        policies: of its task.
        transitions: in all, equal shares of each behavior (the first get the rest).
        seed: of everything random.
        starts: number of start pairs.
        rollouts: episodes of new Monte Carlo values; None: those that came with the policies.
        progress: called with the number of transitions made.
    """
    acting = policies_for(recipe, policies)
    require_count(transitions, "transitions", least=2 * len(recipe.behaviours))
    require_seed(seed)
    shares = [
        transitions // len(recipe.behaviours) + (k < transitions % len(recipe.behaviours))
        for k in range(len(recipe.behaviours))
    ]
    parts, done = [], 0
    for index, (role, share) in enumerate(zip(recipe.behaviours, shares, strict=True)):
        parts.append(_share(recipe, acting[role], index, share, seed, progress, done))
        done += share
    arrays = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    simulator, target = Simulator(recipe.task), acting[TARGET]
    first = [simulator.reset(episode_streams(_seed(seed, STARTS), k)[0]) for k in range(starts)]
    arrays["initial_observations"] = np.array(first)
    arrays["initial_actions"] = _draw(target, arrays["initial_observations"], simulator.n_actions, seed, STARTS)
    arrays["next_actions"] = _draw(target, arrays["next_observations"], simulator.n_actions, seed, NEXT)
    values: Mapping[str, MonteCarloValue] = policies.values
    if rollouts is not None:
        wanted = dict.fromkeys((*recipe.behaviours, TARGET, RANDOM))
        values = {role: monte_carlo(recipe.task, acting[role], rollouts, _seed(seed, 9)) for role in wanted}
    task = recipe.task
    about = {
        "layout": LAYOUT,
        "name": recipe.name,
        "seed": seed,
        "gamma": task.gamma,
        "action_repeat": task.action_repeat,
        "behaviours": json.dumps(list(recipe.behaviours)),
        "values": json.dumps({role: asdict(value) for role, value in values.items()}, sort_keys=True),
        "values_from": "the policies' own files" if rollouts is None else f"{rollouts} rollouts of seed {seed}",
        "policies": json.dumps(dict(policies.provenance), sort_keys=True),
        "version": __version__,
        "simulator": _simulator_version(task.suite),
    }
    return arrays, about


def write_data(path: Path, arrays: Mapping[str, np.ndarray], about: Mapping[str, Any]) -> None:
    """Write a data set as HDF5, whole or not at all."""
    import h5py

    def write(stream: Any) -> None:
        with h5py.File(stream, "w") as file:
            for name, array in arrays.items():
                file.create_dataset(name, data=array)
            for name, value in about.items():
                file.attrs[name] = value

    try:
        atomic_write(path, write)
    except RuntimeError as error:  # what h5py makes of a full disk
        raise KropeError(f"{path} must be a file that can be written; got {error}") from None


def _seed(seed: int, purpose: int) -> int:
    return int(np.random.SeedSequence([seed, purpose]).generate_state(1)[0])


def _draw(policy: Acts, observations: Array, n_actions: int, seed: int, purpose: int) -> Array:
    noise = np.random.default_rng([seed, purpose]).standard_normal((len(observations), n_actions))
    return policy.act(observations, noise).astype(np.float32)


def _share(
    recipe: Recipe, policy: Acts, index: int, share: int, seed: int, progress: Callable[[int], None] | None, done: int
) -> dict[str, np.ndarray]:
    """The transitions of one behavior; the last episode is cut where they are enough."""
    taken: list[Episode] = []
    count = 0
    width = max(1, min(WIDTH, share // 250))  # few transitions need few simulators; the episodes are the same
    for episode in episodes(recipe.task, policy, _seed(seed, ACTING + 10 * (index + 1)), width=width):
        taken.append(episode)
        count += len(episode.rewards)
        if progress is not None:
            progress(done + min(count, share))
        if count >= share:
            break
    gamma, last = recipe.task.gamma, np.cumsum([len(one.rewards) for one in taken]) - 1
    terminals, timeouts = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    terminals[last], timeouts[last] = [one.ended for one in taken], [not one.ended for one in taken]
    timeouts[share - 1] = not terminals[share - 1]
    whole = {
        "observations": np.concatenate([one.observations[:-1] for one in taken]).astype(np.float32),
        "actions": np.concatenate([one.actions for one in taken]).astype(np.float32),
        "rewards": np.concatenate([one.rewards for one in taken]),
        "next_observations": np.concatenate([one.observations[1:] for one in taken]).astype(np.float32),
        "terminals": terminals,
        "timeouts": timeouts,
        "infos/behaviour": np.full(count, index, dtype=np.int8),
        "infos/return": np.concatenate([_returns_to_go(one.rewards, gamma) for one in taken]),
        "infos/remaining": np.concatenate([np.arange(len(one.rewards), 0, -1) for one in taken]).astype(np.int32),
        "infos/ends": np.concatenate([np.full(len(one.rewards), one.ended) for one in taken]),
    }
    return {name: array[:share] for name, array in whole.items()}


def _returns_to_go(rewards: Array, gamma: float) -> Array:
    return np.array(list(accumulate(rewards[::-1], lambda total, r: r + gamma * total)))[::-1]


def _simulator_version(suite: str) -> str:
    from importlib.metadata import version

    packages = ("dm_control", "mujoco") if suite == "dmc" else ("gymnasium", "mujoco")
    return ", ".join(f"{package} {version(package)}" for package in packages)
