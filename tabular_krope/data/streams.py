"""Continuous data sets that need not fit in memory: a block at a time, from ``.hdf5`` or ``.npz`` files."""

import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import require_count
from tabular_krope.data.atomic import PathLike
from tabular_krope.data.continuous import BLOCK, ContinuousDataset
from tabular_krope.data.d4rl_rows import datasets, require_arrays, require_equal_rows, selected
from tabular_krope.data.hdf5_files import stream_hdf5
from tabular_krope.data.npz import read_header, require_honest
from tabular_krope.errors import KropeError


def stream(path: PathLike, size: int = BLOCK, gamma: float | None = None) -> Iterator[ContinuousDataset]:
    """The transitions of a file in the layout of D4RL, in blocks of about ``size``, in order.

    Args:
        path: an ``.hdf5``, ``.h5`` or ``.npz`` file.
        size: transitions in memory at once.
        gamma: discount factor, needed if the file states none.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(f"{folder}/a.npz", observations=np.arange(5.0), actions=np.zeros(5), rewards=np.ones(5),
    ...              next_observations=np.arange(1.0, 6.0), terminals=np.zeros(5))
    ...     [len(block) for block in stream(f"{folder}/a.npz", size=2, gamma=0.9)]
    [2, 2, 1]
    """
    name, rows = os.fspath(path), require_count(size, "size")
    extension = Path(name).suffix.lower()
    if extension not in (".hdf5", ".h5", ".npz"):
        raise KropeError(f"path must end in .hdf5, .h5 or .npz to be read in blocks; got {name!r}")
    if not os.path.isfile(name):
        raise KropeError(f"path must be an existing file; got {name!r}")
    return _named(name, (_stream_npz if extension == ".npz" else stream_hdf5)(name, rows, gamma))


def _named(name: str, blocks: Iterator[ContinuousDataset]) -> Iterator[ContinuousDataset]:
    try:
        yield from blocks
    except KropeError as error:
        raise KropeError(f"{name}: {error}") from None


def _stream_npz(path: str, size: int, gamma: float | None) -> Iterator[ContinuousDataset]:
    try:
        with zipfile.ZipFile(path) as archive, ExitStack() as stack:
            require_honest(archive.infolist(), os.path.getsize(path))
            members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
            by_transition, by_start = selected(members)
            require_arrays(by_transition)
            opened = {name: stack.enter_context(_Member(archive, info)) for name, info in members.items()}
            require_equal_rows({name: opened[name].shape for name in by_transition})
            n = opened["rewards"].shape[0]
            raw = ({name: opened[name].read(min(size, n - at)) for name in by_transition} for at in range(0, n, size))
            starts = {name: opened[name].read(opened[name].shape[0]) for name in by_start}
            stated = opened["gamma"].read(1).reshape(-1)[0] if "gamma" in opened else None
            yield from datasets(raw, stated if gamma is None else gamma, starts)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, struct.error) as error:
        raise KropeError(f"the file must be a complete .npz, save it again; got a damaged one ({error})") from None


class _Member:
    """An array of an archive that is read a few rows at a time, from the first to the last."""

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
        self._stream: IO[bytes] = archive.open(info)
        self._name = info.filename
        self.shape, fortran, self._dtype = read_header(self._stream, info.file_size, info.filename)
        if fortran and len(self.shape) > 1:
            raise KropeError(f"{info.filename} must be in C order to be read in blocks; got Fortran order")

    def __enter__(self) -> "_Member":
        return self

    def __exit__(self, *error: object) -> None:
        self._stream.close()

    def read(self, rows: int) -> NDArray[Any]:
        """The next ``rows`` rows."""
        shape = (rows, *self.shape[1:]) if self.shape else ()
        wanted = prod(shape) * self._dtype.itemsize
        data = self._stream.read(wanted)
        if len(data) != wanted:
            raise KropeError(f"{self._name} must be complete; got {len(data)} of {wanted} bytes")
        return np.frombuffer(data, self._dtype).reshape(shape)
