import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

from figures.parts.heat_table import draw_heat_table


def test_every_number_stands_in_its_cell():
    values = np.array([[1.0, 99.0, np.nan], [40.0, 60.0, 0.0]])
    ax = draw_heat_table(values, ["a", "b"], ["x", "y", "z"], Figure().add_subplot())
    written = {tuple(reversed(text.get_position())): text.get_text() for text in ax.texts}
    assert written == {(0, 0): "1", (0, 1): "99", (1, 0): "40", (1, 1): "60", (1, 2): "0"}
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["a", "b"]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the first row is the upper one


def test_digits_can_be_read_on_every_color():
    values = np.linspace(0, 100, 101)[None]
    ax = draw_heat_table(values, [""], [""] * 101, Figure().add_subplot())
    image = ax.images[0]
    for text, value in zip(ax.texts, values[0], strict=True):
        light = luminance(image.cmap(image.norm(value))[:3])
        ink = 1.0 if text.get_color() == "white" else 0.0
        contrast = (max(light, ink) + 0.05) / (min(light, ink) + 0.05)
        assert contrast >= 4.0, (value, contrast)


def luminance(rgb):
    """Relative luminance as accessibility guidelines define it."""
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def test_the_numbers_grow_with_the_other_words():
    sizes = []
    for size in (10, 13):
        with matplotlib.rc_context({"font.size": size}):
            ax = draw_heat_table([[1.0]], ["a"], ["x"], Figure().add_subplot())
            sizes.append(ax.texts[0].get_fontsize())
    assert sizes == pytest.approx([9.0, 11.7])
