import io

from matplotlib.figure import Figure
from PIL import Image

from figures.parts import style


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


def test_colours_are_distinct():
    names = (style.BLUE, style.ORANGE, style.GREEN, style.RED, style.PURPLE, style.SKY, style.BLACK, style.GREY)
    assert len(set(names)) == len(names)
