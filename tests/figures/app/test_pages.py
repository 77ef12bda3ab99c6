"""Every page through the one door: it answers, its controls have labels, bad addresses are refused in words."""

import re
from base64 import b64encode

import pytest

from figures.app import answers, layout, page_parts
from figures.app.catalogue import BY_PATH, PAGES, TOURS, neighbors
from figures.app.controls import Bars, Choice, Count, Line, Slider, read_all
from figures.app.glossary import TERMS
from figures.app.page_text import inline, paragraphs, term
from tabular_krope.errors import KropeError

MINE = b'{"P_pi": [["1/2", "1/2"], ["0", "1"]], "r": ["1", "0"], "gamma": "1/3", "weights": ["1/4", "3/4"]}'


@pytest.mark.parametrize("path", BY_PATH)
def test_every_page_stands_with_its_first_answer_in_it(path):
    page = answers.page(path, {})
    assert page.startswith("<!doctype html>")
    assert f"<h1>{BY_PATH[path].title.replace(chr(39), '&#x27;')}</h1>" in page
    assert "http://" not in page.replace("http://www.w3.org", "")  # nothing from outside
    assert "https://" not in page
    assert not re.search(r"\[\[[A-Za-z]", page)
    # Every control stands in a label or carries its own name.
    for found in re.findall(r"<input[^>]*>|<select[^>]*>", page):
        start = page.index(found)
        assert "aria-label" in found or page.rfind("<label", 0, start) > page.rfind("</label>", 0, start), found


@pytest.mark.parametrize("path", [page.path for page in PAGES])
def test_every_tab_of_every_page_draws(path):
    first = answers.parts(path, {})
    for tab in range(first["tabs"].count("role=")):
        parts = answers.parts(path, {"tab": str(tab)})
        assert f'aria-selected="true" data-tab="{tab}"' in parts["tabs"]
        assert "<svg" in parts["picture"] or "<table" in parts["picture"]


def test_the_story_goes_through_every_tour_and_back():
    path, seen = "", []
    while (after := neighbors(path)[1]) is not None:
        assert neighbors(after.path)[0] is BY_PATH[path]
        seen.append(path := after.path)
    assert seen == [page.path for page in PAGES[1:]]
    assert 'rel="next" href="/blow-up"' in layout.footer(TOURS[0])


@pytest.mark.parametrize(
    ("path", "query", "told"),
    [
        ("false-bound", {"e": "2"}, "e must be one of 0.05 .. 1; got '2'"),
        ("blow-up", {"data": "1,2"}, "data must be 6 levels"),
        ("blow-up", {"kind": "<script>"}, "kind must be one of"),
        ("only-rounding", {"seed": ""}, "needs a whole number"),
        ("only-rounding", {"seed": "100"}, "seed must lie in 0..99; got 100"),
        ("laboratory", {"model": "file:/etc/passwd"}, "model must be one of"),
        ("laboratory", {"data": "own"}, "no data weights of its own"),
        ("conjecture", {"claim": "x" * 301}, "claim must have at most 300 characters; got 301"),
        ("conjecture", {"claim": "import os"}, "claim"),
    ],
)
def test_an_address_made_by_hand_is_refused_in_words(path, query, told):
    parts = answers.parts(path, query)
    assert told in parts["verdict"]
    assert 'class="verdict bad"' in parts["verdict"]
    assert "<script>" not in parts["verdict"] + parts["controls"]


def test_the_code_line_follows_the_sliders():
    code = answers.parts("features-from-data", {"d": "3", "n": "500", "base": "4"})["code"]
    assert "gamma=0.95, d=3)  # Psi is 500 x 4" in code
    assert "--dim 5 --gamma 0.42" in answers.parts("laboratory", {"d": "5", "gamma": "0.42"})["code"]
    assert "e=&quot;1/4&quot;" in answers.parts("false-bound", {"e": "0.25"})["code"]


def test_sentences_do_not_accuse_krope():
    said = answers.parts("why-stable", {"skew": "4"})["verdict"]
    assert "diverges</b> on KROPE without the weights and random features." in said
    assert "On KROPE with the data's weights it converges" in said


def test_a_file_of_the_readers_own_sets_its_controls_and_goes_along():
    upload = {"name": "mine.json", "content": b64encode(MINE).decode()}
    parts = answers.parts("laboratory", {"fresh": "1", "model": "zoo:baird", "gamma": "0.9"}, upload)
    assert 'data-value="own file: mine.json"' in parts["numbers"]
    assert f'data-name="gamma" data-value="{1 / 3}"' in parts["numbers"]
    later = answers.parts("laboratory", {"model": "zoo:chain-walk", "data": "uniform", "gamma": repr(1 / 3)}, upload)
    assert 'data-value="chain walk"' in later["numbers"]
    assert f'data-value="{1 / 3}"' in later["numbers"]
    bad = {"name": "bad.json", "content": b64encode(b'{"P_pi": [["1"]], "r": ["0"], "gamma": "2"}').decode()}
    assert "bad.json: gamma must" in answers.parts("laboratory", {"fresh": "1"}, bad)["verdict"]
    assert "Shown" not in answers.parts("laboratory", {"model": "zoo:chain-walk"}, bad)["verdict"]


def test_a_witness_opens_in_the_laboratory_with_its_own_discount():
    parts = answers.parts(
        "laboratory", {"model": "witness:truncation-unweighted-stable:0", "data": "own", "kind": "own"}
    )
    assert "blows up" in parts["verdict"]
    assert f'data-value="{47 / 79}"' in parts["numbers"]


def test_controls_read_what_they_offer():
    controls = [
        Slider("a", "a", ("0.5", "1"), "1"),
        Choice("b", "b", {"k": "words & more"}, "k"),
        Count("c", "c", 1, 5, 2),
        Line("d", "d", "text"),
        Bars("e", "e", ("x", "y"), ("0", "1"), ("1", "1")),
    ]
    assert read_all(controls, {"a": "0.5", "c": "5", "e": "0,1"}) == {
        "a": "0.5",
        "b": "k",
        "c": 5,
        "d": "text",
        "e": ("0", "1"),
    }
    assert "words &amp; more" in controls[1].html(None)
    assert 'value="&quot;&gt;"' in controls[3].html('">')
    for control, text in zip(controls, ("2", "z", "6", "x" * 301, "0,2"), strict=True):
        with pytest.raises(KropeError, match="must"):
            control.read(text)
    with pytest.raises(KropeError, match="whole number"):
        controls[2].read("\u0664")


def test_words_are_escaped_and_every_term_is_known():
    assert inline("<b> & `<i>`") == "&lt;b&gt; &amp; <code>&lt;i&gt;</code>"
    assert paragraphs("a\n\nb") == "<p>a</p><p>b</p>"
    for name in TERMS:
        assert term(name).count("data-tip") == 1
    with pytest.raises(KeyError):
        inline("[[no such term]]")


def test_small_tools():
    assert (
        page_parts.listed(["KROPE without the weights", "random features"])
        == "KROPE without the weights and random features"
    )
    assert page_parts.number("n", 1e-15) == '<span data-name="n" data-value="1e-15">0</span>'
    assert 'class="bad"' in page_parts.number("n", 2.0, good=False)
