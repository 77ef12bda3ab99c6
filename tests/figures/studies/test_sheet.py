"""Kinds of files, styles and widths; and what every committed figure owes its reader."""

import io

import matplotlib
import pytest
from matplotlib.text import Text
from PIL import Image

from figures.parts import style
from figures.studies.committed import committed
from figures.studies.panels import study_figure
from figures.studies.registry import STUDIES
from figures.studies.sheet import Look, render_study
from figures.studies.study import Study
from tabular_krope.errors import KropeError


def toy(**more):
    def draw(data, axes):
        axes["only"].plot(data["x"])

    return Study("toy", "a toy", None, None, list, dict, (("only",),), draw, **more)


DATA = {"x": [1, 2]}


def test_kinds_of_files_are_those_asked_for_and_the_same_bytes_each_time():
    look = Look(("pdf", "svg", "png"))
    found = render_study(toy(), DATA, look)
    assert {kind: content[:4] for kind, content in found.items()} == {"pdf": b"%PDF", "svg": b"<?xm", "png": b"\x89PNG"}
    assert render_study(toy(), DATA, look) == found


def test_a_picture_is_as_wide_as_asked_and_keeps_its_proportions():
    wide, high = (
        Image.open(io.BytesIO(render_study(toy(), DATA, Look(("png",), width=w))["png"])).size for w in (8, 4)
    )
    assert wide[0] == pytest.approx(8 * 150, abs=40)
    assert high[0] == pytest.approx(4 * 150, abs=40)
    assert wide[0] / wide[1] == pytest.approx(high[0] / high[1], rel=0.05)


def test_styles_change_the_picture():
    assert len({render_study(toy(), DATA, Look(("png",), style))["png"] for style in ("", "paper", "slides")}) == 3


def test_the_title_is_above_all_panels():
    plain, titled = (render_study(one, DATA, Look(("svg",)))["svg"] for one in (toy(), toy(title=lambda data: "two")))
    assert len(titled) > len(plain)


@pytest.mark.parametrize(
    ("look", "words"),
    [
        ({"kinds": ("jpg",)}, "format must be one of gif, mp4, pdf, png, svg; got 'jpg'"),
        ({"width": 0.5}, "width must be between 1 and 40 inches; got 0.5"),
        ({"style": "slide"}, "did you mean 'slides'"),
    ],
)
def test_looks_that_cannot_be(look, words):
    with pytest.raises(KropeError, match=words):
        Look(**look)


def test_a_figure_that_is_drawn_from_the_data_of_another_has_its_settings():
    known = {study.name: study for study in STUDIES}
    for study in STUDIES:
        assert known[study.source].full == study.full


#: Inches at which a page shows a picture that is wider.
SHOWN = 7.5


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_every_word_can_be_read_none_lies_on_another_and_a_title_says_what_was_found(study):
    with matplotlib.rc_context(style.settings()):
        figure = study_figure(study, committed(study.name))
        figure.draw_without_rendering()
        boxes = [(text.get_text(), Text.get_window_extent(text)) for text in written(figure)]
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    assert min(text.get_fontsize() for text in texts) * min(1.0, SHOWN / study.width) >= 7
    titled = study.title(committed(study.name)) or figure.axes[0].get_title(loc="left")
    assert len(titled.split()) >= 5, titled
    meeting = [(word, other) for k, (word, box) in enumerate(boxes) for other, at in boxes[:k] if overlap(box, at)]
    assert meeting == []


def written(figure):
    """Words on the panels, titles and legends' words; ticks, which matplotlib sets apart, are left out."""
    found = [text for ax in figure.axes for text in (*ax.texts, ax.title, ax._left_title)]
    found += [text for legend in figure.legends for text in legend.get_texts()]
    found += [figure._suptitle] if figure._suptitle else []
    return [text for text in found if text.get_text().strip()]


def overlap(one, other):
    """Whether two boxes share more than two points of width and of height: letters are smaller than their boxes."""
    wide = min(one.x1, other.x1) - max(one.x0, other.x0)
    high = min(one.y1, other.y1) - max(one.y0, other.y0)
    return wide > 4 and high > 4
