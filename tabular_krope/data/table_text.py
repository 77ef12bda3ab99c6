"""Tables as text, as people have them: compressed, from a spreadsheet, with blanks around the commas.

What is not UTF-8 with plain line ends and bare separators is made so before it is read:

- ``.gz`` files are unfolded;
- byte order marks are dropped, UTF-16 (a spreadsheet's "Unicode text") is read, and line ends are of any kind;
- blanks around separators and at the ends of lines go, except in quotes;
- where semicolons separate the columns, numbers may have a decimal comma.
"""

import gzip
import io
import os
import re
import zlib
from typing import Any, BinaryIO

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.data.allowance import require_plausible
from tabular_krope.errors import KropeError, reason_of

#: Endings of the names of tables, each also with ``.gz``.
TABLES = (".csv", ".tsv", ".txt")
#: What may stand between columns: the first of these that the header has.
SEPARATORS = (",", ";", "\t")
#: Bytes in which blanks and decimal commas are looked for.
LOOKED_AT = 2**20


def opened(path: str) -> BinaryIO:
    """The bytes of a table, UTF-8 with line ends that end in a line feed."""
    stream: Any = io.BytesIO(_unfolded(path)) if path.lower().endswith(".gz") else open(path, "rb")  # noqa: SIM115
    start = stream.read(LOOKED_AT)
    if start[:2] not in (b"\xff\xfe", b"\xfe\xff") and (b"\n" in start or b"\r" not in start):
        stream.seek(3 if start[:3] == b"\xef\xbb\xbf" else 0)
        return stream  # type: ignore[no-any-return]
    with stream:
        whole = start + stream.read()
    if b"\0" not in whole:
        return io.BytesIO(whole.replace(b"\r", b"\n"))
    try:
        return io.BytesIO(whole.decode("utf-16").encode())
    except UnicodeDecodeError:
        raise KropeError("the file must be UTF-8 or UTF-16 text; got bytes that are neither") from None


def separator_of(header: str) -> str:
    """What separates the columns of a line.

    >>> separator_of("s;a;r"), separator_of("alone")
    (';', ',')
    """
    return next((mark for mark in SEPARATORS if mark in header), ",")


def tidy(stream: BinaryIO, separator: str) -> BinaryIO:
    """The rest of a stream without blanks around separators and at the ends of lines.

    >>> tidy(io.BytesIO(b'1 , "a , b" ,2 \\n'), ",").read()
    b'1,"a , b",2\\n'
    """
    at = stream.tell()
    mark = re.escape(separator.encode())
    blank = rb"[ ]" if separator == "\t" else rb"[ \t]"
    around = re.compile(rb'"(?:[^"]|"")*"|' + blank + rb"*(" + mark + rb"|\r?\n|\Z)" + blank + rb"*")
    if not re.search(blank + mark + rb"|" + mark + blank + rb"|" + blank + rb"\r?\n|\n" + blank, _ahead(stream, at)):
        return stream
    return io.BytesIO(around.sub(lambda found: found[0] if found[1] is None else found[1], stream.read().lstrip(b" ")))


def decimal_point(stream: BinaryIO, separator: str) -> str:
    """A comma where columns are separated by semicolons and numbers are written like 0,5; else a point.

    >>> decimal_point(io.BytesIO(b"1;0,5;2"), ";"), decimal_point(io.BytesIO(b"1;0.5;2"), ";")
    (',', '.')
    """
    number = re.compile(rb'(?:^|[;\n])"?[-+]?\d*,\d+(?:[eE][-+]?\d+)?"?(?=[;\r\n]|$)')
    return "," if separator == ";" and number.search(_ahead(stream, stream.tell())) else "."


def read_numbers(path: str) -> Array:
    """The numbers of a table, [n, d], or [n] if it has one column; a line of names at the top is skipped."""
    with opened(path) as stream:
        lines = [line for line in stream.read().decode("utf-8", errors="replace").splitlines() if _says_something(line)]
    if not lines:
        raise KropeError("the table must hold at least one number; got none")
    separator = separator_of(lines[0])
    if separator not in lines[0]:
        separator = " "
    body = io.BytesIO("\n".join(lines).encode())
    point = decimal_point(body, separator)
    rows = [_numbers(line, separator, point) for line in lines]
    first = 0 if rows[0] is not None else 1
    if first and {"done", "terminated", "terminal"} & {name.strip(' "') for name in lines[0].split(separator)}:
        raise KropeError(f"the table must hold an array of numbers; got transitions, {lines[0][:60]}")
    for number, row in enumerate(rows[first:], first):
        if row is None or len(row) != len(rows[first] or ()):
            wanted = len(rows[first] or ())
            raise KropeError(f"row {number + 1} of the table must be {wanted} numbers; got {lines[number][:60]!r}")
    if first == len(rows):
        raise KropeError(f"the table must hold at least one number; got {lines[0][:60]!r}")
    array = np.array(rows[first:])
    return array[:, 0] if array.shape[1] == 1 else array


def _numbers(line: str, separator: str, point: str) -> list[float] | None:
    cells = line.split() if separator == " " else line.split(separator)
    try:
        return [float(cell.strip().strip('"').replace(point, ".")) for cell in cells]
    except ValueError:
        return None


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _ahead(stream: BinaryIO, at: int) -> bytes:
    start = stream.read(LOOKED_AT)
    stream.seek(at)
    return start


def _unfolded(path: str) -> bytes:
    size, parts, length = os.path.getsize(path), [], 0
    try:
        with gzip.open(path, "rb") as stream:
            while part := stream.read(LOOKED_AT):
                parts.append(part)
                length += len(part)
                require_plausible(length // 8, size, "the table")
    except (OSError, EOFError, zlib.error) as error:
        raise KropeError(f"the file must be whole gzip data; got {reason_of(error)}") from None
    return b"".join(parts)
