"""``.json`` files: floats to the last bit, rationals as text."""

import json
import os
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np

from tabular_krope.arrays import is_sparse
from tabular_krope.data.csr_parts import csr_of, parts_of
from tabular_krope.errors import KropeError

#: Larger models belong into ``.npz``: text takes many times its own size in memory while it is read.
LARGEST_JSON = 256 * 2**20


def write_json(stream: BinaryIO, fields: Mapping[str, Any]) -> None:
    """Write ``fields`` as one object, a line for each; a float is written by its shortest exact text."""
    lines = [f"  {json.dumps(name)}: {json.dumps(_plain(value), allow_nan=False)}" for name, value in fields.items()]
    stream.write(("{\n" + ",\n".join(lines) + "\n}\n").encode())


def read_json(path: str, exact: bool = False) -> Any:
    """What a file holds; with ``exact`` a number with a point or an exponent stays the text that was written."""
    options: dict[str, Any] = {"parse_float": str} if exact else {}
    try:
        if (size := os.path.getsize(path)) > LARGEST_JSON:
            raise KropeError(f"the file must have at most {LARGEST_JSON} bytes, use .npz for more; got {size}")
        with open(path, "rb") as stream:
            text = stream.read().decode("utf-8-sig")
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_object, **options)
    except KropeError:
        raise
    except OSError as error:
        raise KropeError(f"the file must be readable; got {error}") from None
    except RecursionError:
        raise KropeError("the file must be JSON of a few levels; got one that is nested too deeply") from None
    except ValueError as error:  # what is not UTF-8 is one, too
        raise KropeError(f"the file must be complete JSON, save it again; got a damaged one ({error})") from None


def with_sparse(fields: Mapping[str, Any]) -> dict[str, Any]:
    """``fields`` with each object of CSR parts put together."""
    return {name: csr_of(value, name) if isinstance(value, dict) else value for name, value in fields.items()}


def _plain(value: Any) -> Any:
    if is_sparse(value):
        return {name: part.tolist() for name, part in parts_of(value).items()}
    return value.tolist() if isinstance(value, np.ndarray) else value


def json_word(value: Any) -> str:
    """What JSON calls a value that was read from it.

    >>> [json_word(value) for value in (None, True, 3, "x", [], {})]
    ['null', 'true or false', 'a number', 'a text', 'a list', 'an object']
    """
    if value is None:
        return "null"
    words = {bool: "true or false", str: "a text", list: "a list", dict: "an object"}
    return words.get(type(value), "a number")


def _no_constant(name: str) -> Any:
    raise KropeError(f"every number must be finite; got {name}")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise KropeError(f"each field must be given once; got {twice!r} twice")
    return fields
