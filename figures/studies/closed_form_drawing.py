"""The four figures of the closed-form study, each against one thing: divergence, shift, transitions, features.

The first is a table for each of the three methods; the others have a panel for each problem with each sort of base
features, and in it a line for each method.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from figures.parts.heat_table import draw_heat_table
from figures.studies.closed_form import BASE, CLOSED, MOST, PRINCIPAL, Settings, compute, finish, pieces
from figures.studies.closed_form_problems import CASES
from figures.studies.study import Data, Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOOKS = {
    BASE: (style.BLACK, "v", "all base features"),
    PRINCIPAL: (style.ORANGE, "s", "principal directions"),
    CLOSED: (style.BLUE, "o", "closed-form KROPE"),
}
NAMES = {"garnet": "Garnet", "frozen-lake": "FrozenLake", "taxi": "Taxi", "van-roy": "Van Roy"}
#: Panels by row and column: a column for each problem.
PANELS = tuple(tuple(f"{2 * column + row}" for column in range(len(CASES) // 2)) for row in range(2))
Lines = Callable[[Data, int, int], tuple[Any, Any]]


def draw_convergence(data: Data, axes: "Mapping[str, Axes]") -> None:
    """Share of data sets on which LSPE converges in percent: problems by shift, a table for each method."""
    cells, methods = slice(int(data["by_size"]), None), data["methods"].tolist()
    rows = [_called(case) for case in data["cases"]]
    columns = [f"{shift:g}" for shift in data["shifts"][cells]]
    for k, (method, (_, _, label)) in enumerate(LOOKS.items()):
        ax = axes[method]
        stable = 100 * (1 - data["unstable"][:, cells, methods.index(method), -1])
        draw_heat_table(stable, rows if k == 0 else [""] * len(rows), columns, ax)
        ax.set_title(label)
        ax.set_xlabel("shift of the data")


def _called(case: str) -> str:
    """A problem and its base features, for a title."""
    problem, kind = case.split(", ")
    return f"{NAMES[problem]}, {kind}"


def by_shift(data: Data, case: int, method: int) -> tuple[Any, Any]:
    """Median error against the shift."""
    cells = slice(int(data["by_size"]), None)
    return data["shifts"][cells], data["error"][case, cells, method, -1, 1]


def by_transitions(data: Data, case: int, method: int) -> tuple[Any, Any]:
    """Median error against the number of transitions."""
    cells = slice(0, int(data["by_size"]))
    return data["transitions"][cells], data["error"][case, cells, method, -1, 1]


def by_features(data: Data, case: int, method: int) -> tuple[Any, Any]:
    """Median error against the number of features; that of all base features is the same everywhere."""
    n, shift, _ = data["usual"].tolist()
    cell = int(np.flatnonzero((data["transitions"] == n) & (data["shifts"] == shift))[0])
    return data["dimensions"], data["error"][case, cell, method, :-1, 1]


def drawing(lines: Lines, horizontal: str, vertical: str) -> "Callable[[Data, Mapping[str, Axes]], None]":
    """The ``draw`` of a figure with these lines and words on its axes."""

    def draw(data: Data, axes: "Mapping[str, Axes]") -> None:
        methods = data["methods"].tolist()
        for panel, ax in axes.items():
            case = int(panel)
            for size, (method, (color, marker, label)) in zip((8, 5, 4), LOOKS.items(), strict=True):
                x, y = lines(data, case, methods.index(method))
                ax.plot(x, y, marker=marker, color=color, markersize=size, label=label, clip_on=False)
            ax.set_title(_called(data["cases"][case]))
            _scales(ax, horizontal)
            last_row, first_column = panel in PANELS[-1], panel in (row[0] for row in PANELS)
            ax.set_xlabel(horizontal if last_row else "")
            ax.set_ylabel(vertical if first_column else "")
            ax.tick_params(labelleft=first_column, labelbottom=last_row)
        figure: Any = ax.figure
        handles, words = ax.get_legend_handles_labels()
        figure.legend(handles, words, loc="outside lower center", ncol=len(words))

    return draw


def _scales(ax: "Axes", horizontal: str) -> None:
    ax.set_yscale("log")
    ax.set_ylim(8e-4, 1.4 * MOST)
    ax.set_yticks([1e-3, 1e-2, 0.1, 1, 10, 100], ["0.001", "0.01", "0.1", "1", "10", "diverges"])
    ax.minorticks_off()
    if not horizontal.startswith("shift"):
        ax.set_xscale("log")
    if horizontal.startswith("features"):
        ax.set_xticks([1, 4, 16], ["1", "4", "16"])
        ax.minorticks_off()


def divergence_title(data: Data) -> str:
    """On how many of the problems the base features diverge, and whether the closed form does."""
    methods, second = data["methods"].tolist(), slice(int(data["by_size"]), None)
    some = {method: (data["unstable"][:, second, a, -1] > 0).any(axis=1).sum() for a, method in enumerate(methods)}
    base, own = int(some[BASE]), int(some[CLOSED])
    never = "never does" if own == 0 else f"does on {own}"
    finding = f"As the data shift, LSPE on the base features diverges on {base} of {len(data['cases'])} problems"
    return f"{finding};\non closed-form KROPE features it {never} (cells: % of data sets that converge)"


def answers_title(cell: int, where: str) -> Callable[[Data], str]:
    """On how many problems the median estimate diverges in a cell, and on how many of them the closed form answers."""

    def title(data: Data) -> str:
        methods, median = data["methods"].tolist(), data["error"][:, cell, :, -1, 1]
        lost = median[:, methods.index(BASE)] >= MOST
        kept = int((median[lost, methods.index(CLOSED)] < MOST).sum())
        answered = "all" if kept == lost.sum() else f"{kept}"
        finding = f"{where}, LSPE on the base features diverges on {lost.sum()} of {len(lost)} problems"
        return f"{finding};\nthe closed form answers on {answered} of these"

    return title


def features_title(data: Data) -> str:
    """On how many problems KROPE's features need fewer than principal directions, at the usual number."""
    methods, (n, shift, d) = data["methods"].tolist(), data["usual"].tolist()
    cell = int(np.flatnonzero((data["transitions"] == n) & (data["shifts"] == shift))[0])
    own, other = (data["error"][:, cell, methods.index(name), -1, 1] for name in (CLOSED, PRINCIPAL))
    less, more = int((own < 0.9 * other).sum()), int((own > 1.1 * other).sum())
    finding = f"With up to {d:.0f} features, KROPE's have a smaller error than principal directions on {less} problems"
    return f"{finding},\na larger one on {more}"


def _figure(name: str, about: str, lines: Lines, words: tuple[str, str], title: Callable[[Data], str]) -> Study:
    made = replace(STUDY, name=name, about=about, draw=drawing(lines, *words), title=title, of=STUDY.name)
    return replace(made, panels=PANELS, height=4.6)


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
    "the same study: error as the data shift away from the target policy",
    by_shift,
    ("shift of the data", "relative error"),
    answers_title(-1, "At the largest shift"),
)
TRANSITIONS = _figure(
    "closed-form-transitions",
    "the same study: error against the number of transitions",
    by_transitions,
    ("transitions", "relative error"),
    answers_title(0, "With the fewest transitions"),
)
FEATURES = _figure(
    "closed-form-features",
    "the same study: error against the number of features",
    by_features,
    ("features $d$", "relative error"),
    features_title,
)
STUDIES = (STUDY, SHIFT, TRANSITIONS, FEATURES)
