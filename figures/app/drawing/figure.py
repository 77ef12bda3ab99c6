"""A picture of a page: its finding as a title, a key to its marks, and the drawing in every size."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape

from figures.app.drawing.chart import SIZES, Chart, Size
from figures.app.drawing.end_names import NAMED, name_ends


@dataclass(frozen=True, slots=True)
class Figure:
    """One picture behind one tab.

    Attributes:
        tab: its name on the tab, a few words.
        title: what it shows, as a sentence (HTML).
        draw: makes it in a size.
        alt: the same for a reader who cannot see it.
        key: looks of marks and what they stand for.
        steps: of the film; 0 if it does not move.
        ends: whether a wide drawing has the words of the key where the lines end.
    """

    tab: str
    title: str
    draw: Callable[[Size], Chart]
    alt: str
    key: Sequence[tuple[str, str]] = ()
    steps: int = 0
    ends: bool = False

    def html(self) -> str:
        """The picture for a page."""
        drawn, named = [], []
        for size in SIZES:
            at_ends = self.ends and size.name == "wide"
            chart = self.draw(replace(size, room=NAMED) if at_ends else size)
            if at_ends:
                named = name_ends(chart, self.key)
            drawn.append(chart.svg(self.alt))
        return framed(self.title, legend(self.key, named), "".join(drawn), self.steps)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture that is HTML already, such as a graph or a table.

    Attributes:
        tab, title: as of `Figure`.
        make: makes the HTML when the tab is opened.
    """

    tab: str
    title: str
    make: Callable[[], str]
    steps: int = 0

    def html(self) -> str:
        """The picture for a page."""
        return framed(self.title, "", self.make(), self.steps)


def framed(title: str, key: str, drawn: str, steps: int) -> str:
    """A picture below its title, with the buttons of a film if it has steps."""
    player = ""
    if steps:
        player = (
            f'<div class="player" data-steps="{steps}"><button type="button" class="play">Pause</button>'
            f'<button type="button" class="again">From the start</button>'
            f'<label>step <input type="range" class="film" min="0" max="{steps}" value="{steps}" '
            f'aria-label="step of the film"><output>{steps}</output></label></div>'
        )
    return f"<figure><figcaption>{title}</figcaption>{key}{drawn}{player}</figure>"


def legend(key: Sequence[tuple[str, str]], named: Sequence[str] = ()) -> str:
    """A key to the marks: a swatch and words each; looks that are ``named`` in the wide drawing are left out beside it.

    >>> legend([("blue dashed", "a & b")])
    '<ul class="key"><li><i class="swatch blue dashed"></i>a &amp; b</li></ul>'
    """
    if not key:
        return ""
    kinds = [' class="named"' if look in named else "" for look, _ in key]
    rows = "".join(
        f'<li{kind}><i class="swatch {look}"></i>{escape(words)}</li>'
        for kind, (look, words) in zip(kinds, key, strict=True)
    )
    return f'<ul class="key">{rows}</ul>'
