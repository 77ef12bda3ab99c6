"""``krope deep data`` and ``krope deep policies``: data sets, and the policies that they are made with."""

from collections.abc import Sequence
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from krope import console, options, targets
from krope.deep_import import import_policy
from krope.errors import tell_how_to_resume
from krope.lazy import offer
from tabular_krope import __version__
from tabular_krope.arrays import require_count
from tabular_krope.control.making import make_data, write_data
from tabular_krope.control.policy_files import Policies, find_policies, load_policies, roles_lost, user_folder
from tabular_krope.control.tasks import RECIPES, TARGET, Recipe, Task, recipe_named, task_named
from tabular_krope.errors import KropeError
from tabular_krope.report.digits import three
from tabular_krope.report.plain import plain

if TYPE_CHECKING:
    from deep.control.sac import Snapshot


Rollouts = Annotated[
    int | None, typer.Option(help="Measure the values anew with this many episodes. Default: use the stored ones.")
]
Acting = Annotated[
    str | None,
    typer.Option(
        help="Action noise of the policies: own, added (0.1), scaled (a tenth of its own, as deep_ope) or mean."
        " Default: own in DM Control, added elsewhere.",
        autocompletion=offer("acting"),
    ),
]
Json = Annotated[
    str | None,
    typer.Option(
        help="Write what was made, or the list, to FILE; - prints it to stdout and nothing else.", metavar="FILE"
    ),
]


def data(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Data set to make.", autocompletion=offer("data_sets"))
    ] = None,
    transitions: Annotated[int, typer.Option(help="Total number of transitions.")] = 100_000,
    seed: Annotated[int, typer.Option(help="Seed for everything random.")] = 0,
    out: Annotated[str | None, typer.Option(help="File to write.", metavar="FILE.h5")] = None,
    rollouts: Rollouts = None,
    policies: options.Policies = None,
    acting: Acting = None,
    show: Annotated[bool, typer.Option("--list", help="List the data sets and exit.")] = False,
    json: Json = None,
) -> None:
    """Make a data set: transitions, starts, the target policy's next actions, Monte Carlo values."""
    if json is not None:
        targets.require_file_target(json, "json")
    if show:
        _list(policies, json)
        return
    if name is None:
        raise KropeError("name must be a data set, or --list be given; got neither")
    recipe = recipe_named(name)
    target = f"{name}.h5" if out is None else out
    if target == targets.STDOUT:
        raise KropeError("out must be a file, an HDF5 file cannot be written to stdout; got -")
    targets.require_file_target(target, "out")
    if rollouts is not None:
        require_count(rollouts, "rollouts", least=2)
    found = find_policies(recipe.task, policies)
    if acting is not None:
        found = found.acting(acting)
        rollouts = 100 if rollouts is None and not found.values else rollouts

    def kept() -> str:
        return f"{target} is {'as it was' if Path(target).exists() else 'not written'}; the same command begins again"

    with tell_how_to_resume(kept) as check, console.progress(name, transitions) as bar:

        def progress(done: int) -> None:
            check()
            bar.update(bar.task_ids[0], completed=done)

        arrays, about = make_data(
            recipe,
            found,
            transitions,
            seed,
            rollouts=rollouts,
            progress=progress,
        )
        write_data(Path(target), arrays, about | ({} if acting is None else {"acting": acting}))
    values = loads(about["values"])
    if json is not None:
        made = {"name": name, "file": target, "transitions": transitions, "seed": seed, "gamma": about["gamma"]}
        told = {"behaviours": recipe.behaviours, "values": values, "values_from": about["values_from"]}
        targets.write_json(json, {"krope_version": __version__, **made, **told})
    if json != targets.STDOUT:
        lines = console.output()
        for role, value in values.items():
            lines.print(f"{role:12} value {three(value['mean'])} ± {three(value['error'])}", markup=False)
        lines.print(f"wrote {target}: {transitions:,} transitions", markup=False, soft_wrap=True)


Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="Task whose policies to train, such as dmc-walker-stand.", autocompletion=offer("tasks")
    ),
]
Exploration = Annotated[
    float, typer.Option(help="Standard deviation of persistent noise on the learner's actions, for rare rewards.")
]
Cache = Annotated[str | None, typer.Option(help="Folder of the training's state; resumed if it exists.", metavar="DIR")]
Imported = Annotated[
    str | None,
    typer.Option("--import", help="Train nothing: take the policy in FILE, safetensors or npz.", metavar="FILE"),
]
AllowPickle = Annotated[
    bool, typer.Option("--allow-pickle", help="With --import: read a pickle, of numpy arrays and nothing else.")
]
PoliciesJson = Annotated[
    str | None,
    typer.Option(help="Write the policies' values to FILE; - prints it to stdout and nothing else.", metavar="FILE"),
]


