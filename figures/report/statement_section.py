"""The section of the report on one statement: claim, formula, witness, proof, and what was tried."""

import json
from collections.abc import Collection, Mapping, Sequence
from html import escape
from math import isnan
from typing import Any

from figures.parts.witness_graph import witness_svg
from figures.report.latex_math import formula_math
from figures.report.order import classes
from figures.report.prose import typeset
from figures.report.words import Cell, facts, link, table, text, verdict_mark
from proofs_check.judging.assembling import theorems
from proofs_check.judging.verdict import StepVerdict, Trial, Verdict
from proofs_check.show.broken import sides_on, size_words
from proofs_check.show.evidence_numbers import chance, number, worst
from proofs_check.show.explain import CONTROL, SMALLER, certificate_rows, witness_title
from proofs_check.show.witness_rows import short, view_witness
from proofs_check.statements.statement import Statement, title_of

#: A ratio of sides above 1 by no more than this is one by rounding.
ROUNDING = 1e-6
LEVELS = {
    "sampled": "random floats",
    "adversarial": "an optimizer",
    "identity": "random field elements",
    "exact": "random rationals",
    "witness": "an exact witness",
    "proved": "a certificate, checked: it is proved for chains of every size",
}


def statement_section(
    verdict: Verdict,
    statement: Statement,
    shaken: bool = False,
    here: Collection[str] = (),
    tied: tuple[Sequence[str], Sequence[str]] = ((), ()),
) -> str:
    """One statement as an HTML section whose anchor is its slug.

    Args:
        verdict: the judgment.
        statement: what was judged.
        shaken: whether its proof rests on a refuted statement.
        here: statements that the page has a section on.
        tied: those whose proof uses it, and all whose proof falls if it is false.
    """
    name = escape(verdict.slug)
    parts = [
        f'<section class="statement {classes(verdict)}" id="{name}">',
        f"<header>{verdict_mark(verdict)}<h3>{typeset(title_of(statement))}</h3>",
        f'<span class="slug">{name}</span></header>',
        f'<p class="claim">{typeset(statement.claim)}</p>',
        f'<div class="formula">{formula_math(statement.formula, display=True)}</div>',
        *(_witness(title, witness, statement) for title, witness in _witnesses(verdict, statement)),
        _facts(verdict, statement, shaken, here, tied),
        f"<h4>The proof, step by step</h4>{_steps(verdict)}" if verdict.steps else "",
        f"<h4>What was tried</h4>{_trials(verdict, statement)}" if verdict.trials else "",
        _certificate(verdict),
        _theorem(verdict),
        "</section>",
    ]
    return "\n".join(part for part in parts if part)


def _certificate(verdict: Verdict) -> str:
    if verdict.certificate is None:
        return ""
    rows = certificate_rows(verdict.certificate).items()
    said = facts([(name, "<br>".join(escape(line) for line in shown)) for name, shown in rows])
    return f"<details><summary>The certificate, for chains of every size</summary>{said}</details>"


def _theorem(verdict: Verdict) -> str:
    found = theorems().get(verdict.slug)
    if verdict.formal is None or found is None:
        return ""
    said = escape(found.statement)
    return f"<details><summary>The theorem in Coq, {escape(verdict.formal)}</summary><pre>{said}</pre></details>"


def _facts(
    verdict: Verdict,
    statement: Statement,
    shaken: bool,
    here: Collection[str],
    tied: tuple[Sequence[str], Sequence[str]],
) -> str:
    uses = _links(statement.uses, here, "no other statement")
    rows = [
        ("Assumes", typeset(statement.assumes)),
        ("Source", escape(statement.source)),
        ("Proof uses", uses + (" \u2014 it rests on a refuted statement" if shaken else "")),
        ("Used by", _links(tied[0], here, "no other proof")),
        ("Falls if this is false", _links(tied[1], here, "nothing else")),
        ("Evidence", escape(LEVELS.get(verdict.evidence, verdict.evidence))),
        ("Control", typeset(f"{statement.control.claim} ({CONTROL[verdict.control_fails]})")),
    ]
    if verdict.outcome == "refuted" and statement.true_instead is not None:
        rows.insert(0, ("True instead", _links([statement.true_instead], here, "")))
    if verdict.constant is not None:
        best = verdict.constant
        words = f"{best.name}: {best.proven:.4g} proven, at least {best.found:.4g} by the adversary"
        rows.append(("Constant", typeset(words)))
    if verdict.first_false_step:
        rows.append(("First false step", false_step_words(verdict)))
    return facts(rows)


