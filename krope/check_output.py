"""What ``krope check`` hands over: summary or table, JSON, the page and the picture, whole or interrupted."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from krope import console, targets
from krope.sheets import Sheet, as_one
from proofs_check import STATEMENTS
from proofs_check.judging.verdict import Verdict
from proofs_check.show.summary import print_summary
from proofs_check.show.titles import headings, title_of
from proofs_check.statements.statement import Statement
from tabular_krope.errors import KropeError

#: Columns of ``--csv`` that hold numbers.
NUMBERS = ("tried", "vacuous", "worst", "tightness")
#: Columns from which on the list has its claims beside the slugs.
BESIDE = 80


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for: FILE or - of ``--json``, ``--report``, ``--graph``, explanations, the table; the command."""

    json: str | None = None
    report: str | None = None
    graph: str | None = None
    verbose: bool = False
    table: bool = False
    command: str = ""

    def require(self) -> None:
        """Refuse, before the work begins, paths that could not become the files."""
        targets.require_file_target(self.json, "json")
        targets.require_page_target(self.report)
        if self.graph is not None and Path(self.graph).suffix.lower() not in (".svg", ".png"):
            raise KropeError(f"graph must be a file that ends in .svg or .png; got {self.graph}")
        targets.require_file_target(self.graph, "graph")


def deliver(verdicts: Sequence[Verdict], contents: dict[Path, bytes], settings: dict[str, Any], to: Wanted) -> None:
    """Write page, picture (both in ``contents``) and verdicts as far as they were asked for, and print them."""
    targets.write_files(contents)
    if to.json is not None:
        targets.write_json(to.json, document(verdicts, settings))
    if to.json != targets.STDOUT:
        out = console.output()
        if to.verbose:
            explain_all(verdicts, out)
        with as_one(sheet(verdicts)):
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
    contents = pictures(verdicts, settings, to, missing)
    if to.json is not None and to.json != targets.STDOUT:
        contents[Path(to.json)] = targets.to_json(document(verdicts, settings, missing)).encode() + b"\n"
    targets.write_files(contents)
    if to.json != targets.STDOUT:
        print_summary(verdicts, console.output(), STATEMENTS, len(missing))
    return [str(path) for path in contents]


def document(verdicts: Sequence[Verdict], settings: dict[str, Any], missing: Sequence[str] = ()) -> dict[str, Any]:
    """What ``--json`` writes; ``complete`` is false where statements are missing, which are named."""
    from proofs_check.show.table import verdicts_as_json

    return {"complete": not missing, "not_judged": list(missing), **verdicts_as_json(verdicts, settings)}


def pictures(
    verdicts: Sequence[Verdict], settings: dict[str, Any], to: Wanted, missing: Sequence[str] = ()
) -> dict[Path, bytes]:
    """The contents of the files that ``--report`` and ``--graph`` ask for.

    The picture has every statement, and those without a verdict in their own look; the page has only those judged, so
    that it begins with what is ``missing``.
    """
    contents = {}
    if to.report is not None:
        from figures.report.page import report_html

        contents[Path(to.report)] = report_html(verdicts, settings, missing=missing, command=to.command).encode()
    if to.graph is not None:
        from figures.parts.proof_graph import picture_kind, render

        contents[Path(to.graph)] = render(verdicts, picture_kind(to.graph))
    return contents


def sheet(verdicts: Sequence[Verdict]) -> Sheet:
    """The verdicts as ``--csv`` and the like write them: a row each, numbers with all their digits."""
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
