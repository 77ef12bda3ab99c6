"""Axes that fit: in a narrow picture every other tick is named, names of axes are folded, keys have more rows."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from figures.parts.labels import ABOVE
from figures.studies.title_fitting import ax_title, folded

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.text import Text

#: The widest name of an axis, as a share of the figure; height of a line over the size of its letters.
WIDEST, LEADING = 0.8, 1.25
#: Points between the names of two ticks, and how often the names of ticks are halved.
APART, MOST_HALVINGS = 3.0, 3


def fit_names(figure: "Figure") -> None:
    """Fold the names of axes that are wider than the figure; a key that is too wide gets one column."""
    _fit_key(figure)
    figure.draw_without_rendering()
    for ax in figure.axes:
        for name in (ax.xaxis.label, ax.yaxis.label):
            box = name.get_window_extent()
            beyond = box.x1 > figure.bbox.x1 or box.x0 < figure.bbox.x0 or box.width > WIDEST * figure.bbox.width
            if name.get_rotation() == 0 and beyond:
                name.set_text(folded(name.get_text()))
                if name is ax.yaxis.label:  # it stands below the title
                    more = LEADING * float(name.get_fontsize()) * name.get_text().count("\n")
                    ax.set_title(ax_title(ax).get_text(), pad=ABOVE + more)


def thin_ticks(figure: "Figure") -> None:
    """Hide names of ticks that meet, but in tables, each of whose columns keeps its name."""
    figure.draw_without_rendering()
    for ax in figure.axes:
        if ax.axison and not _has_cells(ax):
            _thin(ax.xaxis, figure)


def lines_high(figure: "Figure") -> float:
    """Inches that the titles and the names of the axes take, each row of panels its highest.

    >>> from matplotlib.figure import Figure
    >>> figure = Figure()
    >>> figure.suptitle("one", fontsize=72) is None, round(lines_high(figure), 2)
    (False, 1.25)
    """
    above = figure._suptitle  # type: ignore[attr-defined]
    rows: dict[int, float] = {}
    for ax in figure.axes:
        spec = ax.get_subplotspec()
        if spec is not None:
            high = sum(_high(text) for text in (ax_title(ax), ax.xaxis.label))
            rows[spec.rowspan.start] = max(rows.get(spec.rowspan.start, 0.0), high)
    return sum(rows.values()) + (_high(above) if above is not None else 0.0)


def _high(text: "Text") -> float:
    words = text.get_text()
    return LEADING * float(text.get_fontsize()) * (words.count("\n") + 1) / 72 if words else 0.0


def _fit_key(figure: "Figure") -> None:
    """One column for a key that is wider than the figure."""
    figure.draw_without_rendering()
    for key in list(figure.legends):
        if key.get_window_extent().width > figure.bbox.width:
            words = [text.get_text() for text in key.get_texts()]
            handles: Any = key.legend_handles
            key.remove()
            figure.legend(handles, words, loc="outside lower center", ncol=1)


def _has_cells(ax: "Axes") -> bool:
    """Whether its ticks name the columns of a table, each of which keeps its name."""
    from matplotlib.collections import QuadMesh

    return bool(ax.images) and not any(isinstance(part, QuadMesh) for part in ax.collections)


def _thin(axis: "Axis", figure: "Figure") -> None:
    """Hide every other name of a tick, from the first one on, until they are apart."""
    for _ in range(MOST_HALVINGS):
        shown = [tick.label1 for tick in axis.get_major_ticks() if tick.label1.get_visible() and tick.label1.get_text()]
        inside = [label for label in shown if figure.bbox.x0 <= label.get_window_extent().x0]
        boxes = sorted((label.get_window_extent().x0, label.get_window_extent().x1) for label in inside)
        gap = APART * figure.dpi / 72
        if all(left[1] + gap <= right[0] for left, right in pairwise(boxes)):
            return
        for label in sorted(inside, key=lambda one: one.get_window_extent().x0)[1::2]:
            label.set_visible(False)
