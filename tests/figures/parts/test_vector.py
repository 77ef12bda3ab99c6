import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

import figures.app
from figures.parts import style
from figures.parts.vector import PAPER, inline_svg, render_vector
from figures.report import look


def line(ax):
    ax.plot([0, 1], color="black")
    ax.axhspan(0, 0.5, color=PAPER)
    ax.set_title("a < b & c")


def test_a_file_has_the_size_asked_for():
    width, height = Image.open(io.BytesIO(render_vector(line, 2.0, 1.0, "png"))).size
    assert (width, height) == (300, 150)
    root = ElementTree.fromstring(render_vector(line, 2.0, 1.0))
    assert root.get("viewBox") == "0 0 144 72"


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_the_same_drawing_gives_the_same_bytes(kind):
    assert render_vector(line, 2, 1, kind) == render_vector(line, 2, 1, kind)


def test_inline_is_one_element_with_a_title():
    text = inline_svg(line, 2, 1, "p", 'q < r & "s"')
    root = ElementTree.fromstring(text)
    assert root.tag.endswith("svg")
    assert root[0].text == 'q < r & "s"'
    assert root.get("width") is None
    assert "<metadata" not in text
    assert "<!DOCTYPE" not in text


def test_inline_takes_the_colors_of_the_page():
    text = inline_svg(line, 2, 1, "p", "t")
    assert "#000000" not in text
    assert "stroke: currentColor" in text
    assert PAPER not in text
    assert "var(--paper, white)" in text
    assert ElementTree.fromstring(text).get("fill") == "currentColor"


@pytest.mark.parametrize(("color", "name"), [(style.BLUE, "--blue"), (style.GREEN, "--green"), (style.GRAY, "--grey")])
def test_dark_colors_are_the_pages_own_and_pages_have_them(color, name):
    text = inline_svg(lambda ax: ax.plot([0, 1], color=color), 2, 1, "p", "t")
    assert f"stroke: var({name}, {color.lower()})" in text
    assert not re.search(rf"(stroke|fill): {color}", text, re.IGNORECASE)
    app = (Path(figures.app.__file__).parent / "static" / "app.css").read_text()
    for sheet in (look.COLORS, app):
        light, dark = (relative_luminance(value) for value in re.findall(rf"{name}: (#\w+)", sheet)[:2])
        assert (1.05) / (light + 0.05) >= 3.9
        assert (dark + 0.05) / (relative_luminance("#1a222a") + 0.05) >= 4.5


def relative_luminance(color):
    """Of sRGB, as the accessibility guidelines define it."""
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_ids_are_its_own():
    first, second = (inline_svg(line, 2, 1, prefix, "t", framed=True) for prefix in ("one", "two"))
    ids = [set(re.findall(r'\bid="([^"]*)"', text)) for text in (first, second)]
    assert ids[0]
    assert not ids[0] & ids[1]
    for text, own in zip((first, second), ids, strict=True):
        used = set(re.findall(r'href="#([^"]*)"', text)) | set(re.findall(r"url\(#([^)]*)\)", text))
        assert used
        assert used <= own


def test_settings_do_not_leak():
    import matplotlib

    before = dict(matplotlib.rcParams)
    inline_svg(line, 2, 1, "p", "t")
    assert dict(matplotlib.rcParams) == before
