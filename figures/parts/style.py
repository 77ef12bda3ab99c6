"""The one look of every picture: colors a color-blind reader can tell apart, sizes, and how axes are made.

No global state: figures are made without pyplot, and settings hold only while a picture is drawn and rendered.
"""

import io
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabular_krope.errors import KropeError, unknown_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

    from tabular_krope.arrays import Array

#: Okabe and Ito's palette by what it stands for here.
BLUE, ORANGE, GREEN, RED, PURPLE, SKY, BLACK, GRAY = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#000000",
    "#7F7F7F",
)
#: Darker shades of the palette for words, which need more contrast with paper than marks do.
INKS = {
    ORANGE: "#8A6100",
    GREEN: "#007A59",
    RED: "#B34E00",
    PURPLE: "#A0437A",
    SKY: "#1B73A6",
    GRAY: "#636363",
}
#: Perceptually uniform, readable in gray.
COLOR_MAP = "cividis"
#: Cells of tables from bad to good, dark to pale, so that what fails is what one sees; its lightness rises evenly.
CELLS = ("#6B2300", "#A94A12", "#DA8347", "#F1BE94", "#F6E6D8", "#EFF1EE")

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
    "axes.edgecolor": GRAY,
    "xtick.color": GRAY,
    "ytick.color": GRAY,
    "xtick.labelcolor": BLACK,
    "ytick.labelcolor": BLACK,
    "axes.grid": False,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "lines.linewidth": 1.6,
    "lines.markersize": 4,
}
#: What ``--style`` changes of them: smaller text and embedded fonts for print, large text and thick lines for a wall,
#: fewer pixels for notebooks.
STYLES: dict[str, Any] = {
    "paper": {
        "font.size": 9,
        "axes.titlesize": 9,
        "axes.labelsize": 9,
        "legend.fontsize": 8,
        "savefig.dpi": 300,
        "pdf.fonttype": 42,
    },
    "slides": {
        "font.size": 13,
        "axes.titlesize": 14,
        "axes.labelsize": 13,
        "legend.fontsize": 12,
        "lines.linewidth": 2.6,
        "lines.markersize": 5.5,
        "savefig.dpi": 200,
    },
    "notebook": {"figure.dpi": 110, "savefig.dpi": 110, "figure.figsize": (6.4, 3.4)},
}
#: How much wider pictures of a style are than by default: a slide is wider than a page, and its text needs room.
GROWTH = {"slides": 1.25}


def points(size: float) -> float:
    """A size of text, in points at the default size, in the style of the moment.

    >>> points(9.0)
    9.0
    """
    from matplotlib import rcParams

    return float(size * rcParams["font.size"] / SETTINGS["font.size"])


def ink(color: str) -> str:
    """The shade of a color of the palette in which words are written; any other color as it is.

    >>> ink(ORANGE), ink(BLACK)
    ('#8A6100', '#000000')
    """
    return INKS.get(color, color)


def settings(name: str = "") -> Any:
    """The settings of pictures: ours, then the reader's ``matplotlibrc``, then a style of `STYLES` or a style file.

    >>> settings()["font.size"], settings("slides")["font.size"]
    (10, 13)
    """
    from matplotlib import matplotlib_fname, rc_params_from_file

    own = Path(matplotlib_fname())
    shipped = "site-packages" in own.parts or "mpl-data" in own.parts
    found = {**SETTINGS, **({} if shipped else _read(own, rc_params_from_file))}
    if not name:
        return found
    if name in STYLES:
        return found | STYLES[name]
    if not name.endswith(".mplstyle"):
        raise unknown_name("style", name, [*STYLES, "FILE.mplstyle"])
    if not Path(name).is_file():
        raise KropeError(f"style must be a file that exists; got {name!r}")
    return found | _read(Path(name), rc_params_from_file)


def smaller(found: Any, share: float) -> Any:
    """Settings with letters and marks of that share of their size.

    >>> smaller({"font.size": 10, "axes.titlelocation": "left"}, 0.5)
    {'font.size': 5.0, 'axes.titlelocation': 'left'}
    """
    sizes = ("font.size", "axes.titlesize", "axes.labelsize", "legend.fontsize", "lines.markersize", "lines.linewidth")
    return {
        name: value * share if name in sizes and isinstance(value, int | float) and share != 1 else value
        for name, value in found.items()
    }


def _read(path: Path, reader: Any) -> dict[str, Any]:
    """The settings that a file changes; what matplotlib does not know in it is left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found: Any = reader(path, fail_on_error=False, use_default_template=False)
    return dict(found)


def render(draw: Callable[["Axes"], Any], width: float = 6.4, height: float = 4.4) -> bytes:
    """A PNG of what ``draw`` puts on fresh axes, ``width`` by ``height`` inches.

    >>> render(lambda ax: ax.plot([0, 1]))[1:4]
    b'PNG'
    """
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(settings()):
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


def plain_powers(axis: "Axis") -> None:
    """Name the powers of ten of a logarithmic axis as one says them: 0.01, 1, 1,000."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: said(value)))
    axis.set_minor_formatter(NullFormatter())


def said(value: float) -> str:
    """A round number without an exponent.

    >>> [said(value) for value in (0.01, 1.0, 1000.0, 1e6)]
    ['0.01', '1', '1,000', '1,000,000']
    """
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def minus(text: str) -> str:
    """The text with the sign of a negative number instead of a hyphen before its digits.

    >>> minus("(3,1): -0.33, well-known")
    '(3,1): −0.33, well-known'
    """
    return re.sub(r"(?<![\w)\]])-(?=[\d.])", "−", text)


def mark_values(values: "Array", ax: "Axes") -> None:
    """Up to six ticks on both axes of a matrix whose rows and columns have ``values``, evenly spaced by rank."""
    marks = sorted({round(k * (len(values) - 1) / 5) for k in range(6)})
    words = [f"{values[i]:.3g}" for i in marks]
    ax.set_xticks(marks, words)
    ax.set_yticks(marks, words)
