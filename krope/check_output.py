"""What ``krope check`` prints, and hands to `krope.check_files`: of a whole run or of an interrupted one."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from typer import Context

from krope import console
from proofs_check import STATEMENTS
from proofs_check.judging.verdict import Verdict
from proofs_check.show.summary import print_summary
from proofs_check.statements.registry import headings
from proofs_check.statements.statement import Statement, title_of

if TYPE_CHECKING:
    from krope.sheets import Sheet

#: Columns of ``--csv`` that hold numbers.
NUMBERS = ("tried", "vacuous", "worst", "tightness")
#: Columns from which on the list has its claims beside the slugs.
BESIDE = 80


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for: FILE or - of ``--json``, ``--report``, ``--graph``, explanations, the table; the context."""

    json: str | None
    report: str | None
    graph: str | None
    verbose: bool
    table: bool
    context: Context

    @property
    def files(self) -> bool:
        """Whether anything is to be written: what writes it is loaded only then."""
        return not (self.json is None and self.report is None and self.graph is None)

    @property
    def json_alone(self) -> bool:
        """Whether the verdicts go to stdout as JSON, where nothing else is printed then."""
        return self.json == console.STDOUT

    def require(self) -> None:
        """Refuse, before the work begins, paths that could not become the files."""
        if self.files:
            from krope import check_files

            check_files.require(self)


def pictures(verdicts: Sequence[Verdict], settings: dict[str, Any], to: Wanted) -> dict[Path, bytes]:
    """The contents of the files that ``--report`` and ``--graph`` ask for."""
    if not to.files:
        return {}
    from krope import check_files

    return check_files.pictures(verdicts, settings, to)


def deliver(verdicts: Sequence[Verdict], contents: dict[Path, bytes], settings: dict[str, Any], to: Wanted) -> None:
    """Write page, picture (both in ``contents``) and verdicts as far as they were asked for, and print them."""
    if to.files:
        from krope import check_files

        check_files.write(verdicts, contents, settings, to)
    if to.json_alone:
        return
    out = console.output()
    if to.verbose:
        explain_all(verdicts, out)
    with console.as_one(lambda: sheet(verdicts)):
        if to.table:
            from proofs_check.show.table import print_table

            print_table(verdicts, out)
        else:
            print_summary(verdicts, out, STATEMENTS)
    console.tell_written(contents)


def deliver_interrupted(
    verdicts: Sequence[Verdict], missing: Sequence[str], settings: dict[str, Any], to: Wanted
) -> list[str]:
    """The same for a run that did not come to its end: each file says so, and stdout gets no JSON; the files written.

    Args:
        verdicts: what was judged; nothing is written if that is nothing.
        missing: slugs of the statements that were not.
        settings: of the run.
        to: what was asked for.
    """
    if not verdicts:
        return []
    written = []
    if to.files:
        from krope import check_files

        written = check_files.write_interrupted(verdicts, missing, settings, to)
    if not to.json_alone:
        print_summary(verdicts, console.output(), STATEMENTS, len(missing))
    return written


def sheet(verdicts: Sequence[Verdict]) -> "Sheet":
    """The verdicts as ``--csv`` and the like write them: a row each, numbers with all their digits."""
    from krope.sheets import Sheet

    words = ("slug", "title", "verdict", "expected", "evidence", "theorem in Coq")
    columns = (*words, *NUMBERS, "first false step")
    rows = []
    for one in verdicts:
        numbers = (str(getattr(one, name)) if isfinite(getattr(one, name)) else "" for name in NUMBERS)
        known = (one.slug, title_of(STATEMENTS[one.slug]), one.outcome, one.expected, one.evidence, one.formal or "")
        rows.append((*known, *numbers, one.first_false_step or ""))
    return Sheet("Verdicts", columns, tuple(rows), tuple(name in NUMBERS for name in columns))


def explain_all(verdicts: Sequence[Verdict], out: Console) -> None:
    """What ``--verbose`` prints."""
    from proofs_check.show.explain import explain

    for verdict in verdicts:
        explain(verdict, STATEMENTS[verdict.slug], out)


def table_of_statements(statements: Sequence[Statement], width: int) -> Table:
    """Slug, expected verdict and claim of each statement; the claim below the slug where ``width`` is small."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    beside = width >= BESIDE
    table.add_column("slug" if beside else "slug and claim", no_wrap=beside)
    table.add_column("expected", no_wrap=True)
    if beside:
        table.add_column("claim")
    above = headings(statement.slug for statement in statements)
    for statement in statements:
        if statement.slug in above:
            table.add_section()
            table.add_row(f"[italic]{above[statement.slug]}[/]")
        slug, expected, claim = statement.slug, statement.expected, escape(statement.claim)
        table.add_row(*(slug, expected, claim) if beside else (f"[bold]{slug}[/]\n{claim}", expected))
    return table
