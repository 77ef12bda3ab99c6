"""From a study's numbers to a figure of matplotlib: panels, drawing, the title above them."""

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from figures.studies.study import Data, Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: The least height of a row of panels, as a share of what it was drawn for: its letters do not get smaller with it.
LEAST_HEIGHT = 0.6
#: The most that rows of panels get which are rearranged, one below the other.
HEIGHT_BELOW = 0.7


def study_figure(
    study: Study,
    data: Data,
    width: float | None = None,
    frame: int | None = None,
    taller: float = 1.0,
    columns: int | None = None,
) -> "Figure":
    """The figure of a study's numbers, or a frame of it, ``width`` inches wide in the study's own proportions.

    With ``taller`` above 1 it is so many times as high. With fewer ``columns`` than the study has, panels that stood
    side by side stand one below the other.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    wide = study.width if width is None else width
    rows = arranged(study.panels, columns)
    wider = len(study.panels[0]) / len(rows[0]) if columns is not None else 1.0
    share = max(wide / study.width * wider, LEAST_HEIGHT)
    if columns is not None:
        share = min(share, HEIGHT_BELOW)
    high = share * study.height * len(rows) / len(study.panels)
    figure = Figure(figsize=(wide, taller * high), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplot_mosaic([list(row) for row in rows])
    if frame is None or study.draw_frame is None:
        study.draw(data, panels)
    else:
        study.draw_frame(data, panels, frame)
    name_sides(rows, panels)
    if study.title(data):
        figure.suptitle(study.title(data), x=0.01, ha="left", fontsize="large")
    return figure


def most_columns(study: Study) -> int:
    """How many panels stand side by side."""
    return max(len(set(row)) for row in study.panels)


def arranged(panels: tuple[tuple[str, ...], ...], columns: int | None = None) -> tuple[tuple[str, ...], ...]:
    """The panels in rows of so many, those of a row in their order; as they are where ``columns`` is None.

    >>> arranged((("a", "a", "b", "c"),), 2)
    (('a', 'b'), ('c', '.'))
    >>> arranged((("a", "a", "b"),))
    (('a', 'a', 'b'),)
    """
    if columns is None or columns >= max(len(set(row)) for row in panels):
        return panels
    names = list(dict.fromkeys(name for row in panels for name in row))
    full = math.ceil(len(names) / columns) * columns
    names += ["."] * (full - len(names))
    return tuple(tuple(names[k : k + columns]) for k in range(0, full, columns))


def name_sides(rows: tuple[tuple[str, ...], ...], panels: "Mapping[str, Axes]") -> None:
    """Panels at the left name their rows, others not if they have the same; what two say below each other is said once.

    Whoever drew the panels has hidden the names of some (``labelleft``): only these, and their leader, are concerned.
    """
    leader = panels[rows[0][0]]
    for row in rows:
        for k, name in enumerate(name for name in dict.fromkeys(row) if name != "."):
            ax = panels[name]
            if k == 0 and not _names_rows(ax):
                ax.tick_params(labelleft=True)
                ax.set_ylabel(ax.get_ylabel() or leader.get_ylabel())
            elif k > 0 and _names_rows(ax) and _row_names(ax) == _row_names(leader):
                ax.tick_params(labelleft=False)
    for above, below in _stacked(rows):
        if panels[above].get_xlabel() == panels[below].get_xlabel():
            panels[above].set_xlabel("")


def _names_rows(ax: "Axes") -> bool:
    return any(tick.label1.get_visible() for tick in ax.yaxis.get_major_ticks())


def _row_names(ax: "Axes") -> list[str]:
    """The names of the rows of a table; of a scale, nothing."""
    from matplotlib.ticker import FixedFormatter, FuncFormatter

    named = isinstance(ax.yaxis.get_major_formatter(), FixedFormatter | FuncFormatter)
    return [label.get_text() for label in ax.get_yticklabels()] if named else []


def _stacked(rows: tuple[tuple[str, ...], ...]) -> Iterator[tuple[str, str]]:
    """Each two different panels one of which stands on the other."""
    for upper, lower in pairwise(rows):
        for above, below in zip(upper, lower, strict=False):
            if above != below and "." not in (above, below):
                yield above, below
