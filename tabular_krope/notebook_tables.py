"""Looks of models, kernels, results and verdicts in notebooks: a few facts and a small table, as HTML and LaTeX.

Everything is escaped, and nothing grows with what it shows: texts, facts, rows and columns are cut at the limits below.
Fractions stay fractions; only those with very many digits are rounded, and say so.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any

SPECIAL = {c: f"\\{c}" for c in "&%$#_{}"} | {"\\": r"\backslash ", "~": r"\sim ", "^": r"\hat{}"}
#: Characters that KaTeX and MathJax have in formulas only.
FORMULAS = "\\~^"
FRACTION = re.compile(r"(-?)(\d+)/(\d+)")
#: Characters of a text and of a fraction, facts, rows and columns that are shown.
LONGEST, WRITTEN_OUT, MOST_FACTS, MOST_ROWS, MOST_COLUMNS = 240, 24, 16, 12, 16
#: Color of a shaded cell; dark enough to be seen and light enough to be read through, on white and on black.
SHADE = "rgba(0,114,178,{:.2f})"
DARKEST = 0.55
LEFT = 'style="text-align:left"'


@dataclass(frozen=True, slots=True)
class Grid:
    """A table below the facts.

    Attributes:
        columns: their names.
        rows: a value for each column.
        shades: how dark each cell of the last columns is, between 0 and 1; empty for no shading.
        note: what it is, or what was left out.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    shades: Sequence[Sequence[float]] = ()
    note: str = ""

    def cut(self) -> "Grid":
        """At most `MOST_ROWS` rows and `MOST_COLUMNS` columns; the note counts what is missing.

        >>> Grid(["n"], [[k] for k in range(20)]).cut().note
        '8 more rows'
        """
        more_rows, more_columns = len(self.rows) - MOST_ROWS, len(self.columns) - MOST_COLUMNS
        missing = [
            f"{count} more {what}" for count, what in ((more_rows, "rows"), (more_columns, "columns")) if count > 0
        ]
        rows = [row[:MOST_COLUMNS] for row in self.rows[:MOST_ROWS]]
        shades = () if more_columns > 0 else self.shades[:MOST_ROWS]
        return Grid(self.columns[:MOST_COLUMNS], rows, shades, "; ".join([self.note] * bool(self.note) + missing))


def html_table(title: str, facts: Mapping[str, Any], grid: Grid | None = None) -> str:
    """Facts in two columns below a title, and the grid below them, every character escaped.

    >>> html_table("a < b", {"n": 0.123456789})  # doctest: +ELLIPSIS
    '<div><b>a &lt; b</b><table><tr><th style="text-align:left">n</th><td style="text-align:left">0.1235</td>...'
    """
    lines = (
        f"<tr><th {LEFT}>{escape(_cut(name))}</th><td {LEFT}>{escape(word(value))}</td></tr>"
        for name, value in _few(facts)
    )
    below = "" if grid is None else _html_grid(grid.cut())
    return f"<div><b>{escape(_cut(title))}</b><table>{''.join(lines)}</table>{below}</div>"


def latex_table(title: str, facts: Mapping[str, Any], grid: Grid | None = None) -> str:
    r"""The same as a formula, which LaTeX, MathJax and KaTeX set alike.

    >>> print(latex_table("x_1", {"share": "5%", "value": "81/20"}))
    $\displaystyle\begin{array}{ll}\text{x\_1}\\\text{share} & \text{5\%}\\\text{value} & \frac{81}{20}\end{array}$
    """
    lines = [_text(_cut(title)), *(f"{_text(name)} & {_latex_cell(value)}" for name, value in _few(facts))]
    formulas = [_array("ll", lines)]
    if grid is not None:
        small = grid.cut()
        rows = [[_text(name) for name in small.columns], *([_latex_cell(v) for v in row] for row in small.rows)]
        if small.note:
            rows.append([_text(small.note)])
        formulas.append(_array("r" * len(small.columns), [" & ".join(row) for row in rows]))
    return "\n\n".join(formulas)


def latex_text(text: str) -> str:
    """Text inside of ``\\text{}`` whose special characters stand for themselves."""
    return "".join(f"${SPECIAL[c]}$" if c in FORMULAS else SPECIAL.get(c, c) for c in text)


def word(value: Any) -> str:
    """A value as text: floats with four digits, fractions as they are, truth as yes or no, long texts cut.

    >>> word(True), word(1 / 3), word("81/20"), word("1" * 20 + "/" + "3" * 30)
    ('yes', '0.3333', '81/20', '~3.333e-11 (a fraction of 50 digits)')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    text = str(value)
    if len(text) > WRITTEN_OUT and FRACTION.fullmatch(text):
        digits = sum(c.isdigit() for c in text)
        return f"~{_decimal(Fraction(text))} (a fraction of {digits} digits)"
    return _cut(text)


def _html_grid(grid: Grid) -> str:
    head = "".join(f"<th>{escape(_cut(name))}</th>" for name in grid.columns)
    rows = []
    for i, row in enumerate(grid.rows):
        dark = list(grid.shades[i]) if grid.shades else []
        shades = [*[None] * (len(row) - len(dark)), *dark]
        rows.append(f"<tr>{''.join(map(_html_cell, row, shades))}</tr>")
    note = f"<small>{escape(_cut(grid.note))}</small>" if grid.note else ""
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>{note}"


def _html_cell(value: Any, shade: float | None) -> str:
    """Numbers to the right, words to the left."""
    style = "" if shade is None else f' style="background:{SHADE.format(DARKEST * shade)}"'
    if isinstance(value, str) and any(c.isalpha() or c == ":" for c in value):
        style = f" {LEFT}"
    return f"<td{style}>{escape(word(value))}</td>"


def _few(facts: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return list(facts.items())[:MOST_FACTS]


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 4] + " ..."


def _decimal(value: Fraction) -> str:
    """Four digits, also of what no float can hold."""
    try:
        return f"{float(value):.4g}"
    except OverflowError:
        return f"1e{len(str(abs(value.numerator))) - len(str(value.denominator))}"


def _array(columns: str, lines: Sequence[str]) -> str:
    body = r"\\".join(lines)
    return rf"$\displaystyle\begin{{array}}{{{columns}}}{body}\end{{array}}$"


def _text(text: str) -> str:
    return rf"\text{{{latex_text(text)}}}"


def _latex_cell(value: Any) -> str:
    text = word(value)
    found = FRACTION.fullmatch(text)
    return rf"{found[1]}\frac{{{found[2]}}}{{{found[3]}}}" if found else _text(text)
