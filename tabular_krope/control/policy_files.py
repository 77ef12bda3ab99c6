"""Policies as files: one safetensors file for each role, one JSON file for what is known about them.

Nothing is pickled. A task's policies are looked for in the user's folder first, then among those that ship; a set that
lacks policies, as an unfinished training leaves it, hides no whole one.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tabular_krope.control.actors import Actor
from tabular_krope.control.rollouts import MonteCarloValue, read_values
from tabular_krope.control.tasks import Task, task_named
from tabular_krope.data.atomic import atomic_write
from tabular_krope.errors import KropeError
from tabular_krope.extras import needed

SHIPPED = Path(__file__).parent / "policies"
ABOUT = "policies.json"


def user_folder() -> Path:
    """Where policies go that this user trained: ``$XDG_CACHE_HOME/krope/policies``, by default under ~/.cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "krope" / "policies"


@dataclass(frozen=True, slots=True, eq=False)
class Policies:
    """The policies of a task by role, their measured values (with the random policy's), and how they were made."""

    task: Task
    actors: Mapping[str, Actor]
    values: Mapping[str, MonteCarloValue]
    provenance: Mapping[str, Any]

    def acting(self, how: str) -> "Policies":
        """The same policies with other action noise, one of `tabular_krope.control.actors.ACTING`.

        Their values are not those on file: they are dropped unless nothing changes.
        """
        actors = {role: actor.acting(how) for role, actor in self.actors.items()}
        same = all((one.noise, one.spread) == (self.actors[role].noise, 1.0) for role, one in actors.items())
        return replace(self, actors=actors, values=self.values if same else {})

    def missing(self, roles: tuple[str, ...]) -> list[str]:
        """Roles that have no policy yet; the random policy needs none."""
        return [role for role in roles if role not in self.actors and role != "random"]


def missing_policy(task: Task, role: str) -> str:
    """What to say where a policy is needed that nobody has trained."""
    trains = f"krope deep policies {task.name} trains it, for hours; --policies DIR reads others'"
    return f"{task.name} must have its {role} policy; got none ({trains})"


def save_actor(path: Path, actor: Actor) -> None:
    """Write an actor's parameters."""
    content = needed("safetensors.numpy").save({name: array.copy() for name, array in actor.parameters.items()})
    atomic_write(path, lambda stream: stream.write(content))


def load_actor(path: Path, noise: float | None = None) -> Actor:
    """Read an actor; a file that is not one is refused."""
    broken = needed("safetensors").SafetensorError
    try:
        return Actor(needed("safetensors.numpy").load_file(path), noise)
    except (broken, KropeError, OSError) as error:
        raise KropeError(f"{path} must be a safetensors file of an actor; got {error}") from None


def save_policies(folder: Path, policies: Policies) -> None:
    """Write the actors, then the JSON file that names them: a reader never sees a role without its file."""
    folder.mkdir(parents=True, exist_ok=True)
    for role, actor in policies.actors.items():
        save_actor(folder / f"{role}.safetensors", actor)
    about = {
        "task": policies.task.name,
        "gamma": policies.task.gamma,
        "action_repeat": policies.task.action_repeat,
        "noise": policies.task.noise,
        "roles": sorted(policies.actors),
        "wanted": dict(policies.task.wanted),
        "values": {role: asdict(value) for role, value in policies.values.items()},
        "provenance": dict(policies.provenance),
    }
    text = json.dumps(about, indent=1, sort_keys=True) + "\n"
    atomic_write(folder / ABOUT, lambda stream: stream.write(text.encode()))


def load_policies(task: Task, folders: tuple[Path, ...] | None = None) -> Policies:
    """The task's policies from the first of ``folders`` that has all of them, else from the one that has most.

    None at all is a value without actors.
    """
    fullest: Policies | None = None
    for folder in (user_folder(), SHIPPED) if folders is None else folders:
        at = folder / task.name
        if (at / ABOUT).is_file():
            found = _read(task, at)
            if not found.missing(tuple(role for role, _ in task.wanted)):
                return found
            if fullest is None or len(found.actors) > len(fullest.actors):
                fullest = found
    return Policies(task, {}, {}, {}) if fullest is None else fullest


def find_policies(task: Task, folder: str | None) -> Policies:
    """The task's policies in ``folder``, or where they are looked for by default."""
    if folder is None:
        return load_policies(task)
    if not Path(folder).is_dir():
        raise KropeError(f"policies must be a folder with a folder {task.name} in it; got {folder}")
    return load_policies(task, (Path(folder),))


def policies_for_reading(task: str | None, folder: str | None) -> Policies | None:
    """The policies that a data file without next actions needs, by the name of their task; None without one."""
    if task is None:
        if folder is not None:
            raise KropeError(f"policies must be given with the task they are of (--task); got {folder} alone")
        return None
    return find_policies(task_named(task, "task"), folder)


def roles_lost(folder: Path, policies: Policies) -> list[str]:
    """Roles that the policies in ``folder`` have and ``policies`` lack: those that writing over them would lose."""
    if not (folder / ABOUT).is_file():
        return []
    return sorted(set(_read(policies.task, folder).actors) - set(policies.actors))


def _read(task: Task, at: Path) -> Policies:
    try:
        about = json.loads((at / ABOUT).read_text(encoding="utf-8"))
        roles, values = list(about["roles"]), dict(about["values"])
        same = about["task"] == task.name and about["gamma"] == task.gamma
        same = same and about["action_repeat"] == task.action_repeat
        known = read_values(values)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise KropeError(f"{at / ABOUT} must describe policies; got {type(error).__name__} ({error})") from None
    if not same:
        raise KropeError(f"{at / ABOUT} must be of task {task.name} with its discount and repeat; got another's")
    actors = {role: load_actor(at / f"{role}.safetensors", task.noise) for role in roles}
    return Policies(task, actors, known, about.get("provenance", {}))
