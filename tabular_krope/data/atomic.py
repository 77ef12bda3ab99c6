"""Files that appear whole or not at all."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from tabular_krope.errors import KropeError

PathLike = str | os.PathLike[str]


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


def _sync_folder(folder: Path) -> None:
    # The new name itself must survive a power cut; not every system lets a folder be opened.
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
