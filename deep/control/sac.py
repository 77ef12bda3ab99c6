"""Policies by soft actor-critic (stable-baselines3), until the wanted values are passed.

Training goes on in chunks. After each the actor is saved with its discounted value, so that a task's policies are
picked from everything the run has been; the learner's own state (a zip and a buffer, which are pickles) is written to
the cache from time to time, read only by the run it belongs to, and never shipped.
"""

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from deep.backend import torch
from tabular_krope.control.actors import Actor, UniformActor, actor_parameters
from tabular_krope.control.policy_files import Policies, load_actor, roles_lost, save_actor, save_policies
from tabular_krope.control.rollouts import MonteCarloValue, monte_carlo
from tabular_krope.control.simulators import Simulator
from tabular_krope.control.tasks import RANDOM, TARGET, Task
from tabular_krope.data.atomic import atomic_write
from tabular_krope.errors import KropeError
from tabular_krope.extras import needed

SNAPSHOTS = "snapshots.json"
#: How much of the exploration noise a decision takes over from the one before it.
MEMORY = 0.85
#: How many times the episodes of a look a value that ends the training rests on.
CONFIRMED = 6


@dataclass(frozen=True, slots=True)
class SacSettings:
    """How a policy is trained."""

    seed: int = 0
    hidden: tuple[int, ...] = (128, 128)  # layers of actor and critics; smaller than the usual [256, 256], for speed
    learning_rate: float = 1e-3  # the usual one of small batches
    batch: int = 128
    buffer: int = 300_000
    warm_up: int = 1_000  # random decisions before learning
    decisions_per_update: int = 1
    device: str = "cpu"
    exploration: float = 0.0  # standard deviation of noise, correlated in time, added to the learner's actions

    def __post_init__(self) -> None:
        # numpy's old generator, which stable-baselines3 seeds, takes 32 bits.
        if not 0 <= self.seed < 2**32:
            raise KropeError(f"seed must lie between 0 and {2**32 - 1}; got {self.seed}")
        if not 0.0 <= self.exploration <= 1.0:
            raise KropeError(f"exploration must lie in [0, 1], as actions in [-1, 1]; got {self.exploration:g}")

    def settings(self) -> dict[str, Any]:
        """Plain values."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An actor as it was after ``decisions``, with its discounted value over a few episodes."""

    decisions: int
    value: float
    error: float

    def path(self, cache: Path) -> Path:
        """Where its parameters are."""
        return cache / f"actor-{self.decisions}.safetensors"


def train_policies(
    task: Task,
    cache: Path,
    settings: SacSettings,
    decisions: int,
    every: int = 2_000,
    episodes: int = 10,
    progress: Callable[[Snapshot], None] | None = None,
) -> list[Snapshot]:
    """Train up to ``decisions`` decisions in all, or until the target's wanted value is passed; the snapshots.

    Of many looks at few episodes one passes by luck, so a snapshot that does is measured again, by ``CONFIRMED``
    times as many others, and has that value.

    Args:
        task: what to learn.
        cache: folder of this run; what is there is gone on from.
        settings: of the learner; must be those the cache was made with.
        decisions: where to stop at the latest.
        every: decisions between two snapshots.
        episodes: episodes that measure a snapshot's value.
        progress: called with each new snapshot.
    """
    cache.mkdir(parents=True, exist_ok=True)
    found = read_snapshots(cache, task, settings)
    model = _learner(task, cache, settings)
    found = [one for one in found if one.decisions <= model.num_timesteps]
    goal = dict(task.wanted)[TARGET]
    saved = model.num_timesteps
    while model.num_timesteps < decisions and not any(one.value >= goal for one in found):
        model.learn(min(every, decisions - model.num_timesteps), reset_num_timesteps=False)
        snapshot = _snapshot(task, cache, model, episodes, settings, goal)
        found.append(snapshot)
        # The state first: a snapshot that the state does not know of would be taken twice.
        if model.num_timesteps - saved >= 5 * every or model.num_timesteps >= decisions or snapshot.value >= goal:
            _save_learner(model, cache)
            saved = model.num_timesteps
        _write_snapshots(cache, task, settings, found)
        if progress is not None:
            progress(snapshot)
    return found


