"""``krope deep table``: tables of control studies, ours above the paper's, printed and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.markup import escape
from rich.table import Table as Shown

from krope import options, targets
from krope.console import output
from krope.estimate_results import StoredEstimate, estimates_answer, estimates_table, read_estimates
from krope.sheets import as_one
from tabular_krope import __version__
from tabular_krope.report.plain import plain

if TYPE_CHECKING:
    from deep.control.results import Run
    from deep.control.tables import Entry, Table

TITLES = {
    "error_cov32": "Normalized error of LSPE by a float32 covariance, the paper's route (Div.: 10 or more)",
    "error_svd64": "The same features, LSPE by the SVD in float64",
    "error_limit": "The limit of that iteration, LSTD (Div.: none, the spectral radius is 1 or more)",
    "error_fqe": "FQE end to end (the paper has no table of it)",
    "divergence_cov32": "When LSPE diverged by a float32 covariance: never, on the way (epochs), or at the end",
    "divergence_svd64": "When LSPE diverged by the SVD in float64",
    "completeness": "Bellman-completeness error of the features (depends on their scale)",
}
#: States of entries that show a run.
RUN = ("value", "diverged", "not finite", "told")
#: Data set, whose, and the texts.
Line = tuple[str, str, list[str]]


def table(
    results: Annotated[
        str | None, typer.Option(help="Folder of runs or of a study. Default: the published ones.", metavar="DIR")
    ] = None,
    estimates: Annotated[
        str | None,
        typer.Option(help="What krope deep estimate --json wrote. Default: the published ones.", metavar="FILE"),
    ] = None,
    json: options.JsonOfNumbers = None,
) -> None:
    """Table 1 and the Bellman-completeness table of what has been run, beside the paper's."""
    from deep.control.results import read_runs
    from deep.control.tables import completeness_table, divergence_table, error_table

    if json is not None:
        targets.require_file_target(json, "json")
    folder = _published() if results is None else Path(results)
    runs = read_runs(folder)
    known = _estimates(results, estimates)
    tables = [error_table(runs, f"error_{route}") for route in ("cov32", "svd64", "limit", "fqe")]
    tables += [completeness_table(runs), *(divergence_table(runs, f"error_{route}") for route in ("cov32", "svd64"))]
    if json is not None:
        targets.write_json(json, tables_document(tables, runs, folder) | {"estimates": plain(known)})
    if json != targets.STDOUT:
        print_tables(tables, runs, known)


def _published() -> Path:
    """Results that lie beside the package in a checkout."""
    import figures

    return Path(figures.__file__).parent / "data" / "table1"


def _estimates(results: str | None, estimates: str | None) -> list[StoredEstimate]:
    """Those of the file; the published ones belong to the published runs."""
    if estimates is not None:
        return read_estimates(Path(estimates))
    return [] if results is not None else read_estimates(_published().parent / "estimates" / "as_it_comes.json")


def print_tables(tables: "Sequence[Table]", runs: "Sequence[Run]", estimates: Sequence[StoredEstimate] = ()) -> None:
    """The tables, and what their signs mean."""

    lines = output()
    lines.print(answer(tables[0], len(runs)))
    if estimates:
        lines.print(estimates_answer(estimates))
    for table in tables:
        shown = what_was_run(table)
        if shown.rows:
            lines.print()
            _print_table(shown)
    if estimates:
        lines.print()
        believed = estimates_table(estimates)
        with as_one(believed):
            lines.print(believed.title, style="bold", markup=False)
            believed.title = None
            lines.print(believed)
    lines.print()
    told = (
        "* fewer than the paper's 500 epochs. Best setting of those run; means ± half of the 95% interval over seeds."
    )
    lines.print(told)
    left = sum(entry.cell.left_out for row in tables[0].rows for entry in row.ours if entry.cell)
    if left:
        why = "shorter than others of their setting, or another run of a seed"
        lines.print(f"{left} runs of the settings shown are left out: {why}.")
    places = [entry for row in tables[0].rows for entry in row.ours]
    empty = sum(entry.state == "not run" for entry in places)
    lines.print(f"Not run, and not shown: {empty} of {len(places)} pairs of a data set and an algorithm.")
    lines.print("krope-closed is ours: the closed form on random features, as many as are trained.")


def answer(table: "Table", runs: int) -> str:
    """How many runs there are, and how often each algorithm diverged by the paper's route, beside the paper."""
    from deep.control.tables import ORDER

    parts = []
    for k, name in enumerate(ORDER):
        ours = [row.ours[k] for row in table.rows if row.ours[k].state != "not run"]
        quoted = [row.paper[k] for row in table.rows if row.paper[k].state != "not measured"]
        if ours:
            paper = f" (the paper's: {_diverged(quoted)})" if quoted else ""
            parts.append(f"{name} on {_diverged(ours)}{paper}")
    told = f"{runs} run{'s' * (runs != 1)}."
    return f"{told} Data sets on which LSPE diverges by the paper's route: {'; '.join(parts)}." if parts else told


