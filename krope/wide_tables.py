"""Tables of numbers for screens of any width: numbers are kept whole, and columns without room go below the others."""

from collections.abc import Collection, Iterator
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from krope.console import as_one

#: Columns that any table finds enough.
WIDEST = 1000
LOOK: dict[str, Any] = {"title_justify": "left", "title_style": "bold", "caption_justify": "left"}


def new_table(title: str | None, *columns: str, words: Collection[str] = ()) -> Table:
    """An empty table in the one look of this command; the first column to the left, others to the right.

    Where room is short the first column is folded; the others hold numbers, which are kept whole. Of those, ``words``
    are treated like the first.
    """
    table = Table(title=title, box=box.SIMPLE_HEAD, show_edge=False, show_header=any(columns), **LOOK)
    for i, column in enumerate(columns):
        folded = i == 0 or column in words
        table.add_column(column, justify="left" if folded else "right", no_wrap=not folded)
    return table


def print_table(table: Table, console: Console) -> None:
    """Print a table, in as many blocks as the console's width asks for, and an empty line."""
    print_blocks(table, console)
    console.print()


def print_blocks(table: Table, console: Console) -> None:
    """Print a table; on a screen too narrow for all its columns, some of them below the others.

    Where a single column of numbers is too wide for the screen, so is what is printed.
    """
    blocks = list(_blocks(table, console))
    width = console.width
    with as_one(table):
        for k, block in enumerate(blocks):
            if k:
                console.print()
            console.width = max(width, least_width(block, console))
            console.print(block)
            console.width = width
    if len(blocks) > 1 and table.caption:
        console.print(table.caption, style="table.caption")


def print_rows(table: Table, console: Console, heads: int) -> None:
    """Print a table whose first ``heads`` columns say what a row is about.

    On a screen too narrow for it they are joined, so that each block still says it.
    """
    with as_one(table):
        print_blocks(table if least_width(table, console) <= console.width else _joined(table, heads), console)


def _joined(table: Table, heads: int) -> Table:
    """The same with its first columns in one."""
    names, cells = [str(column.header) for column in table.columns], [column.cells for column in table.columns]
    narrow = new_table(str(table.title or "") or None, ", ".join(names[:heads]), *names[heads:])
    narrow.caption = table.caption
    for row in zip(*cells, strict=True):
        narrow.add_row(", ".join(str(cell) for cell in row[:heads] if cell not in ("", "-")), *row[heads:])
    return narrow


def _blocks(table: Table, console: Console) -> Iterator[Table]:
    """The table itself if the console has room for it, else tables of its first column and as many others as fit."""
    last, begin, title = len(table.columns), 1, table.title
    if last <= 2 or least_width(table, console) <= console.width:
        yield table
        return
    while begin < last:
        block, end = _part(table, begin, begin + 1), begin + 1
        while end < last and least_width(wider := _part(table, begin, end + 1), console) <= console.width:
            block, end = wider, end + 1
        block.title, title = title, None
        yield block
        begin = end


def _part(table: Table, begin: int, end: int) -> Table:
    """The first column, and those from ``begin`` to before ``end``."""
    columns = [table.columns[0], *table.columns[begin:end]]
    part = Table(box=table.box, show_edge=table.show_edge, show_header=table.show_header, **LOOK)
    for column in columns:
        part.add_column(column.header, justify=column.justify, no_wrap=column.no_wrap)
    for row in zip(*(column.cells for column in columns), strict=True):
        part.add_row(*row)
    return part


def least_width(table: Table, console: Console) -> int:
    """Columns that the table needs if no number is cut; sees to it that none is."""
    for column in (one for one in table.columns if one.no_wrap):
        lines = (line for cell in (column.header, *column.cells) for line in str(cell).split("\n"))
        column.min_width = max(Text.from_markup(line).cell_len for line in lines)
    return int(table.__rich_measure__(console, console.options.update(width=WIDEST)).minimum)
