"""``krope diagnose --report``: the answer, what to do next, pictures, numbers and assumptions on one page."""

from collections.abc import Sequence
from typing import Any

import typer

from figures.report.findings import Advice, Findings, Numbers, findings_html
from figures.report.findings_pictures import diagnosis_figures
from krope.diagnosis_tables import diagnosis_tables
from krope.estimate_tables import estimators_table
from krope.invocation import command_line
from krope.offline_inputs import Evidence
from krope.page_tables import numbers_of
from tabular_krope.estimation.estimate import Estimate
from tabular_krope.estimation.estimators import Compared
from tabular_krope.evaluation.value_estimate import FEW_REWARDS
from tabular_krope.report.counted import counted
from tabular_krope.report.diagnosis import DIVERGES, ROUNDS_BADLY, SHIFT, STABLE, UNDECIDED, Diagnosis
from tabular_krope.report.diagnosis_words import words as diagnosis_words
from tabular_krope.report.digits import three
from tabular_krope.report.estimate_words import estimate_words

MOODS = {STABLE: "good", ROUNDS_BADLY: "unsure", UNDECIDED: "unsure", DIVERGES: "bad"}
#: Files, which the page of another run would overwrite.
OUTPUTS = ("report", "json", "plot", "save")
#: Where recommended features go in a command that is shown.
KEPT = "features.npz"


def diagnosis_page(
    diagnosis: Diagnosis,
    closed: Estimate | None,
    compared: Sequence[Compared],
    evidence: Evidence,
    settings: dict[str, Any],
    context: typer.Context,
) -> bytes:
    """The page as the bytes of a file."""
    answer, *said = diagnosis_words(diagnosis)
    tables = [numbers_of(table) for table in diagnosis_tables(diagnosis, settings, evidence.truth, evidence.data)]
    if compared:
        tables.append(numbers_of(estimators_table(compared, settings["level"], evidence.truth)))
    if closed is not None:
        first, *rest = estimate_words(closed)
        said.append(f"In closed form, on polynomials and waves of state and action: {first}")
        told = "\n".join(rest)
        rows = (("value", three(closed.value)), ("interval", f"{three(closed.low)} .. {three(closed.high)}"))
        tables.append(Numbers("The value in closed form", ("", ""), rows, (False, True), told))
    found = Findings(
        about=f"krope diagnose {settings['data']}",
        verdict=diagnosis.verdict,
        mood=MOODS[diagnosis.verdict],
        answer=answer.partition(". ")[2],
        said=tuple(said),
        large=_large(diagnosis, evidence.truth),
        advice=tuple(advice(diagnosis, compared, context)),
        pictures=diagnosis_figures(diagnosis, evidence.truth),
        tables=tuple(tables),
        assumed=tuple(_assumed(diagnosis, settings)),
        command=command_line(context),
    )
    return findings_html(found).encode()


def _large(d: Diagnosis, truth: float | None) -> tuple[tuple[str, str], ...]:
    first, value = d.routes[0], d.estimate
    rows = [
        (three(first.spectral_radius), "spectral radius rho(L)"),
        (three(first.norm), "norm2(L)"),
        (f"{d.facts.transitions:,}", "transitions"),
        (f"{d.facts.rank} of {d.facts.d}", "directions of features that the data see"),
    ]
    if first.stable:
        interval = f"{three(value.low)} .. {three(value.high)}"
        level = f"{100 * value.level:.3g}% interval {interval}" if value.replicates else ""
        rows.insert(2, (three(value.value), f"value of the starts{', ' if level else ''}{level}"))
    if truth is not None:
        rows.append((three(truth), "true value, by the model"))
    return tuple(rows)


def advice(d: Diagnosis, compared: Sequence[Compared], context: typer.Context) -> list[Advice]:
    """What to do next, the most important first."""
    out = []
    cure = d.cure
    if cure is not None:
        keep = command_line(context, OUTPUTS, save=KEPT) if cure.map is not None else ""
        where = f" They are kept in {KEPT} for tk.load." if keep else ""
        out.append(Advice(f"Go on with the first cure that works: {cure.name} ({cure.words}).{where}", keep))
    elif d.verdict != STABLE:
        out.append(Advice("Try other features (--features FILE): none of the cures works on these."))
    else:
        out.append(Advice("Go on with these features: nothing has to be cured."))
    if SHIFT in d.causes:
        words = "If you can, collect data under the target policy: there the growth is about 1, too little to diverge."
        out.append(Advice(words))
    few = d.estimate.rewards < FEW_REWARDS
    if few:
        seen = f"{d.estimate.rewards:.2g} rewards of equal share"
        out.append(Advice(f"Collect more data before you rely on the interval: the value rests on {seen}."))
    if not compared:
        again = command_line(context, OUTPUTS, estimators=True)
        out.append(Advice("See what other estimators say of the same data: FQE, LSTD, TD, importance sampling.", again))
    return out


def _assumed(d: Diagnosis, settings: dict[str, Any]) -> list[tuple[str, str]]:
    p, e = d.problem, d.estimate
    rows = [
        ("Target policy", p.policy),
        ("Features", p.features),
        ("Value is that of", p.start),
        ("Discount factor", f"gamma = {three(p.gamma)}"),
    ]
    if e.replicates:
        unit = f"Bayesian bootstrap over {counted(e.groups, 'group')} of {e.unit}, {e.replicates} replicates"
        rows.append(("Intervals", f"{unit}; the starts count as known"))
    else:
        rows.append(("Intervals", "none: no replicates were asked for"))
    rows.append(("Seed", str(settings["seed"])))
    if settings["columns"]:
        named = ", ".join(f"{column} is {name}" for column, name in settings["columns"].items())
        rows.append(("Columns", named))
    return rows
