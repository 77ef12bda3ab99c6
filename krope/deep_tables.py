"""``krope deep table``: tables of control studies, ours above the paper's, printed and as JSON."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.markup import escape
from rich.table import Table as Shown

from krope import options, targets
from krope.console import output
from tabular_krope import __version__
from tabular_krope.report.plain import plain

if TYPE_CHECKING:
    from deep.control.results import Run
    from deep.control.tables import Entry, Table

TITLES = {
    "error_cov32": "Normalised error of LSPE by a float32 covariance, the paper's route (Div.: 10 or more)",
    "error_svd64": "The same features, LSPE by the SVD in float64",
    "error_limit": "The limit of that iteration, LSTD (Div.: none, the spectral radius is 1 or more)",
    "error_fqe": "FQE end to end (the paper has no table of it)",
    "divergence_cov32": "When LSPE diverged by a float32 covariance: never, on the way (epochs), or at the end",
    "divergence_svd64": "When LSPE diverged by the SVD in float64",
    "completeness": "Bellman-completeness error of the features (depends on their scale)",
}


def table(
    results: Annotated[
        str | None, typer.Option(help="Folder of runs or of a study. Default: the published ones.", metavar="DIR")
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
    tables = [error_table(runs, f"error_{route}") for route in ("cov32", "svd64", "limit", "fqe")]
    tables += [completeness_table(runs), *(divergence_table(runs, f"error_{route}") for route in ("cov32", "svd64"))]
    if json is not None:
        targets.write_json(json, tables_document(tables, runs, folder))
    if json != targets.STDOUT:
        print_tables(tables, runs)


def _published() -> Path:
    """Results that lie beside the package in a checkout."""
    import figures

    return Path(figures.__file__).parent / "data" / "table1"


def print_tables(tables: "Sequence[Table]", runs: "Sequence[Run]") -> None:
    """The tables, and what their signs mean."""

    for table in tables:
        _print_table(table)
    lines = output()
    told = (
        "* fewer than the paper's 500 epochs. Best setting of those run; means ± half of the 95% interval over seeds."
    )
    lines.print(told)
    left = sum(entry.cell.left_out for row in tables[0].rows for entry in row.ours if entry.cell)
    if left:
        why = "shorter than others of their setting, or another run of a seed"
        lines.print(f"{left} runs of the settings shown are left out: {why}.")
    lines.print(f"{len(runs)} runs. krope-closed is ours: the closed form on random features.")


def _print_table(table: "Table") -> None:
    """One line for what was run of each data set, one for the paper's where it has such a table."""

    from deep.control.tables import ORDER

    lines = [(row.data, "ours", [entry.text for entry in row.ours]) for row in table.rows]
    if table.quoted:
        paper = [("", "paper", [entry.text for entry in row.paper]) for row in table.rows]
        lines = [line for both in zip(lines, paper, strict=True) for line in both]
    widths = [max(len(name), *(len(texts[k]) for *_, texts in lines)) for k, name in enumerate(ORDER)]
    used = max(len(data) for data, *_ in lines) + len(" paper")
    out = output()
    look: Any = {"title_justify": "left", "title_style": "bold", "box": box.SIMPLE_HEAD, "show_edge": False}
    for part in parts(widths, out.width - used):
        shown = Shown(title=TITLES[table.measure], **look, padding=0)
        shown.add_column("data set", no_wrap=True)
        shown.add_column("")
        for name in ORDER[part]:
            shown.add_column(name, justify="right", no_wrap=True)
        for data, whose, texts in lines:
            shown.add_row(escape(data), whose, *texts[part])
        out.print(shown)


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
