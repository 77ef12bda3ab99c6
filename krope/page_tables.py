"""Tables that were made for a terminal, as parts of a page."""

from typing import TYPE_CHECKING

from krope.sheets import sheet_of

if TYPE_CHECKING:
    from rich.table import Table

    from figures.report.findings import Numbers


def numbers_of(table: "Table") -> "Numbers":
    """The cells of a table, with its caption as a note.

    >>> from rich.table import Table
    >>> table = Table("d", "norm", title="Sizes", caption="[bold]of L[/]")
    >>> table.add_row("1", "0.9")
    >>> numbers_of(table).note
    'of L'
    """
    from rich.text import Text

    from figures.report.findings import Numbers

    sheet = sheet_of(table)
    note = Text.from_markup(str(table.caption)).plain if table.caption else ""
    rows = tuple(tuple(with_primes(cell) for cell in row) for row in sheet.rows)
    return Numbers(sheet.title, sheet.columns, rows, sheet.numbers, note)


def with_primes(text: str) -> str:
    """The constant C' of a bound with a prime, which a page does not take for a transpose.

    >>> with_primes("R d/2 + C'")
    'R d/2 + C\u2032'
    """
    return text.replace("C'", "C\u2032")
