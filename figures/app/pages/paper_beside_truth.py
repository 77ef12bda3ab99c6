"""Paper beside truth: the printed statement, the true one, and the step at which the proof breaks."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from figures.app.controls import Choice, Control
from figures.app.drawing.figure import Drawn
from figures.app.page_sheet import Answer, Asked, Sheet
from figures.app.tours import paper as tour
from figures.parts.formula_svg import formula_html
from proofs_check.statements.statement import Statement

LEAD = r"""
Most of what the paper says is true; some is not, and some is true for another reason than the printed one. **Choose a
statement.** Every step of the printed proof is evaluated on a chain in exact fractions, and the first one that fails is marked.
"""
MORE = r"""
**A step that fails on one chain is no step of a proof.** A step that holds on this chain may still be false elsewhere;
`krope check SLUG --verbose` tries each on thousands of chains, and shows which are proved for chains of every size.

**Why it went unnoticed.** The false steps hold on deterministic chains, or when rewards tell all pairs apart, and those are the
examples that one draws on a blackboard.
"""
SIGNS = {tour.HOLDS: "\u2713", tour.FALSE: "\u2717", tour.SILENT: "\u2013"}


def _controls(asked: Asked) -> Sequence[Control]:
    options = {slug: about for slug, (about, _) in tour.BESIDE.items()}
    return (Choice("slug", "statement", options, next(iter(tour.BESIDE))),)


def _box(kind: str, head: str, statement: Statement) -> str:
    return (
        f'<div class="{kind}"><h2>{head}</h2><p>{formula_html(statement.formula)}</p>'
        f"<p>{tour.printed_claim(statement.claim)}</p></div>"
    )


def side_by_side(found: tour.Beside) -> str:
    """Both statements, and the proof below them."""
    head = "Printed, and false" if found.refuted else "Printed, and true"
    instead = "True instead" if found.true is not found.printed else "True, when the step is mended"
    rows = "".join(
        f'<li class="{step.mark}" data-name="step-{escape(step.name)}" data-value="{step.mark}">'
        f"<b>{SIGNS[step.mark]}</b><span>{tour.printed_claim(step.claim)}"
        + (" <b class='bad'>\u2190 the proof breaks here</b>" if step.name == found.first_false else "")
        + "</span></li>"
        for step in found.steps
    )
    return (
        f'<div class="versus">{_box("printed", head, found.printed)}{_box("true", instead, found.true)}</div>'
        f'<ol class="proof" aria-label="the printed proof">{rows}</ol>'
    )


def _answer(values: Mapping[str, Any], asked: Asked) -> Answer:
    found = tour.compute(values["slug"])
    about = tour.BESIDE[found.printed.slug][0]
    title = f"{about[0].upper()}{about[1:]}: what is printed, what is true, and the printed proof"
    code = f'proofs_check.check("{found.printed.slug}").first_false_step'
    return Answer(tour.words(found), False, [Drawn("", escape(title), lambda: side_by_side(found))], code=code)


SHEET = Sheet(LEAD, _controls, _answer, MORE)
