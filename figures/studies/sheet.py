"""A sheet of panels as PNG, SVG or PDF; the same numbers give the same bytes."""

import io
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from figures.parts import style
from figures.studies.moving import MOVING, render_frames
from figures.studies.panels import study_figure
from figures.studies.study import Data, Study
from figures.studies.title_fitting import fit_titles
from figures.studies.word_room import SHARES, words_meet
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


def render_study(study: Study, data: Data, look: Look = PLAIN) -> dict[str, bytes]:
    """The picture of a study's numbers by kind of file; kinds of moving pictures only of studies that move."""
    import matplotlib

    width = look.width if look.width is not None else study.width * style.GROWTH.get(look.style, 1.0)
    settings: Any = {**style.settings(look.style), "svg.hashsalt": study.name, "svg.fonttype": "path"}
    for share in SHARES:
        with matplotlib.rc_context(style.smaller(settings, share)), warnings.catch_warnings():
            warnings.filterwarnings("error", "constrained_layout not applied")
            figure = study_figure(study, data, width, taller=1 / share)
            try:
                if look.style or look.width is not None:  # other sizes than those for which it was drawn
                    fit_titles(figure)
                    if share != SHARES[-1] and words_meet(figure):
                        continue
                found = {kind: _saved(figure, kind) for kind in look.kinds if kind in METADATA}
            except UserWarning as error:
                raise KropeError(f"width must leave room for the panels of {study.name}; got {width:g}") from error
            if study.draw_frame is not None:
                found |= {kind: render_frames(study, data, kind, width) for kind in look.kinds if kind in MOVING}
            return found
    raise AssertionError("the last share of letters is taken as it comes")


def _saved(figure: "Figure", kind: str) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind, bbox_inches="tight", pad_inches=0.1, metadata=METADATA[kind])
    return buffer.getvalue()
