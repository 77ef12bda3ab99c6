"""``krope deep estimate``: the value of a data set's target policy in closed form, and whether to believe it."""

from pathlib import Path
from typing import Annotated, Any

import typer

from krope import console, options, targets
from krope.errors import NOTHING_KEPT, tell_how_to_resume
from krope.estimate_tables import print_estimate
from tabular_krope import __version__
from tabular_krope.arrays import require_count
from tabular_krope.control.estimates import ControlEstimate, control_estimate
from tabular_krope.control.policy_files import policies_for_reading
from tabular_krope.control.reading import read_data
from tabular_krope.report.estimate_words import plain_estimate
from tabular_krope.report.plain import plain


def estimate(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Data sets: HDF5, ours, D4RL's or Minari's.")],
    d: Annotated[int | None, typer.Option(help="Number of features, at most the rank. Default: the rank.")] = None,
    ridge: Annotated[
        float, typer.Option(help="Ridge, in units of the features' variances; spares the constant.")
    ] = 1e-2,
    draws: Annotated[int, typer.Option(help="Draws of the base features; the median is the value.")] = 3,
    level: Annotated[float, typer.Option(help="Confidence level of the interval.")] = 0.95,
    replicates: Annotated[int, typer.Option(help="Number of bootstrap replicates.")] = 400,
    seed: Annotated[int, typer.Option(help="Seed for the draws and the bootstrap.")] = 0,
    task: options.ActingTask = None,
    policies: options.Policies = None,
    json: options.JsonOfNumbers = None,
) -> None:
    """The target policy's value by closed-form KROPE: certificate, interval, and believe or refuse.

    Base features are clipped polynomials and random waves of state and action. Nothing is trained or tuned.
    """
    if json is not None:
        targets.require_file_target(json, "json")
    require_count(seed, "seed", least=0)
    acting = policies_for_reading(task, policies)
    how = {"d": d, "ridge": ridge, "draws": draws, "level": level, "replicates": replicates, "seed": seed}
    found = []
    with tell_how_to_resume(lambda: NOTHING_KEPT) as check:
        for file in files:
            data = read_data(Path(file), acting, seed)
            with console.progress(file, draws) as bar:

                def progress(done: int, bar: Any = bar) -> None:
                    check()
                    bar.update(bar.task_ids[0], completed=done)

                found.append(control_estimate(data, progress, **how))
            if json != targets.STDOUT:
                print_estimate(found[-1], console.output())
    if json is not None:
        targets.write_json(json, document(files, found, how))


def document(files: list[str], found: list[ControlEstimate], how: dict[str, Any]) -> dict[str, Any]:
    """What ``--json`` writes: the estimates with their settings and the version that made them."""
    rows = []
    for file, one in zip(files, found, strict=True):
        known = {"true_value": one.true_value, "random_value": one.random_value, "error": one.error}
        rows.append({"file": file, "name": one.name, **plain_estimate(one.estimate), **known, "beyond": one.beyond})
    out: dict[str, Any] = plain({"krope_version": __version__, "settings": how, "estimates": rows})
    return out
