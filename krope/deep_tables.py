"""``krope deep table``: tables of control studies, ours above the paper's, printed and as JSON."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table as Shown

from krope import options, targets
from krope.console import as_one, output
from krope.deep_columns import TITLES, print_table, what_was_run
from krope.deep_summary import answer, divergence_counts
from krope.estimate_results import StoredEstimate, estimates_answer, estimates_table, read_estimates
from tabular_krope import __version__
from tabular_krope.report.plain import plain

if TYPE_CHECKING:
    from deep.control.results import Run
    from deep.control.tables import Entry, Table


def table(
    results: Annotated[
        str | None, typer.Option(help="Folder of runs or of a study. Default: the published ones.", metavar="DIR")
    ] = None,
    estimates: Annotated[
        str | None,
        typer.Option(help="What krope deep estimate --json wrote. Default: the published ones.", metavar="FILE"),
    ] = None,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            "-v",
            help="Also errors in float64, of the limit and of FQE end to end; Bellman completeness; when LSPE "
            "diverged; the closed form's estimates.",
        ),
    ] = False,
    json: options.JsonOfNumbers = None,
) -> None:
    """The paper's table 1 as far as it has been run, beside the paper's numbers; other tables on request."""
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
        print_tables(tables, runs, known, verbose)


def _published() -> Path:
    """Results that lie beside the package in a checkout."""
    import figures

    return Path(figures.__file__).parent / "data" / "table1"


def _estimates(results: str | None, estimates: str | None) -> list[StoredEstimate]:
    """Those of the file; the published ones belong to the published runs."""
    if estimates is not None:
        return read_estimates(Path(estimates))
    return [] if results is not None else read_estimates(_published().parent / "estimates" / "as_it_comes.json")


def print_tables(
    tables: "Sequence[Table]", runs: "Sequence[Run]", estimates: Sequence[StoredEstimate] = (), verbose: bool = False
) -> None:
    """The answer, table 1 or all tables, and what their signs mean."""
    lines = output()
    lines.print(answer(tables[0], len(runs)))
    if estimates:
        lines.print(estimates_answer(estimates))
    counts = divergence_counts(tables)
    if counts.row_count:
        lines.print()
        _print_titled(counts)
    for table in tables if verbose else tables[:1]:
        shown = what_was_run(table)
        if shown.rows:
            lines.print()
            print_table(shown)
    if estimates and verbose:
        lines.print()
        _print_titled(estimates_table(estimates))
    lines.print()
    for note in notes(tables[0]):
        lines.print(note)
    if not verbose:
        rest = "LSPE in float64, its limit, FQE end to end, completeness, when LSPE diverged"
        lines.print(f"More tables: krope deep table -v ({rest}{', estimates' * bool(estimates)}).", markup=False)


def notes(table: "Table") -> Iterator[str]:
    """What the signs of table 1 mean, and what is not in it."""
    places = [entry for row in table.rows for entry in row.ours]
    spread = "Best setting of those run; means ± half of the 95% interval over seeds, where there are several."
    yield ("* fewer than the paper's 500 epochs. " if any(entry.short for entry in places) else "") + spread
    left = sum(entry.cell.left_out for entry in places if entry.cell)
    if left:
        why = "shorter than others of their setting, or another run of a seed"
        yield f"{left} run{'s' * (left != 1)} of the settings shown {'is' if left == 1 else 'are'} left out: {why}."
    empty = sum(entry.state == "not run" for entry in places)
    if empty:
        yield f"Not run, and not shown: {empty} of {len(places)} pairs of a data set and an algorithm."
    yield "krope-closed is ours: the closed form on random features, as many as are trained."


def _print_titled(table: Shown) -> None:
    """A table below its title, which is as wide as the screen."""
    out = output()
    with as_one(table):
        out.print(table.title, style="bold", markup=False)
        table.title = None
        out.print(table)


def tables_document(tables: "Sequence[Table]", runs: "Sequence[Run]", folder: Path) -> dict[str, Any]:
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
