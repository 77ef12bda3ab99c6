"""What a sweep over models found: a sentence, then a table with a line for each kind of features."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.markup import escape

from krope.console import output, print_prose
from krope.wide_tables import new_table, print_rows
from tabular_krope.report.counted import percent

if TYPE_CHECKING:
    from rich.table import Table

    from tabular_krope.runs.summary import Line

#: Columns of the summary that say which rows a line is about.
SETTINGS = ("model", "policy", "gamma", "features", "weights")
#: Digits of a number, and those that it takes at most to tell it from 1.
DIGITS, MOST_DIGITS = 3, 15


def print_summary(lines: "Sequence[Line]") -> None:
    """What all lines have in common, then a table of the rest: it fits a narrow terminal."""
    console = output()
    settings = [_settings(line) for line in lines]
    common = ", ".join(f"{name} {settings[0][name]}" for name in SETTINGS if name not in _varied(lines))
    if common:
        print_prose(console, f"Every row: {common}.")
    print_rows(summary_table(lines), console, len(_varied(lines)) + 1)


def answer(lines: "Sequence[Line]") -> str:
    """On how many rows LSPE is stable, and where it is least so.

    >>> from tabular_krope.runs.summary import Line
    >>> sure = Line("zoo:f1", "own", 0.9, "krope", "uniform", 1, 20, 20, 0.9, 0.9487, 0)
    >>> answer([sure])
    'LSPE is stable on all of 20 rows (largest spectral radius 0.9).'
    >>> answer([sure, Line("zoo:f1", "own", 0.9, "random", "uniform", 2, 20, 15, 1.2345, 3.0, 5)])
    'LSPE is stable on 35 of 40 rows; least with 2 random features: 15 of 20 (largest spectral radius 1.23).'
    """
    rows, stable = sum(line.rows for line in lines), sum(line.stable for line in lines)
    if stable == rows:
        largest = max(line.largest_radius for line in lines)
        which = "the one row" if rows == 1 else f"all of {rows:,} rows"
        return f"LSPE is stable on {which} (largest spectral radius {near_one(largest)})."
    worst = min(lines, key=lambda line: line.stable / line.rows)
    where = f"{worst.d} {worst.features} feature{'' if worst.d == 1 else 's'}"
    return (
        f"LSPE is stable on {stable:,} of {rows:,} rows; least with {where}: {worst.stable:,} of {worst.rows:,} "
        f"(largest spectral radius {near_one(worst.largest_radius)})."
    )


def summary_table(lines: "Sequence[Line]") -> "Table":
    """A row for each line, with those of its settings that are not the same in all."""
    varied = _varied(lines)
    numbers = ("d", "rows", "stable", "max rho", "max norm /\nsqrt(gamma)", "beyond\nrounding")
    shown = new_table(None, *varied, *numbers, words=varied)
    if not varied:
        shown.columns[0].justify = "right"
    for line in lines:
        share = percent(line.stable / line.rows)
        sizes = (near_one(line.largest_radius), near_one(line.largest_ratio), f"{line.beyond:,}")
        which = (escape(_settings(line)[name]) for name in varied)
        shown.add_row(*which, str(line.d), f"{line.rows:,}", share, *sizes)
    return shown


def near_one(number: float) -> str:
    """Three digits, or as many as tell the number from 1, below which LSPE is stable.

    >>> near_one(0.990381), near_one(2789.6), near_one(0.999962), near_one(1.0)
    ('0.99', '2,790', '0.99996', '1')
    """
    if 1e3 <= abs(number) < 1e6:
        return f"{float(f'{number:.{DIGITS}g}'):,.0f}"
    for digits in range(DIGITS, MOST_DIGITS):
        text = f"{number:.{digits}g}"
        if float(text) != 1:
            return text
    return "1"


def _settings(line: "Line") -> dict[str, str]:
    return {name: str(getattr(line, name)) for name in SETTINGS}


def _varied(lines: "Sequence[Line]") -> list[str]:
    settings = [_settings(line) for line in lines]
    return [name for name in SETTINGS if len({each[name] for each in settings}) > 1]
