from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon

from figures.parts import proof_boxes, proof_graph, style
from proofs_check.judging.verdict import Verdict
from proofs_check.statements.registry import STATEMENTS
from tabular_krope.errors import KropeError

ANY = STATEMENTS["remark-bad-pairs"]


def statements(**uses):
    return {slug: replace(ANY, slug=slug, uses=tuple(used)) for slug, used in uses.items()}


def verdict(slug, outcome="holds", **more):
    return Verdict(slug, "", outcome, "sampled", 1, 0, 0.0, **more)


def expected():
    return [verdict(slug, s.expected, first_false_step=s.false_step) for slug, s in STATEMENTS.items()]


@pytest.fixture
def ax():
    return Figure(figsize=(8, 6)).add_axes((0, 0, 1, 1))


LAB = statements(lemma="", theorem=["lemma"], corollary=["theorem", "lemma"], remark="", other=["remark"], lonely="")
FOUND = [
    verdict("lemma", "refuted"),
    verdict("theorem"),
    verdict("corollary", first_false_step="x"),
    verdict("remark", first_false_step="x"),
    verdict("other", "vacuous"),
]


def test_kinds():
    data = proof_graph.compute(FOUND, LAB)
    assert data.kinds == {
        "lemma": "refuted",
        "theorem": "shaken",
        "corollary": "shaken",
        "remark": "flawed",
        "other": "vacuous",
        "lonely": "unjudged",
    }
    assert data.apart == ("lonely",)
    assert data.weak == {("lemma", "theorem"), ("lemma", "corollary"), ("theorem", "corollary")}
    assert data.weak <= set(data.edges)


def test_only_the_weak_argument_is_weak():
    data = proof_graph.compute([verdict("a", "refuted")], statements(a="", b="", c=["a", "b"]))
    assert data.weak == {("a", "c")}


def test_arguments_run_from_left_to_right():
    data = proof_graph.compute([])
    for used, user in data.edges:
        assert data.layout.column[used] < data.layout.column[user]
    assert set(data.layout.column) | set(data.apart) == set(STATEMENTS)


def test_everything_is_drawn_inside_the_sheet(ax):
    data = proof_graph.compute(expected())
    proof_graph.draw(data, ax)
    width, height = proof_graph.size(data)
    assert (ax.get_xlim(), ax.get_ylim()) == ((0, width), (0, height))
    for patch in ax.patches:
        box = patch.get_path().get_extents() if isinstance(patch, PathPatch) else patch.get_extents()
        box = box if isinstance(patch, PathPatch) else box.transformed(ax.transData.inverted())
        assert -1e-6 <= box.x0
        assert box.x1 <= width + 1e-6
        assert -1e-6 <= box.y0
        assert box.y1 <= height + 1e-6


def boxes(ax):
    """Left, right, bottom and top of the box around each word that has one."""
    shapes = [p for p in ax.patches if isinstance(p, FancyBboxPatch) or (isinstance(p, Polygon) and p.get_fill())]
    found = {}
    for text in ax.texts:
        x, y = text.get_position()
        for shape in shapes:
            box = shape.get_path().get_extents()
            if box.width > 0.2 and box.x0 < x < box.x1 and box.y0 < y < box.y1 and text.get_ha() == "center":
                found[text.get_text().split(" ")[-1]] = (box, text)
                break
    return found


def test_boxes_do_not_overlap_and_hold_their_words(ax):
    data = proof_graph.compute(expected())
    ax.figure.set_size_inches(*proof_graph.size(data))
    proof_graph.draw(data, ax)
    found = boxes(ax)
    assert set(STATEMENTS) <= set(found)
    spans = [found[slug][0] for slug in STATEMENTS]
    for i, one in enumerate(spans):
        for other in spans[:i]:
            apart = one.x1 <= other.x0 or other.x1 <= one.x0 or one.y1 <= other.y0 or other.y1 <= one.y0
            assert apart
    renderer = FigureCanvasAgg(ax.figure).get_renderer()
    for box, text in (found[slug] for slug in STATEMENTS):
        words = text.get_window_extent(renderer).transformed(ax.transData.inverted())
        assert box.x0 < words.x0
        assert words.x1 < box.x1


def test_weak_arguments_are_dashed_and_red(ax):
    proof_graph.draw(proof_graph.compute(FOUND, LAB), ax)
    lines = [patch for patch in ax.patches if isinstance(patch, PathPatch)]
    assert len(lines) == 4
    assert sum(line.get_linestyle() != "-" and line.get_linestyle() != "solid" for line in lines) == 3


def test_every_kind_differs_by_more_than_color():
    looks = list(proof_boxes.KINDS.values())
    assert len({(look.shape, look.line) for look in looks}) == len(looks)
    assert len({look.color for look in looks} - {style.GRAY}) == 4
    assert proof_boxes.PROVED not in {look.sign for look in looks}


def test_the_legend_tells_the_kinds_that_are_there(ax):
    proof_graph.draw(proof_graph.compute(FOUND, LAB), ax)
    words = [text.get_text() for text in ax.texts]
    for kind, look in proof_boxes.KINDS.items():
        assert (look.words in words) == (kind not in ("holds", "unproved"))


def test_proved_statements_have_their_own_sign(ax):
    proved = replace(FOUND[0], outcome="holds", evidence="proved", first_false_step=None)
    data = proof_graph.compute([proved], LAB)
    proof_graph.draw(data, ax)
    words = [text.get_text() for text in ax.texts]
    assert data.proved == {proved.slug}
    assert f"{proof_boxes.PROVED} {proved.slug}" in words
    assert any(text.startswith(f"{proof_boxes.PROVED}  proved for chains of every size") for text in words)
    assert not proof_graph.compute(FOUND, LAB).proved


def test_only_statements_apart(ax):
    data = proof_graph.compute([], statements(**{f"a-rather-long-name-{k}": "" for k in range(9)}))
    proof_graph.draw(data, ax)
    assert data.layout.columns == 0
    words = [text.get_text() for text in ax.texts]
    assert all(slug in words for slug in data.apart)
    rows = proof_graph._rows(data, proof_graph.LEAST_WIDTH)
    assert len(rows) > 1
    assert all(b[1] > a[1] for row in rows for a, b in pairwise(row))


def test_dollars_are_not_mathematics(ax):
    proof_graph.draw(proof_graph.compute([], statements(**{"$x$": ""})), ax)
    assert any(text.get_text() == "$x$" and not text.get_parse_math() for text in ax.texts)


@pytest.mark.parametrize(("name", "start"), [("g.svg", b"<?xml"), ("g.PNG", b"\x89PNG")])
def test_render(name, start):
    content = proof_graph.render(expected(), proof_graph.picture_kind(name))
    assert content.startswith(start)
    if name.endswith("svg"):
        ElementTree.fromstring(content)


def test_other_files_are_refused():
    with pytest.raises(KropeError, match=r"graph must be a file that ends in .svg or .png; got .*g\.pdf"):
        proof_graph.picture_kind("g.pdf")
