"""One self-contained page about a run of the laboratory: verdicts, proof graph, tightness, and every statement.

Nothing is fetched when the page is read: fonts, styles and pictures are inside, formulas are MathML, there is no
script, and the page's own policy forbids requests.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from figures.report.order import falls_with, filter_rules, filters, reading_order
from figures.report.proof_board import board_rules, proof_board
from figures.report.shell import made_by, page_html
from figures.report.statement_section import statement_section
from figures.report.tightness_rows import tightness_rows
from figures.report.verdict_list import verdict_list
from figures.report.words import count, figures_in_words, link
from proofs_check.judging.verdict import OUTCOMES, Verdict
from proofs_check.show.graph import proof_graph as graph_of
from proofs_check.show.graph import shaken
from proofs_check.show.summary import is_proved
from proofs_check.statements.statement import Statement

#: Instances that miss the premise are named among the large numbers where they exceed this share of those that meet it.
LITTLE = 0.01
#: Where the page can be entered: anchor and words.
CONTENTS = {
    "verdicts": "Verdicts",
    "graph": "Proof graph",
    "tightness": "Tightness",
    "statements": "Statements",
    "again": "Settings",
}


def report_html(
    verdicts: Sequence[Verdict],
    settings: Mapping[str, Any],
    statements: Mapping[str, Statement] | None = None,
    missing: Sequence[str] = (),
    command: str = "",
) -> str:
    """The page.

    Args:
        verdicts: of the run, in the order of the table.
        settings: of the run: examples, seed and so on, by name.
        statements: by slug; every statement of the laboratory if None.
        missing: slugs that an interrupted run did not come to; the page begins with them.
        command: that makes the page again; made of the settings if empty.

    >>> from proofs_check.judging.check import check
    >>> page = report_html([check("remark-bad-pairs", examples=5)], {"examples": 5, "seed": 0})
    >>> page.startswith("<!doctype html>"), "src=" in page, "<script" in page
    (True, False, False)
    """
    if statements is None:
        from proofs_check.statements.registry import STATEMENTS

        statements = STATEMENTS
    verdicts = reading_order(verdicts)
    weak = shaken(graph_of(statements), verdicts)
    tied = falls_with(statements)
    here = {verdict.slug for verdict in verdicts}
    sections = "\n".join(
        statement_section(verdict, statements[verdict.slug], verdict.slug in weak, here, tied[verdict.slug])
        for verdict in verdicts
    )
    tight = tightness_rows(verdicts, statements)
    parts = [
        _warning(len(verdicts), missing) if missing else "",
        f"<h1>{_tied(_headline(verdicts))}</h1>",
        _summary(verdicts),
        _contents({"tightness"} if not tight else set()),
        '<h2 id="verdicts">Verdicts</h2>',
        filters(verdicts),
        verdict_list(verdicts, statements),
        '<h2 id="graph">Which proof uses which statement</h2>',
        proof_board(verdicts, statements),
        tight,
        '<h2 id="statements">The statements</h2>',
        sections,
        made_by(command or _command(verdicts, settings, statements), list(settings.items())),
    ]
    rules = filter_rules() + "\n" + board_rules(len(statements))
    return page_html(f"KROPE: {count(len(verdicts), 'verdict')}", parts, rules)


def _warning(judged: int, missing: Sequence[str]) -> str:
    told = f"INCOMPLETE: the run was interrupted after {judged} of {judged + len(missing)} statements."
    return f'<p class="lead"><strong>{told}</strong> Not judged: {escape(", ".join(missing))}.</p>'


def _headline(verdicts: Sequence[Verdict]) -> str:
    """What came out, in one line.

    >>> _headline([Verdict("s", "c", "holds", "exact", 1, 0, 0.5)])
    '1 statement: 1 holds, 0 are refuted'
    """
    return f"{count(len(verdicts), 'statement')}: {_outcomes(verdicts)}"


def _tied(headline: str) -> str:
    """A headline whose numbers stay on the line of what they count.

    >>> _tied("2 statements: 1 holds, 1 is refuted")
    '2 statements: <span class="tied">1 holds,</span> <span class="tied">1 is refuted</span>'
    """
    head, told = headline.split(": ")
    first, second = told.split(", ")
    return f'{head}: <span class="tied">{first},</span> <span class="tied">{second}</span>'


def _outcomes(verdicts: Sequence[Verdict]) -> str:
    hold, refuted = (sum(verdict.outcome == outcome for verdict in verdicts) for outcome in ("holds", "refuted"))
    return f"{hold} {'holds' if hold == 1 else 'hold'}, {refuted} {'is' if refuted == 1 else 'are'} refuted"


def _by_origin(verdicts: Sequence[Verdict]) -> str:
    """The same for KROPE's statements and for those of other papers, where the page has both."""
    from proofs_check.statements.registry import STATEMENTS

    neighbors = STATEMENTS.in_group("neighbors")
    foreign = [verdict for verdict in verdicts if verdict.slug in neighbors]
    own = [verdict for verdict in verdicts if verdict not in foreign]
    if not (own and foreign):
        return ""
    return f"{len(own)} are about KROPE ({_outcomes(own)}), {len(foreign)} are of other papers ({_outcomes(foreign)}). "


def _summary(verdicts: Sequence[Verdict]) -> str:
    surprises = [verdict.slug for verdict in verdicts if not verdict.as_expected]
    words = "Each verdict is the expected one."
    if surprises:
        words = f"{count(len(surprises), 'verdict')} not the expected one: " + ", ".join(map(link, surprises)) + "."
    found = [
        (outcome, str(sum(verdict.outcome == outcome for verdict in verdicts)), told)
        for outcome, told in zip(OUTCOMES, ("hold", "refuted", "vacuous", "unproved"), strict=True)
        if outcome in ("holds", "refuted") or any(verdict.outcome == outcome for verdict in verdicts)
    ]
    found.append(("holds", str(sum(is_proved(verdict) for verdict in verdicts)), "proved for every chain"))
    found.append(("", f"{sum(verdict.tried for verdict in verdicts):,}", "instances judged"))
    without = sum(verdict.vacuous for verdict in verdicts)
    if without > LITTLE * sum(verdict.tried for verdict in verdicts):
        found.append(("", f"{without:,}", "instances left out: premise not met"))
    found.append(("", str(sum(verdict.witness is not None for verdict in verdicts)), "exact witnesses"))
    return f'<p class="lead">{_by_origin(verdicts)}{words}</p>\n{figures_in_words(found)}'


def _contents(without: set[str]) -> str:
    links = (f'<a href="#{name}">{words}</a>' for name, words in CONTENTS.items() if name not in without)
    return f'<nav class="contents" aria-label="Contents">{"".join(links)}</nav>'


def _command(verdicts: Sequence[Verdict], settings: Mapping[str, Any], statements: Mapping[str, Statement]) -> str:
    """The command that judges the same statements in the same way."""
    import shlex

    slugs = sorted(verdict.slug for verdict in verdicts)
    words = ["krope", "check", *(slugs if slugs != sorted(statements) else ())]
    words += [word for name in ("examples", "seed") if name in settings for word in (f"--{name}", str(settings[name]))]
    words += ["--exact"] if settings.get("exact") else []
    return shlex.join([*words, "--report", "report.html"])
