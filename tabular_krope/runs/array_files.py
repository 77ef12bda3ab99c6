"""Arrays on disk with the settings that made them: written whole or not at all, refused where the settings differ."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tabular_krope import __version__
from tabular_krope.data.atomic import atomic_write
from tabular_krope.data.npz import read_npz, write_npz
from tabular_krope.errors import KropeError

#: The names in a file that say where its arrays come from.
ORIGIN = ("settings", "seed", "version", "torch")


def write_arrays(
    path: Path, kind: tuple[str, str], settings: Mapping[str, Any], arrays: Mapping[str, Any], **origin: Any
) -> None:
    """Save ``arrays`` with their kind, settings and version.

    Args:
        path: a ``.npz`` file.
        kind: name and value of the field that tells what the file is.
        settings: plain JSON types.
        arrays: by name.
        origin: what else is known of where they come from, with names of `ORIGIN`.
    """
    about = {kind[0]: kind[1], "settings": json.dumps(settings, sort_keys=True), "version": __version__, **origin}
    atomic_write(path, lambda stream: write_npz(stream, {**about, **arrays}))


def read_arrays(path: Path, kind: tuple[str, str], settings: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The arrays that `write_arrays` saved under the same kind and settings; anything else is refused.

    Args:
        path, kind, settings: as they were written.
        what: the file in words, for the error.

    >>> from tempfile import mkdtemp
    >>> file = Path(mkdtemp()) / "a.npz"
    >>> write_arrays(file, ("kind", "squares"), {"n": 2}, {"values": [1.0, 4.0]})
    >>> read_arrays(file, ("kind", "squares"), {"n": 2}, "a file of squares")["values"]
    array([1., 4.])
    """
    try:
        fields = read_npz(str(path))
    except KropeError as error:
        raise KropeError(f"{path}: {error}") from None
    if fields.pop(kind[0], None) != kind[1] or "settings" not in fields:
        raise KropeError(f"{path} must be {what}; got something else")
    require_same(path, json.loads(fields["settings"]), json.loads(json.dumps(settings)))
    return {name: value for name, value in fields.items() if name not in ORIGIN}


def require_same(path: Path, theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> None:
    """Refuse a file whose settings differ from those asked for, naming the first that does."""
    for name in sorted(theirs.keys() | ours.keys()):
        if theirs.get(name) != ours.get(name):
            raise KropeError(
                f"{path} must come from the settings asked for, {name} = {ours.get(name)!r}; got {theirs.get(name)!r}"
                " (choose another folder, or delete the file)"
            )
