"""How errors of the control study are drawn: against epochs, and at the end of every run."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from figures.parts import style
from figures.studies.garnet_drawing import LOOKS as LEARNED_LOOKS
from figures.studies.study import Data
from tabular_krope.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LOOKS = {**LEARNED_LOOKS, "krope-closed": (style.BLUE, "*", "-", "KROPE, closed form")}
#: Where a normalized error counts as diverged, and the least that is drawn.
DIVERGED, LEAST = 10.0, 1e-6
#: From so many runs on a median and a range stand for them.
MANY = 10
#: Decades of the axis of errors that the name of a column takes.
ROOM = 3.0
#: The two arithmetics: column, color, marker and name.
ROUTES = (
    ("error_cov32", style.RED, "o", "covariance, float32 (the paper's)"),
    ("error_svd64", style.BLUE, "D", "SVD, float64"),
)


def draw_runs(data: Data, column: str, algorithm: str, ax: "Axes", color: str) -> None:
    """Error of an algorithm's runs against epochs, cut at "Div.": each of fewer than ten, else median and range.

    A run that diverged counts as "Div." from there on; where one has not come so far (NaN), its line ends.
    """
    chosen = data[column][data["algorithm"] == algorithm]
    errors = np.where(np.isnan(chosen), np.nan, np.clip(chosen, LEAST, DIVERGED))
    # The paper's arithmetic lies below, broader and paler, so that it is seen where the two agree.
    thick: Any = {"linewidth": 3.2, "alpha": 0.5} if column == ROUTES[0][0] else {"linewidth": 1.2}
    if len(errors) < MANY:
        for run in errors:
            ax.plot(data["epochs"], run, color=color, **thick)
        return
    middle = np.where(np.isnan(errors).any(axis=0), np.nan, np.median(errors, axis=0))
    ax.plot(data["epochs"], middle, color=color)
    ax.fill_between(data["epochs"], errors.min(axis=0), errors.max(axis=0), color=color, alpha=0.15, linewidth=0)


def draw_ends(rows: Sequence[tuple[str, Any]], looks: Sequence[tuple[str, str, str]], ax: "Axes") -> None:
    """The last known error of every run: a line for each name with its columns of errors [runs, evaluations].

    ``looks``: color, marker and name of each column. Errors beyond "Div." stand on it, smaller ones than drawn at the
    left. Each column is named beside its marks, all in the first line where there is room.
    """
    heights = np.arange(len(rows))[::-1]
    ends = [[np.clip(last_known(errors), LEAST, DIVERGED) for errors in columns] for _, columns in rows]
    below = [0.32 * ((len(looks) - 1) / 2 - k) for k in range(len(looks))]
    for height, columns in zip(heights, ends, strict=True):
        for (color, marker, _), marks, down in zip(looks, columns, below, strict=True):
            y = np.full(len(marks), height + down)
            ax.plot(marks, y, marker, color=color, markersize=6, alpha=0.8, clip_on=False)
    ax.set_yticks(heights, [name for name, _ in rows])
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.6, len(rows) - 0.4)
    ax.hlines(heights[:-1] - 0.5, LEAST, DIVERGED, color="#DDDDDD", linewidth=0.7)
    error_axis(ax, "x")
    named = _line_with_room(ends)
    for (color, _, word), marks, down in zip(looks, ends[named], below, strict=True):
        right = _decades_right(marks) > _decades_left(marks)
        x = marks.max(initial=LEAST) if right else marks.min(initial=DIVERGED)
        aside: Any = {"xytext": (8 if right else -8, 0), "textcoords": "offset points", "va": "center"}
        aside["ha"] = "left" if right else "right"
        ax.annotate(word, (float(x), heights[named] + down), fontsize="small", color=style.ink(color), **aside)


def _line_with_room(ends: Sequence[Sequence[Array]]) -> int:
    """The first line whose fullest column leaves the most room for a word on its better side.

    >>> _line_with_room([[np.array([LEAST, DIVERGED])], [np.array([1.0])], [np.array([1.0])]])
    1
    """
    rooms = [min(max(_decades_left(marks), _decades_right(marks)) for marks in columns) for columns in ends]
    enough = [room >= ROOM for room in rooms]
    return enough.index(True) if any(enough) else int(np.argmax(rooms))


def _decades_left(marks: Array) -> float:
    return float(np.log10(marks.min(initial=DIVERGED) / LEAST))


def _decades_right(marks: Array) -> float:
    return float(np.log10(DIVERGED / marks.max(initial=LEAST)))


def error_axis(ax: "Axes", which: str = "y", least: float = LEAST) -> None:
    """A logarithmic axis of errors from ``least`` to the line beyond which the paper says "Div."."""
    names = {1e-6: r"$10^{-6}$", 1e-4: r"$10^{-4}$", 1e-2: "0.01", 1.0: "1", DIVERGED: "div."}
    ticks = [tick for tick in names if tick >= least]
    words = [names[tick] for tick in ticks]
    line: Any = {"color": style.GRAY, "linewidth": 0.8, "linestyle": ":"}
    if which == "y":
        ax.set_yscale("log")
        ax.set_ylim(least / 2, 2 * DIVERGED)
        ax.axhline(DIVERGED, **line)
        ax.set_yticks(ticks, words)
    else:
        ax.set_xscale("log")
        ax.set_xlim(least / 2, 2 * DIVERGED)
        ax.axvline(DIVERGED, **line)
        ax.set_xticks(ticks, words)
        ax.set_xlabel("normalized squared error at the end of training")
    ax.minorticks_off()


def key(words: Sequence[tuple[str, str, str]], ax: "Axes") -> None:
    """What the colors are, below the figure: (color, look of the line or marker, word); "o " is hollow."""
    from matplotlib.lines import Line2D

    lines = []
    for color, look, _ in words:
        how: Any = {"linestyle": look} if look[0] in "-:" else {"marker": look.strip(), "linestyle": ""}
        how |= {"fillstyle": "none", "markersize": 8} if look.endswith(" ") else {}
        lines.append(Line2D([], [], color=color, **how))
    figure: Any = ax.figure
    figure.legend(lines, [word for *_, word in words], loc="outside lower center", ncol=len(words))


def small_and_gone(data: Data, column: str, bound: float) -> tuple[list[str], list[str]]:
    """Names of the algorithms all of whose runs end below ``bound``, and of those with a run that ends diverged."""
    found: tuple[list[str], list[str]] = ([], [])
    for algorithm in dict.fromkeys(data["algorithm"].tolist()):
        ends = last_known(data[column][data["algorithm"] == algorithm])
        if len(ends) and (ends < bound).all():
            found[0].append(LOOKS[algorithm][3])
        if (ends >= DIVERGED).any():
            found[1].append(LOOKS[algorithm][3])
    return found


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them.

    >>> listed([]), listed(["FQE"]), listed(["FQE", "DBC", "KROPE, closed form"])
    ('', 'FQE', 'FQE, DBC and closed-form KROPE')
    """
    words = ["closed-form KROPE" if name == LOOKS["krope-closed"][3] else name for name in names]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def last_known(errors: Array) -> Array:
    """The last error of each run [runs, evaluations] that is not NaN; runs that have none are left out.

    >>> last_known(np.array([[1.0, 2.0], [3.0, np.nan], [np.nan, np.nan]])).tolist()
    [2.0, 3.0]
    """
    return np.array([row[~np.isnan(row)][-1] for row in np.atleast_2d(errors) if not np.isnan(row).all()])
