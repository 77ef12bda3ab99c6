"""``krope deep``: control data sets, policies, training, studies and their tables."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from deep.control.sac import Snapshot

EXAMPLES = """
[bold]Examples[/]

krope deep data --list                                      which data sets can be made

krope deep data dmc-cartpole-swingup --out cartpole.h5      100,000 transitions, in a minute

krope deep train --data cartpole.h5 --algorithm krope --out runs/krope

krope deep sweep --data cartpole.h5 --seeds 3 --out study    every algorithm, learning rate and dimension, resumable

krope deep table --results study                            table 1 of what has been run

krope deep policies dmc-walker-stand                        train the policies of a task, resumable
"""

app = typer.Typer(name="deep", epilog=EXAMPLES, rich_markup_mode="rich", no_args_is_help=False)


@app.callback(invoke_without_command=True)
def deep(context: typer.Context) -> None:
    """Offline policy evaluation on continuous control: data, policies, training, studies, tables."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command(epilog=EXAMPLES)
def data(
    name: Annotated[str | None, typer.Argument(help="Data set to make.")] = None,
    transitions: Annotated[int, typer.Option(help="Transitions in all.")] = 100_000,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 0,
    out: Annotated[str | None, typer.Option(help="File to write.", metavar="FILE.h5")] = None,
    rollouts: Annotated[
        int | None, typer.Option(help="Measure the values anew with so many episodes. Default: those on file.")
    ] = None,
    policies: Annotated[
        str | None, typer.Option(help="Folder of policies. Default: yours, then those that ship.", metavar="DIR")
    ] = None,
    show: Annotated[bool, typer.Option("--list", help="List the data sets and leave.")] = False,
) -> None:
    """Make a data set: transitions, starts, the target policy's next actions, Monte Carlo values."""
    from deep.control.making import make_data, write_data
    from deep.control.policy_files import load_policies
    from deep.control.tasks import RECIPES, TARGET, recipe_named
    from tabular_krope.arrays import require_count
    from tabular_krope.cli import console, targets
    from tabular_krope.errors import KropeError

    folders = None if policies is None else (Path(policies),)
    lines = console.output()
    if show:
        for recipe in RECIPES:
            absent = load_policies(recipe.task, folders).missing((*recipe.behaviours, TARGET))
            state = f"needs krope deep policies {recipe.task.name}" if absent else "ready"
            lines.print(f"{recipe.name:28}{state}", markup=False, soft_wrap=True)
        return
    if name is None:
        raise KropeError("name must be a data set, or --list be given; got neither")
    recipe = recipe_named(name)
    target = out or f"{name}.h5"
    targets.require_file_target(target, "out")
    if rollouts is not None:
        require_count(rollouts, "rollouts", least=2)
    with console.progress(name, transitions) as bar:
        arrays, about = make_data(
            recipe,
            load_policies(recipe.task, folders),
            transitions,
            seed,
            rollouts=rollouts,
            progress=lambda done: bar.update(bar.task_ids[0], completed=done),
        )
    write_data(Path(target), arrays, about)
    for role, value in json.loads(about["values"]).items():
        lines.print(f"{role:12} value {value['mean']:.2f} +- {value['error']:.2f}", markup=False)
    lines.print(f"wrote {target}: {transitions} transitions", markup=False, soft_wrap=True)


