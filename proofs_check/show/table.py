"""Verdicts for a reader: a table on the console, and a dictionary for JSON files."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING, Any

from proofs_check.judging.verdict import Verdict
from proofs_check.statements.registry import counts, headings
from tabular_krope.report.digits import three

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

COLORS = {"holds": "green", "refuted": "magenta", "vacuous": "yellow", "unproved": "red"}
STEP = "first\nfalse step"
#: Columns beside the claim, most first; a narrow table has the first of these that fits.
LAYOUTS = (
    ("verdict", "evidence", "tried", "vacuous", "worst", STEP),
    ("verdict", "evidence", "tried", "worst", STEP),
    ("verdict", "evidence", "worst", STEP),
    ("verdict", "evidence", "worst"),
    ("verdict", "worst"),
    ("verdict",),
)
NUMBERS = ("tried", "vacuous", "worst")
#: Columns that a claim needs to be read.
NARROWEST_CLAIM = 24
#: What the columns mean.
LEGEND = (
    "worst: tight = largest ratio of the sides; tol = violation over tolerance (<= 1: rounding); slack = never close",
    "tried: instances that met the premise; vacuous: those that did not",
    "identities: equations of the proof at random points; error: chance that a false one passed (of equations only)",
    "proved for all: a stored certificate was checked, for chains of every size; all other evidence is from samples",
    "(Coq): a theorem without axioms, compiled from exactly the sources that ship; --formal compiles it again",
)


def print_table(verdicts: Sequence[Verdict], console: "Console") -> None:
    """Print a line that sums the verdicts up, and a row for each.

    Args:
        verdicts: in the order of the rows.
        console: where to print.
    """
    proved = sum(verdict.evidence == "proved" for verdict in verdicts)
    formal = sum(verdict.formal is not None for verdict in verdicts)
    unexpected = [verdict.slug for verdict in verdicts if not verdict.as_expected]
    tried, vacuous = (sum(getattr(verdict, name) for verdict in verdicts) for name in ("tried", "vacuous"))
    console.print(
        f"{counts(verdict.slug for verdict in verdicts)}, {f'{proved} proved for every chain, ' * (proved > 0)}"
        f"{f'{formal} in Coq, ' * (formal > 0)}"
        f"{tried:,} instances tried, {vacuous:,} vacuous; "
        + (f"[red]not as expected: {', '.join(unexpected)}[/]" if unexpected else "every verdict as expected")
    )
    console.print(verdict_table(verdicts, console.width))
    if console.is_terminal:
        for line in LEGEND:
            console.print(line, style="dim", markup=False)


def verdict_table(verdicts: Sequence[Verdict], width: int = 120) -> "Table":
    """The rows as a rich table: slug over claim, verdict, evidence, tried, vacuous, worst, first false step.

    Under the evidence stands the bound on the probability that a false identity passed, where identities were tried;
    under the worst ratio the best constant found, beside the proven one. Where ``width`` is too small columns are left
    out, the false step goes to the claim and the evidence under the verdict: nothing that is shown is cut.
    """
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    cells = [_cells(verdict) for verdict in verdicts]
    shown = layout(cells, width)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, header_style="bold")
    table.add_column(
        "statement and claim", ratio=1, min_width=min(NARROWEST_CLAIM, max(8, width // 3)), overflow="fold"
    )
    for name in shown:
        table.add_column(name, justify="right" if name in NUMBERS else "left", no_wrap=True)
    above = headings(verdict.slug for verdict in verdicts)
    for verdict, row in zip(verdicts, cells, strict=True):
        if verdict.slug in above:
            table.add_section()
            table.add_row(f"[italic]{above[verdict.slug]}[/]")
        color = COLORS[verdict.outcome] if verdict.as_expected else "red"
        first = f"[bold]{verdict.slug}[/]\n[dim]{escape(verdict.claim)}[/]"
        if STEP not in shown and verdict.first_false_step:
            first += f"\nfirst false step: {verdict.first_false_step}"
        entries = dict(row, verdict=f"[{color}]{row['verdict']}[/]")
        if "evidence" not in shown:
            entries["verdict"] += f"\n{row['evidence']}"
        table.add_row(first, *(entries[name] for name in shown))
    return table


def layout(cells: Sequence[Mapping[str, str]], width: int) -> tuple[str, ...]:
    """The columns beside the claim that fit into ``width`` whole, as many as do.

    >>> row = {"verdict": "holds", "evidence": "exact", "tried": "20", "vacuous": "0 (0%)", "worst": "slack", STEP: ""}
    >>> layout([row], 120)
    ('verdict', 'evidence', 'tried', 'vacuous', 'worst', 'first\\nfalse step')
    >>> layout([row], 60)
    ('verdict', 'evidence', 'worst')
    """
    for columns in LAYOUTS:
        below = () if "evidence" in columns else tuple(row["evidence"] for row in cells)
        texts = {name: (name, *(row[name] for row in cells)) for name in columns}
        texts["verdict"] += below
        sizes = [max(map(_span, found)) for found in texts.values()]
        if NARROWEST_CLAIM + 2 + sum(size + 3 for size in sizes) <= width:
            return columns
    return LAYOUTS[-1]


def _cells(verdict: Verdict) -> dict[str, str]:
    return {
        "verdict": verdict.outcome,
        "evidence": evidence_words(verdict),
        "tried": f"{verdict.tried:,}",
        "vacuous": vacuous_words(verdict),
        "worst": worst_words(verdict) + constant_words(verdict),
        STEP: verdict.first_false_step or "",
    }


def _span(text: str) -> int:
    return max(len(line) for line in text.split("\n"))


def evidence_words(verdict: Verdict) -> str:
    """The strongest evidence, the chance that a false identity passed, a certificate's steps, and a proof in Coq.

    >>> from proofs_check.judging.verdict import Trial
    >>> trial = Trial("identity", 3, 0, 0, 0.0, error=2.5e-49)
    >>> evidence_words(Verdict("s", "c", "holds", "exact", 1, 0, worst=0.25, trials=(trial,)))
    'exact; identities:\\nerror < 2.5e-49'
    >>> from proofs_check.judging.verdict import CertificateVerdict
    >>> proved = CertificateVerdict(True, steps=12)
    >>> evidence_words(Verdict("s", "c", "holds", "proved", 1, 0, worst=0.25, certificate=proved))
    'proved for all\\nin 12 steps'
    >>> evidence_words(Verdict("s", "c", "refuted", "witness", 1, 0, worst=0.25, formal="metric.s"))
    'witness\\nrefuted (Coq)'
    """
    words, done = _evidence(verdict), "refuted" if verdict.outcome == "refuted" else "proved"
    return words if verdict.formal is None else f"{words}\n{done} (Coq)"


def _evidence(verdict: Verdict) -> str:
    if verdict.certificate is not None and not verdict.certificate.holds:
        return f"{verdict.evidence}\ncertificate refused"
    if verdict.evidence == "proved" and verdict.certificate is not None:
        steps = verdict.certificate.steps
        return f"proved for all\nin {steps} step{'s' * (steps != 1)}"
    if verdict.error is None:
        return verdict.evidence
    # The error is that of the equations in the proof: an inequality is not known with it.
    first = "" if verdict.evidence == "identity" else f"{verdict.evidence}; "
    return f"{first}identities:\nerror < {verdict.error:.2g}"


def vacuous_words(verdict: Verdict) -> str:
    """How many instances did not meet the premise, and which share of all.

    >>> vacuous_words(Verdict("s", "c", "holds", "exact", 3, 1, worst=0.25))
    '1 (25%)'
    """
    share = verdict.vacuous_share
    return f"{verdict.vacuous} ({share:.0%})" if share >= 0.01 or not share else f"{verdict.vacuous} (<1%)"


def constant_words(verdict: Verdict) -> str:
    """The best constant found and the proven one, on a line of their own; nothing if the statement has none.

    >>> from proofs_check.judging.verdict import BestConstant
    >>> best = BestConstant("c in a <= c b", proven=2.0, found=1.9991)
    >>> constant_words(Verdict("s", "c", "holds", "exact", 3, 1, worst=0.25, constant=best))
    '\\nc >= 1.99910\\nproven 2.00000'
    """
    if verdict.constant is None:
        return ""
    return f"\nc >= {verdict.constant.found:.5f}\nproven {verdict.constant.proven:.5f}"


def worst_words(verdict: Verdict) -> str:
    """How near a statement came to failing: the ratio of its sides where it has any, else violation over tolerance.

    >>> worst_words(Verdict("s", "c", "holds", "sampled", 1, 0, worst=0.25, tightness=0.9990))
    'tight 0.999'
    >>> worst_words(Verdict("s", "c", "holds", "sampled", 1, 0, worst=0.25))
    '0.25 tol'
    >>> worst_words(Verdict("s", "c", "holds", "sampled", 1, 0, worst=-1e8))
    'slack'
    """
    if isfinite(verdict.tightness):
        return f"tight {three(verdict.tightness)}"
    if not isfinite(verdict.worst):
        return ""
    return f"{verdict.worst:.2g} tol" if verdict.worst > 0 else "slack"


def verdicts_as_json(verdicts: Sequence[Verdict], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Everything about the verdicts as plain values; numbers that are not finite become None.

    Args:
        verdicts: what was found.
        settings: of the run: examples, seed and the like.

    >>> out = verdicts_as_json([Verdict("s", "c", "holds", "exact", 3, 1, worst=0.5)], {"seed": 0})
    >>> out["statements"][0]["outcome"], out["statements"][0]["tightness"], out["settings"]
    ('holds', None, {'seed': 0})
    """
    rows = [
        {**asdict(verdict), "vacuous_share": verdict.vacuous_share, "as_expected": verdict.as_expected}
        for verdict in verdicts
    ]
    return {"statements": _plain(rows), "settings": _plain(dict(settings))}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value
