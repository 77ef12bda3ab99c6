"""Charts: places are right, ticks are round, nothing is drawn outside the paper."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from figures.app.drawing.axis import Axis, round_step
from figures.app.drawing.chart import SIZES, Chart
from figures.app.drawing.end_names import NAMED, name_ends
from figures.app.drawing.figure import Figure, legend


@pytest.mark.parametrize("size", SIZES)
def test_points_lie_where_they_belong(size):
    chart = Chart(size, Axis("t", 0, 10), Axis("error", 1e-2, 1e2, log=True))
    assert chart.at(0, 1e-2) == pytest.approx((chart.left, chart.bottom))
    assert chart.at(10, 1e2) == pytest.approx((chart.right, chart.top))
    assert chart.at(5, 1.0) == pytest.approx(((chart.left + chart.right) / 2, (chart.top + chart.bottom) / 2))


@pytest.mark.parametrize("size", SIZES)
def test_words_of_the_axes_do_not_leave_the_paper_or_meet(size):
    chart = Chart(size, Axis("steps", 0, 60), Axis("error", 1e-3, 1e4, log=True))
    chart.line([0, 60], [1, float("inf")], "blue")
    drawn = chart.svg("a chart")
    places = [
        (float(x), float(y), word) for x, y, word in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)', drawn)
    ]
    em = size.letters
    for x, y, _ in places:
        assert 0 <= x <= size.width
        assert 0 <= y <= size.height
    feet = sorted((x, word) for x, y, word in places if y > chart.bottom + em)
    for (x, word), (after, other) in pairwise(feet):
        assert after - x >= 0.3 * em * (len(word) + len(other)), (word, other)
    sides = sorted(y for x, y, _ in places if x < chart.left)
    assert all(b - a >= 1.1 * em for a, b in pairwise(sides))
    assert "inf" not in drawn


def test_ticks_are_round_and_ends_are_kept():
    assert [word for _, word in Axis("t", -1, 1).marks(4)] == ["\u22121", "\u22120.5", "0", "0.5", "1"]
    assert [value for value, _ in Axis("t", 1, 1e6, log=True).marks(3)] == [1.0, 100.0, 1e4, 1e6]
    assert [word for _, word in Axis("t", 1e-3, 1e4, log=True).marks(4)] == [
        "10\u207b\u00b2",
        "1",
        "10\u00b2",
        "10\u2074",
    ]
    assert Axis("t", 0, 3, ticks=(0, 1, 2, 3), words="abcd").marks(9) == [(0, "a"), (1, "b"), (2, "c"), (3, "d")]
    assert len(Axis("t", 0, 30, ticks=range(31)).marks(5)) <= 7
    assert round_step(0.1999999999) == 0.2


def test_a_film_shows_its_marks_step_by_step():
    def draw(size):
        chart = Chart(size, Axis("t", 0, 1), Axis("y", 0, 1))
        chart.arrow((0, 0), (1, 1), "red", step=2)
        chart.dot(0.5, 0.5, "blue", tip="a & b")
        chart.bar(0.5, 0.2, 0.4, "sky")
        chart.word(0.5, 0.5, "<here>")
        chart.arrow((0, 0), (0, 0), "red", step=3)
        return chart

    drawn = Figure("tab", "title", draw, "alt", [("red", "a < b")], steps=2).html()
    assert drawn.count('data-step="2"') == len(SIZES)
    assert 'data-step="3"' not in drawn  # an arrow of no length is none
    assert 'data-steps="2"' in drawn
    assert "a &amp; b" in drawn
    assert "&lt;here&gt;" in drawn
    assert "a &lt; b" in drawn
    assert legend(()) == ""


def test_names_stand_where_lines_end_apart_and_inside():
    ends = [1e9, 1e8, 0.5, 0.4]
    looks = ["blue", "red", "green", "orange"]

    def draw(size):
        chart = Chart(size, Axis("t", 0, 10), Axis("error", 1e-2, 1e2, log=True))
        for look, end in zip(looks, ends, strict=True):
            chart.line([0, 10], [1, end], f"{look} thick")
        return chart

    key = [(look, f"the {look} line, whose name is long") for look in looks]
    wide = replace(SIZES[0], room=NAMED)
    chart = draw(wide)
    assert name_ends(chart, [*key, ("purple", "no line")]) == looks
    places = [(float(x), float(y)) for x, y in re.findall(r'<tspan x="([\d.]+)" y="([\d.]+)"', "".join(chart.over))]
    heights = [y for _, y in places]
    assert heights == sorted(heights)  # the highest end has the highest name
    assert all(b - a >= wide.letters for a, b in pairwise(heights))
    assert chart.top < heights[0]
    assert heights[-1] < chart.bottom
    assert all(x > chart.right for x, _ in places)
    drawn = Figure("tab", "title", draw, "alt", [*key, ("purple", "no line")], ends=True).html()
    assert drawn.count('<li class="named">') == len(looks)
    assert drawn.count("<li>") == 1
    assert drawn.count("<tspan") == len(places)  # in the wide drawing alone
