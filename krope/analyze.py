"""``krope analyze``: kernel, features, stability, completeness and value bounds of a user's model."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.markup import escape

from krope import analysis_tables, console, options, targets
from krope.console import staged_progress
from krope.errors import NOTHING_KEPT, tell_how_to_resume
from krope.lazy import offer
from krope.targets import to_json
from tabular_krope import __version__
from tabular_krope.arrays import require_count
from tabular_krope.errors import DimensionError, KropeError
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.mdp import MDP
from tabular_krope.named.choices import read_features, read_reward_range, read_weights
from tabular_krope.named.models import MODELS, Subject, read_model, read_process
from tabular_krope.named.zoo_catalog import catalogue
from tabular_krope.report.analysis import STAGES, Analysis, analyze_model

EXAMPLES = """
[bold]Examples[/]

krope analyze garnet:8x5x3            random: 8 states, 5 actions, 3 successors

krope analyze --list                  the models of the zoo

krope analyze zoo:c1-value-bound      the model that refutes the printed bound

krope analyze zoo:van-roy --features own --weights own      LSPE diverges

krope analyze gym:FrozenLake-v1 --policy optimal            gymnasium's tables

krope analyze model.npz --policy pi.json --dim 10           your own files

krope analyze garnet:8x5 --features random --dim 30 --weights stationary

krope analyze garnet:8x5x3 --json - | jq .spectral_radius

krope analyze model.json --plot pictures      PNG files and their data

krope analyze model.json --report model.html  one page: answer, pictures, numbers, what to do next
"""


Model = Annotated[
    str | None,
    typer.Argument(
        metavar="MODEL",
        help="A .npz or .json file, garnet:STATESxACTIONS\\[xBRANCHING], zoo:NAME, or gym:ID\\[?option=value&...].",
        autocompletion=offer("models"),
    ),
]
Policy = Annotated[
    str | None,
    typer.Option(
        help="uniform, optimal, random, deterministic, epsilon-greedy, or a FILE. Default: the model's own, else "
        "uniform.",
        metavar="NAME|FILE",
        autocompletion=offer("policies"),
    ),
]
Features = Annotated[
    str,
    typer.Option(
        help="krope, cholesky, one-hot, random, successor, eigen, own (the model's), or a FILE (.npy .json .csv).",
        metavar="NAME|FILE",
        autocompletion=offer("features"),
    ),
]
Weights = Annotated[
    str,
    typer.Option(
        help="Data distribution: uniform, stationary, occupancy, own (the model's), or a FILE.",
        metavar="NAME|FILE",
        autocompletion=offer("weights"),
    ),
]
Gamma = Annotated[
    str | None, typer.Option(help="Discount factor in place of the model's own: 0.9 or 9/10.", metavar="NUMBER")
]
RewardRange = Annotated[
    tuple[str, str] | None,
    typer.Option(
        help="Range of the reward kernel; must cover the rewards. Default: their own range.",
        metavar="LOW HIGH",
    ),
]


def analyze(
    context: typer.Context,
    model: Model = None,
    policy: Policy = None,
    features: Features = "krope",
    dim: Annotated[int | None, typer.Option(help="Number of features. Default: all there are.")] = None,
    weights: Weights = "uniform",
    gamma: Gamma = None,
    seed: Annotated[int, typer.Option(help="Seed for random models, policies and features.")] = 0,
    reward_range: RewardRange = None,
    json: options.JsonOfNumbers = None,
    report: options.Report = None,
    plot: Annotated[str | None, typer.Option(help="Write pictures and their data to FOLDER.", metavar="FOLDER")] = None,
    show: Annotated[bool, typer.Option("--list", help="List the models of the zoo and exit.")] = False,
) -> None:
    """Kernel, features, stability, completeness and value bounds of a model."""
    require_count(seed, "seed", least=0)
    if dim is not None:
        require_count(dim, "dim")
    targets.require_file_target(json, "json")
    targets.require_page_target(report)
    targets.require_folder_target(plot, "plot")
    if show:
        _list(json)
        return
    if model is None:
        raise KropeError(f"MODEL must be {MODELS} (krope analyze --list shows the zoo); got none")
    with tell_how_to_resume(lambda: NOTHING_KEPT) as check:
        subject = read_model(model, gamma, seed)
        reward_range = reward_range or subject.reward_range
        policy_name = _policy_name(subject, policy)
        settings: dict[str, Any] = {"model": model, "policy": policy_name, "features": features, "dim": dim}
        settings |= {"weights": weights, "gamma": gamma, "seed": seed, "reward_range": reward_range}
        analysis = _analysis(subject, policy, features, dim, weights, seed, reward_range)
        check()
        contents = {} if plot is None else _pictures(analysis, subject, settings, Path(plot))
        if report is not None:
            from krope.analysis_report import analysis_page

            contents[Path(report)] = analysis_page(analysis, subject, settings, context)
        check()
        _deliver(analysis, settings, contents, json)


def _list(json: str | None) -> None:
    """The zoo: name, sizes, discount factor and what it shows, one line each."""
    entries = catalogue()
    if json is not None:
        targets.write_json(json, [asdict(entry) for entry in entries])
    if json != targets.STDOUT:
        lines = console.output()
        for entry in entries:
            sizes = f"{entry.states} x {entry.actions}"
            head = f"zoo:{entry.name:26}{sizes:>7}  gamma {entry.gamma:<5g}"
            console.print_beside(lines, head, escape(entry.shows), 52)


def _deliver(analysis: Analysis, settings: dict[str, Any], contents: dict[Path, bytes], json: str | None) -> None:
    """Write pictures and page (in ``contents``) and the numbers that were asked for, and print the tables."""
    targets.write_files(contents)
    if json is not None:
        targets.write_json(json, document(analysis, settings))
    if json != targets.STDOUT:
        analysis_tables.print_analysis(analysis, settings, console.output())
        console.tell_written(contents)


def document(analysis: Analysis, settings: dict[str, Any]) -> dict[str, Any]:
    """What ``--json`` writes: the analysis with its settings and the version that made it."""
    return {"krope_version": __version__, "settings": settings, **analysis.as_json()}


def _analysis(
    subject: Subject,
    policy: str | None,
    features: str,
    dim: int | None,
    weights: str,
    seed: int,
    reward_range: tuple[str, str] | None,
) -> Analysis:
    # Streams of their own, so that the policy is not drawn from the numbers that made the model.
    for_policy, for_features = (np.random.default_rng([seed, k]) for k in (1, 2))
    process = read_process(subject, policy, for_policy)
    wanted, D = read_features(features, subject), read_weights(weights, subject, process)
    span = read_reward_range(reward_range, process)
    try:
        with staged_progress(STAGES) as begin:
            return analyze_model(process, wanted, dim, D, span, for_features, begin)
    except DimensionError as error:
        raise error.about("dim") from None


def _policy_name(subject: Subject, policy: str | None) -> str:
    if not isinstance(subject.model, MDP | ExactMDP) or (policy is None and subject.policy is not None):
        return "the model's own"
    return policy or "uniform"


def _pictures(analysis: Analysis, subject: Subject, settings: dict[str, Any], folder: Path) -> dict[Path, bytes]:
    from figures.parts.analysis_pictures import render_analysis

    contents = {folder / name: png for name, png in render_analysis(analysis, subject.names).items()}
    contents[folder / "analysis.json"] = to_json(document(analysis, settings)).encode() + b"\n"
    return contents
