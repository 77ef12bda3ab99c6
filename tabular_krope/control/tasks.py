"""The tasks of the study: what is simulated, which policies are wanted, and which data sets are made with them.

A decision repeats its action and sums the rewards; the discount is per decision. Wanted values are discounted: the
paper's for DM Control; ours for the others, where the paper takes D4RL's checkpoints.
"""

from dataclasses import dataclass

from tabular_krope.errors import unknown_name

TARGET, RANDOM = "target", "random"
#: Simulator steps after which the time of an episode is up, in all tasks here.
TIME_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class Task:
    """A simulator and the policies wanted in it.

    Attributes:
        name: what its policies are filed under.
        suite: "dmc" or "gymnasium".
        domain: domain of dm_control's suite, or the id of a gymnasium environment.
        task: task of that domain; empty for gymnasium.
        action_repeat: simulator steps of one decision.
        gamma: discount of one decision.
        wanted: discounted value that each policy should have, by role.
        noise: standard deviation of the noise added to a policy's mean action; None: the policy's own.
    """

    name: str
    suite: str
    domain: str
    task: str
    action_repeat: int
    gamma: float
    wanted: tuple[tuple[str, float], ...]
    noise: float | None = None


@dataclass(frozen=True, slots=True)
class Recipe:
    """A data set: its task and the roles that act in it, a share of the transitions each."""

    name: str
    task: Task
    behaviours: tuple[str, ...]


def _dmc(domain: str, task: str, target: float, first: float, second: float) -> Task:
    wanted = ((TARGET, target), ("behaviour-1", first), ("behaviour-2", second))
    return Task(f"dmc-{domain}-{task}", "dmc", domain, task, 2, 0.99, wanted)


def _mujoco(name: str, domain: str, target: float, middle: float) -> Task:
    return Task(name, "gymnasium", domain, "", 1, 0.99, ((TARGET, target), ("behaviour", middle)), noise=0.1)


TASKS = (
    _dmc("cartpole", "swingup", 50.0, 20.0, 5.0),
    _dmc("walker", "stand", 90.0, 55.0, 40.0),
    _dmc("cheetah", "run", 51.0, 27.0, 2.0),
    _dmc("finger", "turn_easy", 100.0, 71.0, 32.0),
    _mujoco("hopper", "Hopper-v5", 220.0, 120.0),
    _mujoco("halfcheetah", "HalfCheetah-v5", 380.0, 200.0),
    _mujoco("walker2d", "Walker2d-v5", 220.0, 120.0),
)
MIXTURES = {RANDOM: (RANDOM,), "medium": ("behaviour",), "medium-expert": ("behaviour", TARGET)}
RECIPES = tuple(
    Recipe(task.name, task, tuple(role for role, _ in task.wanted)) for task in TASKS if task.suite == "dmc"
) + tuple(
    Recipe(f"{task.name}-{kind}", task, roles)
    for task in TASKS
    if task.suite == "gymnasium"
    for kind, roles in MIXTURES.items()
)


def task_named(name: str, option: str = "name") -> Task:
    """The task whose policies are called ``name``; ``option`` is what an error calls it.

    >>> dict(task_named("dmc-cartpole-swingup").wanted)
    {'target': 50.0, 'behaviour-1': 20.0, 'behaviour-2': 5.0}
    """
    for task in TASKS:
        if task.name == name:
            return task
    raise unknown_name(option, name, [task.name for task in TASKS])


def recipe_named(name: str) -> Recipe:
    """The data set ``name``.

    >>> recipe_named("hopper-medium-expert").behaviours
    ('behaviour', 'target')
    """
    for recipe in RECIPES:
        if recipe.name == name:
            return recipe
    raise unknown_name("name", name, [recipe.name for recipe in RECIPES])