@app.command(epilog=EXAMPLES)
def policies(
    name: Annotated[str, typer.Argument(help="Task whose policies to train, such as dmc-walker-stand.")],
    decisions: Annotated[int, typer.Option(help="Where to stop at the latest.")] = 1_000_000,
    every: Annotated[int, typer.Option(help="Decisions between two looks at the value.")] = 2_000,
    episodes: Annotated[int, typer.Option(help="Episodes of such a look.")] = 10,
    rollouts: Annotated[int, typer.Option(help="Episodes that measure an exported policy.")] = 300,
    seed: Annotated[int, typer.Option(help="Seed of the training.")] = 0,
    cache: Annotated[
        str | None, typer.Option(help="Folder of the training's state; gone on from.", metavar="DIR")
    ] = None,
    out: Annotated[str | None, typer.Option(help="Folder of the exported policies.", metavar="DIR")] = None,
) -> None:
    """Train a task's policies by SAC until the wanted values are passed, and export them."""
    from deep.control.policy_files import user_folder
    from deep.control.sac import SacSettings, export_policies, train_policies
    from deep.control.tasks import task_named
    from tabular_krope.arrays import require_count
    from tabular_krope.cli import console, targets

    task = task_named(name)
    for count, option in ((decisions, "decisions"), (every, "every"), (episodes, "episodes")):
        require_count(count, option)
    require_count(rollouts, "rollouts", least=2)
    require_count(seed, "seed", least=0)
    store = Path(cache) if cache is not None else user_folder().parent / "training"
    place = Path(out) if out is not None else user_folder()
    targets.require_folder_target(str(store), "cache")
    targets.require_folder_target(str(place), "out")
    settings = SacSettings(seed=seed)
    lines = console.output()

    def progress(snapshot: "Snapshot") -> None:
        lines.print(f"{snapshot.decisions:9d} decisions: value {snapshot.value:.1f} +- {snapshot.error:.1f}")

    train_policies(task, store / name, settings, decisions, every, episodes, progress)
    found = export_policies(task, store / name, place, settings, rollouts)
    for role, wanted in task.wanted:
        value = found.values.get(role)
        got = "not reached yet" if value is None else f"{value.mean:.1f} +- {value.error:.1f}"
        lines.print(f"{role:12} wanted {wanted:6.1f}  {got}", markup=False)
    lines.print(f"wrote {place / name}", markup=False, soft_wrap=True)


@app.command(epilog=EXAMPLES)
def train(
    data: Annotated[str, typer.Option(help="Data set: ours, D4RL's or Minari's HDF5.", metavar="FILE.h5")],
    out: Annotated[str, typer.Option(help="Folder of the run; gone on from.", metavar="FOLDER")],
    algorithm: Annotated[
        str, typer.Option(help="fqe, krope, rope, dbc, bcrl, bcrl-exp, dr3, beer or krope-closed.")
    ] = "krope",
    epochs: Annotated[int, typer.Option(help="Epochs in all.")] = 500,
    seed: Annotated[int, typer.Option(help="Seed of parameters and minibatches.")] = 0,
    learning_rate: Annotated[float, typer.Option(help="Of the encoder.")] = 2e-5,
    fraction: Annotated[float, typer.Option(help="Features as a share of the dimensions of state and action.")] = 0.5,
    dimension: Annotated[int | None, typer.Option(help="Number of features, in place of the share.")] = None,
    batch: Annotated[int, typer.Option(help="Transitions of a minibatch.")] = 2048,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    task: Annotated[
        str | None, typer.Option(help="Task whose target policy acts, for files that carry no next actions.")
    ] = None,
    policies: Annotated[
        str | None, typer.Option(help="Folder of policies. Default: yours, then those that ship.", metavar="DIR")
    ] = None,
) -> None:
    """Train one algorithm on a data set and evaluate it every ten epochs."""
    from deep.control.config import ControlConfig
    from deep.control.network import device_named
    from deep.control.policy_files import load_policies
    from deep.control.reading import read_data
    from deep.control.tasks import task_named
    from deep.control.training import train as run
    from tabular_krope.cli import console, targets

    config = ControlConfig(algorithm, seed, epochs, fraction, dimension, learning_rate, batch)
    place = device_named(device)
    targets.require_folder_target(out, "out")
    folders = None if policies is None else (Path(policies),)
    found = None if task is None else load_policies(task_named(task), folders)
    content = read_data(Path(data), found, seed)
    with console.progress(f"{algorithm} on {content.name}", epochs) as bar:
        at = run(
            config,
            content,
            Path(out),
            place,
            lambda done, loss: bar.update(
                bar.task_ids[0], completed=done, description=f"{algorithm} on {content.name}, loss {loss:.4g}"
            ),
        )
    row = at.rows[-1]
    lines = console.output()
    state = "diverged" if at.diverged else "trained"
    lines.print(f"{algorithm} on {content.name}: {state}, {at.epochs} epochs", markup=False, soft_wrap=True)
    for route, words in (("cov32", "LSPE, float32 covariance"), ("svd64", "LSPE, float64 SVD"), ("fqe", "FQE itself")):
        radius = f", spectral radius {row[f'radius_{route}']:.4f}" if route != "fqe" else ""
        text = f"{words:26} normalised error {row[f'error_{route}']:.4g}, value {row[f'value_{route}']:.4g}{radius}"
        lines.print(text, markup=False, soft_wrap=True)
    lines.print(f"wrote {out}/metrics.csv", markup=False, soft_wrap=True)


