"""``krope deep train`` and ``krope deep sweep``: one run, and studies of many."""

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from krope import console, options, sweep_runs, targets
from krope.console import output
from krope.errors import tell_how_to_resume
from krope.lazy import offer
from tabular_krope import __version__
from tabular_krope.control.control_data import ControlData
from tabular_krope.control.policy_files import policies_for_reading
from tabular_krope.control.reading import read_data
from tabular_krope.errors import KropeError
from tabular_krope.report.digits import three
from tabular_krope.report.plain import plain

if TYPE_CHECKING:
    from deep.control.run_folder import Progress

#: How a value is estimated from what was trained, in the words of the summary.
ROUTES = (
    ("cov32", "LSPE, float32 covariance"),
    ("svd64", "LSPE, float64 SVD"),
    ("limit", "its limit, LSTD"),
    ("fqe", "FQE itself"),
)
#: Settings that have options of their own; ``--set`` has the others.
OWN_OPTIONS = ("algorithm", "seed", "epochs", "fraction", "dimension", "learning_rate", "batch")


def train(
    data: Annotated[str, typer.Option(help="Data set: ours, D4RL's or Minari's HDF5.", metavar="FILE.h5")],
    out: Annotated[str, typer.Option(help="Folder of the run; resumed if it exists.", metavar="FOLDER")],
    algorithm: Annotated[
        str,
        typer.Option(
            help="fqe, krope, rope, dbc, bcrl, bcrl-exp, dr3, beer or krope-closed.",
            autocompletion=offer("algorithms"),
        ),
    ] = "krope",
    epochs: Annotated[int, typer.Option(help="Total number of epochs.")] = 500,
    seed: Annotated[int, typer.Option(help="Seed of parameters and minibatches.")] = 0,
    learning_rate: Annotated[float, typer.Option(help="Learning rate of the encoder.")] = 2e-5,
    fraction: Annotated[float, typer.Option(help="Features as a share of the dimensions of state and action.")] = 0.5,
    dimension: Annotated[int | None, typer.Option(help="Number of features, in place of the share.")] = None,
    batch: options.Batch = 2048,
    more: options.RunSettings = None,
    device: options.Device = "auto",
    task: options.ActingTask = None,
    policies: options.Policies = None,
    json: Annotated[
        str | None,
        typer.Option(
            help="Write the run's last metrics to FILE; - prints it to stdout and nothing else.", metavar="FILE"
        ),
    ] = None,
) -> None:
    """Train one algorithm on a data set and evaluate it every ten epochs."""
    from deep.control.config import ControlConfig
    from deep.control.given_settings import read_settings
    from deep.control.network import device_named
    from deep.control.training import train as run

    others = read_settings(more or (), OWN_OPTIONS)
    config = ControlConfig(algorithm, seed, epochs, fraction, dimension, learning_rate, batch, **others)
    place = device_named(device)
    targets.require_folder_name(out)
    targets.require_folder_target(out, "out")
    targets.require_file_target(json, "json")
    found = policies_for_reading(task, policies)
    with tell_how_to_resume(lambda: kept_of_run(Path(out))) as check:
        content = read_data(Path(data), found)
        name = f"{algorithm} on {content.name}"
        with console.progress(name, epochs) as bar:

            def progress(done: int, loss: float) -> None:
                check()
                bar.update(bar.task_ids[0], completed=done, description=f"{name}, loss {loss:.4g}")

            at = run(config, content, Path(out), place, progress)
    if json is not None:
        targets.write_json(json, _document(config.settings(), content.name, out, at))
    if json != targets.STDOUT:
        _print_run(name, out, at, content)


