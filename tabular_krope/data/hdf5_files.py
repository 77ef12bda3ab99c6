"""``.hdf5`` files in the layout of D4RL, read without trusting them.

Only plain arrays of numbers at the top of the file are looked at. Links to other files, virtual arrays, external
storage and filters other than HDF5's own are refused; so is an array whose shape claims more than its storage holds.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from tabular_krope.data.allowance import require_plausible
from tabular_krope.data.continuous import BY_START, BY_TRANSITION, ContinuousDataset
from tabular_krope.data.d4rl_rows import datasets, joined, require_arrays, require_equal_rows, selected
from tabular_krope.data.npz import DEFLATE_RATIO
from tabular_krope.errors import KropeError, reason_of

#: Deflate, shuffle and Fletcher's checksum: filters that are part of HDF5 and need no plugin.
FILTERS = (1, 2, 3)
#: h5py's LZF, which it carries itself.
LZF = 32000
#: Bytes of a chunk, which is unpacked whole.
LARGEST_CHUNK = 64 * 2**20


def write_hdf5(stream: BinaryIO, data: ContinuousDataset) -> None:
    """Write a data set in D4RL's layout, ``gamma`` as an attribute."""
    import h5py

    with h5py.File(stream, "w") as file:
        file.attrs["gamma"] = data.gamma
        for name in (*BY_TRANSITION, *BY_START):
            value = getattr(data, name)
            if value is not None:
                file.create_dataset(name, data=value)


def read_hdf5(path: str, gamma: float | None = None) -> ContinuousDataset:
    """The data set of a file, whole in memory."""
    with opened_hdf5(path) as file:
        names, starts = _arrays(file, path)
        require_plausible(
            sum(array.size for array in (*names.values(), *starts.values())), os.path.getsize(path), "the file"
        )
        blocks = list(
            datasets([{n: _read(a, n) for n, a in names.items()}], stated_gamma(file, gamma), _read_all(starts))
        )
    return joined(blocks)


def stream_hdf5(path: str, size: int, gamma: float | None = None) -> Iterator[ContinuousDataset]:
    """The data set of a file in blocks of about ``size`` transitions."""
    with opened_hdf5(path) as file:
        names, starts = _arrays(file, path)
        n = names["rewards"].shape[0]
        parts = (slice(at, at + size) for at in range(0, n, size))
        raw = ({name: _read(array, name, part) for name, array in names.items()} for part in parts)
        yield from datasets(raw, stated_gamma(file, gamma), _read_all(starts))


@contextmanager
def opened_hdf5(path: str) -> Iterator[Any]:
    """The open file; whatever the library raises on a damaged one becomes a KropeError."""
    import h5py

    try:
        with h5py.File(path, "r", locking=False) as file:
            yield file
    except KropeError:
        raise
    except Exception as error:  # a damaged file makes the library raise all sorts of things
        reason = reason_of(error)
        raise KropeError(f"the file must be a complete .hdf5, save it again; got a damaged one ({reason})") from None


def _arrays(file: Any, path: str) -> tuple[dict[str, Any], dict[str, Any]]:
    by_transition, by_start = selected(file)
    require_arrays(by_transition)
    checked = {name: checked_array(file, name, os.path.getsize(path)) for name in (*by_transition, *by_start)}
    require_equal_rows({name: checked[name].shape for name in by_transition})
    return {name: checked[name] for name in by_transition}, {name: checked[name] for name in by_start}


def checked_array(file: Any, name: str, file_size: int) -> Any:
    """The array ``name``, if it is numbers stored in the file itself; not read yet."""
    import h5py

    if not isinstance(file.get(name, getlink=True), h5py.HardLink):
        raise KropeError(f"{name} must be an array in the file itself; got a link to elsewhere")
    array = file[name]
    if not isinstance(array, h5py.Dataset):
        raise KropeError(f"{name} must be an array; got a {type(array).__name__.lower()}")
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8 or array.ndim not in (1, 2):
        raise KropeError(
            f"{name} must be a vector or a matrix of real numbers; got {array.dtype} with shape {array.shape}"
        )
    if array.is_virtual or array.external:
        raise KropeError(f"{name} must be stored in the file itself; got virtual or external storage")
    properties = array.id.get_create_plist()
    filters = [properties.get_filter(i)[0] for i in range(properties.get_nfilters())]
    for code in filters:
        if code not in (*FILTERS, LZF):
            raise KropeError(f"{name} must be stored plainly, by gzip or by lzf; got the filter {code}")
    if array.chunks and prod(array.chunks) * array.dtype.itemsize > LARGEST_CHUNK:
        raise KropeError(f"{name} must have chunks of at most {LARGEST_CHUNK} bytes; got chunks {array.chunks}")
    claimed, there = array.size * array.dtype.itemsize, array.id.get_storage_size()
    if there > file_size or claimed > there * (DEFLATE_RATIO if filters else 1):
        raise KropeError(f"{name} must hold the {claimed} bytes of shape {array.shape}; got {min(there, file_size)}")
    return array


def _read(array: Any, name: str, part: slice | tuple[()] = ()) -> NDArray[Any]:
    try:
        return np.asarray(array[part])
    except MemoryError:
        raise KropeError(f"{name} must fit in memory; got shape {array.shape}") from None


def _read_all(arrays: dict[str, Any]) -> dict[str, NDArray[Any]]:
    return {name: _read(array, name) for name, array in arrays.items()}


def stated_gamma(file: Any, gamma: float | None) -> Any:
    """The discount factor that was given, else that of the file; None if there is neither."""
    if gamma is not None or "gamma" not in file.attrs:
        return gamma
    attribute = file.attrs.get_id("gamma")
    if attribute.shape != () or attribute.dtype.kind not in "iuf":
        raise KropeError(f"gamma must be one number; got {attribute.dtype} with shape {attribute.shape}")
    return float(file.attrs["gamma"])
