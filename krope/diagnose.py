"""``krope diagnose``: is value learning stable on this offline data, why not, and what cures it."""

from pathlib import Path
from typing import Annotated, Any

import typer

from krope import console, options, targets
from krope.console import staged_progress
from krope.diagnosis_tables import print_diagnosis
from krope.errors import NOTHING_KEPT, tell_how_to_resume
from krope.estimate_tables import estimators_table, print_closed_form
from krope.lazy import offer
from krope.offline_inputs import Evidence, read_columns, read_evidence
from krope.wide_tables import print_table
from tabular_krope import __version__
from tabular_krope.arrays import require_count
from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.data.dataset import Dataset
from tabular_krope.data.files import save as save_file
from tabular_krope.data.offline import offline_problem
from tabular_krope.errors import KropeError
from tabular_krope.estimation.estimate import DRAWS, Estimate, estimate
from tabular_krope.estimation.estimators import Compared, compare_estimators
from tabular_krope.estimation.transitions import transitions_of
from tabular_krope.extras import needed
from tabular_krope.report.diagnosis import STAGES, Diagnosis
from tabular_krope.report.diagnosis import diagnose as judge
from tabular_krope.report.diagnosis_words import words
from tabular_krope.report.estimate_words import estimate_words, plain_estimate
from tabular_krope.report.plain import plain

#: What features can be kept in.
MAP_FILES = (".npz", ".json", ".safetensors")
EXAMPLES = """
[bold]Examples[/]

krope diagnose zoo:van-roy                           a textbook case that diverges

krope diagnose gym:FrozenLake-v1 --policy optimal    data drawn from a model

krope diagnose river.json --policy optimal                  data drawn from a model of yours

krope diagnose runs.csv --gamma 0.99                 the data's own policy, one-hot

krope diagnose runs.parquet --policy pi.json         another policy

krope diagnose log.csv --columns s=room,r=score      columns with other names

krope diagnose runs.csv --features phi.npy --policy uniform

krope diagnose hopper.hdf5 --gamma 0.99 --policy behavior

krope diagnose hopper.hdf5 --features features.npz   your network's features

krope diagnose zoo:baird --estimators                next to TD, FQE, importance sampling

krope diagnose runs.csv --save better.npz              save the recommended features

krope diagnose runs.csv --report diagnosis.html        one page: answer, pictures, numbers, what to do next

krope diagnose runs.csv --json - | jq .verdict
"""


Source = Annotated[
    str | None,
    typer.Argument(
        metavar="DATA",
        help="Transitions: .csv .parquet (tabular), .hdf5 .npz (continuous), .npz .json of save. Or a model to "
        "draw them from: a file, garnet:STATESxACTIONS\\[xBRANCHING], zoo:NAME, gym:ID.",
        autocompletion=offer("models"),
    ),
]
Data = Annotated[
    str | None, typer.Option(help="The same, given as an option.", metavar="DATA", autocompletion=offer("models"))
]
Features = Annotated[
    str | None,
    typer.Option(
        help="Tabular: an array with a row for each state-action pair. Continuous: .npz with features, next_features "
        "and perhaps initial_features. Default: those in the data, else one-hot or random Fourier.",
        metavar="FILE",
    ),
]
Policy = Annotated[
    str | None,
    typer.Option(
        help="Target policy. Tabular: behavior (the default), uniform, or a FILE of states by actions. Continuous: the "
        "next_actions in the data (the default), or behavior. For a model the default is its own policy, else uniform.",
        metavar="NAME|FILE",
    ),
]
Gamma = Annotated[float | None, typer.Option(help="Discount factor, if the data give none or you want another.")]
Columns = Annotated[
    str | None,
    typer.Option(
        help="Names of columns in a .csv or .parquet file: s=obs,r=score. Give those of s, a, r, s_next, done, "
        "truncated and episode that differ.",
        metavar="COLUMN=NAME,...",
    ),
]
Estimators = Annotated[
    bool,
    typer.Option("--estimators", help="Also show what FQE, LSTD, TD, importance sampling and others estimate."),
]
Plot = Annotated[
    str | None, typer.Option(help="Draw the diagnosis to FOLDER/diagnosis.png, or to FILE.png.", metavar="FOLDER")
]
Save = Annotated[
    str | None,
    typer.Option(
        help="Save the recommended features to FILE, a .npz, .json or .safetensors that tk.load reads.",
        metavar="FILE",
    ),
]


def diagnose(
    context: typer.Context,
    source: Source = None,
    data: Data = None,
    features: Features = None,
    policy: Policy = None,
    gamma: Gamma = None,
    columns: Columns = None,
    transitions: Annotated[int, typer.Option(help="How many to draw from a model.")] = 10_000,
    estimators: Estimators = False,
    level: Annotated[float, typer.Option(help="Confidence level of the intervals.")] = 0.95,
    replicates: Annotated[int, typer.Option(help="Number of bootstrap replicates.")] = 400,
    seed: Annotated[int, typer.Option(help="Seed for the bootstrap and for random features.")] = 0,
    json: options.JsonOfNumbers = None,
    report: options.Report = None,
    plot: Plot = None,
    save: Save = None,
) -> None:
    """Is value learning stable on this data with these features? If not, why, and what cures it?"""
    data = _one_of(source, data)
    require_count(seed, "seed", least=0)
    targets.require_file_target(json, "json")
    targets.require_page_target(report)
    picture = _picture(plot)
    _require_map_file(save)
    require_count(transitions, "transitions")
    named = read_columns(columns)
    settings: dict[str, Any] = {
        "data": data,
        "features": features,
        "policy": policy,
        "gamma": gamma,
        "transitions": transitions,
    }
    settings |= {"level": level, "replicates": replicates, "seed": seed, "columns": named}
    with tell_how_to_resume(lambda: NOTHING_KEPT) as check:
        evidence = read_evidence(data, gamma, policy, features, transitions, seed, named)
        diagnosis = _diagnosis(evidence, level, replicates, seed)
        check()
        closed = _closed_form(evidence, level, replicates, seed)
        check()
        compared = _compared(evidence, level, replicates, seed) if estimators else ()
        check()
        contents: dict[Path, bytes] = {}
        if picture is not None:
            from figures.parts.diagnosis_picture import render_diagnosis

            contents[picture] = render_diagnosis(diagnosis, evidence.truth)
        if report is not None:
            from krope.diagnosis_report import diagnosis_page

            contents[Path(report)] = diagnosis_page(diagnosis, closed, compared, evidence, settings, context)
        check()
        _deliver(diagnosis, closed, compared, evidence, settings, json, contents, save)


