import re
from html.parser import HTMLParser

import networkx as nx

from figures.report.proof_board import NODE, board_rules, node_width, proof_board
from proofs_check.judging.verdict import StepVerdict, Verdict
from proofs_check.show.graph import proof_graph
from proofs_check.statements.registry import STATEMENTS

SLUGS = list(STATEMENTS)
REFUTED = Verdict(
    "lemma-value-bound",
    "c",
    "refuted",
    "witness",
    3,
    0,
    2.0,
    first_false_step="last-equality",
    steps=(StepVerdict("base", "|q_0| = 0", True, 0.0, 3), StepVerdict("last-equality", "x = y", False, 1.0, 3)),
    witness=STATEMENTS["lemma-value-bound"].witnesses[0],
    expected="refuted",
)
BOARD = proof_board([REFUTED], STATEMENTS)
GRAPH = proof_graph()


class Elements(HTMLParser):
    """Every start tag with its attributes."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def of(self, tag, kind):
        return [attrs for name, attrs in self.found if name == tag and kind in (attrs.get("class") or "").split()]


NODES = dict(zip(re.findall(r"</i> ([\w-]+)</label>", BOARD), Elements(BOARD).of("label", "node"), strict=True))


def numbers(words):
    return {SLUGS[int(word)] for word in words.split()}


def test_each_statement_knows_what_it_rests_on_and_what_falls_with_it():
    assert set(NODES) == set(SLUGS)
    for slug, attrs in NODES.items():
        assert numbers(attrs["data-rests"]) == nx.descendants(GRAPH, slug)
        assert numbers(attrs["data-carries"]) == nx.ancestors(GRAPH, slug)


def test_arrows_carry_on_what_their_ends_do():
    arrows = Elements(BOARD).of("g", "arrow")
    assert len(arrows) == GRAPH.number_of_edges()
    for attrs in arrows:
        rests, carries = numbers(attrs["data-rests"]), numbers(attrs["data-carries"])
        assert any(
            rests == {used} | nx.descendants(GRAPH, used) and carries == {user} | nx.ancestors(GRAPH, user)
            for user, used in GRAPH.edges
        )


def test_no_two_boxes_touch_and_all_are_on_the_board():
    width, height = (
        float(x) for x in re.search(r'class="board" style="width: (\d+)px; height: (\d+)px', BOARD).groups()
    )
    boxes = []
    for slug, attrs in NODES.items():
        left, top, wide = (float(x) for x in re.findall(r"(\d+)px", attrs["style"]))
        assert abs(wide - node_width(slug)) <= 0.5
        assert 0 <= left
        assert left + wide <= width
        assert 0 <= top
        assert top + NODE <= height
        boxes.append((left, top, left + wide, top + NODE))
    for k, a in enumerate(boxes):
        for b in boxes[k + 1 :]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_a_card_has_claim_proof_witness_and_what_falls():
    k = SLUGS.index("lemma-value-bound")
    card = re.search(rf'<article class="card refuted" id="card-{k}">.*?</article>', BOARD, re.DOTALL)[0]
    assert 'alttext="|q(x) - q(y)| \u2264 d(x,y)' in card
    assert '<li class="refuted"><i>\u2717</i>' in card
    assert 'alttext="|q(0)-q(1)|"' in card
    assert 'alttext="= 81/10"' in card
    assert "nothing else falls" in card
    used = re.search(r"Its proof uses</h4><p>(.*?)</p>", card)[1]
    assert re.findall(r'for="pick-(\d+)"', used) == [str(SLUGS.index(s)) for s in STATEMENTS["lemma-value-bound"].uses]
    base = SLUGS.index("prop-fixed-point")
    other = re.search(rf'<article class="card unjudged" id="card-{base}">.*?</article>', BOARD, re.DOTALL)[0]
    assert "not judged in this run" in other
    fall = re.search(r"What falls if this is false</h4><p>(.*?)</p>", other)[1]
    assert {SLUGS[int(x)] for x in re.findall(r'for="pick-(\d+)"', fall)} == nx.ancestors(GRAPH, "prop-fixed-point")


def test_rules_for_each_statement():
    rules = board_rules(2)
    for k in (0, 1):
        assert f'.proofs:has(#pick-{k}:checked) [data-rests~="{k}"]' in rules
        assert f".proofs:has(#pick-{k}:checked) #card-{k} {{ display: grid; }}" in rules


def test_statements_of_ones_own_without_ties():
    lone = {"theorem-1": STATEMENTS["lemma-contraction"]}
    board = proof_board([], lone)
    assert board.count('class="node unjudged"') == 2  # in the legend, and the statement
    assert "no other statement" in board
