import re
from dataclasses import replace
from html.parser import HTMLParser

from figures.report.order import EVIDENCE, classes, falls_with, reading_order
from figures.report.order import VERDICTS as KINDS
from figures.report.page import report_html
from figures.report.prose import typeset
from figures.report.shell import versions
from figures.report.statement_section import statement_section, tightness_bar
from proofs_check.judging.check import check
from proofs_check.judging.verdict import StepVerdict, Trial, Verdict
from proofs_check.show.graph import proof_graph
from proofs_check.statements.registry import STATEMENTS

SLUGS = ("lemma-value-bound", "prop-distance-identity", "remark-self-similarity", "theorem-1", "remark-bad-pairs")
VERDICTS = [check(slug, examples=5) for slug in SLUGS]
SETTINGS = {"examples": 5, "seed": 0, "exact": False}
PAGE = report_html(VERDICTS, SETTINGS)
VOID = {"meta", "br", "input"}


class Reader(HTMLParser):
    """Checks that elements nest, and keeps what a reader would see, ids, links and attributes."""

    def __init__(self, page):
        super().__init__()
        self.open, self.text, self.ids, self.links, self.tags, self.attributes = [], [], [], [], [], []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        values = dict(attrs)
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values["href"]] if tag == "a" else []
        self.text += [values["alttext"]] if tag == "math" else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"style", "title", "math"} & set(self.open):
            self.text.append(data)

    @property
    def words(self):
        return " ".join(" ".join(self.text).split())


READER = Reader(PAGE)


def test_the_page_is_whole_and_its_ids_are_unique():
    assert PAGE.startswith("<!doctype html>")
    assert len(READER.ids) == len(set(READER.ids))
    assert set(READER.links) <= {f"#{id_}" for id_ in READER.ids}


def test_nothing_is_fetched_and_nothing_runs():
    assert not {"script", "link", "img", "iframe", "object", "embed"} & set(READER.tags)
    for name, value in READER.attributes:
        assert not name.startswith("on")
        assert name not in ("src", "srcset", "action")
        if name in ("href", "xlink:href"):
            assert value.startswith("#")
    assert "@import" not in PAGE
    assert set(re.findall(r"url\(([^;)]*)", PAGE)) <= {"data:font/woff2", *re.findall(r"url\((#[^)]*)\)", PAGE)}
    assert "default-src 'none'" in PAGE


def test_the_list_has_every_verdict_refuted_ones_first():
    table = PAGE[PAGE.index('<table class="verdicts">') : PAGE.index("</table>")]
    rows = re.findall(r'<tr class="(?!group)[^"]*is-.*?</tr>', table, re.DOTALL)
    assert len(rows) == len(VERDICTS)
    for row, verdict in zip(rows, reading_order(VERDICTS), strict=True):
        assert row.index('<span class="verdict') < row.index(f'href="#{verdict.slug}"')
        assert f'<span class="verdict {verdict.outcome}">' in row
        assert f"<small><span>{verdict.evidence}" in row
        bounded = verdict.error is not None and verdict.evidence != "proved"
        assert not bounded or f"error &lt; {verdict.error:.2g}" in row
        assert (verdict.formal is not None) == ("(Coq)" in row)
        proved = verdict.outcome == "holds" and (verdict.evidence == "proved" or verdict.formal is not None)
        assert proved == ("<i>\u220e</i> proved</span>" in row)
        assert f">{verdict.tried}</td>" in row
    assert "is-refuted" in rows[0]
    assert "last-equality" in rows[0]


def told(text):
    """A sentence as `Reader` sees it: formulas by their plain text, and spaces as they fall."""
    return Reader(f"<p>{typeset(text)}</p>").words


