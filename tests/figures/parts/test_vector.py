import io
import re
from xml.etree import ElementTree

import pytest
from PIL import Image

from figures.parts.vector import PAPER, inline_svg, render_vector


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
