"""Files that appear whole or not at all."""

import os
import re
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from tabular_krope.errors import KropeError

PathLike = str | os.PathLike[str]

#: Names of temporary files, and the seconds without a write after which one is taken for a killed writer's.
TEMPORARY, ABANDONED = re.compile(r"\.krope-[0-9a-f]{16}\.tmp"), 3600.0


def atomic_write(path: PathLike, write: Callable[[BinaryIO], object]) -> None:
    """Write a file by ``write(stream)``; if anything fails, what was there before stays as it was.

    The bytes go to a temporary file in the same folder, reach the disk (fsync), and take the name in one step.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise KropeError(f"{path} must be an ordinary file or not exist yet; got a folder or a device")
    temporary = target.with_name(f".krope-{secrets.token_hex(8)}.tmp")
    try:
        try:
            with open(temporary, "x+b") as stream:
                write(stream)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise KropeError(f"{path} must be a file in an existing folder that can be written; got {error}") from None
    _sync_folder(target.parent)


def remove_abandoned(folder: PathLike, seconds: float = ABANDONED) -> None:
    """Remove temporary files of `atomic_write` directly in ``folder`` that nothing has touched for so long.

    A writer removes its own, whatever fails; only one that was killed leaves it. Age decides, not whether a process
    lives: other machines may write in the same folder. For folders that belong to a run.
    """
    now = time.time()
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            if TEMPORARY.fullmatch(entry.name):
                # Whoever else cleans up may be faster, and what may not be removed can stay.
                with suppress(OSError):
                    if now - entry.stat(follow_symlinks=False).st_mtime > seconds:
                        os.unlink(entry.path)


def _sync_folder(folder: Path) -> None:
    """Let the new name survive a power cut, where the system can: not every one opens or syncs folders."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
