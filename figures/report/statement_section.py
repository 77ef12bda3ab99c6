"""The section of the report on one statement: claim, formula, proof, what was tried, and the witness."""

import json
from collections.abc import Collection, Mapping, Sequence
from html import escape
from math import isnan
from typing import Any

from figures.parts.formula_svg import formula_html
from figures.parts.witness_graph import witness_svg
from figures.report.order import classes
from figures.report.words import Cell, facts, link, table, text, verdict_mark
from proofs_check.judging.formal_proof import theorems
from proofs_check.judging.verdict import StepVerdict, Trial, Verdict
from proofs_check.show.broken import sides_on
from proofs_check.show.explain import (
    CONTROL,
    SMALLER,
    certificate_rows,
    chance,
    number,
    witness_title,
    worst,
)
from proofs_check.show.titles import title_of
from proofs_check.show.witness_rows import short, view_witness
from proofs_check.statements.statement import Statement

LEVELS = {
    "sampled": "random floats",
    "adversarial": "an optimiser",
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
    parts = [
        f'<section class="statement {classes(verdict)}" id="{escape(verdict.slug)}">',
        f"<h3>{verdict_mark(verdict)} {escape(title_of(statement))} <small>{escape(verdict.slug)}</small></h3>",
        f"<p>{escape(statement.claim)}</p>",
        f'<p class="formula">{formula_html(statement.formula)}</p>',
        _facts(verdict, statement, shaken, here, tied),
        f'<h4>What was tried</h4><div class="wide">{_trials(verdict, statement)}</div>' if verdict.trials else "",
        _certificate(verdict),
        _theorem(verdict),
        f'<h4>The proof, step by step</h4><div class="wide">{_steps(verdict)}</div>' if verdict.steps else "",
        *(_witness(title, witness, statement) for title, witness in _witnesses(verdict, statement)),
        "</section>",
    ]
    return "\n".join(part for part in parts if part)


def _certificate(verdict: Verdict) -> str:
    if verdict.certificate is None:
        return ""
    rows = certificate_rows(verdict.certificate).items()
    said = facts([(name, "<br>".join(escape(line) for line in shown)) for name, shown in rows])
    return f'<h4>The certificate, for chains of every size</h4><div class="wide">{said}</div>'


def _theorem(verdict: Verdict) -> str:
    found = theorems().get(verdict.slug)
    if verdict.formal is None or found is None:
        return ""
    said = escape(found.statement)
    return f'<h4>The theorem in Coq, {escape(verdict.formal)}</h4><div class="wide"><pre>{said}</pre></div>'


def _facts(
    verdict: Verdict,
    statement: Statement,
    shaken: bool,
    here: Collection[str],
    tied: tuple[Sequence[str], Sequence[str]],
) -> str:
    uses = _links(statement.uses, here, "no other statement")
    rows = [
        ("Assumes", escape(statement.assumes)),
        ("Source", escape(statement.source)),
        ("Proof uses", uses + (" \u2014 it rests on a refuted statement" if shaken else "")),
        ("Used by", _links(tied[0], here, "no other proof")),
        ("Falls if this is false", _links(tied[1], here, "nothing else")),
        ("Evidence", escape(LEVELS.get(verdict.evidence, verdict.evidence))),
        ("Control", escape(f"{statement.control.claim} ({CONTROL[verdict.control_fails]})")),
    ]
    if verdict.constant is not None:
        best = verdict.constant
        words = f"{best.name}: {best.proven:.6g} proven, at least {best.found:.6g} by the adversary"
        rows.append(("Constant", escape(words)))
    if verdict.first_false_step:
        rows.append(("First false step", f"<b>{escape(verdict.first_false_step)}</b>"))
    return facts(rows)


def _links(slugs: Sequence[str], here: Collection[str], none: str) -> str:
    return ", ".join(link(slug) if slug in here else escape(slug) for slug in slugs) or none


def _trials(verdict: Verdict, statement: Statement) -> str:
    some = statement.form == "some"
    numbers = ("tried", "vacuous", "not examples" if some else "failed", "worst violation")
    head = [text("evidence"), *(text(name, "number") for name in numbers), text("tightness")]
    rows = [("", _trial(trial, some)) for trial in verdict.trials]
    if any(trial.error is not None for trial in verdict.trials):
        head.append(text("chance of error", "number"))
        for trial, (_, cells) in zip(verdict.trials, rows, strict=True):
            cells.append(text(chance(trial.error), "number"))
    return table("", head, rows)


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
    return f'<span class="bar"><i style="width: {share:.1f}%"></i></span>{number(ratio)}'


def _steps(verdict: Verdict) -> str:
    head = [
        text("step"),
        text("claim"),
        text("about"),
        text(""),
        text("worst residual", "number"),
        text("tried", "number"),
    ]
    return table("", head, [("" if step.holds else "false", _step(step, verdict)) for step in verdict.steps])


def _step(step: StepVerdict, verdict: Verdict) -> list[Cell]:
    first = step.name == verdict.first_false_step
    mark = ("refuted", "\u2717 first false step" if first else "\u2717 false")
    if step.holds:
        mark = ("holds", "\u2713 holds") if step.tried else ("vacuous", "\u2205 not tried")
    shown = f'<span class="verdict {mark[0]}">{mark[1]}</span>'
    numbers = [text(worst(step.worst), "number"), text(step.tried, "number")]
    return [text(step.name, "slug"), text(step.claim, "claim"), text(step.kind), ("short", shown), *numbers]


def _witnesses(verdict: Verdict, statement: Statement) -> list[tuple[str, Mapping[str, Any]]]:
    both = ((witness_title(statement), verdict.witness), (SMALLER, verdict.shrunk))
    return [(title, witness) for title, witness in both if witness is not None]


def _witness(title: str, witness: Mapping[str, Any], statement: Statement) -> str:
    view = view_witness(witness)
    head = [text("pair"), text("reward", "number"), *(text(name, "number") for name in view.columns)]
    rows = []
    for x, r in enumerate(view.rewards):
        columns = [text(column[x], "number") for column in view.columns.values()]
        rows.append(("", [text(f"{x} *" if x in view.marked else x), text(short(r), "number"), *columns]))
    others = [("Discount factor", escape(view.gamma))]
    others += [(name.replace("_", " "), escape(value)) for name, value in view.others.items()]
    settled = "<br>".join(escape(sides.sentence()) for sides in sides_on(statement, witness))
    name = escape(f"{statement.slug}-{len(view.rewards)}")
    return (
        f'<h4>{title}</h4><div class="witness">{witness_svg(witness, name)}'
        f'<div>{table("", head, rows)}{facts(others)}<p class="settled">{settled}</p></div></div>'
        f"<details><summary>exact form</summary><pre>{escape(json.dumps(witness))}</pre></details>"
    )