def sweep(
    data: Annotated[str, typer.Option(help="Data sets, comma-separated.", metavar="FILES")],
    out: Annotated[str, typer.Option(help="Folder of the study: created, or resumed.", metavar="FOLDER")],
    algorithms: Annotated[
        str,
        typer.Option(help="Algorithms, comma-separated.", metavar="LIST", autocompletion=offer("algorithm_list")),
    ] = "fqe,krope,rope,dbc,bcrl,bcrl-exp,dr3,beer,krope-closed",
    learning_rates: Annotated[str, typer.Option(help="Learning rates.", metavar="LIST")] = "1e-5,2e-5,5e-5",
    fractions: Annotated[
        str, typer.Option(help="Features as shares of the dimensions of state and action.", metavar="LIST")
    ] = "0.25,0.5,0.75",
    seeds: Annotated[int, typer.Option(help="Trials of each combination.")] = 20,
    epochs: Annotated[int, typer.Option(help="Epochs of each run.")] = 500,
    batch: options.Batch = 2048,
    more: options.RunSettings = None,
    device: options.Device = "auto",
    task: options.ActingTask = None,
    policies: options.Policies = None,
    jobs: options.Jobs = 1,
    dask: options.Dask = None,
    shard: options.Shard = None,
    retry_failed: options.RetryFailed = False,
    json: options.JsonOfStatus = None,
) -> None:
    """Algorithms x data sets x learning rates x dimensions x seeds, resumable."""
    import deep.backend  # noqa: F401 (an interrupt while torch is loaded must not count as a run that failed)
    from deep.control.control_sweep import control_sweep
    from deep.control.given_settings import read_settings
    from deep.control.network import device_named
    from deep.control.training import require_batch

    # What every run would refuse is refused now.
    targets.require_folder_name(out)
    targets.require_file_target(json, "json")
    if dask is None or device != "cuda":  # GPUs may be on the workers' machines alone
        device_named(device)
    files, acting = _words(data), policies_for_reading(task, policies)
    study = control_sweep(
        files,
        _words(algorithms),
        _numbers(learning_rates, "learning-rates"),
        _numbers(fractions, "fractions"),
        seeds,
        epochs,
        batch,
        device,
        task,
        policies,
        read_settings(more or (), OWN_OPTIONS),
    )
    for path in files:
        require_batch(batch, read_data(Path(path), acting))
    status = sweep_runs.run_to_table(study, out, jobs, dask, shard, retry_failed)
    sweep_runs.deliver_status(status, out, json)
    if status.failed:
        raise typer.Exit(1)


def kept_of_run(folder: Path) -> str:
    """How far the run in ``folder`` is saved, and how to resume."""
    from deep.control.run_folder import ABOUT, read_about

    saved = read_about(folder)["epochs"] if (folder / ABOUT).exists() else 0
    return f"{saved} epochs are kept in {folder}; the same command resumes"


def _document(settings: dict[str, Any], data: str, out: str, at: "Progress") -> dict[str, Any]:
    state = "diverged" if at.diverged else "trained"
    about = {"data": data, "folder": out, "state": state, "epochs": at.epochs, "settings": settings}
    document: dict[str, Any] = plain({"krope_version": __version__, **about, "metrics": at.rows[-1]})
    return document


def _print_run(name: str, out: str, at: "Progress", data: ControlData) -> None:
    row, lines = at.rows[-1], output()
    lack = data.target_value is None or data.random_value is None
    unknown = "the data lack true values" if lack else "the random policy's value is the target's"

    def say(text: str) -> None:
        lines.print(text, markup=False, soft_wrap=True)

    say(f"{name}: {'diverged' if at.diverged else 'trained'}, {at.epochs} epochs")
    for route, words in ROUTES:
        if isnan(row[f"value_{route}"]):
            had = any(not isnan(one[f"value_{route}"]) for one in at.rows)
            say(f"{words:26} {'diverged' if at.diverged and had else 'none'}")
            continue
        error = row[f"error_{route}"]
        told = "normalized error " + (f"not known ({unknown})" if isnan(error) else three(error))
        radius = f", spectral radius {three(row[f'radius_{route}'])}" if f"radius_{route}" in row else ""
        say(f"{words:26} {told}, value {three(row[f'value_{route}'])}{radius}")
    say(f"wrote {out}/metrics.csv")


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _numbers(text: str, option: str) -> list[float]:
    try:
        return [float(word) for word in _words(text)]
    except ValueError:
        raise KropeError(f"{option} must be numbers, comma-separated; got {text!r}") from None
