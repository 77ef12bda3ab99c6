"""``.safetensors`` files: arrays as tensors, the other fields as JSON in the metadata under ``krope``.

Any program that reads the format has the tensors, ``map`` among them.
"""

import json
import struct
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np

from tabular_krope.arrays import is_sparse
from tabular_krope.errors import KropeError, reason_of
from tabular_krope.extras import needed

#: The entry of the metadata that holds what is not an array, and the largest header.
KEY, LONGEST_HEADER = "krope", 2**20


def write_safetensors(stream: BinaryIO, fields: Mapping[str, Any]) -> None:
    """Write ``fields``; those that are neither arrays nor plain values do not fit."""
    arrays = {name: np.ascontiguousarray(v) for name, v in fields.items() if isinstance(v, np.ndarray)}
    plain = {name: value for name, value in fields.items() if name not in arrays}
    for name, value in fields.items():
        if is_sparse(value) or (name in arrays and value.dtype.kind not in "fiub"):
            raise KropeError(f"thing must consist of dense arrays of numbers for .safetensors, use .npz; got {name!r}")
    stream.write(needed("safetensors.numpy").save(arrays, {KEY: json.dumps(plain, allow_nan=False)}))


def read_safetensors(path: str) -> dict[str, Any]:
    """The fields of a file."""
    library = needed("safetensors")
    try:
        plain = _plain(path)
        with library.safe_open(path, framework="numpy") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except OSError as error:
        raise KropeError(f"the file must be readable; got {error}") from None
    except (library.SafetensorError, ValueError, TypeError, AttributeError, RecursionError, struct.error) as error:
        reason = reason_of(error)
        raise KropeError(f"the file must be a complete .safetensors; got a damaged one ({reason})") from None
    return {**plain, **arrays}


def _plain(path: str) -> dict[str, Any]:
    """What the metadata hold, read from the header: a length, then JSON."""
    with open(path, "rb") as stream:
        (length,) = struct.unpack("<Q", stream.read(8))
        if length > LONGEST_HEADER:
            raise ValueError(f"a header of {length} bytes")
        header = json.loads(stream.read(length))
    values = json.loads(header.get("__metadata__", {}).get(KEY, "{}"))
    if not isinstance(values, dict):
        raise ValueError(f"metadata of type {type(values).__name__}")
    return values
