"""The report of ``krope check`` in a browser: nothing overflows, filters filter, and the graph answers clicks."""

import pytest

from figures.report.page import report_html
from figures.report.shell import page_html
from figures.report.words import table
from proofs_check.judging.check import check
from proofs_check.statements.registry import STATEMENTS
from tests.figures.report.browser import OVERFLOW, WIDTHS, opened

SLUGS = ("lemma-value-bound", "prop-distance-identity", "theorem-1", "remark-bad-pairs", "truncation-stable")


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "check.html"
    path.write_text(report_html([check(slug, examples=5) for slug in SLUGS], {"examples": 5}), encoding="utf-8")
    return path


def test_nothing_is_too_wide_at_any_width(browser, page_file):
    with opened(browser, page_file) as page:
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(OVERFLOW) == [], width
        assert page.locator(".proofs .scroll").evaluate("one => one.scrollWidth > one.clientWidth")  # it scrolls
        first = page.locator("table.verdicts tr:not(.group)").nth(1)
        tops = [first.locator("td").nth(k).bounding_box()["y"] for k in (0, 1, 2)]
        assert tops == sorted(set(tops))  # the cells of a row stand below each other


def test_formulas_are_set_in_the_font_of_the_page(browser, page_file):
    with opened(browser, page_file) as page:
        fonts = page.evaluate("[...document.fonts].map(one => [one.family, one.status])")
        assert ['"Page Math"', "loaded"] in fonts or ["Page Math", "loaded"] in fonts
        root = page.locator("section.statement msqrt").first.bounding_box()
        inside = page.locator("section.statement msqrt mi").first.bounding_box()
        assert root["height"] > inside["height"]
        assert root["width"] < 3 * inside["width"] + 12  # no room for a wider sign is left behind it


def test_filters_hide_rows_and_sections_and_count_what_is_left(browser, page_file):
    with opened(browser, page_file) as page:
        row, section = page.locator("tr:has(a[href='#lemma-value-bound'])").first, page.locator("#lemma-value-bound")
        assert row.is_visible()
        assert section.is_visible()
        page.locator("label:has(#show-is-refuted)").click()
        assert not row.is_visible()
        assert not section.is_visible()
        assert page.locator("#theorem-1").is_visible()
        page.locator("label:has(#show-by-proof)").click()
        assert page.locator("section.statement:visible").count() == 0
        page.locator("label:has(#show-is-refuted)").click()
        page.locator("label:has(#show-by-proof)").click()
        assert page.locator("section.statement:visible").count() == len(SLUGS)


def test_a_click_in_the_graph_shows_the_statement_and_what_falls(browser, page_file):
    k, falls, other = (
        list(STATEMENTS).index(slug) for slug in ("rkhs-contraction", "truncation-stable", "lstd-solvable")
    )

    def color(n):
        return page.locator(f".node:has(#pick-{n})").evaluate("one => getComputedStyle(one).borderTopColor")

    def opacity(n):
        return float(page.locator(f".node:has(#pick-{n})").evaluate("one => getComputedStyle(one).opacity"))

    with opened(browser, page_file) as page:
        assert page.locator(".card:visible").count() == 1
        assert page.locator(".card.hint").is_visible()
        before = color(falls)
        page.locator(f".node:has(#pick-{k})").click()
        assert page.locator(".card:visible").count() == 1
        card = page.locator(f"#card-{k}")
        assert card.is_visible()
        assert "What falls if this is false" in card.inner_text()
        assert color(falls) != before
        assert opacity(falls) == 1 > opacity(other)
        card.locator(f"label[for='pick-{falls}']").first.click()  # and on to one of those
        assert page.locator(f"#card-{falls}").is_visible()
        page.keyboard.press("ArrowRight")  # radio buttons: the keyboard reaches every statement
        assert page.locator(".card:visible").count() == 1
        assert not page.locator(f"#card-{falls}").is_visible()
        page.locator(".card:visible .close").click()
        assert page.locator(".card.hint").is_visible()


def test_dark_and_printed(browser, page_file):
    with opened(browser, page_file, color_scheme="dark") as page:
        style = "getComputedStyle(document.documentElement)"
        ink, paper = page.evaluate(f"[{style}.color, {style}.backgroundColor]")
        assert ink == "rgb(230, 229, 225)"
        assert paper == "rgb(21, 24, 28)"
        page.emulate_media(media="print")
        assert not page.locator(".filters").is_visible()
        assert not page.locator(".cards").is_visible()
        assert page.locator(".board").is_visible()


def test_an_empty_cell_of_a_table_keeps_its_place_on_a_phone(browser, tmp_path):
    path = tmp_path / "table.html"
    head = [("", ""), ("number", "stable"), ("number", "value")]
    rows = [
        ("", [("", "as it is"), ("number", "no"), ("number", "-")]),
        ("", [("", "truth"), ("number", ""), ("number", "0.8")]),
    ]
    path.write_text(page_html("a table", [table("", head, rows)]), encoding="utf-8")
    with opened(browser, path, width=390) as page:
        edges = [
            page.get_by_text(word, exact=True).evaluate("one => one.getBoundingClientRect().right")
            for word in ("value", "0.8")
        ]
        assert edges[0] == edges[1]
