"""Where results go: checked before the work begins, written whole or not at all."""

import json
import os
import secrets
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from krope.console import STDOUT as STDOUT
from krope.console import listened_to, write_text
from tabular_krope.errors import KropeError

#: Endings of a page.
PAGES = (".html", ".htm")


def require_file_target(path: str | None, option: str) -> None:
    """Refuse a path that could not become a file: a folder, one in a missing folder, one without permission.

    Standard output, and an option that was not given (None), are no path. Where JSON goes to standard output no table
    is shown, so that none could be written beside it.
    """
    if path == STDOUT and option == "json" and listened_to():
        raise KropeError("json must be a file beside --csv, --latex or --markdown; got -")
    if path is None or path == STDOUT:
        return
    target = Path(path)
    if target.is_dir():
        raise KropeError(f"{option} must be a file; got the folder {path}")
    if not target.parent.is_dir():
        raise KropeError(f"{option} must lie in an existing folder; got {path}")
    if target.exists() and not target.is_file():
        raise KropeError(f"{option} must be an ordinary file or not exist yet; got {path}")
    if not _can_hold_files(target.parent):
        raise KropeError(f"{option} must lie in a writable folder; got {path}")


def require_page_target(path: str | None) -> None:
    """Refuse a path that could not become a page: one with another ending, and what `require_file_target` refuses."""
    if path is not None and Path(path).suffix.lower() not in PAGES:
        raise KropeError(f"report must be a file that ends in {' or '.join(PAGES)}; got {path}")
    require_file_target(path, "report")


def require_folder_name(path: str | None, option: str = "out") -> None:
    """Refuse an empty name, which would be the folder one stands in; None is an option that was not given."""
    if path == "":
        raise KropeError(f"{option} must be a folder; got an empty name")


def require_folder_target(path: str | None, option: str) -> None:
    """Refuse a path that is not a folder and could not become one; None is an option that was not given."""
    if path is None:
        return
    nearest = Path(path).absolute()
    while not nearest.exists():
        nearest = nearest.parent
    if not nearest.is_dir():
        raise KropeError(f"{option} must be a folder; got {path}, and {nearest} is a file")
    if not _can_hold_files(nearest):
        raise KropeError(f"{option} must be a writable folder; got {path}")


def _can_hold_files(folder: Path) -> bool:
    """Whether a file can be made there, by making one: of /proc the permissions say so and it is not true."""
    if not os.access(folder, os.W_OK):
        return False
    trial = folder / f".krope-{secrets.token_hex(8)}.tmp"
    try:
        trial.touch(exist_ok=False)
        trial.unlink()
    except OSError:
        return False
    return True


def to_json(value: Any) -> str:
    """``value`` as JSON that any reader understands: no NaN, no infinities.

    >>> to_json({"stable": True})
    '{\\n  "stable": true\\n}'
    """
    return json.dumps(value, indent=2, allow_nan=False)


def write_json(path: str, value: Any) -> None:
    """Write ``value`` to a file, or to stdout for ``-``."""
    text = to_json(value)
    if path == STDOUT:
        write_text(text)
    else:
        write_files({Path(path): text.encode() + b"\n"})


def write_files(contents: dict[Path, bytes]) -> None:
    """Write each file beside its place and move it there, so that a reader never sees half of one.

    Missing folders are made; one that stays empty because its file cannot be written is removed again.
    """
    if not contents:
        return
    from tabular_krope.data.atomic import atomic_write

    for path, content in contents.items():
        missing = [folder for folder in path.parents if not folder.exists()]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_write(path, partial(_write, content))
        except BaseException:
            for folder in missing:
                with suppress(OSError):
                    folder.rmdir()
            raise


def _write(content: bytes, stream: BinaryIO) -> None:
    stream.write(content)
