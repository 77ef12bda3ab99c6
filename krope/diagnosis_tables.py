"""A diagnosis for a reader: words first, numbers after."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from krope.analysis_tables import yes
from krope.console import print_prose
from krope.wide_tables import new_table, print_table
from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.data.dataset import Dataset
from tabular_krope.evaluation.value_estimate import ValueEstimate
from tabular_krope.report.counted import counted, percent
from tabular_krope.report.diagnosis import Diagnosis
from tabular_krope.report.diagnosis_words import words
from tabular_krope.report.digits import three

#: Names of a code book that are shown; all are in the JSON.
SHOWN = 20


def print_diagnosis(
    diagnosis: Diagnosis,
    settings: Mapping[str, Any],
    truth: float | None,
    console: Console,
    data: Dataset | ContinuousDataset | None = None,
) -> None:
    """Print the words, then the tables; ``truth`` is the value of the starts where it is known."""
    for paragraph in words(diagnosis):
        print_prose(console, paragraph)
        console.print()
    for table in diagnosis_tables(diagnosis, settings, truth, data):
        print_table(table, console)


def diagnosis_tables(
    diagnosis: Diagnosis,
    settings: Mapping[str, Any],
    truth: float | None,
    data: Dataset | ContinuousDataset | None = None,
) -> list[Table]:
    """Every table of a diagnosis."""
    return [_data(diagnosis, settings, data), _routes(diagnosis), _cures(diagnosis, truth)]


def _data(d: Diagnosis, settings: Mapping[str, Any], data: Dataset | ContinuousDataset | None) -> Table:
    p, f = d.problem, d.facts
    table = new_table("Data and features", "", "")
    table.add_row("data", escape(str(settings["data"])))
    table.add_row("transitions", f"{f.transitions:,} in {f.episodes:,} episode{'s' * (f.episodes != 1)}")
    if isinstance(data, Dataset):
        for kind, names in (("states", data.state_names), ("actions", data.action_names)):
            if names is not None:
                table.add_row(f"{kind}, numbered from 0", escape(_listed(names)))
        if data.ignored:
            table.add_row("columns left aside", escape(_listed(data.ignored)))
    table.add_row("gamma", three(p.gamma))
    table.add_row("target policy", escape(p.policy))
    table.add_row("features", f"{f.d} {escape(p.features)}, rank {f.rank}")
    table.add_row("condition number", three(f.condition))
    table.add_row("growth from data to successors", three(f.growth))
    if p.uncovered is not None:
        table.add_row("target's steps to pairs without data", percent(p.uncovered))
    table.add_row("value is that of", escape(p.start))
    return table


def _listed(names: tuple[str, ...]) -> str:
    """The first names; how many there are if not all are shown."""
    if len(names) <= SHOWN:
        return ", ".join(names)
    return f"{', '.join(names[:SHOWN])}, ... ({len(names)} in all)"


def _routes(d: Diagnosis) -> Table:
    # Short, as `krope analyze` has them, so that 80 columns hold the table whole.
    table = new_table("LSPE by each solver", "", *(route.name.replace("covariance", "cov") for route in d.routes))
    table.add_row("spectral radius", *(three(route.spectral_radius) for route in d.routes))
    table.add_row("norm", *(three(route.norm) for route in d.routes))
    table.add_row("stable", *(yes(route.stable) for route in d.routes))
    table.add_row("condition inverted", *(three(route.condition) for route in d.routes))
    table.add_row("fixed point's value", *(three(route.value) for route in d.routes))
    return table


def _cures(d: Diagnosis, truth: float | None) -> Table:
    level = f"{100 * d.estimate.level:.3g}% interval"
    table = new_table("Value before and after", "", "stable", "rho", "norm", "d", "float32", "value", level)
    first = d.routes[0]
    in_float32 = yes(not d.failing and first.stable)
    before = (three(first.spectral_radius), three(first.norm), str(d.facts.d), in_float32)
    table.add_row("as it is", yes(first.stable), *before, *_value(d.estimate if first.stable else None))
    for cure in d.cures:
        tried = (three(cure.spectral_radius), three(cure.norm), str(cure.d), yes(cure.in_float32))
        table.add_row(cure.name, yes(cure.works), *(tried if cure.works else "----"), *_value(cure.estimate))
    if truth is not None:
        table.add_row("true value, by the model", *[""] * 5, three(truth), "")
    notes = [f"{cure.name}: {cure.words}" for cure in d.cures if not cure.works]
    unit = f"intervals: Bayesian bootstrap over {counted(d.estimate.groups, 'group')} of {d.estimate.unit}"
    unit += "; the starts count as known"
    if not d.estimate.replicates:
        unit = "no intervals: --replicates is 0"
    if not first.stable:
        notes.insert(0, f"as it is: no limit; the fixed point has value {three(d.estimate.value)}")
    table.caption = "\n".join([unit, *map(escape, notes)])
    return table


def _value(estimate: ValueEstimate | None) -> tuple[str, str]:
    if estimate is None:
        return "-", "-"
    if not estimate.replicates:
        return three(estimate.value), "-"
    return three(estimate.value), f"{three(estimate.low)} .. {three(estimate.high)}"
