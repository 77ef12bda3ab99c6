"""A sheet of panels as PNG, SVG or PDF; the same numbers give the same bytes."""

import io
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from figures.parts import style
from figures.studies.axis_fitting import fit_names, lines_high, thin_ticks
from figures.studies.moving import MOVING, render_frames
from figures.studies.panels import most_columns, study_figure
from figures.studies.study import Data, Study
from figures.studies.title_fitting import fit_titles
from figures.studies.word_room import SHARES, n_words, words_meet
from tabular_krope.errors import KropeError, unknown_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What would differ from run to run is left out.
METADATA: dict[str, Any] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
KINDS = ("png", "svg", "gif")


@dataclass(frozen=True, slots=True)
class Look:
    """How pictures are written: kinds of files, a style by name or file, and the width in inches (None: its own)."""

    kinds: tuple[str, ...] = KINDS
    style: str = ""
    width: float | None = None

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in (*METADATA, *MOVING):
                raise unknown_name("format", kind, [*METADATA, *MOVING])
        if self.width is not None and not 1 <= self.width <= 40:
            raise KropeError(f"width must be between 1 and 40 inches; got {self.width:g}")
        style.settings(self.style)  # refused before anything is computed


PLAIN = Look()
#: The least width of a panel beside another, as a share of that for which it was drawn.
LEAST_WIDTH = 0.6
#: Meetings of two words, over the number of words, from which on a picture cannot be read.
MOST_MEETING = 0.5


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to lay a picture out: panels side by side (None: as the study has them), and the share of letters."""

    columns: int | None = None
    share: float = 1.0


def render_study(study: Study, data: Data, look: Look = PLAIN) -> dict[str, bytes]:
    """The picture of a study's numbers by kind of file; kinds of moving pictures only of studies that move."""
    import matplotlib

    width = look.width if look.width is not None else study.width * style.GROWTH.get(look.style, 1.0)
    settings: Any = {**style.settings(look.style), "svg.hashsalt": study.name, "svg.fonttype": "path"}
    as_drawn = not look.style and look.width is None
    layout = Layout() if as_drawn else best_layout(study, data, width, settings)
    with matplotlib.rc_context(style.smaller(settings, layout.share)):
        figure = laid_out(study, data, width, layout, fitted=not as_drawn)
        found = {kind: saved(figure, kind) for kind in look.kinds if kind in METADATA}
        if study.draw_frame is not None:
            moving = [kind for kind in look.kinds if kind in MOVING]
            found |= {kind: render_frames(study, data, kind, width, layout.columns) for kind in moving}
    return found


def laid_out(study: Study, data: Data, width: float, layout: Layout, fitted: bool = True) -> "Figure":
    """The figure in a layout, its titles folded where they need it, under the settings of the moment."""
    figure = study_figure(study, data, width, taller=1 / layout.share, columns=layout.columns)
    if fitted:
        before = lines_high(figure)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # panels may have no room before names are folded
            fit_names(figure)
            fit_titles(figure)
            # What is written on more lines does not take its room from the panels.
            figure.set_figheight(figure.get_figheight() + lines_high(figure) - before)
            thin_ticks(figure)
    return figure


def best_layout(study: Study, data: Data, width: float, settings: Any) -> Layout:
    """The first layout in which no words meet, else the one in which the fewest do; refused if panels have no room."""
    import matplotlib

    found: list[tuple[int, int, Layout]] = []
    for k, layout in enumerate(_layouts(study, width)):
        with matplotlib.rc_context(style.smaller(settings, layout.share)), warnings.catch_warnings():
            warnings.filterwarnings("error", "constrained_layout not applied")
            try:
                figure = laid_out(study, data, width, layout)
                meeting = len(words_meet(figure))
            except UserWarning:
                continue
        if not meeting:
            return layout
        if meeting <= MOST_MEETING * n_words(figure):
            found.append((meeting, k, layout))
    if not found:
        raise KropeError(f"width must leave room for the panels of {study.name}; got {width:g}")
    return min(found)[2]


def _layouts(study: Study, width: float) -> Iterator[Layout]:
    """Layouts in the order in which they are tried: letters get smaller before panels move below each other.

    Panels get at least `LEAST_WIDTH` of the width for which they were drawn, and rows are full.
    """
    most, panels = most_columns(study), {name for row in study.panels for name in row}
    for columns in range(most, 0, -1):
        roomy = width / columns >= LEAST_WIDTH * study.width / most
        if columns == 1 or (roomy and len(panels) % columns == 0):
            for share in SHARES:
                yield Layout(None if columns == most else columns, share)


def saved(figure: "Figure", kind: str) -> bytes:
    """The bytes of a figure's file, the same each time."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind, bbox_inches="tight", pad_inches=0.1, metadata=METADATA[kind])
    return buffer.getvalue()
