"""``krope diagnose``: is value learning stable on this offline data, why not, and what cures it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from tabular_krope.cli.offline_inputs import Evidence
    from tabular_krope.report.diagnosis import Diagnosis

EXAMPLES = """
[bold]Examples[/]

krope diagnose --data zoo:van-roy                           a textbook case that diverges

krope diagnose --data gym:FrozenLake-v1 --policy optimal    data drawn from a model

krope diagnose --data runs.csv --gamma 0.99                 the data's own policy, one-hot

krope diagnose --data runs.parquet --policy pi.json         another policy

krope diagnose --data runs.csv --features phi.npy --policy uniform

krope diagnose --data hopper.hdf5 --gamma 0.99 --policy behaviour

krope diagnose --data hopper.hdf5 --features features.npz   your network's features

krope diagnose --data runs.csv --json - | jq .verdict
"""


def diagnose(
    data: Annotated[
        str,
        typer.Option(
            help="Transitions: .csv .parquet (tabular), .hdf5 .npz (continuous), .npz .json of save.", metavar="FILE"
        ),
    ],
    features: Annotated[
        str | None,
        typer.Option(
            help="Tabular: states x actions by features. Continuous: .npz with features, next_features and perhaps "
            "initial_features. Default: those in the data, else one-hot or random Fourier.",
            metavar="FILE",
        ),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            help="Target policy: behaviour, uniform or a FILE of states by actions; continuous: behaviour, else the "
            "next_actions in the data. Default: the latter, or behaviour; of a model its own, or uniform."
        ),
    ] = None,
    gamma: Annotated[
        float | None, typer.Option(help="Discount factor, if the data state none or another is wanted.")
    ] = None,
    transitions: Annotated[int, typer.Option(help="How many are drawn of a model.")] = 10_000,
    level: Annotated[float, typer.Option(help="Level of the intervals.")] = 0.95,
    replicates: Annotated[int, typer.Option(help="Replicates of the bootstrap.")] = 400,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap and of random features.")] = 0,
    json: Annotated[
        str | None,
        typer.Option(help="Write every number to FILE; - for stdout, and nothing else there.", metavar="FILE"),
    ] = None,
    plot: Annotated[str | None, typer.Option(help="Draw it to FILE, a .png.", metavar="FILE")] = None,
) -> None:
    """Is value learning stable on this data with these features, why not, and what cures it?"""
    from tabular_krope.arrays import require_count
    from tabular_krope.cli import console, targets
    from tabular_krope.cli.diagnosis_tables import print_diagnosis
    from tabular_krope.cli.offline_inputs import read_evidence

    require_count(seed, "seed", least=0)
    if json is not None:
        targets.require_file_target(json, "json")
    if plot is not None:
        targets.require_file_target(plot, "plot")
        _require_png(plot)
    evidence = read_evidence(data, gamma, policy, features, require_count(transitions, "transitions"), seed)
    diagnosis = _diagnosis(evidence, level, replicates, seed)
    settings = {"data": data, "features": features, "policy": policy, "gamma": gamma, "transitions": transitions}
    settings |= {"level": level, "replicates": replicates, "seed": seed}
    if plot is not None:
        from figures.diagnosis_picture import render_diagnosis

        targets.write_files({Path(plot): render_diagnosis(diagnosis)})
    if json is not None:
        targets.write_json(json, document(diagnosis, settings, evidence.truth))
    if json != targets.STDOUT:
        out = console.output()
        print_diagnosis(diagnosis, settings, evidence.truth, out)
        if plot is not None:
            out.print(f"wrote {plot}", markup=False, soft_wrap=True)


def document(diagnosis: "Diagnosis", settings: dict[str, Any], truth: float | None = None) -> dict[str, Any]:
    """What ``--json`` writes: the diagnosis with its words, its settings and the version that made it."""
    from tabular_krope import __version__
    from tabular_krope.report.diagnosis_words import words

    head = {"krope_version": __version__, "settings": settings, "words": words(diagnosis)}
    return head | diagnosis.as_json() | {"true_value": truth}


def _diagnosis(evidence: "Evidence", level: float, replicates: int, seed: int) -> "Diagnosis":
    from tabular_krope.cli.console import progress
    from tabular_krope.data.offline import offline_problem
    from tabular_krope.report.diagnosis import STAGES
    from tabular_krope.report.diagnosis import diagnose as judge

    problem = offline_problem(evidence.data, evidence.policy, evidence.features, seed)
    with progress("", len(STAGES)) as bar:

        def begin(stage: str) -> None:
            bar.update(bar.task_ids[0], description=stage, completed=STAGES.index(stage))

        return judge(problem, level, replicates, seed, begin)


def _require_png(path: str) -> None:
    from tabular_krope.errors import KropeError

    if Path(path).suffix.lower() != ".png":
        raise KropeError(f"plot must end in .png; got {path!r}")
