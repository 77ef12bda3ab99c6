"""The one look of every picture: colors a color-blind reader can tell apart, sizes, and how axes are made.

No global state: figures are made without pyplot, and settings hold only while a picture is drawn and rendered.
"""

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Okabe and Ito's palette by what it stands for here.
BLUE, ORANGE, GREEN, RED, PURPLE, SKY, BLACK, GREY = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#000000",
    "#7F7F7F",
)
#: Perceptually uniform, readable in gray.
COLOUR_MAP = "cividis"

SETTINGS: Any = {
    "figure.dpi": 150,
    "savefig.dpi": 150,
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.labelsize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "lines.linewidth": 1.6,
    "lines.markersize": 4,
}


def render(draw: Callable[["Axes"], Any], width: float = 6.4, height: float = 4.4) -> bytes:
    """A PNG of what ``draw`` puts on fresh axes, ``width`` by ``height`` inches.

    >>> render(lambda ax: ax.plot([0, 1]))[1:4]
    b'PNG'
    """
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure.add_subplot())
        buffer = io.BytesIO()
        # Without the date in it, the same numbers give the same file.
        figure.savefig(buffer, format="png", bbox_inches="tight", pad_inches=0.1, metadata={"Software": None})
        return buffer.getvalue()


def count_axis(ax: "Axes", most: int) -> None:
    """Make the horizontal axis one of counts, 1 to ``most``: ticks at integers only."""
    from matplotlib.ticker import MaxNLocator

    ax.set_xlim(0.5, most + 0.5)
    if most <= 12:
        ax.set_xticks(range(1, most + 1))
    else:
        ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True))


def mark_values(values: Any, ax: "Axes") -> None:
    """Up to six ticks on both axes of a matrix whose rows and columns have ``values``, evenly spaced by rank."""
    marks = sorted({round(k * (len(values) - 1) / 5) for k in range(6)})
    words = [f"{values[i]:.3g}" for i in marks]
    ax.set_xticks(marks, words)
    ax.set_yticks(marks, words)
