"""A statement in short, for the proof graph: claim, proof, witness, and what falls if it is false."""

from collections.abc import Mapping, Sequence
from html import escape

from figures.report.latex_math import formula_math
from figures.report.prose import typeset
from figures.report.words import SIGNS, count, verdict_mark
from proofs_check.judging.verdict import StepVerdict, Verdict
from proofs_check.show.broken import sides_on, size_words
from proofs_check.statements.statement import Statement, title_of


def statement_card(
    slug: str,
    statement: Statement,
    verdict: Verdict | None,
    numbers: Mapping[str, int],
    tied: tuple[Sequence[str], Sequence[str]],
    kind: str,
) -> str:
    """One card; without a verdict it says so.

    Args:
        slug: of the statement.
        statement: what is claimed.
        verdict: the judgment; None if it was not judged.
        numbers: of the statements, by slug: those of their radio buttons.
        tied: those whose proof uses it, and all whose proof falls if it is false.
        kind: as the graph draws it.
    """
    mark = '<span class="verdict">not judged in this run</span>' if verdict is None else verdict_mark(verdict)
    more = "" if verdict is None else f'<p><a href="#{escape(slug)}">All about it \u2193</a></p>'
    parts = [
        f"<div><p>{mark}</p><h3>{typeset(title_of(statement))}</h3>",
        f'<p class="slug">{escape(slug)}</p><p>{typeset(statement.claim)}</p>',
        f'<p class="formula">{formula_math(statement.formula)}</p>{more}</div>',
        f"<div><h4>Proof</h4>{_steps(verdict)}{_witness(statement, verdict)}</div>",
        f"<div>{_falls(statement, numbers, tied)}</div>",
    ]
    close = '<label class="close" for="pick-none" title="close">\u00d7</label>'
    return f'<article class="card {kind}" id="card-{numbers[slug]}">{close}{"".join(parts)}</article>'


def _steps(verdict: Verdict | None) -> str:
    if verdict is None or not verdict.steps:
        return "<p>no steps were judged</p>"
    return f'<ol class="steps">{"".join(_step(step) for step in verdict.steps)}</ol>'


def _step(step: StepVerdict) -> str:
    kind = "refuted" if not step.holds else "holds" if step.tried else "vacuous"
    return f'<li class="{kind}"><i>{SIGNS[kind]}</i><span>{typeset(step.claim)}</span></li>'


def _witness(statement: Statement, verdict: Verdict | None) -> str:
    if verdict is None or verdict.witness is None:
        return ""
    said = " ".join(sides.sentence() for sides in sides_on(statement, verdict.witness))
    return f'<h4>Witness</h4><p class="numbers">{typeset(f"{size_words(verdict.witness)}: {said}")}</p>'


def _falls(statement: Statement, numbers: Mapping[str, int], tied: tuple[Sequence[str], Sequence[str]]) -> str:
    used_by, fall = tied
    shaken = (
        f"{count(len(fall), 'proof')} {'falls' if len(fall) == 1 else 'fall'}: {_picks(fall, numbers)}"
        if fall
        else "nothing else falls"
    )
    rows = (
        ("Its proof uses", _picks([one for one in statement.uses if one in numbers], numbers) or "no other statement"),
        ("Used by", _picks(used_by, numbers) or "no other proof"),
        ("What falls if this is false", shaken),
    )
    return "".join(f"<h4>{name}</h4><p>{told}</p>" for name, told in rows)


def _picks(slugs: Sequence[str], numbers: Mapping[str, int]) -> str:
    """Statements that a click chooses in the graph."""
    return ", ".join(f'<label class="pick" for="pick-{numbers[slug]}">{escape(slug)}</label>' for slug in slugs)
