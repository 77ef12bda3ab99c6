import io

import pytest
from matplotlib.figure import Figure
from PIL import Image

from figures.parts import style
from tabular_krope.errors import KropeError


def size(png):
    return Image.open(io.BytesIO(png)).size


def test_a_picture_has_about_the_size_asked_for():
    width, height = size(style.render(lambda ax: ax.plot([0, 1]), width=4.0, height=3.0))
    assert abs(width - 600) < 60
    assert abs(height - 450) < 60


def test_the_same_drawing_gives_the_same_bytes():
    assert style.render(lambda ax: ax.plot([0, 1])) == style.render(lambda ax: ax.plot([0, 1]))


def test_settings_do_not_leak():
    import matplotlib

    before = dict(matplotlib.rcParams)
    style.render(lambda ax: ax.plot([0, 1]))
    assert dict(matplotlib.rcParams) == before


def test_counts_have_ticks_at_integers():
    for most in (1, 12, 13, 57):
        ax = Figure().add_subplot()
        style.count_axis(ax, most)
        assert all(float(tick).is_integer() for tick in ax.get_xticks())
        assert ax.get_xlim() == (0.5, most + 0.5)


def test_colors_are_distinct():
    names = (style.BLUE, style.ORANGE, style.GREEN, style.RED, style.PURPLE, style.SKY, style.BLACK, style.GRAY)
    assert len(set(names)) == len(names)


def test_a_style_file_wins_over_matplotlibrc_which_wins_over_ours(tmp_path, monkeypatch):
    (tmp_path / "matplotlibrc").write_text("font.size: 21\naxes.titlesize: 5\n")
    file = tmp_path / "mine.mplstyle"
    file.write_text("axes.titlesize: 6\n")
    monkeypatch.setenv("MATPLOTLIBRC", str(tmp_path))
    found = style.settings(str(file))
    assert (found["font.size"], found["axes.titlesize"]) == (21, 6)
    assert found["legend.frameon"] is False
    monkeypatch.delenv("MATPLOTLIBRC")
    monkeypatch.chdir("/")
    assert style.settings() == style.SETTINGS


def test_styles_that_do_not_exist(tmp_path):
    with pytest.raises(KropeError, match=r"style must be one of .*; got 'papers' \(did you mean 'paper'\?\)"):
        style.settings("papers")
    with pytest.raises(KropeError, match=r"style must be a file that exists; got '.*none.mplstyle'"):
        style.settings(str(tmp_path / "none.mplstyle"))