def policies(
    name: Name,
    decisions: Annotated[int, typer.Option(help="Stop after this many decisions, whatever the value.")] = 1_000_000,
    every: Annotated[int, typer.Option(help="Decisions between two evaluations.")] = 2_000,
    episodes: Annotated[int, typer.Option(help="Episodes of an evaluation.")] = 10,
    rollouts: Annotated[int, typer.Option(help="Episodes that measure an exported policy.")] = 300,
    seed: Annotated[int, typer.Option(help="Seed of the training.")] = 0,
    exploration: Exploration = 0.0,
    cache: Cache = None,
    out: Annotated[str | None, typer.Option(help="Folder of the exported policies.", metavar="DIR")] = None,
    imported: Imported = None,
    role: Annotated[str, typer.Option(help="With --import: target, or which behavior policy it is.")] = "target",
    allow_pickle: AllowPickle = False,
    json: PoliciesJson = None,
) -> None:
    """Train a task's policies by SAC until they reach their values, and export them; or import one."""
    task = task_named(name)
    for count, option in ((decisions, "decisions"), (every, "every"), (episodes, "episodes")):
        require_count(count, option)
    require_count(rollouts, "rollouts", least=2)
    require_count(seed, "seed", least=0)
    if imported is not None:
        _import(task, imported, role, out, rollouts, allow_pickle, json)
        return
    from deep.control.sac import SacSettings, export_policies, read_snapshots, train_policies

    settings = SacSettings(seed=seed, exploration=exploration)
    targets.require_folder_name(cache, "cache")
    targets.require_folder_name(out, "out")
    store = Path(cache) if cache is not None else user_folder().parent / "training"
    place = Path(out) if out is not None else user_folder()
    targets.require_folder_target(str(store), "cache")
    targets.require_folder_target(str(place), "out")
    load_policies(task, (place,))  # what is there and cannot be read is refused now, not after the training
    if json is not None:
        targets.require_file_target(json, "json")
    news = console.messages()
    news.quiet = console.output().quiet

    def progress(snapshot: "Snapshot") -> None:
        check()
        news.print(f"{snapshot.decisions:9d} decisions: value {snapshot.value:.1f} +- {snapshot.error:.1f}")

    def kept() -> str:
        taken = len(read_snapshots(store / name, task, settings))
        return f"{taken} snapshots are kept in {store / name}; the same command resumes from the last saved state"

    with tell_how_to_resume(kept) as check:
        train_policies(task, store / name, settings, decisions, every, episodes, progress)
        found = export_policies(task, store / name, place, settings, rollouts)
    lost = roles_lost(place / name, found)
    if json is not None:
        written = bool(found.actors) and not lost
        targets.write_json(json, _exported(found, place / name) | {"written": written})
    if json != targets.STDOUT:
        _tell_policies(task, place / name, found, lost)


def _tell_policies(task: Task, folder: Path, found: Policies, lost: Sequence[str]) -> None:
    """What the trained policies came to, and whether they were written."""
    lines = console.output()
    for part, wanted in task.wanted:
        value = found.values.get(part)
        got = "not reached yet" if value is None else f"{value.mean:.1f} +- {value.error:.1f}"
        lines.print(f"{part:12} wanted {wanted:6.1f}  {got}", markup=False)
    told = f"kept {folder}, which has {', '.join(lost)} besides" if lost else f"wrote {folder}"
    lines.print(told if found.actors or lost else "wrote no policies", markup=False, soft_wrap=True)


def _import(
    task: Task, file: str, role: str, out: str | None, rollouts: int, allow_pickle: bool, json: str | None
) -> None:
    """What ``--import`` does."""
    targets.require_folder_name(out, "out")
    place = Path(out) if out is not None else user_folder()
    targets.require_folder_target(str(place), "out")
    targets.require_file_target(json, "json")
    value = import_policy(task, file, role, place, rollouts, allow_pickle)
    if json is not None:
        targets.write_json(json, _exported(load_policies(task, (place,)), place / task.name) | {"written": True})
    if json != targets.STDOUT:
        lines = console.output()
        lines.print(f"{role:12} {value.mean:.1f} +- {value.error:.1f}", markup=False)
        lines.print(f"wrote {place / task.name}", markup=False, soft_wrap=True)


def _list(folder: str | None, json: str | None) -> None:
    """Which data sets there are, and whether their policies are."""
    absent = {one.name: find_policies(one.task, folder).missing((*one.behaviours, TARGET)) for one in RECIPES}
    if json is not None:
        sets = [_recipe(one, absent[one.name]) for one in RECIPES]
        targets.write_json(json, {"krope_version": __version__, "data_sets": sets})
    if json != targets.STDOUT:
        lines = console.output()
        for one in RECIPES:
            state = f"needs krope deep policies {one.task.name}" if absent[one.name] else "ready"
            console.print_beside(lines, one.name, state, 28)


def _recipe(recipe: Recipe, absent: list[str]) -> dict[str, Any]:
    about = {"name": recipe.name, "task": recipe.task.name, "behaviours": recipe.behaviours, "gamma": recipe.task.gamma}
    return {**about, "ready": not absent, "missing": sorted(set(absent))}


def _exported(found: Policies, place: Path) -> dict[str, Any]:
    wanted = dict(found.task.wanted)
    values = {role: {"wanted": wanted.get(role), "value": found.values.get(role)} for role in (*wanted, "random")}
    document: dict[str, Any] = plain(
        {"krope_version": __version__, "task": found.task.name, "folder": str(place), "policies": values}
    )
    return document
