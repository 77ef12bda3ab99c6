"""``.csv`` files of transitions: a header ``s,a,r,s_next,done``, a row a transition.

Before the header stand the settings, in one comment: ``# {"krope": 1, "kind": "dataset", "gamma": 0.9, ...}``. A file
without them is fine, other comments at the top are skipped. Columns may be separated by semicolons or tabs, too;
``done`` may be 1, true, t, yes or y. `table_text` says what else is taken as it comes.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import pyarrow

from tabular_krope.data.dataset import Dataset
from tabular_krope.data.table_text import decimal_point, opened, separator_of, tidy
from tabular_krope.data.transition_tables import COLUMNS, IDS, columns_of, dataset_of, settings_from, settings_of
from tabular_krope.errors import KropeError, reason_of

#: Rows that are written at once.
ROWS = 65_536
#: A line that is longer than this is no row of a table.
LONGEST_LINE = 2**20


def write_csv(stream: BinaryIO, data: Dataset) -> None:
    """Write a data set; a reward is written by its shortest exact text."""
    told = data.episodes is not None
    names = [*COLUMNS, "episode"] if told else [*COLUMNS]
    stream.write(f"# {json.dumps(settings_of(data))}\n{','.join(names)}\n".encode())
    for at in range(0, len(data), ROWS):
        part = slice(at, at + ROWS)
        columns = [data.s[part], data.a[part], data.r[part], data.s_next[part], data.done[part].astype(np.int64)]
        columns += [data.episodes[part]] if told else []
        rows = zip(*(column.tolist() for column in columns), strict=True)
        stream.write("".join(f"{','.join(map(repr, row))}\n" for row in rows).encode())


def read_csv(path: str, gamma: float | None = None, columns: Mapping[str, str] | None = None) -> Dataset:
    """The data set of a file, in any order of its columns; ``columns`` says what some are called."""
    try:
        with opened(path) as stream:
            settings = _settings(stream)
            table, ignored = _table(stream, columns)
    except OSError as error:
        raise KropeError(f"the file must be readable; got {error}") from None
    except MemoryError:
        raise KropeError("the file must fit in memory; got one that does not") from None
    return dataset_of(table, settings, gamma, ignored)


def _settings(stream: BinaryIO) -> dict[str, Any]:
    """The settings in the comments at the top; the stream then stands at the header."""
    settings: dict[str, Any] = {}
    longest = -1  # an initial distribution may be long
    while True:
        at = stream.tell()
        line, longest = stream.readline(longest), LONGEST_LINE
        if not line.startswith(b"#"):
            stream.seek(at)
            return settings
        text = line.lstrip(b"# ").strip()
        if text.startswith(b"{"):
            settings = settings_from(text.decode("utf-8", errors="replace"))


def _table(stream: BinaryIO, chosen: Mapping[str, str] | None) -> tuple[dict[str, Any], list[str]]:
    """Columns by what they mean, and the names of those that are left aside."""
    line = stream.readline(LONGEST_LINE)
    try:
        header = line.decode("utf-8")
        separator = separator_of(header)
        names = [name.strip().strip('"') for name in header.split(separator)] if header.strip() else []
    except UnicodeDecodeError:
        raise KropeError("the file must begin with a line of column names; got bytes that are no text") from None
    if names and all(_is_number(name) for name in names):
        raise KropeError(f"the file must begin with a line of column names, {','.join(COLUMNS)}; got numbers")
    called = columns_of(names, chosen)
    texts: dict[str, Any] = {}
    body = tidy(stream, separator)
    rows = _Rows(body, body.tell(), names, separator, decimal_point(body, separator))
    found = rows.read(called, texts)
    for named in IDS.values():
        kinds = {column: found[called[column]].type for column in named}
        for column, kind in kinds.items():
            if pyarrow.types.is_floating(kind):
                raise KropeError(f"{column} must be a column of whole numbers or names; got numbers with a point")
        if not all(pyarrow.types.is_integer(kind) for kind in kinds.values()):
            texts |= {called[column]: pyarrow.string() for column in named}
    if texts:  # once more, for the names as they are written, also 007
        found = rows.read(called, texts)
    # episodes may be numbers or names
    table = {column: found[name].to_numpy() for column, name in called.items()}
    return table, [name for name in names if name not in called.values()]


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows below the header, from ``at`` on."""

    stream: BinaryIO
    at: int
    names: list[str]
    separator: str
    point: str

    def read(self, called: Mapping[str, str], texts: Mapping[str, Any]) -> Any:
        """The columns that are ``called`` something, those of ``texts`` as they are written."""
        from pyarrow import csv

        self.stream.seek(self.at)
        types = {"r": pyarrow.float64(), "done": pyarrow.bool_(), "truncated": pyarrow.bool_()}
        kinds = {name: types[column] for column, name in called.items() if column in types} | dict(texts)
        try:
            return csv.read_csv(
                self.stream,
                read_options=csv.ReadOptions(use_threads=False, column_names=self.names, block_size=2 * LONGEST_LINE),
                parse_options=csv.ParseOptions(delimiter=self.separator),
                convert_options=csv.ConvertOptions(
                    column_types=kinds,
                    strings_can_be_null=False,
                    null_values=[],
                    include_columns=list(called.values()),
                    decimal_point=self.point,
                    true_values=_spellings("1", "1.0", "true", "t", "yes", "y"),
                    false_values=_spellings("0", "0.0", "false", "f", "no", "n"),
                ),
            )
        except pyarrow.ArrowInvalid as error:
            if "Empty CSV" in str(error):
                raise KropeError("the table must hold at least one transition; got none") from None
            raise KropeError(f"every row must be a transition {','.join(self.names)}; got {reason_of(error)}") from None


def _spellings(*words: str) -> list[str]:
    return list(dict.fromkeys(written for word in words for written in (word, word.capitalize(), word.upper())))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
