"""The pictures of an analysis and of a diagnosis as parts of a page."""

from collections.abc import Callable, Sequence
from functools import partial
from textwrap import fill
from typing import TYPE_CHECKING, Any

from figures.parts import diagnosis_picture
from figures.parts.analysis_pictures import drawings
from figures.parts.vector import inline_svg
from figures.report.findings import Picture
from tabular_krope.report.analysis import Analysis
from tabular_krope.report.diagnosis import Diagnosis

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Marks from which on a curve goes into the page as pixels, in a picture that stays one of lines.
MANY_MARKS = 400
#: Inches of a picture for a phone, on which its smallest words are 7 pt, and letters of its title in a line.
PHONE, LETTERS = 4.4, 40
#: What each picture of an analysis shows, in the order of the page.
OF_ANALYSIS = {
    "stability": "Below 1 LSPE converges. On the top d KROPE features the norm stays at or below sqrt(gamma).",
    "values": "Differences of values against the KROPE distance: a bound that holds has no point above it.",
    "eigenvalues": "How much of the kernel each further feature adds, and how much is left out.",
    "kernel": "The KROPE kernel, pairs in the order of their values: bright where two pairs are alike.",
    "model": "The chain of states under the policy.",
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
            4.6,
            "What is left of an error after each step of LSPE: falling curves converge, rising ones diverge.",
        ),
        (
            "worth",
            partial(diagnosis_picture.draw_values, diagnosis, truth=truth),
            3.4,
            "The value of the starts with its interval, as it is and with each cure that was tried.",
        ),
        (
            "spectrum",
            partial(diagnosis_picture.draw_spectrum, diagnosis),
            4.2,
            "Directions of the features on the data: below a dashed line the covariance sees only rounding.",
        ),
    )
    return tuple(_picture(draw, 7.2, height, name, words) for name, draw, height, words in shown)


def _picture(draw: Callable[..., Any], width: float, height: float, name: str, words: str) -> Picture:
    """A picture drawn twice: as it is, and for a phone with its key below and its title folded."""

    def drawn(ax: "Axes") -> None:
        draw(ax)
        ax.set_title(fill(ax.get_title(loc="left"), LETTERS))
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
