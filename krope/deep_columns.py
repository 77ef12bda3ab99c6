"""Tables of control studies as ``krope deep table`` prints them: what was run above the paper's of the same."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

from rich import box
from rich.markup import escape
from rich.table import Table as Shown

from krope.console import as_one, output

if TYPE_CHECKING:
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
#: What stands before the paper's numbers.
PAPER = "  the paper"
#: Data set, whose, and the texts.
Line = tuple[str, str, list[str]]


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
    half = f"±{_digits(entry.half_width, 2)}" if isfinite(entry.half_width) else ""
    return f"{_digits(entry.mean, 3)}{half}{'*' * entry.short}"


def _digits(value: float, digits: int) -> str:
    """Significant digits, with an exponent from 0.001 down: it is shorter than zeros.

    >>> [_digits(value, 3) for value in (0.0, 0.01234, 0.00049, 1234.5)]
    ['0', '0.0123', '4.9e-4', '1.23e+3']
    """
    text = f"{value:.{digits}g}"
    if 0 < abs(value) < 1e-3:
        mantissa, power = f"{value:.{digits - 1}e}".split("e")
        text = f"{float(mantissa):g}e{power}"
    return text.replace("e-0", "e-").replace("e+0", "e+")


def print_table(table: "Table") -> None:
    """One line for what was run of each data set, one for the paper's of the same where it has such a table."""
    from deep.control.tables import ORDER

    kept = [k for k in range(len(ORDER)) if any(row.ours[k].state in RUN for row in table.rows)]
    lines: list[Line] = []
    for row in table.rows:
        lines.append((row.data, "ours", [entry_text(row.ours[k]) for k in kept]))
        both = [row.ours[k].state in RUN and row.paper[k].state != "not measured" for k in kept]
        if table.quoted and any(both):
            lines.append(
                (row.data, "paper", [row.paper[k].text if shown else "" for k, shown in zip(kept, both, strict=True)])
            )
    names = [ORDER[k] for k in kept]
    folded = [name.replace("krope-closed", "krope-\nclosed") for name in names]
    widths = [
        max(*map(len, name.split("\n")), *(len(texts[k]) for *_, texts in lines)) for k, name in enumerate(folded)
    ]
    used = max(len(data) for data, *_ in lines)
    out = output()
    with as_one(_columns(table, lines, names)):
        out.print(TITLES[table.measure], style="bold", markup=False)
        for part in parts(widths, out.width - used):
            beside = [
                (PAPER if whose == "paper" else data, texts[part]) for data, whose, texts in lines if any(texts[part])
            ]
            out.print(_narrow(beside, folded[part]))


def _columns(table: "Table", lines: "Sequence[Line]", names: Sequence[str]) -> Shown:
    """All columns, for files."""
    shown = Shown("data set", "whose", title=TITLES[table.measure])
    for name in names:
        shown.add_column(name, justify="right")
    for data, whose, texts in lines:
        shown.add_row(escape(data), whose, *texts)
    return shown


def _narrow(lines: Sequence[tuple[str, list[str]]], names: Sequence[str]) -> Shown:
    """Some of the columns, beside the data sets; the paper's lines have no name of their own."""
    shown = Shown(box=box.SIMPLE_HEAD, show_edge=False, padding=0)
    shown.add_column("data set", no_wrap=True)
    for name in names:
        shown.add_column(name, justify="right", no_wrap=True, vertical="bottom")
    for data, texts in lines:
        shown.add_row(escape(data), *texts, style="dim" if data == PAPER else "")
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
