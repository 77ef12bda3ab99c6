"""``krope bench``: our solvers against the alternatives, as ratios in one run."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import chain
from typing import Annotated, Any

import typer
from rich import box
from rich.markup import escape
from rich.table import Table

from krope import targets
from krope.console import output, print_prose, progress
from krope.errors import NOTHING_KEPT, tell_how_to_resume
from krope.scaling_table import measured_scaling, scaling_answer, scaling_folder, scaling_table
from krope.wide_tables import print_rows
from tabular_krope.errors import KropeError
from tabular_krope.report.counted import counted
from tabular_krope.report.plain import plain

EXAMPLES = """
[bold]Examples[/]

krope bench            every row with its target, in about four minutes

krope bench --large    features of one million and ten million pairs too: ten minutes and 18 GB

krope bench --quick    small sizes, a few seconds, no targets

krope bench --scaling  time and memory against size, as published with the figures

krope bench --scaling --out mine      measured on this machine in five minutes, or read from the folder mine
"""

#: Read by the BLAS libraries and numba when they are loaded, hence the process of its own.
LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMBA")
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in LIBRARIES} | {"VECLIB_MAXIMUM_THREADS": "1"}
MEASURE = "tabular_krope.report.benchmarks"
#: Rows of kernels; rows of training, and how many there are. Each module gets a process of its own.
KERNEL_ROWS = {"full": 15, "quick": 5}
TRAINING, TRAINING_ROWS = "deep.benchmarks", {"full": 6, "quick": 5}
WAITS, WAITS_ROWS = "krope.waits", {"full": 13, "quick": 3}

#: What a reader of the table has to know.
NOTES = (
    "One BLAS thread on both sides, CPU times, medians; the machine's load is {load}.",
    "Residuals (ours, theirs): sup norm of K - K1 - gamma P K P'.",
    "The dense operator is iterated to an error of 1e-10; exact: over the rationals.",
    "Bound: writing the matrix once, and the products of the solver and of P M P', measured in the same run.",
    "Top-32 features: seconds on the wall, all cores; their bound: the products with P and P' alone, on as many.",
    "Training (CPU seconds): residual is the difference of features or gradients.",
    "A target with <= bounds ours over theirs, the others theirs over ours.",
)


def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Small sizes and fewer repetitions; no targets.")] = False,
    into: Annotated[
        str | None,
        typer.Option("--json", help="Write the rows to FILE; - prints it to stdout and nothing else.", metavar="FILE"),
    ] = None,
    large: Annotated[
        bool,
        typer.Option("--large", help="Also measure features of one million and ten million pairs, which takes 18 GB."),
    ] = False,
    scaling: Annotated[
        bool, typer.Option("--scaling", help="Time and memory of every method against size, as published.")
    ] = False,
    out: Annotated[
        str | None,
        typer.Option(help="With --scaling: measure on this machine, and keep it in DIR/data.", metavar="DIR"),
    ] = None,
) -> None:
    """Our solvers against the alternatives: ratios within one run, one BLAS thread on both sides.

    The measuring process is started with OMP_NUM_THREADS=1 and the like, which a BLAS library reads when it is loaded.
    """
    if out is not None and not scaling:
        raise KropeError(f"out must come with --scaling, whose measurement it keeps; got {out!r} without it")
    targets.require_file_target(into, "json")
    if scaling:
        _bench_scaling(quick, out, into)
        return
    if large and quick:
        raise KropeError("large must not be given with quick, which measures small sizes only; got both")
    rows: list[dict[str, Any]] = []
    kind = "quick" if quick else "full"
    with (
        tell_how_to_resume(lambda: NOTHING_KEPT),
        progress("measuring", KERNEL_ROWS[kind] + WAITS_ROWS[kind] + TRAINING_ROWS[kind]) as bar,
    ):
        for row in chain(measured(quick), measured(quick, WAITS, large), measured(quick, TRAINING)):
            rows.append(row)
            bar.advance(bar.task_ids[0])
    if into is not None:
        targets.write_json(into, {"load": _load(), "rows": rows})
        if into == targets.STDOUT:
            return
    console = output()
    console.print(answer(rows), markup=False)
    console.print()
    print_rows(table_of(rows), console, 2)
    console.print()
    for note in NOTES:
        print_prose(console, note.format(load=_load()))


def _bench_scaling(quick: bool, out: str | None, into: str | None) -> None:
    targets.require_folder_target(out, "out")
    folder = scaling_folder(quick, out)
    found = measured_scaling(quick, folder)
    if into is not None:
        targets.write_json(into, plain(dict(found)))
    if into != targets.STDOUT:
        console = output()
        console.print(scaling_answer(found), markup=False)
        console.print()
        print_rows(scaling_table(found), console, 2)
        console.print(f"\nFrom {folder / 'data'}; --out DIR measures on this machine.", soft_wrap=True, markup=False)


def measured(quick: bool, module: str | None = None, large: bool = False) -> Iterator[dict[str, Any]]:
    """The rows as the measuring process writes them, one JSON object to a line."""
    words = [word for word, asked in (("quick", quick), ("large", large)) if asked]
    command = [sys.executable, "-m", module or MEASURE, *words]
    with tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen(command, env=os.environ | ONE_THREAD, stdout=subprocess.PIPE, stderr=errors, text=True)
        assert child.stdout is not None
        try:
            for line in child.stdout:
                yield json.loads(line)
            if child.wait() != 0:
                errors.seek(0)
                last = (errors.read().strip().splitlines() or ["no message"])[-1]
                raise RuntimeError(f"the measuring process failed with code {child.returncode}: {last}")
        finally:
            child.kill()
            child.wait()
            child.stdout.close()


def answer(rows: list[dict[str, Any]]) -> str:
    """How many targets were met, and which were not.

    >>> row = {"job": "kernel 40x5", "reference": "scipy", "target": 200, "reached": False}
    >>> answer([row, row | {"reached": True}])
    '1 of 2 targets met; not met: kernel 40x5 (scipy).'
    >>> answer([row | {"target": None, "reached": None}])
    '1 job measured, none of them with a target.'
    """
    aimed = [row for row in rows if row["reached"] is not None]
    if not aimed:
        return f"{counted(len(rows), 'job')} measured, none of them with a target."
    missed = [f"{row['job']} ({row['reference'] or 'alone'})" for row in aimed if not row["reached"]]
    told = f"{len(aimed) - len(missed)} of {counted(len(aimed), 'target')} met"
    return f"{told}; not met: {', '.join(missed)}." if missed else f"{told}."


def table_of(rows: list[dict[str, Any]]) -> Table:
    """The rows as a table that fits in 80 columns: both times, their ratio and its target, both residuals."""
    look: Any = {"title_justify": "left", "title_style": "bold", "box": box.SIMPLE_HEAD, "show_edge": False}
    table = Table(title="krope bench: states x actions, gamma 0.99 unless told", padding=(0, 1, 0, 0), **look)
    for column in ("job", "against"):
        table.add_column(column, min_width=12)
    for column in ("ours", "theirs", "ratio", "target", "met", "residuals"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        note = f": {row['note']}" if row["note"] else ""
        table.add_row(escape(row["job"]), escape((row["reference"] or "-") + note), *_cells(row))
    return table


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    ours, other = row["seconds"], row["reference_seconds"]
    more, absolute, unit = row.get("at_most", False), row.get("absolute", False), row.get("unit", "s")
    target = "-"
    if row["target"] is not None:
        own = absolute or not row["reference"]
        sign = "<=" if more or own else ">="
        target = f"{sign}{row['target']:g}{f' {unit}'.rstrip() if own else 'x'}"
    if ours is None:  # it did not run; the note says why
        return "-", "-", "-", target, "-", "-"
    ratio = "-" if other is None else f"{_short(ours / other if more or absolute else other / ours)}x"
    met = "-" if row["reached"] is None else "yes" if row["reached"] else "[bold red]no[/]"
    residuals = (
        "-" if row["residual"] is None else f"{_residual(row['residual'])} {_residual(row['reference_residual'])}"
    )
    return _number(ours, unit), _number(other, unit), ratio, target, met, residuals


def _residual(found: float | None) -> str:
    return "-" if found is None else f"{found:.0e}" if found else "0"


def _short(value: float) -> str:
    """Three digits, without powers of ten up to a million.

    >>> _short(3226.4), _short(2.5), _short(97600.0), _short(0.061)
    ('3,230', '2.5', '97,600', '0.061')
    """
    return f"{float(f'{value:.3g}'):,.0f}" if 1e3 <= value < 1e6 else f"{value:.3g}"


def _number(value: float | None, unit: str) -> str:
    if value is None or unit == "s":
        return _time(value)
    return f"{_short(value)} {unit}".rstrip()


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return f"{_short(seconds)} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def _load() -> str:
    try:
        return f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    except (AttributeError, OSError):  # not every system tells
        return "unknown"