def _deliver(
    diagnosis: Diagnosis,
    closed: Estimate | None,
    compared: tuple[Compared, ...],
    evidence: Evidence,
    settings: dict[str, Any],
    json: str | None,
    contents: dict[Path, bytes],
    save: str | None,
) -> None:
    """Write picture and page (in ``contents``), the numbers and the features asked for, and print the tables."""
    targets.write_files(contents)
    recommended = diagnosis.recommended
    if save is not None and recommended is not None:
        save_file(recommended, save)
    if json is not None:
        found = document(diagnosis, settings, evidence.truth, closed) | code_book(evidence.data)
        found["estimators"] = [plain(row) for row in compared]
        targets.write_json(json, found)
    if json != targets.STDOUT:
        lines = console.output()
        print_diagnosis(diagnosis, settings, evidence.truth, lines, evidence.data)
        if closed is not None:
            print_closed_form(closed, lines)
        if compared:
            print_table(estimators_table(compared, level=settings["level"], truth=evidence.truth), lines)
        console.tell_written([*contents, *([save] if save is not None and recommended is not None else [])])
    if save is not None and recommended is None:
        raise KropeError(f"save must have features to keep; got none that work, so that {save} was not written")


def document(
    diagnosis: Diagnosis, settings: dict[str, Any], truth: float | None = None, closed: Estimate | None = None
) -> dict[str, Any]:
    """What ``--json`` writes: the diagnosis with its words, its settings and the version that made it."""
    head = {"krope_version": __version__, "settings": settings, "words": words(diagnosis)}
    shown = None if closed is None else plain_estimate(closed) | {"words": estimate_words(closed)}
    return head | diagnosis.as_json() | {"true_value": truth, "closed_form": shown}


def code_book(data: Dataset | ContinuousDataset) -> dict[str, Any]:
    """The names behind the numbers of states and actions, and the columns that were left aside, as plain values."""
    if not isinstance(data, Dataset):
        return {}
    books = {"state_names": data.state_names, "action_names": data.action_names}
    return {name: None if book is None else list(book) for name, book in books.items()} | {
        "ignored_columns": list(data.ignored)
    }


def _diagnosis(evidence: Evidence, level: float, replicates: int, seed: int) -> Diagnosis:
    problem = offline_problem(evidence.data, evidence.policy, evidence.features, seed)
    with staged_progress(STAGES) as begin:
        return judge(problem, level, replicates, seed, begin)


def _compared(evidence: Evidence, level: float, replicates: int, seed: int) -> tuple[Compared, ...]:
    how: dict[str, Any] = {"level": level, "replicates": replicates, "seed": seed}
    return compare_estimators(evidence.data, evidence.policy, evidence.features, evidence.behavior, **how)


def _closed_form(evidence: Evidence, level: float, replicates: int, seed: int) -> Estimate | None:
    """The estimate on polynomials and waves of states and actions, where the data have the target's next actions."""
    data = evidence.data
    if not isinstance(data, ContinuousDataset) or (data.next_actions is None and evidence.policy is None):
        return None
    with console.progress("closed form", DRAWS) as bar:
        rows = transitions_of(data, evidence.policy)
        return estimate(
            rows,
            level=level,
            replicates=replicates,
            seed=seed,
            progress=lambda done: bar.update(bar.task_ids[0], completed=done),
        )


def _one_of(source: str | None, data: str | None) -> str:
    """The data, which may stand alone or after ``--data``."""
    if (source is None) == (data is None):
        got = "none" if data is None else f"{source!r} and --data {data!r}"
        raise KropeError(f"data must be given once, krope diagnose DATA or --data DATA; got {got}")
    return data if source is None else source  # type: ignore[return-value]


def _picture(plot: str | None) -> Path | None:
    """The file of ``--plot``: a .png that is named, or diagnosis.png in the folder that is named."""
    if plot is None:
        return None
    if Path(plot).suffix.lower() == ".png" and not Path(plot).is_dir():
        targets.require_file_target(plot, "plot")
        return Path(plot)
    if Path(plot).suffix and not Path(plot).is_dir():
        raise KropeError(f"plot must be a folder, or a file that ends in .png; got {plot!r}")
    targets.require_folder_target(plot, "plot")
    return Path(plot) / "diagnosis.png"


def _require_map_file(path: str | None) -> None:
    targets.require_file_target(path, "save")
    if path is not None and Path(path).suffix.lower() not in MAP_FILES:
        raise KropeError(f"save must end in {', '.join(MAP_FILES[:-1])} or {MAP_FILES[-1]}; got {path!r}")
    if path is not None and path.endswith(".safetensors"):
        needed("safetensors")
