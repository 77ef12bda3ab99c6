"""``krope analyze``: kernel, features, stability, completeness and value bounds of a user's model."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabular_krope.cli import completion

if TYPE_CHECKING:
    from tabular_krope.cli.models import Subject
    from tabular_krope.report.analysis import Analysis

EXAMPLES = """
[bold]Examples[/]

krope analyze garnet:8x5x3            random: 8 states, 5 actions, 3 successors

krope analyze zoo:c1-value-bound      the model that refutes the printed bound

krope analyze zoo:van-roy --features own --weights own      LSPE diverges

krope analyze gym:FrozenLake-v1 --policy optimal            gymnasium's tables

krope analyze model.npz --policy pi.json --dim 10           your own files

krope analyze garnet:8x5 --features random --dim 30 --weights stationary

krope analyze garnet:8x5x3 --json - | jq .spectral_radius

krope analyze model.json --plot pictures      PNG files and their data
"""


def analyze(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="A .npz or .json file, garnet:STATESxACTIONS\\[xBRANCHING], zoo:NAME, or gym:ID\\[?option=value&...].",
        ),
    ],
    policy: Annotated[
        str | None,
        typer.Option(
            help="uniform, optimal, random, deterministic, epsilon-greedy, or a FILE. Default: the model's own, else "
            "uniform.",
            autocompletion=completion.policies,
        ),
    ] = None,
    features: Annotated[
        str,
        typer.Option(
            help="krope, cholesky, one-hot, random, successor, eigen, own (the model's), or a FILE (.npy .npz .json).",
            autocompletion=completion.features,
        ),
    ] = "krope",
    dim: Annotated[int | None, typer.Option(help="Number of features. Default: as many as there are.")] = None,
    weights: Annotated[
        str,
        typer.Option(
            help="Data distribution: uniform, stationary, occupancy, own (the model's), or a FILE.",
            autocompletion=completion.weights,
        ),
    ] = "uniform",
    gamma: Annotated[
        str | None, typer.Option(help="Discount factor in place of the model's own: 0.9 or 9/10.", metavar="NUMBER")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of random models, policies and features.")] = 0,
    reward_range: Annotated[
        tuple[str, str] | None,
        typer.Option(
            help="Range of the reward kernel; must cover the rewards. Default: their own.", metavar="LOW HIGH"
        ),
    ] = None,
    json: Annotated[
        str | None,
        typer.Option(help="Write every number to FILE; - for stdout, and nothing else there.", metavar="FILE"),
    ] = None,
    plot: Annotated[str | None, typer.Option(help="Write pictures and their data to FOLDER.", metavar="FOLDER")] = None,
) -> None:
    """Kernel, features, stability, completeness and value bounds of a model."""
    from tabular_krope.arrays import require_count
    from tabular_krope.cli import analysis_tables, console, targets
    from tabular_krope.cli.models import read_model

    require_count(seed, "seed", least=0)
    if json is not None:
        targets.require_file_target(json, "json")
    if plot is not None:
        targets.require_folder_target(plot, "plot")
    subject = read_model(model, gamma, seed)
    settings: dict[str, Any] = {
        "model": model,
        "policy": _policy_name(subject, policy),
        "features": features,
        "dim": dim,
    }
    settings |= {"weights": weights, "gamma": gamma, "seed": seed, "reward_range": reward_range}
    analysis = _analysis(subject, policy, features, dim, weights, seed, reward_range)
    contents = {} if plot is None else _pictures(analysis, subject, settings, Path(plot))
    targets.write_files(contents)
    if json is not None:
        targets.write_json(json, document(analysis, settings))
    if json != targets.STDOUT:
        out = console.output()
        analysis_tables.print_analysis(analysis, settings, out)
        for path in contents:
            out.print(f"wrote {path}", markup=False, soft_wrap=True)


def document(analysis: "Analysis", settings: dict[str, Any]) -> dict[str, Any]:
    """What ``--json`` writes: the analysis with its settings and the version that made it."""
    from tabular_krope import __version__

    return {"krope_version": __version__, "settings": settings, **analysis.as_json()}


def _analysis(
    subject: "Subject",
    policy: str | None,
    features: str,
    dim: int | None,
    weights: str,
    seed: int,
    reward_range: tuple[str, str] | None,
) -> "Analysis":
    import numpy as np

    from tabular_krope.cli.choices import read_features, read_reward_range, read_weights
    from tabular_krope.cli.console import progress
    from tabular_krope.cli.models import read_process
    from tabular_krope.report.analysis import STAGES, analyse

    # Streams of their own, so that the policy is not drawn from the numbers that made the model.
    for_policy, for_features = (np.random.default_rng([seed, k]) for k in (1, 2))
    process = read_process(subject, policy, for_policy)
    wanted, D = read_features(features, subject), read_weights(weights, subject, process)
    span = read_reward_range(reward_range, process)
    with progress("", len(STAGES)) as bar:

        def begin(stage: str) -> None:
            bar.update(bar.task_ids[0], description=stage, completed=STAGES.index(stage))

        return analyse(process, wanted, dim, D, span, for_features, begin)


def _policy_name(subject: "Subject", policy: str | None) -> str:
    from tabular_krope.models.mdp import MDP

    if not isinstance(subject.model, MDP) or (policy is None and subject.policy is not None):
        return "the model's own"
    return policy or "uniform"


def _pictures(analysis: "Analysis", subject: "Subject", settings: dict[str, Any], folder: Path) -> dict[Path, bytes]:
    from figures.analysis_pictures import render_analysis
    from tabular_krope.cli.targets import to_json

    contents = {folder / name: png for name, png in render_analysis(analysis, subject.names).items()}
    contents[folder / "analysis.json"] = to_json(document(analysis, settings)).encode() + b"\n"
    return contents
