"""The four figures of the closed-form study, each against one thing: divergence, shift, transitions, features.

The first is a table for each of the three methods; the others have a row for each problem with each sort of base
features, and in it a mark for each method.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from figures.parts import style
from figures.parts.dot_rows import draw_dot_rows
from figures.parts.heat_table import draw_heat_table
from figures.studies.closed_form import BASE, CLOSED, MOST, PRINCIPAL, Settings, compute, finish, pieces
from figures.studies.study import Data, Study
from tabular_krope.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOOKS = {
    BASE: (style.BLACK, "v", "all base features"),
    PRINCIPAL: (style.ORANGE, "s", "principal directions"),
    CLOSED: (style.BLUE, "o", "closed-form KROPE"),
}
NAMES = {"garnet": "Garnet", "frozen-lake": "FrozenLake", "taxi": "Taxi", "van-roy": "Van Roy"}
KINDS = {"fourier": "Fourier", "given": "its own"}


def draw_convergence(data: Data, axes: "Mapping[str, Axes]") -> None:
    """Share of data sets on which LSPE converges in percent: problems by shift, a table for each method."""
    cells, methods = slice(int(data["by_size"]), None), data["methods"].tolist()
    rows = [_called(case) for case in data["cases"]]
    columns = [f"{shift:g}" for shift in data["shifts"][cells]]
    for k, (method, (_, _, label)) in enumerate(LOOKS.items()):
        ax = axes[method]
        stable = 100 * (1 - data["unstable"][:, cells, methods.index(method), -1])
        draw_heat_table(stable, rows, columns, ax, named=k == 0)
        ax.set_title(label)
        ax.set_xlabel("shift of the data")


def _called(case: str) -> str:
    """A problem and its base features, for a row."""
    problem, kind = case.split(", ")
    return f"{NAMES[problem]}, {KINDS.get(kind, kind)}"


def usual_cell(data: Data) -> int:
    """The cell with the usual number of transitions and the usual shift."""
    n, shift, _ = data["usual"].tolist()
    return int(np.flatnonzero((data["transitions"] == n) & (data["shifts"] == shift))[0])


def median_errors(data: Data, cell: int) -> Array:
    """Median errors in a cell with the usual number of features [cases, methods], methods in the order of `LOOKS`."""
    methods = data["methods"].tolist()
    found: Array = data["error"][:, cell, [methods.index(name) for name in LOOKS], -1, 1]
    return found


def drawing(cell: Callable[[Data], int], title: Callable[[Data], str]) -> "Callable[[Data, Mapping[str, Axes]], None]":
    """The ``draw`` of a cell: a row for each problem, first those on which the base features fare worst."""

    def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
        ax, errors = axes["all"], median_errors(data, cell(data))
        ax.set_xscale("log")
        ax.set_xlim(8e-4, 1.4 * MOST)
        ax.set_xticks([1e-3, 1e-2, 0.1, 1, 10, 100], ["0.001", "0.01", "0.1", "1", "10", "diverges"])
        ax.minorticks_off()
        ax.axvline(MOST, color=style.GRAY, linewidth=0.8, linestyle=":", zorder=0)
        order = np.lexsort((-errors[:, 1], -errors[:, 0]))
        rows = [_called(data["cases"][k]) for k in order]
        sizes = (9, 6.5, 4.5)  # the last is drawn above the others, which are seen around it
        looks = [(color, mark, size, word) for size, (color, mark, word) in zip(sizes, LOOKS.values(), strict=True)]
        draw_dot_rows(errors[order], rows, looks, ax)
        ax.set_xlabel("median relative error")
        ax.set_title(title(data))

    return draw


def divergence_title(data: Data) -> str:
    """On how many of the problems the base features diverge, and whether the closed form does."""
    methods, second = data["methods"].tolist(), slice(int(data["by_size"]), None)
    some = {method: (data["unstable"][:, second, a, -1] > 0).any(axis=1).sum() for a, method in enumerate(methods)}
    base, own = int(some[BASE]), int(some[CLOSED])
    never = "never does" if own == 0 else f"does on {own}"
    finding = f"As the data shift, LSPE on the base features diverges on {base} of {len(data['cases'])} problems"
    return f"{finding};\non closed-form KROPE features it {never} (cells: % of data sets that converge)"


def answers_title(cell: Callable[[Data], int], where: Callable[[Data], str]) -> Callable[[Data], str]:
    """On how many problems the median estimate diverges in a cell, and on how many of them the closed form answers."""

    def title(data: Data) -> str:
        base, _, own = median_errors(data, cell(data)).T
        lost = base >= MOST
        kept = int((own[lost] < MOST).sum())
        answered = "all" if kept == lost.sum() else f"{kept}"
        finding = f"{where(data)}, LSPE on the base features diverges on {lost.sum()} of {len(lost)} problems"
        return f"{finding};\nthe closed form gives an answer on {answered} of these"

    return title


def features_title(data: Data) -> str:
    """On how many problems KROPE's features need fewer than principal directions, at the usual number."""
    _, other, own = median_errors(data, usual_cell(data)).T
    less, more = int((own < 0.9 * other).sum()), int((own > 1.1 * other).sum())
    finding = f"With {data['usual'][2]:.0f} features, KROPE's have a smaller error than as many principal directions"
    return f"{finding}\non {less} of {len(own)} problems, a larger one on {more}"


def _figure(name: str, about: str, cell: Callable[[Data], int], title: Callable[[Data], str]) -> Study:
    made = replace(STUDY, name=name, about=about, draw=drawing(cell, title), title=lambda data: "", of=STUDY.name)
    return replace(made, panels=(("all",),), width=7.6, height=3.7)


def _first(data: Data) -> int:
    return 0


def _last(data: Data) -> int:
    return -1


STUDY = Study(
    name="closed-form",
    about="features from data in closed form: on which share of data sets LSPE diverges as the data shift",
    full=Settings(),
    quick=Settings(trials=3, transitions=(300, 3000), shifts=(0.0, 3.0), usual_transitions=3000, usual_shift=3.0),
    pieces=pieces,
    compute=compute,
    finish=finish,
    panels=(tuple(LOOKS),),
    draw=draw_convergence,
    width=8.4,
    height=3.6,
    title=divergence_title,
)
SHIFT = _figure(
    "closed-form-shift",
    "the same study: errors where the data are farthest from the target policy",
    _last,
    answers_title(_last, lambda data: "At the largest shift"),
)
TRANSITIONS = _figure(
    "closed-form-transitions",
    "the same study: errors with the fewest transitions",
    _first,
    answers_title(_first, lambda data: f"With {data['transitions'][0]:,} transitions"),
)
FEATURES = _figure(
    "closed-form-features",
    "the same study: errors of as many closed-form features as principal directions",
    usual_cell,
    features_title,
)
STUDIES = (STUDY, SHIFT, TRANSITIONS, FEATURES)
