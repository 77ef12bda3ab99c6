"""The pictures of an analysis and of a diagnosis as parts of a page."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from figures.parts import diagnosis_picture
from figures.parts.analysis_pictures import drawings
from figures.parts.vector import inline_svg
from figures.report.findings import Picture
from figures.studies.title_fitting import fit_titles
from tabular_krope.report.analysis import Analysis
from tabular_krope.report.diagnosis import Diagnosis

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Marks from which on a curve goes into the page as pixels, in a picture that stays one of lines.
MANY_MARKS = 400
#: Inches of a picture for a phone, on which its smallest words are 7 pt.
PHONE = 4.4
#: What each picture of an analysis shows, in the order of the page.
OF_ANALYSIS = {
    "stability": "Below 1, LSPE converges. On the top d KROPE features the norm never exceeds sqrt(gamma).",
    "values": "Each dot is two pairs: their distance, and how much their values differ. No dot is above a true bound.",
    "eigenvalues": "How much of the kernel each feature adds, and how much all later ones together would add.",
    "kernel": "The KROPE kernel, pairs sorted by value: the brighter, the more alike two pairs are.",
    "model": "Where the policy leads from each state; the thicker an arrow, the likelier the step.",
}


def analysis_figures(analysis: Analysis, names: Sequence[str] | None = None) -> tuple[Picture, ...]:
    """The pictures of an analysis; the value bounds' only where all pairs of pairs were looked at.

    Args:
        analysis: what to draw.
        names: how each state is written, [S]; by its number if None.
    """
    found = {name.removesuffix(".png"): drawing for name, drawing in drawings(analysis, names).items()}
    return tuple(_picture(*found[name], name, words) for name, words in OF_ANALYSIS.items() if name in found)


def diagnosis_figures(diagnosis: Diagnosis, truth: float | None = None) -> tuple[Picture, ...]:
    """The pictures of a diagnosis; ``truth`` is the value of the starts where it is known."""
    shown: tuple[tuple[str, Callable[[Axes], Any], float, str], ...] = (
        (
            "errors",
            partial(diagnosis_picture.draw_errors, diagnosis),
            4.2,
            "How an error grows or shrinks with each step of LSPE, by solver.",
        ),
        (
            "worth",
            partial(diagnosis_picture.draw_values, diagnosis, truth=truth),
            4.2,
            "The policy's value from the start with its interval, on these features as they are and with each cure.",
        ),
        (
            "spectrum",
            partial(diagnosis_picture.draw_spectrum, diagnosis),
            4.2,
            "How much the data move along each direction of the features; below a dashed line that is rounding.",
        ),
    )
    return tuple(_picture(draw, 7.2, height, name, words) for name, draw, height, words in shown)


def _picture(draw: Callable[..., Any], width: float, height: float, name: str, words: str) -> Picture:
    """A picture drawn twice: as it is, and for a phone with its key below and its title folded."""

    def drawn(ax: "Axes") -> None:
        draw(ax)
        figure = ax.get_figure(root=True)
        assert figure is not None
        fit_titles(figure)
        key = ax.get_legend()
        if key is not None:
            words = [text.get_text() for text in key.get_texts()]
            drawn_marks = [mark for mark in key.legend_handles if mark is not None]
            ax.legend(drawn_marks, words, loc="upper left", bbox_to_anchor=(0.0, -0.16))

    wide = _svg(draw, width, height, name, words)
    return Picture(wide, words, _svg(drawn, PHONE, PHONE, f"narrow-{name}", words))


def _svg(draw: Callable[..., Any], width: float, height: float, name: str, words: str) -> str:
    def drawn(ax: "Axes") -> None:
        draw(ax)
        for line in ax.lines:
            if len(line.get_xdata(orig=False)) > MANY_MARKS and line.get_marker() not in ("None", "", " "):  # type: ignore[arg-type]
                line.set_rasterized(True)

    return inline_svg(drawn, width, height, name, words, framed=True)