def what_was_run(table: "Table") -> "Table":
    """The rows that have a run; the columns without any are left out where it is printed."""
    rows = tuple(row for row in table.rows if any(entry.state in RUN for entry in row.ours))
    return replace(table, rows=rows)


def entry_text(entry: "Entry") -> str:
    """An entry of ours with three significant digits; what is told in words, and the paper's, as they are.

    >>> from deep.control.tables import Entry
    >>> entry_text(Entry("value", 0.01234, 0.00456)), entry_text(Entry("diverged"))
    ('0.0123±0.0046', 'Div.')
    """
    if entry.state != "value":
        return "" if entry.state == "not run" else entry.text
    half = f"±{entry.half_width:.2g}" if isfinite(entry.half_width) else ""
    return f"{entry.mean:.3g}{half}{'*' * entry.short}"


def _diverged(entries: "Sequence[Entry]") -> str:
    return f"{sum(entry.state == 'diverged' for entry in entries)} of {len(entries)}"


def _print_table(table: "Table") -> None:
    """One line for what was run of each data set, one for the paper's where it has such a table."""

    from deep.control.tables import ORDER

    kept = [k for k in range(len(ORDER)) if any(row.ours[k].state in RUN for row in table.rows)]
    lines = [(row.data, "ours", [entry_text(row.ours[k]) for k in kept]) for row in table.rows]
    if table.quoted:
        paper = [("", "paper", [row.paper[k].text for k in kept]) for row in table.rows]
        lines = [line for both in zip(lines, paper, strict=True) for line in both]
    names = [ORDER[k] for k in kept]
    widths = [max(len(name), *(len(texts[k]) for *_, texts in lines)) for k, name in enumerate(names)]
    used = max(len(data) for data, *_ in lines) + len(" paper")
    out = output()
    with as_one(_columns(table, lines, names, slice(None))):
        for k, part in enumerate(parts(widths, out.width - used)):
            shown = _columns(table, lines, names, part)
            if k == 0:
                out.print(shown.title, style="bold", markup=False)
            shown.title = None
            out.print(shown)


def _columns(table: "Table", lines: "Sequence[Line]", names: Sequence[str], part: slice) -> Shown:
    """Some of the columns, beside the data sets."""
    shown = Shown(title=TITLES[table.measure], box=box.SIMPLE_HEAD, show_edge=False, padding=0)
    shown.add_column("data set", no_wrap=True)
    shown.add_column("")
    for name in names[part]:
        shown.add_column(name, justify="right", no_wrap=True)
    for data, whose, texts in lines:
        shown.add_row(escape(data), whose, *texts[part])
    return shown


def parts(widths: "Sequence[int]", room: int) -> "Iterator[slice]":
    """Columns that fit side by side, one space before each; one at least.

    >>> list(parts([4, 4, 9, 4], room=10))
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    begin, taken = 0, 0
    for k, width in enumerate(widths):
        if k > begin and taken + width + 1 > room:
            yield slice(begin, k)
            begin, taken = k, 0
        taken += width + 1
    yield slice(begin, len(widths))


def tables_document(tables: "Sequence[Table]", runs: "Sequence[Run]", folder: "Path") -> dict[str, Any]:
    """What ``--json`` writes: for each measure, data set and algorithm what was run and what the paper says."""
    from deep.control.evaluation import DIVERGED
    from deep.control.paper_tables import EPOCHS
    from deep.control.tables import ORDER

    found = [
        {
            "measure": table.measure,
            "title": TITLES[table.measure],
            "rows": [
                {
                    "data": row.data,
                    "ours": {name: _ours(entry) for name, entry in zip(ORDER, row.ours, strict=True)},
                    "paper": {name: _entry(entry) for name, entry in zip(ORDER, row.paper, strict=True)}
                    if table.quoted
                    else None,
                }
                for row in table.rows
            ],
        }
        for table in tables
    ]
    about = {"results": str(folder), "runs": len(runs), "diverged_from": DIVERGED, "paper_epochs": EPOCHS}
    document: dict[str, Any] = plain({"krope_version": __version__, **about, "algorithms": ORDER, "tables": found})
    return document


def _entry(entry: "Entry") -> dict[str, Any]:
    return {"state": entry.state, "text": entry.text, "mean": entry.mean, "half_width": entry.half_width}


def _ours(entry: "Entry") -> dict[str, Any]:
    cell = entry.cell
    if cell is None:
        return _entry(entry)
    counts = {"trials": cell.trials, "epochs": cell.epochs, "settings_tried": cell.settings_tried}
    return {**_entry(entry), **counts, "left_out": cell.left_out, "short": entry.short, "setting": cell.setting}
