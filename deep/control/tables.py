"""Table 1 and the Bellman-completeness table, ours beside the paper's; data sets that it lacks come after its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite, nan

from deep.control import paper_tables
from deep.control.config import ALGORITHMS
from deep.control.divergence import divergence_text
from deep.control.evaluation import DIVERGED
from deep.control.paper_tables import Quoted
from deep.control.results import Cell, Run, best_cell, runs_of

#: The paper's columns, in its order, and the one that is ours.
ORDER = (*paper_tables.ERROR_ORDER, "krope-closed")
assert set(ORDER) == set(ALGORITHMS)
#: What can be said in one place of a table, and how it is printed where there is no number.
WORDS = {"diverged": "Div.", "not finite": "not finite", "not run": "not run", "not measured": "-"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One place of a table.

    Attributes:
        state: "value", "diverged" (errors of 10 or more), "not finite" (other measures), "not run", or "not measured":
            it was run (or is in the paper), but this measure does not exist there; "told": in words.
        mean: infinite or NaN where the state is not "value" or "diverged".
        half_width: of the 95% interval; NaN where there is none.
        cell: the runs behind it; None for the paper's, and where there are none.
        words: what is told.
    """

    state: str
    mean: float = inf
    half_width: float = inf
    cell: Cell | None = None
    words: str = ""

    @property
    def short(self) -> bool:
        """Whether a run had fewer epochs than the paper's; the closed form trains nothing, so its zero are not few."""
        return self.cell is not None and 0 < self.cell.epochs < paper_tables.EPOCHS

    @property
    def text(self) -> str:
        """As it is printed: one decimal, an asterisk after short runs.

        >>> Entry("value", 2.04, 1.6).text, Entry("diverged").text, Entry("not finite").text
        ('2.0±1.6', 'Div.', 'not finite')
        """
        if self.state == "told":
            return self.words + ("*" if self.short else "")
        number = f"{self.mean:.1f}" + (f"±{self.half_width:.1f}" if isfinite(self.half_width) else "")
        return WORDS.get(self.state, number) + ("*" if self.short else "")


@dataclass(frozen=True, slots=True)
class TableRow:
    """One data set: an entry for each algorithm, ours and the paper's."""

    data: str
    ours: tuple[Entry, ...]
    paper: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of one measure.

    Attributes:
        measure: column of the metrics.
        rows: one for each data set.
        quoted: whether the paper has such a table.
    """

    measure: str
    rows: tuple[TableRow, ...]
    quoted: bool


def error_table(runs: Sequence[Run], column: str) -> Table:
    """Table 1 by the errors in ``column``, such as ``error_cov32``; "Div." from 10 on.

    The paper's are errors of LSPE; of FQE's own estimate, ``error_fqe``, it has no table.

    >>> error_table([], "error_svd64").rows[0].ours[0].text
    'not run'
    """
    quoted = paper_tables.ERRORS if not column.endswith("_fqe") else dict.fromkeys(paper_tables.ERRORS, ())
    return _table(runs, column, quoted, paper_tables.ERROR_ORDER, (DIVERGED, "diverged"))


def completeness_table(runs: Sequence[Run]) -> Table:
    """The Bellman-completeness table; all nine algorithms, the paper's six beside theirs.

    Its setting is the one of least completeness error: the paper does not say which it takes. No size of it is a
    divergence; of features that are not finite, or too large to square, it is "not finite".
    """
    limit = (inf, "not finite")
    return _table(runs, "completeness", paper_tables.COMPLETENESS, paper_tables.COMPLETENESS_ORDER, limit)


def divergence_table(runs: Sequence[Run], column: str) -> Table:
    """When the runs behind `error_table` of ``column`` diverged: never, on the way, or at the end.

    >>> divergence_table([], "error_svd64").rows[0].ours[0].text
    'not run'
    """
    rows = []
    for row in error_table(runs, column).rows:
        told = []
        for name, entry in zip(ORDER, row.ours, strict=True):
            if entry.cell is not None:
                mine = runs_of([run for run in runs if (run.data, run.algorithm) == (row.data, name)], entry.cell)
                entry = Entry("told", nan, nan, entry.cell, divergence_text(mine, column))
            told.append(entry)
        rows.append(TableRow(row.data, tuple(told), (Entry("not measured"),) * len(ORDER)))
    return Table(column.replace("error", "divergence"), tuple(rows), quoted=False)


Limit = tuple[float, str]


def _table(
    runs: Sequence[Run], column: str, quoted: Mapping[str, tuple[Quoted, ...]], order: Sequence[str], limit: Limit
) -> Table:
    rows = []
    others = {run.data: () for run in runs if run.data not in quoted}
    for data, numbers in {**quoted, **dict(sorted(others.items()))}.items():
        known = dict(zip(order, numbers, strict=False))  # no numbers at all where the paper has no such table
        paper = tuple(_entry(*known[name], None, limit) if name in known else Entry("not measured") for name in ORDER)
        rows.append(TableRow(data, tuple(_ours(runs, data, name, column, limit) for name in ORDER), paper))
    return Table(column, tuple(rows), any(quoted.values()))


def _ours(runs: Sequence[Run], data: str, algorithm: str, column: str, limit: Limit) -> Entry:
    mine = [run for run in runs if run.data == data and run.algorithm == algorithm]
    cell = best_cell(mine, column)
    if cell is None:
        return Entry("not measured" if mine else "not run")
    return _entry(cell.mean, cell.half_width, cell, limit)


def _entry(mean: float, half_width: float, cell: Cell | None, limit: Limit) -> Entry:
    largest, beyond = limit
    return Entry("value" if mean < largest else beyond, mean, half_width, cell)
