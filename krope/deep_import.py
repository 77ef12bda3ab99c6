"""``krope deep policies --import``: a policy that the user has becomes one of a task's."""

from dataclasses import replace
from pathlib import Path

from tabular_krope.control.actors import UniformActor
from tabular_krope.control.importing import import_actor
from tabular_krope.control.making import require_sizes
from tabular_krope.control.policy_files import load_policies, save_policies
from tabular_krope.control.rollouts import MonteCarloValue, monte_carlo
from tabular_krope.control.simulators import Simulator
from tabular_krope.control.tasks import RANDOM, Task
from tabular_krope.errors import unknown_name


def import_policy(task: Task, file: str, role: str, place: Path, rollouts: int, allow_pickle: bool) -> MonteCarloValue:
    """Read a policy, measure it as the task acts, and write it to ``place`` beside what is there; its value.

    The random policy is measured too where the folder does not know it yet.
    """
    known = [name for name, _ in task.wanted]
    if role not in known:
        raise unknown_name("role", role, known)
    actor = replace(import_actor(Path(file), allow_pickle), noise=task.noise)
    simulator = Simulator(task)
    require_sizes(actor, simulator, role)
    there = load_policies(task, (place,))
    values = dict(there.values) | {role: monte_carlo(task, actor, rollouts, seed=0)}
    if RANDOM not in values:
        values[RANDOM] = monte_carlo(task, UniformActor(simulator.n_actions), rollouts, seed=0)
    provenance = dict(there.provenance) | {role: f"imported from {Path(file).name}"}
    save_policies(
        place / task.name, replace(there, actors={**there.actors, role: actor}, values=values, provenance=provenance)
    )
    return values[role]
