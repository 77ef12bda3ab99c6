"""All rows of a sweep in one tidy Parquet table: each row with every setting that made it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tabular_krope.data.atomic import atomic_write
from tabular_krope.errors import KropeError
from tabular_krope.runs.configuration import configuration_hash
from tabular_krope.runs.store import Store

#: Results that are turned into columnar arrays at a time.
CHUNK = 200


def table_path(store: Store) -> Path:
    """Where the table of a sweep is."""
    return store.folder / "table.parquet"


def write_table(store: Store) -> int:
    """Gather the results that there are into ``table.parquet``; the number of rows.

    A row has the hash of its configuration, the configuration's own values (lists and objects excepted) and the task's
    columns; where both have a name, the task's counts. Rows come in the order of the configurations.

    >>> from tabular_krope.runs.run import run_sweep
    >>> from tabular_krope.runs.sweep import Sweep, Task
    >>> sweep = Sweep(Task("lengths", "tabular_krope.runs.run:_example"), {}, ({"word": "a"}, {"word": "bcd"}))
    >>> ran = run_sweep(sweep, "lengths")
    >>> write_table(Store(Path("lengths")))
    2
    >>> read_table(Store(Path("lengths")))["length"]
    [1, 3]
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    parts = [pa.Table.from_pydict(chunk) for chunk in _chunks(store)]
    if not parts:
        raise KropeError(f"{store.folder} must have a result to be put in a table; got none")
    try:
        table = pa.concat_tables(parts, promote_options="permissive")
    except pa.ArrowTypeError as error:
        raise KropeError(f"columns must have one type in all results; got {error}") from None
    atomic_write(table_path(store), lambda stream: pq.write_table(table, stream))
    return int(table.num_rows)


def read_table(store: Store, columns: Sequence[str] | None = None) -> dict[str, list[Any]]:
    """The columns of the table, or some of them."""
    import pyarrow.parquet as pq

    wanted = None if columns is None else list(columns)
    found: dict[str, list[Any]] = pq.ParquetFile(table_path(store)).read(wanted).to_pydict()
    return found


def _chunks(store: Store) -> Iterator[dict[str, list[Any]]]:
    done = store.done()
    names = [name for c in store.configurations() if (name := configuration_hash(c)) in done]
    for start in range(0, len(names), CHUNK):
        blocks = [_block(store, name) for name in names[start : start + CHUNK]]
        columns = list(dict.fromkeys(column for block in blocks for column in block))
        chunk: dict[str, list[Any]] = {column: [] for column in columns}
        for block in blocks:
            rows = len(block["configuration"])
            for column in columns:
                chunk[column].extend(block.get(column, [None] * rows))
        yield chunk


def _block(store: Store, name: str) -> dict[str, list[Any]]:
    """The rows of one result, with its settings repeated on each."""
    result = store.result(name)
    columns: dict[str, list[Any]] = result["columns"]
    rows = len(next(iter(columns.values())))
    settings = {k: [v] * rows for k, v in result["configuration"].items() if not isinstance(v, list | dict)}
    return {"configuration": [name] * rows} | settings | columns
