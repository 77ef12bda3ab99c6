"""Titles that fit: where a style or a width leaves a title less room than it was written for, it is folded.

A title may reach to the next panel of its row, or to the right edge of the picture; one that is still too long when
it is folded in two gets smaller, down to `LEAST` of its size.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

#: Room between a title and what is to the right of it, in points, and the least share of its size.
GAP, LEAST = 5.0, 0.75


def fit_titles(figure: "Figure") -> None:
    """Fold, and then shrink, every title that is longer than its room, and the title above all panels.

    The title of a single panel first gets the whole width of the figure.
    """
    figure.draw_without_rendering()
    _widen_only_title(figure)
    edge = float(figure.bbox.x1)
    found: list[tuple[Text, float]] = [(ax_title(ax), _room(ax, figure)) for ax in figure.axes]
    above: Text | None = figure._suptitle  # type: ignore[attr-defined]  # matplotlib has no other way to it
    if above is not None:
        found.append((above, edge))
    for title, limit in found:
        if title.get_text() and too_long(title, limit):
            title.set_text(folded(title.get_text()))
            box = title.get_window_extent()
            if too_long(title, limit):
                share = (limit - box.x0 - GAP * figure.dpi / 72) / box.width
                title.set_fontsize(title.get_fontsize() * max(share, LEAST))


def _widen_only_title(figure: "Figure") -> None:
    """A title that is too long for its axes, being the only one, stands above the figure and begins at its edge."""
    titled = [ax for ax in figure.axes if ax_title(ax).get_text()]
    if len(titled) == 1 and figure._suptitle is None:  # type: ignore[attr-defined]
        title = ax_title(titled[0])
        if too_long(title, float(figure.bbox.x1)) and "\n" not in titled[0].get_ylabel():
            figure.suptitle(title.get_text(), x=0.01, ha="left", fontsize=title.get_fontsize())
            title.set_text("")
            figure.draw_without_rendering()


def ax_title(ax: "Axes") -> "Text":
    """The title of axes that is in use: on the left, else in the middle."""
    left: Text = ax._left_title  # type: ignore[attr-defined]
    return left if left.get_text() else ax.title


def _room(ax: "Axes", figure: "Figure") -> float:
    """Where the next panel of the row begins, in pixels, or the figure ends; color bars are not in the way."""
    own = ax.get_window_extent()
    same = [other.get_window_extent() for other in figure.axes if other is not ax and ax_title(other).get_text()]
    right = [box.x0 for box in same if box.x0 > own.x0 + 1 and box.y0 < own.y1 and own.y0 < box.y1]
    return float(min([*right, figure.bbox.x1]))


def too_long(title: "Text", limit: float) -> bool:
    """Whether a title reaches beyond ``limit``, in pixels."""
    assert title.figure is not None
    return bool(title.get_window_extent().x1 > limit - GAP * title.figure.dpi / 72)


def folded(text: str) -> str:
    """The text on one line more than it has, as equal as its spaces allow; spaces inside mathematics do not count.

    >>> folded("a stable fit of $x + y$")
    'a stable fit\\nof $x + y$'
    >>> folded("word")
    'word'
    """
    words, lines = [""], text.count("\n") + 2
    for letter in text.replace("\n", " "):
        if letter == " " and " ".join(words).count("$") % 2 == 0:
            words.append("")
        else:
            words[-1] += letter
    for width in range(len(text) + 1):
        found = _filled(words, width)
        if len(found) <= lines:
            return "\n".join(found)
    return text


def _filled(words: list[str], width: int) -> list[str]:
    """Words on lines of at most ``width`` letters, a longer word being alone on its line."""
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
