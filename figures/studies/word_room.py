"""Whether the words of a picture have room: where a style or a width leaves less, they must not lie on each other."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox

#: Points that two boxes may share in both directions: letters are smaller than their boxes.
SHARED = 1.2
#: Sizes of letters that are tried, as shares of those of the style; the picture is as many times higher.
SHARES = (1.0, 0.9, 0.8, 0.72)


def words_meet(figure: "Figure") -> list[tuple[str, str]]:
    """Words that lie on others: those of panels, titles, legends and ticks.

    >>> from matplotlib.figure import Figure
    >>> figure = Figure()
    >>> texts = [figure.subplots().text(0.5, 0.5, word) for word in ("one",)]
    >>> words_meet(figure), texts.append(figure.axes[0].text(0.5, 0.5, "two")), words_meet(figure)
    ([], None, [('one', 'two')])
    """
    figure.draw_without_rendering()
    apart = SHARED * figure.dpi / 72
    found = [(text.get_text(), _box(text)) for text in _written(figure)]
    ticks = [(text.get_text(), _box(text)) for text in _ticks(figure)]
    return [
        (other, word)
        for k, (word, box) in enumerate(found)
        for other, at in (*found[:k], *ticks)
        if min(box.x1, at.x1) - max(box.x0, at.x0) > apart and min(box.y1, at.y1) - max(box.y0, at.y0) > apart
    ]


def _box(text: "Text") -> "Bbox":
    from matplotlib.text import Text

    return Text.get_window_extent(text)  # of the words alone: an annotation's own box has its arrow


def _written(figure: "Figure") -> "list[Text]":
    found: list[Text] = [
        text
        for ax in figure.axes
        for text in (*ax.texts, ax.title, ax._left_title)  # type: ignore[attr-defined]
    ]
    found += [text for legend in figure.legends for text in legend.get_texts()]
    above: Text | None = figure._suptitle  # type: ignore[attr-defined]
    found += [above] if above is not None else []
    return [text for text in found if text.get_visible() and text.get_text().strip()]


def _ticks(figure: "Figure") -> "list[Text]":
    axes = (axis for ax in figure.axes if ax.axison for axis in (ax.xaxis, ax.yaxis))
    ticks = [
        tick.label1
        for axis in axes
        for low, high in (sorted(axis.get_view_interval()),)
        for tick in axis.get_major_ticks()
        if tick.label1.get_visible() and low <= tick.get_loc() <= high
    ]
    return [text for text in ticks if text.get_text().strip()]