@app.command(epilog=EXAMPLES)
def sweep(
    data: Annotated[str, typer.Option(help="Data sets, commas between.", metavar="FILES")],
    out: Annotated[str, typer.Option(help="Folder of the study: made, or gone on with.", metavar="FOLDER")],
    algorithms: Annotated[
        str, typer.Option(help="Algorithms, commas between.", metavar="LIST")
    ] = "fqe,krope,rope,dbc,bcrl,bcrl-exp,dr3,beer,krope-closed",
    learning_rates: Annotated[str, typer.Option(help="Learning rates.", metavar="LIST")] = "1e-5,2e-5,5e-5",
    fractions: Annotated[
        str, typer.Option(help="Features as shares of the dimensions of state and action.", metavar="LIST")
    ] = "0.25,0.5,0.75",
    seeds: Annotated[int, typer.Option(help="Trials of each combination.")] = 20,
    epochs: Annotated[int, typer.Option(help="Epochs of each run.")] = 500,
    batch: Annotated[int, typer.Option(help="Transitions of a minibatch.")] = 2048,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    jobs: Annotated[int, typer.Option(help="Processes on this machine.")] = 1,
    dask: Annotated[
        str | None, typer.Option(help="Compute on the workers of this Dask scheduler.", metavar="ADDRESS")
    ] = None,
    shard: Annotated[str | None, typer.Option(help="Do the i-th of n shares only.", metavar="I/N")] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Try again what failed before.")] = False,
) -> None:
    """Algorithms x data sets x learning rates x dimensions x seeds, resumable."""
    from deep.control.reading import read_data
    from deep.control.study import control_sweep
    from tabular_krope.cli import sweep_runs

    files = _words(data)
    for path in files:
        read_data(Path(path))  # refused now, not once for each run
    study = control_sweep(
        files,
        _words(algorithms),
        _numbers(learning_rates, "learning-rates"),
        _numbers(fractions, "fractions"),
        seeds,
        epochs,
        batch,
        device,
    )
    status = sweep_runs.run_to_table(study, out, jobs, dask, shard, retry_failed)
    sweep_runs.print_status(status, out)
    if status.failed:
        raise typer.Exit(1)


@app.command(epilog=EXAMPLES)
def table(
    results: Annotated[
        str | None, typer.Option(help="Folder of runs or of a study. Default: the published ones.", metavar="DIR")
    ] = None,
) -> None:
    """Table 1 and the Bellman-completeness table of what has been run, beside the paper's."""
    from deep.control.results import read_runs
    from deep.control.tables import completeness_table, error_table
    from tabular_krope.cli import console
    from tabular_krope.cli.deep_tables import print_table

    runs = read_runs(_published() if results is None else Path(results))
    for column, title in (
        ("error_cov32", "Normalised error of LSPE by a float32 covariance, the paper's route (Div.: 10 or more)"),
        ("error_svd64", "The same features, LSPE by the SVD in float64"),
        ("error_fqe", "FQE end to end"),
    ):
        print_table(error_table(runs, column), title)
    print_table(completeness_table(runs), "Bellman-completeness error of the features (depends on their scale)")
    lines = console.output()
    lines.print("* fewer than the paper's 500 epochs. Best setting of those run; means with 95% intervals over seeds.")
    lines.print(f"{len(runs)} runs. krope-closed is ours: the closed form on random features.")


def _published() -> Path:
    """Results that lie beside the package in a checkout."""
    import figures

    return Path(figures.__file__).parent / "data" / "control"


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _numbers(text: str, option: str) -> list[float]:
    from tabular_krope.errors import KropeError

    try:
        return [float(word) for word in _words(text)]
    except ValueError:
        raise KropeError(f"{option} must be numbers, commas between; got {text!r}") from None
