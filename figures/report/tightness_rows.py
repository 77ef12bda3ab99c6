"""How close each inequality came to equality: dots on one logarithmic axis, a row for each statement."""

from collections.abc import Iterable, Mapping
from html import escape
from math import ceil, floor, isnan, log10

from figures.report.prose import typeset
from figures.report.statement_section import LEVELS, ROUNDING
from proofs_check.judging.verdict import Verdict
from proofs_check.show.evidence_numbers import number
from proofs_check.statements.statement import Statement, title_of

#: The axis ends at least here, and at most there: what is outside stands at its edge and says so.
WIDEST, NARROWEST = (1e-3, 1e4), (1e-1, 1e1)


def tightness_rows(verdicts: Iterable[Verdict], statements: Mapping[str, Statement]) -> str:
    """The chart as HTML, the tightest first; empty if no statement is an inequality."""
    ratios = largest_ratios(verdicts, statements)
    if not ratios:
        return ""
    low, high = axis([ratio for found in ratios.values() for ratio in found.values()])
    rows = sorted(ratios.items(), key=lambda row: -max(row[1].values()))
    ticks = [10.0**k for k in range(round(log10(low)), round(log10(high)) + 1)]
    scale = "".join(
        f'<span class="{"one" if tick == 1 else ""}" style="left: {place(tick, low, high):.2f}%">{tick:,g}</span>'
        for tick in ticks
    )
    lines = "".join(
        f'<i class="line{" one" if tick == 1 else ""}" style="left: {place(tick, low, high):.2f}%"></i>'
        for tick in ticks
    )
    body = "\n".join(_row(slug, statements[slug], found, low, high, lines) for slug, found in rows)
    levels = dict.fromkeys(level for found in ratios.values() for level in found)
    key = "".join(f'<span><i class="dot {level}"></i> {LEVELS[level]}</span>' for level in levels)
    top = f'<div class="row top"><span></span><div class="track">{scale}</div><b></b></div>'
    return (
        '<h2 id="tightness">How tight the inequalities are</h2>\n'
        f"<p>{_finding(ratios)} Shown is the largest ratio of the left side to the right side that each kind of "
        "evidence found: at 1 the two sides "
        "are equal, beyond it the inequality is broken.</p>\n"
        f'<p class="key">{key}</p>\n<div class="tightness">{top}\n{body}</div>'
    )


def _finding(ratios: Mapping[str, Mapping[str, float]]) -> str:
    """How many inequalities are broken, and how many of the others are tight.

    >>> _finding({"a": {"sampled": 0.5, "exact": 1.0}, "b": {"sampled": 0.25}, "c": {"sampled": 3.0}})
    'Of 2 inequalities that stand, 1 is tight: on some chain both sides are equal. 1 is broken.'
    """
    largest = [max(found.values()) for found in ratios.values()]
    broken = sum(ratio > 1 + ROUNDING for ratio in largest)
    tight = sum(abs(ratio - 1) <= ROUNDING for ratio in largest)
    stand = len(largest) - broken
    told = f"Of {stand} inequalit{'y' if stand == 1 else 'ies'} that stand{'s' if stand == 1 else ''}, "
    told += f"{tight} {'is' if tight == 1 else 'are'} tight: on some chain both sides are equal."
    return told + (f" {broken} {'is' if broken == 1 else 'are'} broken." if broken else "")


def largest_ratios(
    verdicts: Iterable[Verdict], statements: Mapping[str, Statement]
) -> Mapping[str, Mapping[str, float]]:
    """Left side over right side, the largest by kind of evidence, of claims that are inequalities for all instances.

    >>> from proofs_check.statements.registry import STATEMENTS
    >>> from proofs_check.judging.verdict import Trial
    >>> trial = Trial("sampled", 10, 0, 0, 0.0, 0.9)
    >>> largest_ratios([Verdict("theorem-1", "", "holds", "sampled", 10, 0, 0.0, trials=(trial,))], STATEMENTS)
    {'theorem-1': {'sampled': 0.9}}
    """
    rows = {}
    for verdict in verdicts:
        found = {trial.level: trial.tightness for trial in verdict.trials if not isnan(trial.tightness)}
        if found and statements[verdict.slug].form == "all":
            rows[verdict.slug] = found
    return rows


def axis(ratios: Iterable[float]) -> tuple[float, float]:
    """Where the axis ends: powers of ten around the ratios.

    >>> axis([0.25, 22.0]), axis([0.0, 1e9]), axis([0.9])
    ((0.1, 100.0), (0.1, 10000.0), (0.1, 10.0))
    """
    found = [ratio for ratio in ratios if ratio > 0]
    low = min([NARROWEST[0], *(10.0 ** floor(log10(ratio)) for ratio in found)])
    high = max([NARROWEST[1], *(10.0 ** ceil(log10(ratio)) for ratio in found if ratio < float("inf"))])
    return max(low, WIDEST[0]), min(high, WIDEST[1])


def place(ratio: float, low: float, high: float) -> float:
    """Where a ratio stands on the axis, in percent of its length; what is outside stands at the edge.

    >>> place(1.0, 0.1, 100.0), place(0.0, 0.1, 10.0), place(1e9, 0.1, 10.0)
    (33.33333333333333, 0.0, 100.0)
    """
    if ratio <= low:
        return 0.0
    return 100 * min(log10(ratio / low) / log10(high / low), 1.0)


def _row(slug: str, statement: Statement, found: Mapping[str, float], low: float, high: float, lines: str) -> str:
    largest = max(found.values())
    dots = "".join(
        f'<i class="dot {level}{_beyond(ratio, low, high)}" style="left: {place(ratio, low, high):.2f}%" '
        f'title="{escape(LEVELS[level])}: {number(ratio)}"></i>'
        for level, ratio in found.items()
    )
    name = f'<a href="#{escape(slug)}">{typeset(title_of(statement))}</a>'
    kind = "row broken" if largest > 1 + ROUNDING else "row"
    return (
        f'<div class="{kind}"><span>{name}</span><div class="track">{lines}{dots}</div><b>{number(largest)}</b></div>'
    )


def _beyond(ratio: float, low: float, high: float) -> str:
    """A class for what is left or right of the axis."""
    return " left" if ratio < low else " right" if ratio > high else ""
