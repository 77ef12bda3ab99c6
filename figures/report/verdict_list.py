"""The list of verdicts: refuted ones first, each with its numbers; on a phone its cells stand below each other."""

from collections.abc import Mapping, Sequence
from html import escape
from math import isfinite

from figures.report.order import VERDICTS, classes, reading_order, verdict_class
from figures.report.prose import typeset
from figures.report.statement_section import false_step_words
from figures.report.words import text, verdict_mark
from proofs_check.judging.verdict import Verdict
from proofs_check.show.evidence_numbers import number
from proofs_check.show.summary import refutation_words
from proofs_check.show.table import evidence_words
from proofs_check.statements.statement import Statement, title_of

HEAD = (("", "verdict"), ("", "statement"), ("number", "instances"), ("number", "tightness"))
#: What the last columns mean.
NOTE = (
    "Instances: those that met the premise. Tightness: the largest ratio of the left side to the right side that was "
    "found, 1 at equality; under it the best constant."
)


def verdict_list(verdicts: Sequence[Verdict], statements: Mapping[str, Statement]) -> str:
    """The table, in groups of the same verdict, with a line below it that counts what is not hidden."""
    head = "".join(f"<th{_class(kind)}>{words}</th>" for kind, words in HEAD)
    groups: dict[str, list[Verdict]] = {}
    for verdict in reading_order(verdicts):
        groups.setdefault("unexpected" if not verdict.as_expected else verdict_class(verdict), []).append(verdict)
    body = "".join(_group(kind, found, statements) for kind, found in groups.items())
    shown = f'<p class="shown" data-all="{len(verdicts)}"></p>'
    return f'<table class="verdicts"><thead><tr>{head}</tr></thead>{body}</table>{shown}<p class="note">{NOTE}</p>'


def _group(kind: str, verdicts: Sequence[Verdict], statements: Mapping[str, Statement]) -> str:
    words = "not as expected" if kind == "unexpected" else VERDICTS[kind]
    told = f"{words[0].upper()}{words[1:]} <small>{len(verdicts)}</small>"
    heading = f'<tr class="group {kind}"><th colspan="4">{told}</th></tr>'
    rows = "\n".join(_row(verdict, statements[verdict.slug]) for verdict in verdicts)
    return f"<tbody>{heading}\n{rows}</tbody>"


def _row(verdict: Verdict, statement: Statement) -> str:
    unexpected = "" if verdict.as_expected else "unexpected "
    evidence = "".join(f"<span>{escape(words)}</span>" for words in _evidence(verdict))
    slug = escape(verdict.slug)
    title = f'<a class="title" href="#{slug}">{typeset(title_of(statement))}</a> <span class="slug">{slug}</span>'
    told = [title, f'<p class="claim">{typeset(verdict.claim)}</p>', _numbers(verdict, statement)]
    best = verdict.constant
    constant = "" if best is None else f"constant: {number(best.proven)} proven, {number(best.found)} found"
    ratio = number(verdict.tightness) if isfinite(verdict.tightness) else "\u2013"
    cells = (
        ("mark", f"{verdict_mark(verdict)}<small>{evidence}</small>"),
        ("told", "".join(told)),
        ("number tried", text(f"{verdict.tried:,}")[1]),
        ("number ratio", escape(ratio) + (f"<small>{escape(constant)}</small>" if constant else "")),
    )
    shown = "".join(f"<td{_class(kind)}>{content}</td>" for kind, content in cells)
    return f'<tr class="{unexpected}{classes(verdict)}">{shown}</tr>'


def _evidence(verdict: Verdict) -> list[str]:
    """The kinds of evidence, each with what belongs to it.

    >>> from proofs_check.judging.verdict import Trial
    >>> trial = Trial("identity", 3, 0, 0, 0.0, error=2.5e-49)
    >>> _evidence(Verdict("s", "c", "holds", "exact", 1, 0, worst=0.25, trials=(trial,)))
    ['exact', 'identities: error < 2.5e-49']
    """
    said = evidence_words(verdict).replace("identities:\nerror", "identities: error")
    return [words.strip() for words in said.replace("; ", "\n").split("\n")]


def _numbers(verdict: Verdict, statement: Statement) -> str:
    """The numbers that refute a statement, or the step that is false though it holds."""
    if verdict.outcome == "refuted":
        said = refutation_words(verdict, statement)
        return f'<p class="numbers">{typeset(said)}</p>' if said else ""
    if verdict.first_false_step:
        return f'<p class="numbers">printed step that is false: {false_step_words(verdict)}</p>'
    return ""


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