def test_a_section_for_each_statement():
    words = READER.words
    for verdict in VERDICTS:
        statement = STATEMENTS[verdict.slug]
        assert verdict.slug in READER.ids
        for part in (statement.claim, statement.assumes, statement.control.claim):
            assert told(part) in words
        assert statement.source in words
        for step in verdict.steps:
            assert words.count(told(step.claim)) >= 2  # in the section and on the card
    assert words.count("first false step ") >= 2
    assert words.count("vacuous not examples worst violation") == 1
    assert words.count("vacuous failed worst violation") == len(VERDICTS) - 1
    assert PAGE.count('<math display="block"') == len(VERDICTS)
    assert '<code class="formula">' not in PAGE


def test_the_witness_is_there_in_three_forms():
    section = PAGE[PAGE.index('id="lemma-value-bound"') :]
    section = "<p " + section[: section.index("</section>")] + "</p>"
    assert "0 to 2 (3/4)" in section
    assert "|q(0)-q(1)| = 81/10 ; the claim says at most d + C = 81/20 ." in Reader(section).words
    assert "<mfrac><mn>81</mn><mn>20</mn></mfrac>" in section
    assert "&quot;P_pi&quot;: [[&quot;0&quot;, &quot;0&quot;, &quot;3/4&quot;" in section


def test_counts_settings_and_versions():
    words = READER.words
    assert "5 statements: 4 hold, 1 is refuted Each verdict is the expected one. 4 hold 1 refuted" in words
    assert f"{sum(v.tried for v in VERDICTS)} instances judged" in words
    assert re.search(r"examples 5 seed 0 exact no krope \d", words)
    assert f"krope check {' '.join(sorted(SLUGS))} --examples 5 --seed 0 --report report.html" in words
    for name, version in versions().items():
        assert f"{name} {version}" in words
    assert report_html(VERDICTS, SETTINGS) == PAGE


def test_every_row_and_section_can_be_hidden_by_what_the_page_offers():
    boxes = set(re.findall(r'id="show-([\w-]+)" checked', PAGE))
    for verdict in VERDICTS:
        assert set(classes(verdict).split()) <= boxes
        assert f'<tr class="{classes(verdict)}">' in PAGE
        assert f'<section class="statement {classes(verdict)}" id="{verdict.slug}">' in PAGE
    for kind in boxes:
        assert f"body:has(#show-{kind}:not(:checked)) :is(tr, section).{kind} {{ display: none !important; }}" in PAGE
    assert boxes <= {*KINDS, *EVIDENCE}


def test_what_falls_is_what_the_graph_reaches():
    import networkx as nx

    graph = proof_graph()
    for slug, (used_by, fall) in falls_with(STATEMENTS).items():
        assert set(used_by) == set(graph.predecessors(slug))
        assert set(fall) == nx.ancestors(graph, slug)


def test_a_surprise_is_flagged():
    verdicts = [replace(VERDICTS[3], expected="refuted", expected_false_step="norm"), VERDICTS[4]]
    words = Reader(report_html(verdicts, {})).words
    assert "1 verdict not the expected one: theorem-1 ." in words
    assert "expected: refuted, first false step norm" in words
    assert '<tr class="unexpected ' in report_html(verdicts, {})
    plain = Reader(report_html([replace(VERDICTS[3], expected="refuted", expected_false_step=None)], {})).words
    assert "proved expected: refuted proved" in plain


def test_everything_is_escaped():
    evil = "<script>alert('&')</script>\"'"
    statement = replace(
        STATEMENTS["theorem-1"],
        slug=evil,
        claim=evil,
        source=evil,
        assumes=evil,
        formula=evil,
        control=replace(STATEMENTS["theorem-1"].control, claim=evil),
        uses=(),
    )
    verdict = replace(
        VERDICTS[0],
        slug=evil,
        claim=evil,
        evidence=evil,
        expected=evil,
        expected_false_step=evil,
        first_false_step=evil,
        steps=(StepVerdict(evil, evil, False, 1.0, 1),),
        witness={**VERDICTS[0].witness, evil: ["1"] * 6},
    )
    page = report_html([verdict], {evil: evil}, {evil: replace(statement, sides=lambda case: [])})
    assert "<script" not in page
    assert "script" not in Reader(page).tags
    assert "alert" in Reader(page).words


