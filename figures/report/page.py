"""One self-contained page about a run of the laboratory: verdicts, proof graph, tightness, and every statement.

Nothing is fetched when the page is read: styles, formulas and pictures are inside, there is no script, and the page's
own policy forbids requests.
"""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from figures.parts import proof_graph, tightness
from figures.parts.vector import inline_svg
from figures.report.look import STYLE
from figures.report.order import classes, falls_with, filter_rules, filters, reading_order
from figures.report.statement_section import statement_section
from figures.report.words import facts, lines, link, table, text, verdict_mark
from proofs_check.judging.verdict import OUTCOMES, Verdict
from proofs_check.show.explain import number, worst
from proofs_check.show.graph import proof_graph as graph_of
from proofs_check.show.graph import shaken
from proofs_check.show.summary import is_proved, refutation_words
from proofs_check.show.table import constant_words, evidence_words, vacuous_words
from proofs_check.show.titles import title_of
from proofs_check.statements.statement import Statement

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
#: Packages whose versions decide what a run does.
PACKAGES = ("numpy", "scipy", "python-flint")


def report_html(
    verdicts: Sequence[Verdict],
    settings: Mapping[str, Any],
    statements: Mapping[str, Statement] | None = None,
    missing: Sequence[str] = (),
) -> str:
    """The page.

    Args:
        verdicts: of the run, in the order of the table.
        settings: of the run: examples, seed and so on, by name.
        statements: by slug; every statement of the laboratory if None.
        missing: slugs that an interrupted run did not come to; the page begins with them.

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
    parts = [
        *([_warning(len(verdicts), missing)] if missing else []),
        f"<h1>Verdicts on {_count(len(verdicts), 'statement')} about KROPE</h1>",
        _summary(verdicts),
        "<h2>Verdicts</h2>",
        filters(verdicts),
        f'<div class="wide">{_verdict_table(verdicts, statements)}</div>',
        "<h2>Which proof uses which statement</h2>",
        "<p>A click on a statement leads to its claim, proof and witness, and to what falls if it is false.</p>",
        _graph(verdicts, statements),
        _tightness(verdicts, statements),
        "<h2>The statements</h2>",
        sections,
        "<h2>Settings of the run</h2>",
        facts([(name, escape(str(value))) for name, value in {**settings, **versions()}.items()]),
    ]
    head = (
        '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>KROPE: {_count(len(verdicts), 'verdict')}</title>\n<style>{STYLE}{filter_rules()}</style>"
    )
    body = "\n".join(part for part in parts if part)
    return f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body>\n{body}\n</body>\n</html>\n'


def save(verdicts: Sequence[Verdict], settings: Mapping[str, Any], path: str | Path) -> None:
    """Write the page to a file, whole or not at all."""
    from tabular_krope.data.atomic import atomic_write

    content = report_html(verdicts, settings).encode()
    atomic_write(path, lambda stream: stream.write(content))


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that decide what a run does."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from tabular_krope import __version__

    found = {"krope": __version__, "Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found


def _warning(judged: int, missing: Sequence[str]) -> str:
    told = f"INCOMPLETE: the run was interrupted after {judged} of {judged + len(missing)} statements."
    return f'<p class="lead"><strong>{told}</strong> Not judged: {escape(", ".join(missing))}.</p>'


def _summary(verdicts: Sequence[Verdict]) -> str:
    surprises = [verdict.slug for verdict in verdicts if not verdict.as_expected]
    words = "Each verdict is the expected one."
    if surprises:
        words = f"{_count(len(surprises), 'verdict')} not the expected one: " + ", ".join(map(link, surprises)) + "."
    counts = "".join(
        f'<li><b class="{outcome}">{sum(verdict.outcome == outcome for verdict in verdicts)}</b>{words_for}</li>'
        for outcome, words_for in zip(OUTCOMES, ("hold", "refuted", "vacuous", "unproved"), strict=True)
        if outcome != "unproved" or any(verdict.outcome == outcome for verdict in verdicts)
    )
    proved = sum(is_proved(verdict) for verdict in verdicts)
    counts += f'<li><b class="holds">{proved}</b>proved for every chain</li>'
    tried = sum(verdict.tried for verdict in verdicts)
    vacuous = sum(verdict.vacuous for verdict in verdicts)
    exact = sum(verdict.witness is not None for verdict in verdicts)
    more = f"<li><b>{tried:,}</b>instances judged</li><li><b>{vacuous:,}</b>vacuous instances</li>"
    more += f"<li><b>{exact}</b>exact witnesses</li>"
    return f'<p class="lead">{words}</p>\n<ul class="counts">{counts}{more}</ul>'


def _verdict_table(verdicts: Sequence[Verdict], statements: Mapping[str, Statement]) -> str:
    numbers = ("tried", "vacuous", "worst", "tightness")
    head = [text("verdict"), text("statement"), text("claim"), text("evidence")]
    head += [*(text(name, "number") for name in numbers), text("first false step")]
    rows = []
    for verdict in verdicts:
        ratio = number(verdict.tightness) + constant_words(verdict)
        counts = (verdict.tried, vacuous_words(verdict), worst(verdict.worst), ratio)
        title = f"<b>{escape(title_of(statements[verdict.slug]))}</b><br>"
        claim = ("claim", title + escape(verdict.claim) + _numbers(verdict, statements[verdict.slug]))
        cells = [("mark", verdict_mark(verdict)), ("slug", link(verdict.slug)), claim]
        cells += [lines(evidence_words(verdict), "short"), *(lines(str(count), "number") for count in counts)]
        cells.append(text(verdict.first_false_step or "", "short"))
        rows.append((f"{'' if verdict.as_expected else 'unexpected '}{classes(verdict)}", cells))
    note = (
        "worst: largest violation over its tolerance, at most 1 where a statement holds in floats; slack: no "
        "inequality became tight. tightness: largest left side over right side; under it the best constant found."
    )
    return table("verdicts", head, rows) + f"<p><small>{note}</small></p>"


def _numbers(verdict: Verdict, statement: Statement) -> str:
    """The numbers that refute a statement, below its claim."""
    if verdict.outcome != "refuted":
        return ""
    return f'<br><span class="numbers">{escape(refutation_words(verdict, statement))}</span>'


def _graph(verdicts: Sequence[Verdict], statements: Mapping[str, Statement]) -> str:
    data = proof_graph.compute(verdicts, statements)
    title = "Proof graph: " + "; ".join(f"{user} uses {used}" for used, user in data.edges)
    here = {verdict.slug for verdict in verdicts}
    picture = inline_svg(lambda ax: proof_graph.draw(data, ax, here), *proof_graph.size(data), "proofs", title)
    picture = picture.replace(f'href="#proofs-{proof_graph.SECTION}', 'href="#')
    return f'<div class="wide">{picture}</div>'


def _tightness(verdicts: Sequence[Verdict], statements: Mapping[str, Statement]) -> str:
    data = tightness.compute(verdicts, statements)
    if not data.slugs:
        return ""
    title = "Tightness: " + "; ".join(
        f"{slug} {max(found.values()):.3g}" for slug, found in zip(data.slugs, data.ratios, strict=True)
    )
    picture = inline_svg(lambda ax: tightness.draw(data, ax), *tightness.size(data), "tightness", title, framed=True)
    return f'<h2>How tight the inequalities are</h2>\n<div class="wide">{picture}</div>'


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"
