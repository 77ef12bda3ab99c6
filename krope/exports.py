"""``--csv``, ``--latex`` and ``--markdown``: what a command shows in tables, for other programs."""

from collections.abc import Callable, Sequence
from pathlib import Path

from krope import console, sheets, targets
from tabular_krope.errors import KropeError

FORMATS: dict[str, Callable[[Sequence[sheets.Sheet]], str]] = {
    "csv": sheets.to_csv,
    "latex": sheets.to_latex,
    "markdown": sheets.to_markdown,
}
#: FILE or - by format, as this run was asked for.
_asked: dict[str, str] = {}


def ask(form: str, path: str) -> None:
    """Write the tables of this run in a format to FILE, or to stdout (-), where nothing else is printed then."""
    if path == targets.STDOUT and targets.STDOUT in _asked.values():
        raise KropeError(f"{form} must be a file, as another format goes to stdout; got -")
    targets.require_file_target(path, form)
    if not _asked:
        sheets.listen(True)
    _asked[form] = path
    if path == targets.STDOUT:
        console.be_quiet(True)


def forget() -> None:
    """Nothing is asked for."""
    _asked.clear()
    sheets.listen(False)


def write() -> None:
    """Write what was asked for, from the tables that were shown, and say so."""
    found = sheets.heard()
    files = {}
    for form, path in _asked.items():
        text = FORMATS[form](found)
        if path == targets.STDOUT:
            console.write_text(text.rstrip("\n"))
        else:
            files[Path(path)] = text.encode()
    targets.write_files(files)
    console.tell_written(files)
