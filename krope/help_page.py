"""What ``--help`` shows below the options: examples, notes and exit codes, laid out for the width of the terminal.

The text of a command is written once, in blocks that blank lines may separate:

- a heading, ``[bold]Examples[/]``;
- an example, ``krope check --list      the statements``: the command, two spaces or more, what it does;
- what an example does where it is longer than the line: on the next line, four columns in;
- an exit code, ``1  a verdict is not as expected``;
- anything else is a paragraph, whose lines are joined and folded anew.

A command whose text has no exit codes of its own shows `EXIT_CODES`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from krope.console import output

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

#: Columns before an example or an exit code, and before what is folded below it.
INDENT, BELOW = 3, 7
#: An example that takes more than this share of the width has its explanation below.
WIDEST_SHARE = 0.55
#: How an explanation below its example begins.
DEEPER = " " * 4
#: What the commands have in common that end with 0 whatever they find.
EXIT_CODES = """
[bold]Exit codes[/]

0    done

2    bad input; one line says what to change

130  interrupted
"""


class Block(NamedTuple):
    """One heading, row or paragraph; a row has two texts."""

    kind: Literal["heading", "row", "paragraph"]
    first: str
    second: str = ""


def blocks(text: str) -> Iterator[Block]:
    """The blocks of an epilog.

    >>> for block in blocks("[bold]Examples[/]\\n\\nkrope check    judge all\\n\\nTwo lines\\nare one."):
    ...     print(tuple(block))
    ('heading', '[bold]Examples[/]', '')
    ('row', 'krope check', 'judge all')
    ('paragraph', 'Two lines are one.', '')
    >>> [tuple(block) for block in blocks("krope check\\n    judge every statement\\n")]
    [('row', 'krope check', 'judge every statement')]
    """
    paragraph: list[str] = []
    last: Block | None = None
    for line in [*text.split("\n"), ""]:
        row = re.fullmatch(r"(krope .*?|\d+)(?:\s{2,}(.*))?", line.strip())
        heading = line.startswith("[bold]")
        if last is not None and line.startswith(DEEPER):
            last = Block("row", last.first, f"{last.second} {line.strip()}".strip())
            continue
        if last is not None:
            yield last
            last = None
        if paragraph and (row or heading or not line.strip()):
            yield Block("paragraph", " ".join(paragraph))
            paragraph = []
        if heading:
            yield Block("heading", line.strip())
        elif row:
            last = Block("row", row[1], row[2] or "")
        elif line.strip():
            paragraph.append(line.strip())


def lines(text: str, width: int) -> "Iterator[Text]":
    """The epilog as lines of rich text, none wider than ``width`` unless a command alone is.

    >>> for line in lines("[bold]Examples[/]\\n\\nkrope check    judge all\\n\\nkrope check --list    names", 60):
    ...     print("|" + str(line))
    | Examples
    |   krope check         judge all
    |   krope check --list  names
    """
    rows: list[Block] = []
    before = ""
    for block in [*blocks(text), None]:
        if block is not None and block.kind == "row":
            rows.append(block)
            continue
        if rows:
            yield from _rows(rows, width)
            rows, before = [], "row"
        if block is None:
            return
        if before and before != "heading":
            yield _text("")
        yield from _folded(_text(block.first), width, 1)
        before = block.kind


def with_exit_codes(text: str) -> str:
    """The epilog with the exit codes that every command has, unless it explains its own.

    >>> with_exit_codes("[bold]Exit codes[/]\\n\\n0  it holds")
    '[bold]Exit codes[/]\\n\\n0  it holds'
    """
    return text if "Exit codes" in text else text + EXIT_CODES


def _rows(rows: Sequence[Block], width: int) -> "Iterator[Text]":
    """Commands in one column and what they do in another; what has no room there goes below."""
    pairs = [(_text(row.first), _text(row.second)) for row in rows]
    sizes = [first.cell_len for first, second in pairs if second and first.cell_len <= WIDEST_SHARE * width]
    column = INDENT + max(sizes, default=0) + 2
    for first, second in pairs:
        line = _text(" " * INDENT) + first
        if not second:
            yield line
        elif line.cell_len + 2 <= column:
            line.pad_right(column - line.cell_len)
            for folded in _folded(second, width, column):
                yield line + folded[column:]
                line = _text(" " * column)
        elif line.cell_len + 2 + second.cell_len <= width:
            yield line + "  " + second
        else:
            yield line
            yield from _folded(second, width, BELOW)


def _folded(text: "Text", width: int, indent: int) -> "Iterator[Text]":
    for line in text.wrap(_console(width), width - indent):
        line.rstrip()
        yield _text(" " * indent) + line


def _text(markup: str) -> "Text":
    from rich.text import Text

    return Text.from_markup(markup)


def _console(width: int) -> "Console":
    from rich.console import Console

    return Console(width=width)


def print_epilog(text: str) -> None:
    """Print what stands below the options of a command."""
    console = output()
    for line in lines(with_exit_codes(text), console.width - 1):
        console.print(line, soft_wrap=True)
    console.print()
