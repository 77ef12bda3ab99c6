"""``.parquet`` files of transitions: columns ``s, a, r, s_next, done``, the settings in the schema's metadata."""

import json
import os
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np

from tabular_krope.data.allowance import require_plausible
from tabular_krope.data.dataset import Dataset
from tabular_krope.data.transition_tables import COLUMNS, columns_of, dataset_of, settings_from, settings_of
from tabular_krope.errors import KropeError, reason_of

#: Rows that are read or written at once.
ROWS = 65_536
#: The entry of the metadata that holds the settings.
KEY = b"krope"


def write_parquet(stream: BinaryIO, data: Dataset) -> None:
    """Write a data set, compressed."""
    import pyarrow
    from pyarrow import parquet

    columns = {column: getattr(data, column) for column in COLUMNS}
    table = pyarrow.table(columns if data.episodes is None else columns | {"episode": data.episodes})
    table = table.replace_schema_metadata({KEY: json.dumps(settings_of(data)).encode()})
    parquet.write_table(table, stream, row_group_size=ROWS * 16)


def read_parquet(path: str, gamma: float | None = None, columns: Mapping[str, str] | None = None) -> Dataset:
    """The data set of a file; ``columns`` says what some of its columns are called."""
    import pyarrow

    try:
        table, settings, ignored = _columns(path, columns)
    except KropeError:
        raise
    except (pyarrow.ArrowException, OSError, MemoryError, ValueError, TypeError, OverflowError) as error:
        reason = reason_of(error)
        raise KropeError(f"the file must be a complete .parquet, save it again; got a damaged one ({reason})") from None
    return dataset_of(table, settings, gamma, ignored)


def _columns(path: str, chosen: Mapping[str, str] | None) -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    from pyarrow import parquet

    size = os.path.getsize(path)
    # The footer is decoded before anything can be checked: its parts may not be longer than the file.
    limits = {"thrift_string_size_limit": max(size, 1), "thrift_container_size_limit": max(size, 1)}
    with parquet.ParquetFile(path, memory_map=False, **limits) as file:
        schema = file.schema_arrow
        called = columns_of(schema.names, chosen)
        for column, name in called.items():
            if column != "episode":  # numbers or names
                _require_type(schema.field(name).type, column)
        rows = file.metadata.num_rows
        if rows <= 0:
            raise KropeError(f"the table must hold at least one transition; got {rows}")
        require_plausible(len(COLUMNS) * rows, size, "the table")
        parts: dict[str, list[Any]] = {column: [] for column in called}
        for batch in file.iter_batches(ROWS, columns=list(called.values()), use_threads=False):
            for column, name in called.items():
                values = batch.column(name)
                if values.null_count:
                    raise KropeError(f"{column} must have a value in every row; got an empty one")
                parts[column].append(values.to_numpy(zero_copy_only=False))
        metadata = schema.metadata or {}
        settings = settings_from(metadata[KEY].decode("utf-8", errors="replace")) if KEY in metadata else {}
    columns = {column: np.concatenate(values) if values else np.empty(0) for column, values in parts.items()}
    if any(len(values) != rows for values in columns.values()):
        raise KropeError(f"the table must hold the {rows} rows that its header claims; got {len(columns['s'])}")
    return columns, settings, [name for name in schema.names if name not in called.values()]


def _require_type(kind: Any, column: str) -> None:
    from pyarrow import types

    wanted = {
        "r": ("numbers", types.is_floating, types.is_integer),
        "done": ("booleans", types.is_boolean, types.is_integer),
        "truncated": ("booleans", types.is_boolean, types.is_integer),
    }
    texts = (types.is_string, types.is_large_string, types.is_dictionary)
    name, *allowed = wanted.get(column, ("integers or names", types.is_integer, *texts))
    if not any(test(kind) for test in allowed):
        raise KropeError(f"{column} must be a column of {name}; got {kind}")
