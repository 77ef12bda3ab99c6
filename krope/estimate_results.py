"""Stored estimates beside the paper's errors: a table of their own in ``krope deep table``."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from rich import box
from rich.markup import escape
from rich.table import Table

from tabular_krope.errors import KropeError

TITLE = "The closed form as an estimator: krope deep estimate, nothing trained or tuned"


@dataclass(frozen=True, slots=True)
class StoredEstimate:
    """What is read of an estimate; the error is None where the true value is not known."""

    name: str
    value: float
    error: float | None
    believed: bool
    stable: bool

    @property
    def right(self) -> bool:
        """Whether the error is at most 0.05."""
        return self.error is not None and self.error <= 0.05


def read_estimates(path: Path) -> list[StoredEstimate]:
    """The estimates that ``krope deep estimate --json`` wrote."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["estimates"]
        return [StoredEstimate(**{field.name: row[field.name] for field in fields(StoredEstimate)}) for row in rows]
    except OSError as problem:
        raise KropeError(f"estimates must be a file that can be read; got {path}: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise KropeError(f"estimates must be what 'krope deep estimate --json FILE' writes; got {path}") from None


def estimates_answer(rows: Sequence[StoredEstimate]) -> str:
    """How many are believed and refused, and which of either were right.

    >>> estimates_answer([StoredEstimate("a", 1.0, 0.01, True, True), StoredEstimate("b", 1.0, 0.9, False, True)])
    'Closed form: stable on 2 of 2; 1 believed (1 right), 1 refused (0 right); right is an error of at most 0.05.'
    """
    believed, refused = ([row for row in rows if row.believed == wanted] for wanted in (True, False))
    right = [sum(row.right for row in part) for part in (believed, refused)]
    stable = sum(row.stable for row in rows)
    return (
        f"Closed form: stable on {stable} of {len(rows)}; {len(believed)} believed ({right[0]} right), "
        f"{len(refused)} refused ({right[1]} right); right is an error of at most 0.05."
    )


def estimates_table(rows: Sequence[StoredEstimate]) -> Table:
    """Error and verdict of each data set, beside the error of the paper's KROPE."""
    from deep.control.paper_tables import ERROR_ORDER, ERRORS
    from deep.control.tables import WORDS

    shown = Table(title=TITLE, box=box.SIMPLE_HEAD, show_edge=False, padding=0)
    shown.add_column("data set", no_wrap=True)
    for name in ("error", "verdict", "paper's krope"):
        shown.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        quoted = ERRORS.get(row.name)
        mean = None if quoted is None else quoted[ERROR_ORDER.index("krope")][0]
        paper = "" if mean is None else WORDS["diverged"] if mean >= 10 else f"{mean:.1f}"
        error = "" if row.error is None else f"{row.error:.3g}"
        shown.add_row(escape(row.name), error, "believed" if row.believed else "refused", paper)
    return shown
