"""Whether the words of a picture have room: where a style or a width leaves less, they must not lie on each other."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox

#: Points that two boxes may share in both directions: letters are smaller than their boxes.
SHARED = 1.2
#: Points between two words of one line, without which they are read as one.
SPACE = 2.0
#: Sizes of letters that are tried, as shares of those of the style; the picture is as many times higher.
SHARES = (1.0, 0.9, 0.8, 0.72)


def words_meet(figure: "Figure") -> list[tuple[str, str]]:
    """Words that lie on others, or run into them on one line: those of panels, titles, legends, axes and ticks.

    >>> from matplotlib.figure import Figure
    >>> figure = Figure()
    >>> texts = [figure.subplots().text(0.5, 0.5, word) for word in ("one",)]
    >>> words_meet(figure), texts.append(figure.axes[0].text(0.5, 0.5, "two")), words_meet(figure)
    ([], None, [('one', 'two')])
    """
    figure.draw_without_rendering()
    point = figure.dpi / 72
    found = [(text.get_text(), _box(text)) for text in (*_ticks(figure), *_written(figure))]
    return [
        (other, word)
        for k, (word, box) in enumerate(found)
        for other, at in found[:k]
        if _meet(box, at, SHARED * point, SPACE * point)
    ]


def n_words(figure: "Figure") -> int:
    """How many words of which `words_meet` knows; a title counts as one.

    >>> from matplotlib.figure import Figure
    >>> figure = Figure()
    >>> figure.suptitle("a title") is None, n_words(figure)
    (False, 1)
    """
    return len(_written(figure)) + len(_ticks(figure))


def _meet(one: "Bbox", other: "Bbox", shared: float, space: float) -> bool:
    wide = min(one.x1, other.x1) - max(one.x0, other.x0)
    high = min(one.y1, other.y1) - max(one.y0, other.y0)
    in_line = high > 0.5 * min(one.height, other.height)
    return bool(high > shared and (wide > shared or (in_line and wide > -space)))


def _box(text: "Text") -> "Bbox":
    from matplotlib.text import Text

    return Text.get_window_extent(text)  # of the words alone: an annotation's own box has its arrow


def _written(figure: "Figure") -> "list[Text]":
    found: list[Text] = [
        text
        for ax in figure.axes
        for text in (*ax.texts, ax.title, ax._left_title, *_axis_names(ax))  # type: ignore[attr-defined]
    ]
    found += [text for legend in figure.legends for text in legend.get_texts()]
    above: Text | None = figure._suptitle  # type: ignore[attr-defined]
    found += [above] if above is not None else []
    return [text for text in found if text.get_visible() and text.get_text().strip()]


def _axis_names(ax: "Axes") -> "list[Text]":
    return [ax.xaxis.label, ax.yaxis.label] if ax.axison else []


def _ticks(figure: "Figure") -> "list[Text]":
    axes = (axis for ax in figure.axes if ax.axison for axis in (ax.xaxis, ax.yaxis))
    ticks = [
        label
        for axis in axes
        for low, high in (sorted(axis.get_view_interval()),)
        for tick in axis.get_major_ticks()
        for label in (tick.label1, tick.label2)
        if label.get_visible() and low <= tick.get_loc() <= high
    ]
    return [text for text in ticks if text.get_text().strip()]
