"""Narrow pictures: letters get smaller before words lie on each other."""

import io

import matplotlib
import matplotlib.image
import pytest

from figures.parts import style
from figures.studies.committed import committed
from figures.studies.panels import study_figure
from figures.studies.registry import STUDIES
from figures.studies.sheet import Look, render_study
from figures.studies.title_fitting import fit_titles
from figures.studies.word_room import SHARES, words_meet

KNOWN = {study.name: study for study in STUDIES}


def drawn(name, share):
    study = KNOWN[name]
    with matplotlib.rc_context(style.smaller(style.settings("paper"), share)):
        figure = study_figure(study, committed(name), 5.5, taller=1 / share)
        fit_titles(figure)
        return words_meet(figure)


@pytest.mark.parametrize("name", ["scaling", "value-bounds"])
def test_words_that_meet_in_a_narrow_picture_are_seen_and_smaller_letters_part_them(name):
    assert drawn(name, SHARES[0])
    assert drawn(name, SHARES[-1]) == []


def test_a_narrow_picture_gets_smaller_letters_and_keeps_its_width():
    study = KNOWN["scaling"]
    found = render_study(study, committed("scaling"), Look(("png",), "paper", 5.5))
    high, wide, _ = matplotlib.image.imread(io.BytesIO(found["png"])).shape
    assert wide / 300 == pytest.approx(5.5, abs=0.4)  # tight: what is empty at the edges is cut off
    assert high / wide > 1.1 * study.height / study.width


def test_words_of_the_pictures_own_size_do_not_meet():
    with matplotlib.rc_context(style.settings()):
        assert words_meet(study_figure(KNOWN["scaling"], committed("scaling"))) == []
