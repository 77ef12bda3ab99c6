"""Verdicts for a reader who has one screen: what is refuted and by which numbers, then what holds, a line each."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from proofs_check.judging.verdict import Verdict
from proofs_check.statements.registry import STATEMENTS, counts
from proofs_check.statements.statement import Statement, title_of

if TYPE_CHECKING:
    from rich.console import Console

#: Shorter words for the strongest evidence.
EVIDENCE = {"identity": "field"}
STYLES = {"refuted": "magenta", "Coq": "green", "proved": "green"}
#: From this ratio of the sides on an inequality is called tight.
TIGHT = 0.9995
#: Statements from which on the last line repeats the count, as the first has left the screen.
SCREEN = 15
#: The group that stands below the others, a line each.
BELOW = "neighbors"
GAP, INDENT = 2, 2
OTHERS = ("refuted", "vacuous", "unproved")
SURPRISE, SHAKY, HOLD = "Not as expected", "Hold, but a printed step is false", "Hold"
#: What stands after slug and title, column by column.
MEANINGS = {
    SHAKY: ("the step", "the strongest evidence", "instances", "tight or not"),
    HOLD: ("the strongest evidence", "instances", "tight or not"),
}
MORE = "-v explains; --table: all columns; --report: a page"


def print_summary(
    verdicts: Sequence[Verdict],
    console: "Console",
    statements: Mapping[str, Statement] | None = None,
    missing: int = 0,
) -> None:
    """Print one sentence, the refuted statements with their numbers, and a line for each that holds.

    Args:
        verdicts: in the order of the lines.
        console: where to print.
        statements: by slug; those of the laboratory if None.
        missing: how many statements an interrupted run did not come to.
    """
    known = STATEMENTS if statements is None else statements
    apart = [verdict for verdict in verdicts if STATEMENTS.group(verdict.slug) == BELOW]
    main = [verdict for verdict in verdicts if verdict not in apart]
    if not main:
        main, apart = apart, []
    console.print(sentence(main, missing), markup=False)
    for heading, chosen in _sections(main):
        counted = f"{heading} ({len(chosen)})"
        if heading in MEANINGS:
            rows = [_cells(verdict, known[verdict.slug]) for verdict in chosen]
            shown = _room(rows, console.width)[1]
            _print_heading(counted, ", ".join(MEANINGS[heading][: shown - 2]), console)
            _print_rows(rows, console)
        else:
            _print_heading(counted, "", console)
            for verdict in chosen:
                _print_paragraph(verdict, known[verdict.slug], console)
    if apart:
        _print_heading(f"Neighboring papers: {sentence(apart, missing)}", "", console)
        _print_apart(apart, known, console)
    if len(verdicts) >= SCREEN:
        neighbors = f" and {_refuted(apart)} of the neighbors" if apart else ""
        console.print(f"Refuted: {_refuted(main)}{neighbors}. {MORE}", style="bold")


def _refuted(verdicts: Sequence[Verdict]) -> str:
    return f"{sum(verdict.outcome == 'refuted' for verdict in verdicts)} of {len(verdicts)}"


def sentence(verdicts: Sequence[Verdict], missing: int = 0) -> str:
    """What came out, in one sentence.

    >>> held = Verdict("theorem-1", "c", "holds", "proved", 1200, 0, worst=0.5)
    >>> sentence([held, Verdict("d-pseudometric", "c", "refuted", "witness", 300, 0, 0.5, expected="refuted")])
    '2 statements: 1 holds (1 proved), 1 refuted; 1,500 instances; all as expected'
    >>> sentence([held], missing=3)
    '1 statement so far: 1 holds (1 proved), 0 refuted; 1,200 instances'
    """
    found = {outcome: [v for v in verdicts if v.outcome == outcome] for outcome in ("holds", *OTHERS)}
    hold = len(found["holds"])
    proved = sum(is_proved(verdict) for verdict in found["holds"])
    parts = [f"{hold} hold{'s' * (hold == 1)}{f' ({proved} proved)' * (hold > 0)}"]
    parts += [f"{len(found[name])} {name}" for name in OTHERS if found[name] or name == "refuted"]
    unexpected = [verdict.slug for verdict in verdicts if not verdict.as_expected]
    tried = sum(verdict.tried for verdict in verdicts)
    ends = [f"{tried:,} instance{'s' * (tried != 1)}"]
    if unexpected:
        ends.append(f"NOT as expected: {', '.join(unexpected)}")
    elif not missing:
        ends.append("all as expected")
    asked = counts(verdict.slug for verdict in verdicts) + " so far" * (missing > 0)
    return f"{asked}: {', '.join(parts)}; {'; '.join(ends)}"


def is_proved(verdict: Verdict) -> bool:
    """Whether the verdict is one about chains of every size: by a certificate, or by Coq."""
    return verdict.evidence == "proved" or verdict.formal is not None


def evidence_word(verdict: Verdict) -> str:
    """The strongest evidence in one word.

    >>> evidence_word(Verdict("s", "c", "holds", "identity", 1, 0, worst=0.25))
    'field'
    >>> evidence_word(Verdict("s", "c", "holds", "proved", 1, 0, worst=0.25, formal="metric.s"))
    'Coq'
    """
    return "Coq" if verdict.formal is not None else EVIDENCE.get(verdict.evidence, verdict.evidence)


def tight_word(verdict: Verdict) -> str:
    """Whether an inequality was met with equality, or how far it came; a dash if there is none.

    >>> words = [Verdict("s", "c", "holds", "exact", 1, 0, 0.2, tightness=t) for t in (0.99999, 0.7071, float("nan"))]
    >>> [tight_word(verdict) for verdict in words]
    ['tight', '0.707', '-']
    """
    if not isfinite(verdict.tightness):
        return "-"
    return "tight" if verdict.tightness >= TIGHT else f"{verdict.tightness:.3g}"


def refutation_words(verdict: Verdict, statement: Statement) -> str:
    """The numbers that refute a statement, and the step at which its proof breaks.

    >>> from proofs_check.statements.registry import STATEMENTS
    >>> statement = STATEMENTS["d-pseudometric"]
    >>> found = Verdict("d-pseudometric", "", "refuted", "witness", 1, 0, 0.5, witness=statement.witnesses[0])
    >>> refutation_words(found, statement)
    '5 pairs, gamma = 9/10: d(0,1) = 18 > 9 = d(0,2) + d(2,1)'
    """
    from proofs_check.show.broken import failure, size_words

    parts = []
    broken = None if verdict.witness is None else failure(statement, verdict.witness)
    if broken is not None and verdict.witness is not None:
        parts.append(f"{size_words(verdict.witness)}: {broken.in_line()}")
    elif statement.form == "some-fail":
        proved = ", and none exists: proved" if is_proved(verdict) else ""
        parts.append(f"no example among {verdict.tried:,} instances{proved}")
    if verdict.first_false_step:
        parts.append(f"proof breaks at {verdict.first_false_step}")
    return "; ".join(parts)


def _sections(verdicts: Sequence[Verdict]) -> list[tuple[str, list[Verdict]]]:
    sections: dict[str, list[Verdict]] = {
        name: [] for name in (SURPRISE, "Refuted", "Vacuous", "Unproved", SHAKY, HOLD)
    }
    for verdict in verdicts:
        name = verdict.outcome.capitalize()
        if verdict.outcome == "holds":
            name = SHAKY if verdict.first_false_step else HOLD
        sections[name if verdict.as_expected else SURPRISE].append(verdict)
    return [(name, chosen) for name, chosen in sections.items() if chosen]


def _surprise(verdict: Verdict) -> str:
    step = f" (first false step {verdict.expected_false_step})" if verdict.expected_false_step else ""
    found = f" (first false step {verdict.first_false_step})" if verdict.first_false_step else ""
    parts = [f"{verdict.outcome}{found}; expected: {verdict.expected}{step}"]
    if verdict.control_fails is False:
        parts.append("its negative control does not fail")
    if verdict.certificate is not None and verdict.certificate.problem:
        parts.append(f"certificate refused: {verdict.certificate.problem}")
    return "; ".join(parts)


def _cells(verdict: Verdict, statement: Statement, brief: bool = False) -> tuple[str, ...]:
    """Slug, title, the false step of the printed proof if there is one, evidence, instances, tight or not."""
    against = brief and verdict.outcome != "holds"
    step = (verdict.first_false_step,) if verdict.first_false_step and not brief else ()
    evidence = verdict.outcome if against else evidence_word(verdict)
    tight = "-" if against else tight_word(verdict)
    return verdict.slug, title_of(statement), *step, evidence, f"{verdict.tried:,}", tight


def _print_heading(heading: str, meaning: str, console: "Console") -> None:
    from rich.text import Text

    console.print()
    line = Text(heading, style="bold")
    if meaning and len(heading) + len(meaning) + 2 <= console.width:
        line.append(f": {meaning}", style="not bold dim")
    console.print(line)


def _print_paragraph(verdict: Verdict, statement: Statement, console: "Console") -> None:
    """Slug, title and what is true instead; below them the numbers, folded where the screen is narrow."""
    from rich.text import Text

    instead = statement.true_instead if verdict.outcome == "refuted" else None
    first = f"  {title_of(statement)}{f'; true instead: {instead}' * (instead is not None)}"
    second = refutation_words(verdict, statement) if verdict.outcome == "refuted" else ""
    below = [second] if verdict.as_expected else [_surprise(verdict), second]
    indent = 1
    for words in (Text.assemble((verdict.slug, "bold"), first), *(Text(part) for part in below if part)):
        for line in words.wrap(console, max(console.width - indent * INDENT, 8)):
            line.rstrip()
            console.print(Text(" " * indent * INDENT) + line, soft_wrap=True)
            indent = 2


def _print_apart(verdicts: Sequence[Verdict], known: Mapping[str, Statement], console: "Console") -> None:
    """A line each, the refuted first; a line above them says so where there is no room for the outcome beside them."""
    parts = [[v for v in verdicts if (v.outcome == "refuted") == refuted] for refuted in (True, False)]
    rows = [[_cells(verdict, known[verdict.slug], brief=True) for verdict in part] for part in parts]
    if _room(rows[0] + rows[1], console.width)[1] > 2:
        _print_rows(rows[0] + rows[1], console)
        return
    for heading, part in zip(("refuted", "not refuted"), rows, strict=True):
        if part:
            console.print(f" {heading} ({len(part)})", style=STYLES.get(heading, ""), markup=False)
            _print_rows(part, console)


def _room(rows: Sequence[tuple[str, ...]], width: int) -> tuple[list[int], int]:
    """Widths of the columns, and how many of them fit: slug and title at least.

    >>> _room([("slug", "title", "Coq", "829")], 18)
    ([4, 5, 3, 3], 3)
    """
    sizes = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    shown = len(sizes)
    while shown > 2 and INDENT + sum(sizes[:shown]) + GAP * (shown - 1) > width:
        shown -= 1
    return sizes, shown


def _print_rows(rows: Sequence[tuple[str, ...]], console: "Console") -> None:
    """The cells side by side, as many as there is room for; the title on a line of its own where that is too few."""
    from rich.text import Text

    sizes, shown = _room(rows, console.width)
    beside = INDENT + sum(sizes[:shown]) + GAP * (shown - 1) <= console.width
    for row in rows:
        line = Text(" " * INDENT)
        for i, (cell, size) in enumerate(zip(row[:shown], sizes, strict=False)):
            space = " " * GAP if beside else "\n" + " " * 2 * INDENT
            number = i >= len(sizes) - 2
            line.append(space * (i > 0))
            line.append(cell.rjust(size) if number else cell.ljust(size), "bold" if i == 0 else STYLES.get(cell, ""))
        for part in line.split("\n"):
            for piece in [part] if beside else part.wrap(console, console.width):
                piece.rstrip()
                console.print(piece, soft_wrap=True)
