"""Tables as plain cells, and as CSV, Markdown and LaTeX."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"$<$", ">": r"$>$", "|": r"$|$",
    "\u00b1": r"$\pm$", "\u00d7": r"$\times$", "\u2264": r"$\le$", "\u2265": r"$\ge$", "\u221a": r"$\surd$",
}  # fmt: skip

#: A number with all its digits, which belongs into CSV but not on a page.
LONG_NUMBER = re.compile(r"-?\d+\.\d{6,}(e[+-]\d+)?")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table.

    Attributes:
        title: empty if it has none.
        columns: their names, which may be empty.
        rows: cells without markup, as many in each row as there are columns.
        numbers: which columns stand to the right.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[bool, ...]


def sheet_of(table: "Table") -> Sheet:
    """The cells of a table that was made for a terminal.

    >>> from rich.table import Table
    >>> table = Table("d", "[bold]norm[/]", title="Sizes")
    >>> table.add_row("1", "[red]0.9[/]")
    >>> sheet_of(table).rows
    (('1', '0.9'),)
    """
    columns = [[_plain(cell) for cell in column.cells] for column in table.columns]
    rows = tuple(row for row in zip(*columns, strict=True) if any(row))
    numbers = tuple(column.justify == "right" for column in table.columns)
    return Sheet(_plain(table.title or ""), tuple(_plain(column.header) for column in table.columns), rows, numbers)


def to_csv(sheets: Sequence[Sheet]) -> str:
    """Comma-separated values; of several tables each below its title, an empty line between.

    >>> to_csv([Sheet("Sizes", ("d", "norm"), (("1", "a,b"),), (True, True))])
    'd,norm\\n1,"a,b"\\n'
    """
    blocks = []
    for sheet in sheets:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        if len(sheets) > 1 and sheet.title:
            writer.writerow([f"# {sheet.title}"])
        if any(sheet.columns):
            writer.writerow(sheet.columns)
        writer.writerows(sheet.rows)
        blocks.append(out.getvalue())
    return "\n".join(blocks)


def to_markdown(sheets: Sequence[Sheet]) -> str:
    """Tables in Markdown, each below its title.

    >>> print(to_markdown([Sheet("Sizes", ("d", "norm"), (("1", "|a|"),), (False, True))]))
    **Sizes**
    <BLANKLINE>
    | d | norm |
    |---|---:|
    | 1 | \\|a\\| |
    <BLANKLINE>
    """
    blocks = []
    for sheet in sheets:
        lines = [f"**{sheet.title}**", ""] if sheet.title else []
        lines.append(_markdown_row(sheet.columns))
        lines.append(f"|{'|'.join('---:' if right else '---' for right in sheet.numbers)}|")
        lines += [_markdown_row(row) for row in sheet.rows]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def to_latex(sheets: Sequence[Sheet]) -> str:
    r"""Tables in LaTeX, with the rules of the package booktabs.

    >>> print(to_latex([Sheet("Sizes", ("d", "a_1"), (("1", "5%"),), (False, True))]))
    \begin{table}
      \caption{Sizes}
      \begin{tabular}{lr}
        \toprule
        d & a\_1 \\
        \midrule
        1 & 5\% \\
        \bottomrule
      \end{tabular}
    \end{table}
    <BLANKLINE>
    """
    blocks = []
    for sheet in sheets:
        looks = "".join("r" if right else "l" for right in sheet.numbers)
        caption = [f"  \\caption{{{_latex(sheet.title)}}}"] if sheet.title else []
        head = [f"    {_latex_row(sheet.columns)}", r"    \midrule"] if any(sheet.columns) else []
        body = [f"    {_latex_row(row)}" for row in sheet.rows]
        inner = [f"  \\begin{{tabular}}{{{looks}}}", r"    \toprule", *head, *body, r"    \bottomrule"]
        lines = [r"\begin{table}", *caption, *inner, r"  \end{tabular}", r"\end{table}"]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _plain(cell: Any) -> str:
    from rich.text import Text

    text = cell.plain if isinstance(cell, Text) else Text.from_markup(str(cell)).plain
    return " ".join(text.split())


def _brief(cell: str) -> str:
    """Six digits of a number that is written with more than a reader wants.

    >>> _brief("0.999992937208"), _brief("-8.06963840070271"), _brief("0.25"), _brief("theorem-1")
    ('0.999993', '-8.06964', '0.25', 'theorem-1')
    """
    return f"{float(cell):.6g}" if LONG_NUMBER.fullmatch(cell) else cell


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_brief(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def _latex(text: str) -> str:
    return "".join(LATEX.get(letter, letter) for letter in _brief(text))


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(_latex(cell) for cell in cells) + r" \\"