def export_policies(
    task: Task,
    cache: Path,
    out: Path,
    settings: SacSettings,
    episodes: int = 300,
    seed: int = 1,
    candidates: int = 6,
) -> Policies:
    """Pick, measure and write the task's policies: for each role the snapshot nearest to its wanted value.

    A snapshot's value rests on few episodes, so the nearest ``candidates`` are measured once more, by a fifth of
    ``episodes`` each, before one is picked. A role whose wanted value no snapshot reaches gets no policy, unless the
    nearest is within a tenth of it. Nothing is written that has no policy at all, or that would take the place of a set
    with one it lacks (`roles_lost`).
    """
    found = read_snapshots(cache, task, settings)
    if not found:
        raise KropeError(f"{cache} must hold snapshots of {task.name}; got none (krope deep policies {task.name})")
    actors: dict[str, Actor] = {}
    chosen: dict[str, Any] = {}
    for role, wanted in task.wanted:
        near = sorted(found, key=lambda one: abs(one.value - wanted))[:candidates]
        if max(one.value for one in found) >= wanted or abs(near[0].value - wanted) <= 0.1 * abs(wanted):
            nearest = _nearest(task, cache, near, wanted, max(2, episodes // 5), seed + 1)
            actors[role] = load_actor(nearest.path(cache), task.noise)
            chosen[role] = asdict(nearest)
    values = {role: monte_carlo(task, actor, episodes, seed) for role, actor in actors.items()}
    values[RANDOM] = monte_carlo(task, UniformActor(Simulator(task).n_actions), episodes, seed)
    provenance = {
        "algorithm": "SAC, stable-baselines3",
        "settings": settings.settings(),
        "snapshots": chosen,
        "value_seed": seed,
    }
    policies = Policies(task, actors, values, provenance)
    if actors and not roles_lost(out / task.name, policies):
        save_policies(out / task.name, policies)
    return policies


def _nearest(task: Task, cache: Path, snapshots: list[Snapshot], wanted: float, episodes: int, seed: int) -> Snapshot:
    """The snapshot nearest to the wanted value when all are measured anew, with that value."""
    again = []
    for one in snapshots:
        value = monte_carlo(task, load_actor(one.path(cache), task.noise), episodes, seed)
        again.append(Snapshot(one.decisions, value.mean, value.error))
    return min(again, key=lambda one: abs(one.value - wanted))


def read_snapshots(cache: Path, task: Task, settings: SacSettings) -> list[Snapshot]:
    """What a cache holds; a cache of another task or other settings is refused."""
    path = cache / SNAPSHOTS
    if not path.exists():
        return []
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
        theirs, found = about["settings"], [Snapshot(**one) for one in about["snapshots"]]
        name = about["task"]
    except (ValueError, TypeError, KeyError) as error:
        raise KropeError(f"{path} must list snapshots; got {type(error).__name__} ({error})") from None
    if name != task.name or {"exploration": 0.0, **theirs} != settings.settings():
        raise KropeError(f"{path} must be of {task.name} with the same settings; got {name} with {theirs}")
    return found


def _write_snapshots(cache: Path, task: Task, settings: SacSettings, found: list[Snapshot]) -> None:
    about = {"task": task.name, "settings": settings.settings(), "snapshots": [asdict(one) for one in found]}
    text = json.dumps(about, indent=1) + "\n"
    atomic_write(cache / SNAPSHOTS, lambda stream: stream.write(text.encode()))


def _snapshot(task: Task, cache: Path, model: Any, episodes: int, settings: SacSettings, goal: float) -> Snapshot:
    actor = actor_of(model, task.noise)
    value: MonteCarloValue = monte_carlo(task, actor, episodes, seed=settings.seed + 1_000)
    if value.mean >= goal:
        value = monte_carlo(task, actor, CONFIRMED * episodes, seed=settings.seed + 2_000)
    error = value.error if math.isfinite(value.error) else 0.0
    snapshot = Snapshot(model.num_timesteps, value.mean, error)
    save_actor(snapshot.path(cache), actor)
    return snapshot


def actor_of(model: Any, noise: float | None = None) -> Actor:
    """The actor of a stable-baselines3 SAC model."""
    net = model.policy.actor
    linear = [layer for layer in net.latent_pi if isinstance(layer, torch.nn.Linear)]
    named = [*((str(k), layer) for k, layer in enumerate(linear)), ("mu", net.mu), ("log_std", net.log_std)]
    arrays = [(name, layer.weight.detach().cpu().numpy(), layer.bias.detach().cpu().numpy()) for name, layer in named]
    return Actor(actor_parameters(arrays), noise)


def _learner(task: Task, cache: Path, settings: SacSettings) -> Any:
    SAC = needed("stable_baselines3").SAC
    environment = _environment(task, settings.seed)
    if (cache / "learner.zip").exists() and (cache / "buffer.pkl").exists():
        try:
            model = SAC.load(cache / "learner.zip", env=environment, device=settings.device)
            with open(cache / "buffer.pkl", "rb") as stream:
                model.load_replay_buffer(stream)
        except Exception as error:  # of a zip, of pickles, of whatever they hold: all sorts of things
            raise KropeError(
                f"{cache} must hold the learner.zip and buffer.pkl of this run; got {type(error).__name__} ({error})"
                " (delete both to begin again)"
            ) from None
        return model
    return SAC(
        "MlpPolicy",
        environment,
        learning_rate=settings.learning_rate,
        buffer_size=settings.buffer,
        batch_size=settings.batch,
        learning_starts=settings.warm_up,
        gamma=task.gamma,
        train_freq=settings.decisions_per_update,
        gradient_steps=1,
        policy_kwargs={"net_arch": list(settings.hidden)},
        action_noise=_exploration_noise(settings.exploration, environment.action_space.shape),
        seed=settings.seed,
        device=settings.device,
    )


def _exploration_noise(deviation: float, shape: tuple[int, ...]) -> Any:
    """Noise of standard deviation ``deviation`` that lasts for several decisions; None for none.

    Where reward is rare, the policy's own noise, drawn afresh each time, hardly moves anything.
    """
    if deviation == 0.0:
        return None
    import numpy as np

    noise = needed("stable_baselines3").common.noise.OrnsteinUhlenbeckActionNoise
    sigma = deviation * math.sqrt(1 - MEMORY**2)
    return noise(np.zeros(shape), np.full(shape, sigma), theta=1 - MEMORY, dt=1.0)


def _save_learner(model: Any, cache: Path) -> None:
    for name, save in (("learner.zip", model.save), ("buffer.pkl", model.save_replay_buffer)):
        fresh = cache / f"new-{name}"
        save(fresh)
        fresh.replace(cache / name)


def _environment(task: Task, seed: int) -> Any:
    """The task as a gymnasium environment; each episode has a seed of its own."""
    import gymnasium
    import numpy as np

    class Decisions(gymnasium.Env[Any, Any]):
        def __init__(self) -> None:
            self.simulator = Simulator(task)
            o, a = self.simulator.n_observations, self.simulator.n_actions
            self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (o,), np.float32)
            self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (a,), np.float32)
            self.seeds = np.random.default_rng(seed)

        def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:  # noqa: ARG002
            if seed is not None:
                self.seeds = np.random.default_rng(seed)
            return self.simulator.reset(int(self.seeds.integers(2**31))).astype(np.float32), {}

        def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
            observation, reward, ended, late = self.simulator.step(np.asarray(action, dtype=np.float64))
            return observation.astype(np.float32), reward, ended, late, {}

    return Decisions()
