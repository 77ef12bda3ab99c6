"""What all pages of the app share: menu, pictures, numbers that can be read off, and boxes of words."""

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

from figures.app.catalogue import PAGES
from figures.parts import style
from tabular_krope.errors import KropeError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Numbers smaller than this are shown as 0: they are the rounding of a zero.
ROUNDING = 1e-13
LOOK = """
<style>
.krope-menu { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; padding: .4rem 0 .6rem; border-bottom: 1px solid #8884;
  font-size: .92rem; }
.krope-menu a { text-decoration: none; color: #0072B2; }
.krope-menu a.here { font-weight: 700; color: inherit; }
.krope-numbers { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .3rem 0; }
.krope-numbers th, .krope-numbers td { padding: .22rem .8rem .22rem 0; text-align: left; border-bottom: 1px solid #8883;
  vertical-align: top; }
.krope-numbers th { font-weight: 600; font-size: .85rem; }
.krope-numbers a { color: #0072B2; text-decoration: underline; }
.krope-picture, .krope-row svg { max-width: 100%; height: auto; }
.krope-row { display: flex; flex-wrap: wrap; gap: .6rem 1.2rem; align-items: center; }
.krope-good { color: #00724f; font-weight: 600; }
.krope-bad { color: #b23c00; font-weight: 600; }
.krope-verdict { font-size: 1.1rem; padding: .55rem .9rem; border-left: 5px solid #0072B2; background: #0072B214;
  margin: .5rem 0; }
.krope-verdict.bad { border-color: #D55E00; background: #D55E0014; }
</style>
"""


def menu(here: str) -> str:
    """Links to all pages, the present one marked, and the look of the page.

    >>> 'class="here"' in menu("false-bound")
    True
    """
    links = " ".join(
        f'<a href="/{page.path}"{" class=" + chr(34) + "here" + chr(34) if page.path == here else ""}>'
        f"{escape(page.title)}</a>"
        for page in PAGES
    )
    return f'{LOOK}<nav class="krope-menu">{links}</nav>'


def number(name: str, value: Any, good: bool | None = None) -> str:
    """A number that a reader sees and a test can read: ``data-name`` and ``data-value`` carry it in full.

    >>> number("rho", 0.123456789)
    '<span data-name="rho" data-value="0.123456789">0.123457</span>'
    """
    shown = str(value)
    if isinstance(value, float):
        shown = f"{value:.6g}" if not abs(value) < ROUNDING else "0"
    tone = "" if good is None else f' class="krope-{"good" if good else "bad"}"'
    return f'<span{tone} data-name="{escape(name)}" data-value="{escape(str(value))}">{escape(shown)}</span>'


def plain(text: str) -> str:
    """Words that are no HTML, such as an error, for a page."""
    return escape(text)


def whole(value: Any, name: str) -> int:
    """The whole number in a field of that name, which a reader may have emptied.

    >>> whole(None, "random model number")
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: The field 'random model number' needs a whole number, such as 0.
    """
    if not isinstance(value, int | float) or value != int(value):
        raise KropeError(f"The field '{name}' needs a whole number, such as 0.")
    return int(value)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A small table of HTML cells.

    >>> table(["a"], [["1"]])
    '<table class="krope-numbers"><tr><th>a</th></tr><tr><td>1</td></tr></table>'
    """
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<table class="krope-numbers"><tr>{top}</tr>{body}</table>'


def verdict(words: str, good: bool) -> str:
    """A sentence in a box: what the numbers above it mean."""
    return f'<div class="krope-verdict{"" if good else " bad"}" data-name="verdict">{words}</div>'


def picture(
    draw: Callable[..., Any], *arguments: Any, alt: str, width: float = 6.4, height: float = 4.0, shown: int = 460
) -> str:
    """An ``<img>`` of what ``draw(*arguments, ax)`` puts on axes, carried inside the page itself.

    Args:
        draw: puts the picture on axes.
        arguments: what it draws.
        alt: what the picture shows, for a reader who cannot see it.
        width, height: in inches.
        shown: width on the page, in pixels.

    >>> picture(lambda ax: ax.plot([0, 1]), alt="a line")[:42]
    '<img alt="a line" width="460" src="data:im'
    """
    content = b64encode(style.render(partial(_draw_on, draw, arguments), width, height)).decode()
    return f'<img alt="{escape(alt)}" width="{shown}" src="data:image/png;base64,{content}" class="krope-picture">'


def side_by_side(*parts: str) -> str:
    """Pieces of a page in a row that wraps."""
    return '<div class="krope-row">' + "".join(f"<div>{part}</div>" for part in parts) + "</div>"


def _draw_on(draw: Callable[..., Any], arguments: tuple[Any, ...], ax: "Axes") -> None:
    draw(*arguments, ax)


def by_kind(names: Mapping[str, Any]) -> dict[str, str]:
    """Short names for `number` from long ones: words joined by dashes, in small letters.

    >>> by_kind({"KROPE, weighted": 1})
    {'KROPE, weighted': 'krope-weighted'}
    """
    return {name: "-".join(name.lower().replace(",", "").split()) for name in names}
