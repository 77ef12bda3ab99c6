"""Titles in styles and widths for which they were not written."""

import matplotlib
import pytest
from matplotlib.figure import Figure

from figures.parts import style
from figures.studies.committed import committed
from figures.studies.panels import study_figure
from figures.studies.registry import STUDIES
from figures.studies.title_fitting import ax_title, fit_titles, folded

KNOWN = {study.name: study for study in STUDIES}


def beyond(figure):
    """Titles that reach into the title of the next panel, or over the right edge."""
    figure.draw_without_rendering()
    boxes = [ax_title(ax).get_window_extent() for ax in figure.axes if ax_title(ax).get_text()]
    boxes += [figure._suptitle.get_window_extent()] if figure._suptitle else []
    out = [box for box in boxes if box.x1 > figure.bbox.x1 + 2]
    return out + [(a, b) for k, a in enumerate(boxes) for b in boxes[:k] if a.overlaps(b) and a.count_overlaps([b])]


@pytest.mark.parametrize(("name", "look", "width"), [("lspe-plane", "slides", 8.4), ("closed-form-features", "", 5.0)])
def test_titles_that_met_are_apart(name, look, width):
    study = KNOWN[name]
    with matplotlib.rc_context(style.settings(look)):
        figure = study_figure(study, committed(name), width)
        assert beyond(figure)
        fit_titles(figure)
        assert not beyond(figure)


def test_a_title_that_fits_stays():
    figure = Figure(figsize=(6, 3), layout="constrained")
    figure.add_subplot().set_title("short", loc="left")
    size = ax_title(figure.axes[0]).get_fontsize()
    fit_titles(figure)
    assert (ax_title(figure.axes[0]).get_text(), ax_title(figure.axes[0]).get_fontsize()) == ("short", size)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three four", "one two\nthree four"),
        ("one two three\nfour five six", "one two\nthree four\nfive six"),
        ("at most $a + b + c + d$", "at most\n$a + b + c + d$"),
    ],
)
def test_folding(text, lines):
    assert folded(text) == lines
