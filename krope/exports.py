"""``--csv``, ``--latex`` and ``--markdown``: what a command shows in tables, for other programs."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from krope import console, sheets, targets
from tabular_krope.errors import KropeError

if TYPE_CHECKING:
    from rich.table import Table

FORMATS: dict[str, Callable[[Sequence[sheets.Sheet]], str]] = {
    "csv": sheets.to_csv,
    "latex": sheets.to_latex,
    "markdown": sheets.to_markdown,
}
#: FILE or - by format, as this run was asked for, and the tables that it has shown since.
_asked: dict[str, str] = {}
_shown: list[sheets.Sheet] = []


def ask(form: str, path: str) -> None:
    """Write the tables of this run in a format to FILE, or to stdout (-), where nothing else is printed then."""
    if not console.listened_to():
        _asked.clear()
        _shown.clear()
    if path == targets.STDOUT and targets.STDOUT in _asked.values():
        raise KropeError(f"{form} must be a file, as another format goes to stdout; got -")
    targets.require_file_target(path, form)
    console.listen(_keep)
    _asked[form] = path
    if path == targets.STDOUT:
        console.be_quiet(True)


def _keep(table: "Table | sheets.Sheet") -> None:
    _shown.append(table if isinstance(table, sheets.Sheet) else sheets.sheet_of(table))


def write() -> None:
    """Write what was asked for, from the tables that were shown, and say so."""
    files = {}
    for form, path in _asked.items():
        text = FORMATS[form](_shown)
        if path == targets.STDOUT:
            console.write_text(text.rstrip("\n"))
        else:
            files[Path(path)] = text.encode()
    targets.write_files(files)
    console.tell_written(files)