def _links(slugs: Sequence[str], here: Collection[str], none: str) -> str:
    """The titles of other statements; those that the page has can be followed."""
    from proofs_check.statements.registry import STATEMENTS

    titles = ((slug, typeset(title_of(STATEMENTS[slug]) if slug in STATEMENTS else slug)) for slug in slugs)
    return "; ".join(link(slug, title) if slug in here else title for slug, title in titles) or none


def false_step_words(verdict: Verdict) -> str:
    """What the first false step says, with its name."""
    name = verdict.first_false_step or ""
    claim = next((step.claim for step in verdict.steps if step.name == name), "")
    slug = f'<span class="slug">{escape(name)}</span>'
    return f"{typeset(claim)} {slug}" if claim else slug


def _trials(verdict: Verdict, statement: Statement) -> str:
    some = statement.form == "some"
    numbers = ("tried", "vacuous", "not examples" if some else "failed", "worst violation")
    head = [text("evidence"), *(text(name, "number") for name in numbers), text("tightness")]
    rows = [("", _trial(trial, some)) for trial in verdict.trials]
    if any(trial.error is not None for trial in verdict.trials):
        head.append(text("chance of error", "number"))
        for trial, (_, cells) in zip(verdict.trials, rows, strict=True):
            cells.append(text(chance(trial.error), "number"))
    return table("trials", head, rows)


def _trial(trial: Trial, some: bool) -> list[Cell]:
    counts = [text(count, "number") for count in (trial.tried, trial.vacuous, trial.failed)]
    level = text(LEVELS.get(trial.level, trial.level))
    # Where one example suffices, the others violate nothing.
    size, ratio = ("-", "-") if some else (worst(trial.worst), tightness_bar(trial.tightness))
    return [level, *counts, text(size, "number"), ("short", ratio)]


def tightness_bar(ratio: float) -> str:
    """A bar that is full at equality, and the number.

    >>> tightness_bar(0.5)
    '<span class="bar"><i style="width: 50.0%"></i></span>0.5'
    >>> tightness_bar(float("nan"))
    '-'
    """
    if isnan(ratio):
        return "-"
    share = 100 * min(max(ratio, 0.0), 1.0)
    broken = " broken" if ratio > 1 + ROUNDING else ""
    return f'<span class="bar{broken}"><i style="width: {share:.1f}%"></i></span>{number(ratio)}'


def _steps(verdict: Verdict) -> str:
    head = [
        text(""),
        text("claim"),
        text("step"),
        text("about"),
        text("worst residual", "number"),
        text("tried", "number"),
    ]
    return table("steps", head, [("" if step.holds else "false", _step(step, verdict)) for step in verdict.steps])


def _step(step: StepVerdict, verdict: Verdict) -> list[Cell]:
    first = step.name == verdict.first_false_step
    mark = ("refuted", "\u2717 first false step" if first else "\u2717 false")
    if step.holds:
        mark = ("holds", "\u2713 holds") if step.tried else ("vacuous", "\u2205 not tried")
    shown = f'<span class="verdict {mark[0]}"><i>{mark[1][0]}</i>{mark[1][1:]}</span>'
    numbers = [text(worst(step.worst), "number"), text(step.tried, "number")]
    claim = ("claim", typeset(step.claim))
    return [("short", shown), claim, text(step.name, "slug"), text(step.kind), *numbers]


def _witnesses(verdict: Verdict, statement: Statement) -> list[tuple[str, Mapping[str, Any]]]:
    both = ((witness_title(statement), verdict.witness), (SMALLER, verdict.shrunk))
    return [(title, witness) for title, witness in both if witness is not None]


def _witness(title: str, witness: Mapping[str, Any], statement: Statement) -> str:
    view = view_witness(witness)
    head = [text("pair"), text("reward", "number"), *(text(name, "number") for name in view.columns)]
    rows = []
    for x, r in enumerate(view.rewards):
        columns = [("number", typeset(column[x])) for column in view.columns.values()]
        rows.append(("", [text(f"{x} *" if x in view.marked else x), ("number", typeset(short(r))), *columns]))
    others = [(name.replace("_", " "), escape(value)) for name, value in view.others.items()]
    settled = " ".join(f"<span>{typeset(sides.sentence())}</span>" for sides in sides_on(statement, witness))
    name = escape(f"{statement.slug}-{len(view.rewards)}")
    exact = f"<details><summary>exact form</summary><pre>{escape(json.dumps(witness))}</pre></details>"
    return (
        f'<div class="witness"><h4>{title} <small>{typeset(size_words(witness))}</small></h4>'
        f'<p class="settled">{settled}</p><div class="shown">{witness_svg(witness, name)}'
        f"<div>{table('pairs', head, rows)}{facts(others)}</div></div>{exact}</div>"
    )
