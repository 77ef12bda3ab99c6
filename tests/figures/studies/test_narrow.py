"""Pictures of one column of a paper: panels one below the other, letters that can be read, nothing on anything else."""

import matplotlib
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from figures.parts import style
from figures.studies.axis_fitting import fit_names, lines_high, thin_ticks
from figures.studies.committed import committed
from figures.studies.panels import arranged, study_figure
from figures.studies.registry import STUDIES
from figures.studies.sheet import Look, best_layout, laid_out, render_study
from figures.studies.word_room import words_meet
from tabular_krope.errors import KropeError

KNOWN = {study.name: study for study in STUDIES}
#: Inches of a column, and the least size of letters in it, in points.
COLUMN, LEAST = 3.4, 6.0
#: Too many words for a column, whatever their size: eight columns of numbers beside long names, five names of curves.
CROWDED = ("deep-table-all", "scaling")


@pytest.mark.parametrize("name", [name for name in KNOWN if name not in CROWDED])
def test_in_a_column_no_words_meet_and_all_can_be_read(name):
    study, data = KNOWN[name], committed(name)
    layout = best_layout(study, data, COLUMN, style.settings())
    with matplotlib.rc_context(style.smaller(style.settings(), layout.share)):
        figure = laid_out(study, data, COLUMN, layout)
        assert words_meet(figure) == []
        texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
        assert min(text.get_fontsize() for text in texts) >= LEAST
        high = figure.get_figheight()
        assert figure.get_tightbbox().width < COLUMN + 0.25
    assert high < 9.0  # of a page


@pytest.mark.parametrize("name", CROWDED)
def test_what_is_crowded_is_drawn_all_the_same(name):
    assert render_study(KNOWN[name], committed(name), Look(("png",), width=COLUMN))["png"]


@pytest.mark.parametrize(("name", "width"), [("deep-table-all", 1.0), ("kernel-tour", 1.5), ("kernel-tour", 2.0)])
def test_a_width_in_which_nothing_could_be_read_is_refused(name, width):
    with pytest.raises(KropeError, match=f"width must leave room for the panels of {name}; got {width:g}"):
        best_layout(KNOWN[name], committed(name), width, style.settings())


def test_panels_below_each_other_name_their_rows_and_say_once_what_they_share():
    study = KNOWN["garnet-spectral"]
    beside, below = (study_figure(study, committed(study.name), columns=columns).axes for columns in (None, 1))
    names = [[tick.label1.get_visible() for tick in ax.yaxis.get_major_ticks()] for ax in (*beside, *below)]
    assert [all(shown) for shown in names] == [True, False, False, True, True, True]
    assert [bool(ax.get_xlabel()) for ax in below] == [False, False, True]
    first, second = study_figure(KNOWN["garnet-arithmetic"], committed("garnet-arithmetic"), columns=2).axes[2:4]
    assert first.yaxis.get_major_ticks()[0].label1.get_visible()
    assert not second.yaxis.get_major_ticks()[0].label1.get_visible()


@pytest.mark.parametrize(
    ("panels", "columns", "rows"),
    [
        ((("a", "b"), ("c", "d")), 1, (("a",), ("b",), ("c",), ("d",))),
        ((("a", "b", "c"), ("d", "e", "f")), 2, (("a", "b"), ("c", "d"), ("e", "f"))),
        ((("a", "a", "b"),), 2, (("a", "a", "b"),)),
    ],
)
def test_arranging(panels, columns, rows):
    assert arranged(panels, columns) == rows


def narrow(**ticks):
    figure = Figure(figsize=(2.0, 1.5), layout="constrained")
    ax = figure.add_subplot(xlim=(0, 5))
    ax.set_xticks(range(6), ["100,000"] * 6)
    return figure, ax


def test_names_of_ticks_that_meet_are_thinned_but_not_those_of_a_table():
    figure, ax = narrow()
    thin_ticks(figure)
    shown = [tick.label1.get_visible() for tick in ax.xaxis.get_major_ticks()]
    assert shown[0]
    assert 1 < sum(shown) < 6
    figure, ax = narrow()
    ax.imshow([[0, 1, 2, 3, 4, 5]])
    ax.set_xticks(range(6), ["100,000"] * 6)
    thin_ticks(figure)
    assert all(tick.label1.get_visible() for tick in ax.xaxis.get_major_ticks())


def test_a_long_name_of_an_axis_is_folded_and_a_wide_key_gets_one_column():
    figure, ax = narrow()
    ax.set_xlabel("a name of an axis that is longer than the figure is wide")
    figure.legend(ax.plot([1, 2], [[1, 2], [2, 3]]), ["a long name of a curve", "another name"], ncol=2)
    before = lines_high(figure)
    fit_names(figure)
    assert "\n" in ax.get_xlabel()
    assert lines_high(figure) > before
    first, second = (text.get_window_extent() for text in figure.legends[0].get_texts())
    assert first.y0 > second.y1
