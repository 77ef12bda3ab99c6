"""Table 1 and the Bellman-completeness table, ours beside the paper's."""

from collections.abc import Sequence
from dataclasses import dataclass

from deep.control.config import ALGORITHMS
from deep.control.results import Cell, Run, best_cell

#: The paper's columns, in its order, and the one that is ours.
ORDER = ("fqe", "bcrl-exp", "bcrl", "beer", "dr3", "dbc", "rope", "krope", "krope-closed")
D = "Div."
#: Table 1 of the paper: normalised squared error of LSPE's value.
PAPER_ERRORS: dict[str, tuple[str, ...]] = {
    "dmc-cartpole-swingup": (D, "2.0", "2.2", D, "0.9", D, "0.2", "0.0"),
    "dmc-cheetah-run": ("0.0", "0.3", "0.8", "0.0", "0.4", D, D, "0.0"),
    "dmc-finger-turn_easy": (D, "0.6", "0.8", D, "0.9", D, "0.1", "0.6"),
    "dmc-walker-stand": ("0.0", "0.2", "0.2", "1.9", "0.1", D, "0.2", "0.0"),
    "halfcheetah-random": ("0.9", D, D, "0.9", "0.9", "0.9", "1.0", "1.0"),
    "halfcheetah-medium": (D, D, "0.2", D, D, D, "0.0", "0.0"),
    "halfcheetah-medium-expert": (D, "0.2", "0.3", D, D, D, "0.1", "0.0"),
    "hopper-random": (D, D, D, D, "0.8", D, D, "0.1"),
    "hopper-medium": (D, D, D, D, D, D, D, D),
    "hopper-medium-expert": (D, D, D, D, "0.6", D, "0.0", "0.0"),
    "walker2d-random": (D, D, D, D, "1.0", D, D, "0.5"),
    "walker2d-medium": (D, D, D, D, D, D, D, D),
    "walker2d-medium-expert": (D, "1.3", "2.6", D, "6.6", D, "0.1", D),
}
#: The columns and rows of the paper's Bellman-completeness table.
COMPLETENESS_ORDER = ("bcrl-exp", "bcrl", "beer", "dr3", "fqe", "krope")
PAPER_COMPLETENESS: dict[str, tuple[str, ...]] = {
    "dmc-cartpole-swingup": ("0.4", "0.2", "0.1", "0.0", "0.1", "0.0"),
    "dmc-cheetah-run": ("3.3", "2.4", "0.7", "0.0", "0.7", "0.2"),
    "dmc-finger-turn_easy": ("1.3", "0.7", "0.9", "137.0", "0.9", "0.2"),
    "dmc-walker-stand": ("10.4", "0.3", "0.5", "66.1", "0.6", "0.1"),
}
#: Epochs of the paper; runs with fewer are marked.
FULL_EPOCHS = 500
NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class TableRow:
    """One data set: ours and the paper's cell for each algorithm, as they are printed."""

    data: str
    ours: tuple[str, ...]
    paper: tuple[str, ...]


def error_table(runs: Sequence[Run], column: str) -> list[TableRow]:
    """Table 1 by the errors in ``column``, such as ``error_cov32``; "Div." from 10 on.

    >>> error_table([], "error_svd64")[0].ours[0]
    'not run'
    """
    rows = []
    for data, paper in PAPER_ERRORS.items():
        cells = [best_cell(_of(runs, data, name), column) for name in ORDER]
        rows.append(TableRow(data, tuple(_text(cell) for cell in cells), (*paper, "-")))
    return rows


def completeness_table(runs: Sequence[Run]) -> list[TableRow]:
    """The Bellman-completeness table; all nine algorithms, the paper's six beside theirs.

    Its setting is the one of least completeness error: the paper does not say which it takes.
    """
    rows = []
    for data, paper in PAPER_COMPLETENESS.items():
        known = dict(zip(COMPLETENESS_ORDER, paper, strict=True))
        cells = [best_cell(_of(runs, data, name), "completeness") for name in ORDER]
        ours = tuple(_text(cell, limit=float("inf")) for cell in cells)
        rows.append(TableRow(data, ours, tuple(known.get(name, "-") for name in ORDER)))
    return rows


def _of(runs: Sequence[Run], data: str, algorithm: str) -> list[Run]:
    assert algorithm in ALGORITHMS
    return [run for run in runs if run.data == data and run.algorithm == algorithm]


def _text(cell: Cell | None, limit: float | None = None) -> str:
    if cell is None:
        return NOT_RUN
    text = cell.text() if limit is None else cell.text(limit)
    # The closed form trains nothing, so its zero epochs are not short.
    return f"{text} *" if 0 < cell.epochs < FULL_EPOCHS else text
