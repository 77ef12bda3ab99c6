"""Names of lines where they end, right of the axes: a wide drawing has room for them, and needs no key."""

from collections.abc import Iterable
from html import escape
from textwrap import wrap

import numpy as np

from figures.app.drawing.chart import Chart
from figures.parts.labels import spread

#: Room for names on the right, the height of a line of them and the width of a letter, in heights of a letter.
NAMED, LINE, WIDE = 11.0, 1.15, 0.62


def name_ends(chart: Chart, key: Iterable[tuple[str, str]]) -> list[str]:
    """Write what the looks of a key stand for where their lines end, right of the axes; those that were written.

    >>> from figures.app.drawing.axis import Axis
    >>> from figures.app.drawing.chart import Size
    >>> chart = Chart(Size("wide", 940, 470, 17, room=NAMED), Axis("t", 0, 1), Axis("error", 0, 1))
    >>> chart.line([0, 1], [0, 1], "blue thick")
    >>> name_ends(chart, [("blue", "a line"), ("red", "another")])
    ['blue']
    """
    found = [(look, words, chart.ends[own]) for look, words in key for own in chart.ends if own.startswith(look)]
    if not found:
        return []
    em = chart.size.letters
    lines = [wrap(words, int((chart.size.room - 1) / WIDE)) for _, words, _ in found]
    gap = LINE * em * max(map(len, lines)) + 0.2 * em
    half = 0.5 * gap
    wanted = spread([min(max(height, chart.top), chart.bottom) for *_, height in found], gap)
    ranks = np.argsort(np.argsort(wanted, kind="stable"), kind="stable")
    # Names keep their order and distance, none of them leaves the height of the axes.
    least, most = chart.top + half + gap * ranks, chart.bottom - half - gap * (len(found) - 1 - ranks)
    places = np.maximum(least, np.minimum(wanted, most)).tolist()
    for (look, _, _), told, place in zip(found, lines, places, strict=True):
        first = place + (0.35 - LINE * (len(told) - 1) / 2) * em
        rows = "".join(
            f'<tspan x="{chart.right + 0.6 * em:.1f}" y="{first + k * LINE * em:.1f}">{escape(row)}</tspan>'
            for k, row in enumerate(told)
        )
        chart.over.append(f'<text class="label {look.split()[0]}">{rows}</text>')
    return [look for look, *_ in found]
