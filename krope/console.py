"""Where the command writes: tables and text on stdout, progress on stderr.

A terminal gets colors (unless ``NO_COLOR`` is set) and its own width; a pipe or a file gets plain text, as wide as
``COLUMNS`` says, else wide enough that no table is folded.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

    from krope.sheets import Sheet

#: Stands for stdout in the place of a file.
STDOUT = "-"
#: Columns of output that no terminal limits.
PLAIN_WIDTH = 120
#: Widths from here on are no screen's.
MOST_COLUMNS = 10_000
#: Columns that a text beside its heading needs; with fewer it goes below.
ROOM = 24

#: Whether ``--quiet`` was given: nothing is printed but errors, and what ``--json -`` asks for.
_quiet = False


#: Is told of every table that is shown; None while nobody asked for another format.
_listener: "Callable[[Table | Sheet], None] | None" = None
_muted = False


class PipeClosed(Exception):
    """The reader of stdout went away; nobody is left to be told."""


def be_quiet(quiet: bool) -> None:
    """Keep tables, text and progress to ourselves from now on, or show them again."""
    global _quiet
    _quiet = quiet


def output() -> "Console":
    """The console on stdout; silent after ``--quiet``."""
    console = _console(sys.stdout)
    console.quiet = _quiet
    return console


def print_prose(out: "Console", text: str) -> None:
    """Print sentences as they are, in lines that are not too long to read even where a terminal is very wide."""
    out.print(text, markup=False, width=min(out.width, PLAIN_WIDTH))


def messages() -> "Console":
    """The console on stderr."""
    return _console(sys.stderr)


def listen(listener: "Callable[[Table | Sheet], None] | None") -> None:
    """Tell ``listener`` of every table from now on, or nobody."""
    global _listener
    _listener = listener


def listened_to() -> bool:
    """Whether anybody is told of the tables."""
    return _listener is not None


@contextmanager
def as_one(table: "Table | Callable[[], Sheet]") -> Iterator[None]:
    """Tell of ``table``, or of the sheet that it makes, and of nothing that is shown inside: parts, or another look."""
    global _muted
    if _listener is not None and not _muted:
        _listener(table() if callable(table) else table)
    before, _muted = _muted, True
    try:
        yield
    finally:
        _muted = before


def write_text(text: str) -> None:
    """Write ``text`` and a line end to stdout as it is: no folding, no markup."""
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        close_pipe()


def print_beside(console: "Console", head: str, text: str, column: int = 0) -> None:
    """Print ``head``, which may have markup, and ``text`` folded in the room beside it, from ``column`` on.

    Where the room is too narrow for that, the text begins on the next line.
    """
    from rich.text import Text

    first, body = Text.from_markup(head), Text.from_markup(text)
    column = max(column, first.cell_len)
    if console.width - column < ROOM:
        console.print(first)
        first, column = Text(), 2
    first.pad_right(column - first.cell_len)
    for line in body.wrap(console, max(console.width - column, 1)):
        line.rstrip()
        console.print(first + line, soft_wrap=True)
        first = Text(" " * column)


def tell_written(paths: Iterable[str | Path]) -> None:
    """One line on stdout for each file that was written."""
    lines = output()
    for path in paths:
        lines.print(f"wrote {path}", markup=False, soft_wrap=True)


def close_pipe() -> None:
    """Point stdout at nothing, so that the interpreter's last flush is silent, and raise PipeClosed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise PipeClosed


@contextmanager
def progress(description: str, total: int | None = None) -> Iterator["Progress"]:
    """A progress bar on stderr with one task, for work of more than two seconds; only a terminal sees it."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:.0f}"), TimeElapsedColumn())
    if total is not None:
        columns = (*columns[:2], TextColumn("{task.completed:.0f}/{task.total:.0f}"), columns[3])
    console = messages()
    with Progress(*columns, console=console, transient=True, disable=_quiet or not console.is_terminal) as bar:
        bar.add_task(description, total=total)
        yield bar


@contextmanager
def staged_progress(stages: Sequence[str]) -> Iterator[Callable[[str], None]]:
    """A function to call at the beginning of each stage; the bar names the stage and counts those before it."""
    with progress("", len(stages)) as bar:

        def begin(stage: str) -> None:
            bar.update(bar.task_ids[0], description=stage, completed=stages.index(stage))

        yield begin


def _plain_width() -> int:
    asked = os.environ.get("COLUMNS", "")
    return int(asked) if asked.isdecimal() and 0 < int(asked) < MOST_COLUMNS else PLAIN_WIDTH


def _console(stream: TextIO) -> "Console":
    from rich.console import Console
    from rich.table import Table

    class OneWayConsole(Console):
        def print(self, *objects: Any, **how: Any) -> None:
            if _listener is not None and not _muted:
                for table in (one for one in objects if isinstance(one, Table)):
                    _listener(table)
            super().print(*objects, **how)

        def on_broken_pipe(self) -> None:
            self.quiet = True
            close_pipe()

    terminal = stream.isatty()
    settings: dict[str, Any] = {} if terminal else {"width": _plain_width(), "no_color": True}
    return OneWayConsole(file=stream, force_terminal=terminal, highlight=False, emoji=False, **settings)