def test_vacuous_and_missing_parts():
    bare = Verdict("theorem-1", "claim", "vacuous", "sampled", 0, 3, float("-inf"))
    page = report_html([bare], {})
    words = Reader(page).words
    assert "1 vacuous" in words
    assert "3 instances left out: premise not met" in words
    assert "What was tried" not in words
    assert "The proof, step by step" not in words
    assert "How tight" not in words
    assert "1 statement: " in words


def test_what_rests_on_a_refutation_says_so():
    lab = {slug: STATEMENTS[slug] for slug in ("lemma-k1-psd",)}
    lab["theorem-1"] = replace(STATEMENTS["theorem-1"], uses=("lemma-k1-psd",))
    refuted = Verdict("lemma-k1-psd", "", "refuted", "witness", 1, 0, 2.0)
    page = Reader(report_html([refuted, VERDICTS[3]], {}, lab))
    assert "The reward kernel is positive semidefinite \u2014 it rests on a refuted statement" in page.words


def test_statements_of_other_papers_are_counted_apart():
    foreign = Verdict("n-step-monotone", "", "refuted", "witness", 1, 0, 2.0, expected="refuted")
    words = Reader(report_html([VERDICTS[3], foreign], {})).words
    told = "1 are about KROPE (1 holds, 0 are refuted), 1 are of other papers (0 hold, 1 is refuted). Each verdict"
    assert told in words
    assert "of other papers" not in READER.words


def test_a_false_step_is_told_in_words_and_other_statements_by_title():
    false = next(verdict for verdict in VERDICTS if verdict.slug == "lemma-value-bound")
    section = Reader(statement_section(false, STATEMENTS[false.slug], here={"value-bound-independent"})).words
    step = next(step for step in false.steps if step.name == false.first_false_step)
    assert f"First false step {told(step.claim)} {step.name}" in section
    assert "True instead Value gaps at most" in section


def test_only_statements_on_the_page_are_linked():
    statement = replace(STATEMENTS["theorem-1"], uses=("a", "b"))
    html = statement_section(VERDICTS[3], statement, here={"a"})
    assert 'href="#a"' in html
    assert 'href="#b"' not in html


def test_steps_not_tried_and_steps_false_later():
    found = (("a", True, 0), ("b", False, 1), ("c", False, 1))
    steps = tuple(StepVerdict(name, name, holds, 0.0, tried) for name, holds, tried in found)
    html = statement_section(replace(VERDICTS[3], steps=steps, first_false_step="b"), STATEMENTS["theorem-1"])
    assert html.count("not tried") == html.count("\u2717</i> first false step") == html.count("\u2717</i> false") == 1


def test_a_chance_of_error_is_shown_where_there_is_one():
    trials = (Trial("sampled", 5, 0, 0, 0.5), Trial("identity", 9, 0, 0, 0.0, error=2.5e-17))
    html = statement_section(replace(VERDICTS[3], trials=trials), STATEMENTS["theorem-1"])
    assert "chance of error" in html
    assert "&lt; 2.5e-17" in html
    plain = statement_section(replace(VERDICTS[3], trials=trials[:1]), STATEMENTS["theorem-1"])
    assert "chance of error" not in plain


def test_bars_end_at_equality():
    assert 'width: 100.0%"' in tightness_bar(1.7)
    assert tightness_bar(1.7).endswith("1.7")
    assert 'width: 0.0%"' in tightness_bar(-1.0)


def test_a_version_that_is_not_known(monkeypatch):
    monkeypatch.setattr("figures.report.shell.PACKAGES", ("no-such-package",))
    assert versions()["no-such-package"] == "unknown"
