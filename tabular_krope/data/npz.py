"""``.npz`` and ``.npy`` files, read without trusting them.

No pickle is ever loaded, and no array is allocated because a header asks for it: the size that the header claims must
be the size of what is there.
"""

import os
import struct
import warnings
import zipfile
import zlib
from collections import Counter
from collections.abc import Mapping
from math import prod
from typing import IO, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import is_sparse
from tabular_krope.data.allowance import require_plausible
from tabular_krope.data.csr_parts import csr_of, parts_of
from tabular_krope.errors import KropeError

#: Deflate cannot shrink anything by more than this.
DEFLATE_RATIO = 1032
_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def write_npz(stream: BinaryIO, fields: Mapping[str, Any]) -> None:
    """Write ``fields`` as an uncompressed archive of arrays; the same fields give the same bytes."""
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, value in fields.items():
            parts = {f"{name}.{part}": array for part, array in parts_of(value).items()} if is_sparse(value) else None
            for member, array in (parts or {name: value}).items():
                with archive.open(zipfile.ZipInfo(f"{member}.npy"), "w", force_zip64=True) as out:
                    np.lib.format.write_array(out, np.asanyarray(array), allow_pickle=False)


def read_npz(path: str) -> dict[str, Any]:
    """The arrays of an archive by name; numbers and texts as Python values, CSR parts put together."""
    try:
        with zipfile.ZipFile(path) as archive:
            members, size = archive.infolist(), os.path.getsize(path)
            require_honest(members, size)
            arrays: dict[str, NDArray[Any]] = {}
            for info in members:
                taken = sum(array.size for array in arrays.values())
                arrays[_name(info)] = _member(archive, info, size, taken)
    except KropeError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, struct.error) as error:
        raise KropeError(f"the file must be a complete .npz, save it again; got a damaged one ({error})") from None
    return _assembled(arrays)


def read_npy(path: str) -> NDArray[Any]:
    """The array of an ``.npy`` file."""
    try:
        with open(path, "rb") as stream:
            return _array(stream, os.path.getsize(path), "the file")
    except OSError as error:
        raise KropeError(f"the file must be readable; got {error}") from None


def require_honest(members: list[zipfile.ZipInfo], size: int) -> None:
    """The directory of an archive of that many bytes lists arrays only, each once, none larger than can be."""
    times = Counter(info.filename for info in members)
    if sum(info.compress_size for info in members) > size:
        raise KropeError(f"the archive must hold what its directory lists; got {size} bytes for more")
    for info in members:
        name = info.filename
        if not name.endswith(".npy"):
            raise KropeError(f"the archive must hold arrays (.npy) only; got {name!r}")
        if times[name] > 1:
            raise KropeError(f"the archive must hold each array once; got {name!r} {times[name]} times")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or info.flag_bits & 1:
            raise KropeError(f"{name} must be stored or deflated; got another compression, or encryption")
        if info.file_size > DEFLATE_RATIO * (info.compress_size + 1):
            raise KropeError(f"{name} must have its listed {info.file_size} bytes; got {info.compress_size} for them")


def _name(info: zipfile.ZipInfo) -> str:
    return info.filename.removesuffix(".npy")


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, archive_size: int, taken: int) -> NDArray[Any]:
    with archive.open(info) as stream:
        return _array(stream, info.file_size, info.filename, archive_size, taken)


def read_header(stream: IO[bytes], size: int, what: str) -> tuple[tuple[int, ...], bool, Any]:
    """Shape, whether in Fortran's order, and type of the array in a stream of ``size`` bytes, which then begins.

    The bytes that the header claims are there, and they are numbers or text.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            header = _HEADERS[np.lib.format.read_magic(stream)]
            shape, fortran, dtype = header(stream)
    except Exception as error:  # the header is Python text, and its readers raise all sorts of things
        raise KropeError(f"{what} must begin with an array's header; got {type(error).__name__}: {error}") from None
    if dtype.hasobject:
        raise KropeError(f"{what} must hold numbers or text; got pickled objects, which are never loaded")
    if dtype.kind not in "biufU" or dtype.itemsize == 0:
        raise KropeError(f"{what} must hold real numbers or text; got {dtype}")
    claimed, there = prod(shape) * dtype.itemsize, size - stream.tell()
    if claimed != there or min(shape, default=0) < 0:
        raise KropeError(f"{what} must hold the {claimed} bytes of shape {shape} that its header claims; got {there}")
    return shape, fortran, dtype


def _array(stream: IO[bytes], size: int, what: str, archive_size: int | None = None, taken: int = 0) -> NDArray[Any]:
    shape, fortran, dtype = read_header(stream, size, what)
    if archive_size is not None:
        require_plausible(taken + prod(shape), archive_size, what)
    claimed = prod(shape) * dtype.itemsize
    data = stream.read(claimed)
    if len(data) != claimed:
        raise KropeError(f"{what} must be complete; got {len(data)} of {claimed} bytes")
    if dtype.kind == "U" and (np.frombuffer(data, np.dtype("u4").newbyteorder(dtype.byteorder)) > 0x10FFFF).any():
        raise KropeError(f"{what} must hold text; got numbers that are no characters")  # numpy would crash on them
    flat = np.frombuffer(data, dtype) if claimed else np.empty(0, dtype)
    return flat.reshape(shape, order="F" if fortran else "C")


def _assembled(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, array in arrays.items():
        owner, dot, part = name.partition(".")
        if dot:
            fields.setdefault(owner, {})[part] = array
        else:
            fields[name] = array.item() if array.ndim == 0 else array
    return {name: csr_of(value, name) if isinstance(value, dict) else value for name, value in fields.items()}
