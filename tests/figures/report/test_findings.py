import re
from dataclasses import replace

import pytest

from figures.report.findings import Advice, Findings, Numbers, Picture, findings_html
from tests.figures.report.browser import OVERFLOW, WIDTHS, opened
from tests.figures.report.test_page import Reader

LONG = "a-very-long-name-of-a-file-that-no-phone-has-room-for/" * 3 + "model.npz"
FOUND = Findings(
    about=f"krope analyze {LONG}",
    verdict="not stable",
    mood="bad",
    answer="LSPE is NOT stable: the spectral radius 1.02 is not below 1.",
    said=("The norm is at most sqrt(gamma) = 0.9.",),
    large=(("-1.5", "value"), ("0.95", "norm2(L)")),
    advice=(Advice("Use KROPE features.", f"krope analyze {LONG} --features krope"), Advice("Wait.")),
    pictures=(Picture('<svg viewBox="0 0 9 9" role="img"><title>t</title><path d="M0 0L9 9"/></svg>', "A line."),),
    tables=(
        Numbers(
            "Sizes", ("", *(f"column {k}" for k in range(9))), (("stable", *["no"] * 9),), (False, *[True] * 9), "n\nm"
        ),
        Numbers("Empty", ("", ""), (), (False, True)),
        Numbers("Pairs", ("", ""), (("states x actions", "16 x 4"), ("low", "-0.5 .. 1e-05")), (False, True)),
    ),
    assumed=(("Policy", "uniform"), ("Discount factor", "gamma = 0.9")),
    command=f"krope analyze {LONG} --report page.html",
)
PAGE = findings_html(FOUND)
READER = Reader(PAGE)


def test_the_answer_comes_first_then_what_to_do_pictures_numbers_and_assumptions():
    words = READER.words
    parts = (
        "not stable",
        "LSPE is NOT stable",
        "What to do next",
        "Pictures",
        "The numbers",
        "What was assumed",
        "To make it again",
        "--report page.html",
    )
    assert [words.index(part) for part in parts] == sorted(words.index(part) for part in parts)
    assert re.search(r"numpy \d", words)


def test_everything_that_was_found_is_there():
    for said in ("The norm is at most sqrt(gamma) = 0.9 .", "\u22121.5", "A line.", "16 \u00d7 4", "Sizes", "Wait."):
        assert said in READER.words
    assert "Empty" not in READER.words
    assert PAGE.count('<td class="number no">no</td>') == 9
    assert "\u22120.5 .." in READER.words
    assert len(READER.ids) == len(set(READER.ids))


def test_nothing_is_fetched_and_nothing_runs():
    assert not {"script", "link", "img", "iframe"} & set(READER.tags)
    assert "default-src 'none'" in PAGE
    assert set(re.findall(r"url\(([^;)]*)", PAGE)) == {"data:font/woff2"}


def test_what_is_not_there_leaves_no_heading():
    words = Reader(findings_html(replace(FOUND, advice=(), pictures=(), tables=(), assumed=(), large=()))).words
    for heading in ("What to do next", "Pictures", "The numbers", "What was assumed"):
        assert heading not in words


def test_everything_is_escaped():
    evil = "<script>alert('&')</script>\""
    table = Numbers(evil, (evil,), ((evil,),), (False,), evil)
    page = findings_html(
        Findings(
            evil,
            evil,
            "good",
            evil,
            (evil,),
            ((evil, evil),),
            (Advice(evil, evil),),
            (),
            (table,),
            ((evil, evil),),
            evil,
        )
    )
    assert "<script" not in page
    assert "script" not in Reader(page).tags


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_every_screen(browser, tmp_path, scheme):
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    with opened(browser, path, color_scheme=scheme) as page:
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(OVERFLOW) == [], width
