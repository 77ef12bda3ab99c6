"""``krope sweep``: many models in parallel, resumable; ``krope sweep status`` and ``krope sweep table``."""

import tomllib
from typing import Annotated, Any

import typer

from krope import options, sweep_runs, targets
from krope.console import output, print_prose
from krope.lazy import HelpCommand, HelpGroup, offer
from krope.sweep_summary import answer, print_summary
from tabular_krope import __version__
from tabular_krope.errors import KropeError
from tabular_krope.report.counted import counted
from tabular_krope.report.plain import plain
from tabular_krope.runs.grid import TASK, Grid
from tabular_krope.runs.status import sweep_status
from tabular_krope.runs.store import open_store
from tabular_krope.runs.summary import summarize
from tabular_krope.runs.table import table_path, write_table

EXAMPLES = """
[bold]Examples[/]

krope sweep --models garnet:8x5x3 --count 1000 --policies random --dims 1,2,5,10 --out runs

krope sweep --models garnet:8x5,zoo:two-state --features krope,one-hot --weights uniform,occupancy --out runs

krope sweep --file sweep.toml --jobs 2 --out runs

krope sweep --file sweep.toml --shard 3/16 --out runs      one of sixteen jobs

krope sweep --file sweep.toml --dask tcp://host:8786 --out runs

krope sweep status runs

krope sweep table runs --csv -      the summary for other programs

The same command resumes a sweep that was killed or interrupted. To reproduce a row: krope analyze MODEL --seed SEED.

[bold]Exit codes[/]

0    done, or this share of it

1    a configuration failed: krope sweep status names it, --retry-failed tries it again

2    bad input; one line says what to change

130  interrupted; the same command resumes
"""

STATUS_EXAMPLES = """
[bold]Examples[/]

krope sweep status runs

krope sweep status runs --json - | jq .left      how many are left, for scripts
"""

TABLE_EXAMPLES = """
[bold]Examples[/]

krope sweep table runs              also for a sweep that is not finished

krope sweep table runs --csv -      the summary for other programs
"""

app = typer.Typer(cls=HelpGroup, invoke_without_command=True, rich_markup_mode="rich")


Models = Annotated[
    str | None,
    typer.Option(
        help="Files, garnet:STATESxACTIONS\\[xBRANCHING], zoo:NAME; comma-separated.",
        metavar="LIST",
        autocompletion=offer("model_list"),
    ),
]
Policies = Annotated[
    str | None,
    typer.Option(
        help="own, uniform, optimal, random, deterministic, epsilon-greedy, or files. Default: own.",
        metavar="LIST",
        autocompletion=offer("policy_list"),
    ),
]
Weights = Annotated[
    str | None,
    typer.Option(
        help="uniform, stationary, occupancy, own, or files. Default: uniform.",
        metavar="LIST",
        autocompletion=offer("weight_list"),
    ),
]
Features = Annotated[
    str | None,
    typer.Option(
        help="krope, cholesky, one-hot, random, successor, eigen, own, or files. Default: krope.",
        metavar="LIST",
        autocompletion=offer("feature_list"),
    ),
]
Dims = Annotated[str | None, typer.Option(help="Numbers of features; full means all. Default: full.", metavar="LIST")]
Gammas = Annotated[
    str | None, typer.Option(help="Discount factors; own means the model's. Default: own.", metavar="LIST")
]
File = Annotated[str | None, typer.Option(help="A TOML file with these settings; options override it.", metavar="FILE")]


@app.callback(epilog=EXAMPLES)
def sweep(
    context: typer.Context,
    models: Models = None,
    policies: Policies = None,
    weights: Weights = None,
    features: Features = None,
    dims: Dims = None,
    gammas: Gammas = None,
    count: Annotated[int | None, typer.Option(help="Seeds per combination that draws at random. Default: 1.")] = None,
    seed: Annotated[int | None, typer.Option(help="The first seed. Default: 0.")] = None,
    file: File = None,
    out: Annotated[str | None, typer.Option(help="Folder of the sweep: created, or resumed.", metavar="FOLDER")] = None,
    jobs: options.Jobs = 1,
    dask: options.Dask = None,
    shard: options.Shard = None,
    retry_failed: options.RetryFailed = False,
    json: options.JsonOfStatus = None,
) -> None:
    """Stability and measures of features over models x policies x data weights x d, in parallel and resumable."""
    if context.invoked_subcommand is not None:
        return

    lists = {"models": models, "policies": policies, "weights": weights, "features": features, "dims": dims}
    settings = _from_file(file) | _settings({**lists, "gammas": gammas}) | _numbers(count=count, seed=seed)
    if out is None:
        raise KropeError("out must be given, a folder for the results (--out FOLDER); got none")
    targets.require_folder_name(out)
    targets.require_file_target(json, "json")
    status = sweep_runs.run_to_table(Grid.of(settings).sweep(), out, jobs, dask, shard, retry_failed)
    lines = summarize(out) if status.table else []
    if lines and json != targets.STDOUT:
        print_prose(output(), answer(lines))
    sweep_runs.deliver_status(status, out, json, more={"summary": plain(lines)})
    if lines and json != targets.STDOUT:
        print_summary(lines)
    if status.failed:
        raise typer.Exit(1)


@app.command(cls=HelpCommand, epilog=STATUS_EXAMPLES)
def status(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="The --out folder of a sweep.")],
    json: options.JsonOfNumbers = None,
) -> None:
    """Progress of a sweep: done, failed and left to do, while it runs or after it was killed."""
    targets.require_file_target(json, "json")
    sweep_runs.deliver_status(sweep_status(folder), folder, json, sweep_runs.WHOEVER_BEGAN)


@app.command(cls=HelpCommand, epilog=TABLE_EXAMPLES)
def table(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="The --out folder of a sweep.")],
    json: Annotated[
        str | None,
        typer.Option(
            help="Write its path and number of rows to FILE; - prints them to stdout and nothing else.", metavar="FILE"
        ),
    ] = None,
) -> None:
    """Write the results so far to FOLDER/table.parquet, and summarize them."""
    targets.require_file_target(json, "json")
    store = open_store(folder)
    rows = write_table(store)
    lines = summarize(folder) if json != targets.STDOUT and store.about()["task"] == TASK.name else []
    if json is not None:
        targets.write_json(json, {"krope_version": __version__, "table": str(table_path(store)), "rows": rows})
    if lines:
        print_prose(output(), answer(lines))
        print_summary(lines)
    if json != targets.STDOUT:
        output().print(f"wrote {table_path(store)}: {counted(rows, 'row')}", markup=False, soft_wrap=True)


def _from_file(path: str | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        with open(path, "rb") as stream:
            return tomllib.load(stream)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KropeError(f"{path} must be a TOML file; got {error}") from None


def _settings(texts: dict[str, str | None]) -> dict[str, list[Any]]:
    given = {name: text.split(",") for name, text in texts.items() if text is not None}
    found: dict[str, list[Any]] = {name: [word.strip() for word in words] for name, words in given.items()}
    if "dims" in found:
        found["dims"] = [_dimension(word) for word in found["dims"]]
    return found


def _dimension(word: str) -> int | str:
    if word == "full":
        return word
    if not word.isdecimal() or int(word) == 0:
        raise KropeError(f"dims must be positive integers or full, comma-separated; got {word!r}")
    return int(word)


def _numbers(**values: int | None) -> dict[str, int]:
    return {name: value for name, value in values.items() if value is not None}
