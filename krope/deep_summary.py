"""What ``krope deep table`` says first: on how many data sets LSPE diverges, ours beside the paper's."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table as Shown

if TYPE_CHECKING:
    from deep.control.tables import Entry, Table

#: Measure and heading of each of our columns.
ROUTES = {"error_cov32": "float32", "error_svd64": "float64", "error_limit": "limit"}
TITLE = "Data sets on which LSPE diverges: float32 covariance (the paper's route), float64 SVD, its limit"


def answer(table: "Table", runs: int) -> str:
    """How many runs there are, and how often they diverge by the paper's route, beside the paper."""
    ours = [entry for row in table.rows for entry in row.ours if entry.state != "not run"]
    paper = [entry for row in table.rows for entry in row.paper if entry.state != "not measured"]
    told = f"{runs} run{'s' * (runs != 1)}."
    if not ours:
        return told
    cells = "cells (a data set with an algorithm)"
    return f"{told} By the paper's route LSPE diverges in {diverged(ours)} {cells}; in the paper in {diverged(paper)}."


def divergence_counts(tables: "Sequence[Table]") -> Shown:
    """A line for each algorithm that was run: on how many data sets it diverges by each route, and the paper's."""
    from deep.control.tables import ORDER

    by_measure = {table.measure: table for table in tables}
    first = by_measure["error_cov32"]
    shown = Shown(title=TITLE, box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1))
    shown.add_column("algorithm", no_wrap=True)
    for name in (*ROUTES.values(), "the paper"):
        shown.add_column(name, justify="right", no_wrap=True)
    for k, name in enumerate(ORDER):
        ours = [[row.ours[k] for row in by_measure[measure].rows if _was_run(row.ours[k])] for measure in ROUTES]
        quoted = [row.paper[k] for row in first.rows if row.paper[k].state != "not measured"]
        if ours[0]:
            shown.add_row(name, *map(diverged, ours), diverged(quoted) if quoted else "")
    return shown


def diverged(entries: "Sequence[Entry]") -> str:
    """How many of them diverged, of how many.

    >>> from deep.control.tables import Entry
    >>> diverged([Entry("diverged"), Entry("value", 1.0)])
    '1 of 2'
    """
    return f"{sum(entry.state == 'diverged' for entry in entries)} of {len(entries)}"


def _was_run(entry: "Entry") -> bool:
    return entry.state not in ("not run", "not measured")
