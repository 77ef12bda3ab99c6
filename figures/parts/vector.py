"""Pictures as SVG: a file of its own, or a part of a page that takes the page's color of ink."""

import io
import re
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from figures.parts import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: White that stands for the page: in an inline picture it becomes the page's own background.
PAPER = "#fefefe"
#: Black that stays black in an inline picture: words on what is light on every page.
INK = "#010101"
#: Colors too dark for lines and words on a dark page: there an inline picture takes the page's own.
PAGE_COLORS = {
    style.BLUE: "--blue",
    style.GREEN: "--green",
    style.GRAY: "--grey",
    style.ink(style.GREEN): "--green",
    style.ink(style.GRAY): "--grey",
    style.ink(style.ORANGE): "--amber",
    style.ink(style.RED): "--rust",
    style.ink(style.PURPLE): "--plum",
    style.ink(style.SKY): "--sea",
}


def render_vector(draw: Callable[["Axes"], Any], width: float, height: float, kind: str = "svg") -> bytes:
    """An SVG or PNG of what ``draw`` puts on axes that fill ``width`` by ``height`` inches; the same bytes every time.

    >>> render_vector(lambda ax: ax.plot([0, 1]), 2, 1)[:5]
    b'<?xml'
    """
    return _render(draw, width, height, kind, transparent=False, framed=False)


def inline_svg(
    draw: Callable[["Axes"], Any], width: float, height: float, prefix: str, title: str, framed: bool = False
) -> str:
    """An ``<svg>`` element for an HTML page: no background, ink and dark colors become those of the page.

    Args:
        draw: puts the picture on axes.
        width, height: in inches.
        prefix: begins every id inside, so that several pictures can live on one page.
        title: what the picture shows, for a reader who cannot see it.
        framed: leave room for ticks and labels around the axes, which fill the picture otherwise.

    >>> "currentColor" in inline_svg(lambda ax: ax.plot([0, 1], color="black"), 2, 1, "line", "a line")
    True
    """
    text = _render(draw, width, height, "svg", transparent=True, framed=framed).decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'((?:xlink:)?href="#|url\(#)', rf"\g<1>{prefix}-", text)
    text = re.sub(r"(stroke|fill): #000000", r"\1: currentColor", text)
    for color, name in PAGE_COLORS.items():
        text = re.sub(rf"(stroke|fill): {color}", rf"\1: var({name}, {color.lower()})", text, flags=re.IGNORECASE)
    text = text.replace(PAPER, "var(--paper, white)")
    head, rest = text.split(">", 1)
    head = re.sub(r' (width|height)="[^"]*"', "", head)  # the viewBox keeps the shape, the page decides the size
    look = f'style="width: {width * 72:.0f}pt" fill="currentColor" role="img"'
    return f"{head} {look}><title>{escape(title)}</title>{rest}"


def _render(
    draw: Callable[["Axes"], Any], width: float, height: float, kind: str, transparent: bool, framed: bool
) -> bytes:
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    # Glyphs as outlines look the same on every machine; a fixed salt and no date give the same bytes every time.
    with matplotlib.rc_context({**style.SETTINGS, "svg.fonttype": "path", "svg.hashsalt": "krope"}):
        figure = Figure(figsize=(width, height), layout="constrained" if framed else None)
        FigureCanvasAgg(figure)
        draw(figure.add_subplot() if framed else figure.add_axes((0, 0, 1, 1)))
        buffer = io.BytesIO()
        without: Any = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
        figure.savefig(buffer, format=kind, transparent=transparent, metadata=without)
        return buffer.getvalue()
