"""``krope check``: judge the statements."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabular_krope.cli import completion

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from proofs_check.statement import Statement
    from proofs_check.verdict import Verdict

EXAMPLES = """
[bold]Examples[/]

krope check                              judge every statement

krope check theorem-1 lemma-value-bound  only these

krope check --examples 1000 --seed 7

krope check theorem-1 truncation-stable --examples 1000   ten thousand Garnets each

krope check --exact theorem-1            as many rational instances as floats

krope check --json verdicts.json         evidence and witnesses too

krope check lemma-value-bound -v         steps, residuals and witness of one

krope check --report run.html            a page with formulas, witnesses and tightness

krope check --graph proofs.svg           which proof uses which statement

krope check --list                       the statements, without judging them

[bold]The table[/]

worst: tight = largest ratio of the sides; tol = violation over tolerance (<= 1: rounding); slack = never near

tried: instances that met the premise; vacuous: those that did not; error: chance that a false identity passed

c: the best constant found, beside the proven one

Exit code 0 when each verdict is the expected one, 1 otherwise.
"""

UNEXPECTED = 1


def check(
    slugs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SLUG]...", help="Statements to judge. Default: every one.", autocompletion=completion.statements
        ),
    ] = None,
    examples: Annotated[int, typer.Option(help="Random instances for each statement.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the instances.")] = 0,
    exact: Annotated[bool, typer.Option("--exact", help="As many rational instances as float ones.")] = False,
    jobs: Annotated[
        int | None, typer.Option(help="Processes. Default: one for each processor.", show_default=False)
    ] = None,
    json: Annotated[
        str | None,
        typer.Option(help="Write the verdicts to FILE; - for stdout, and nothing else there.", metavar="FILE"),
    ] = None,
    report: Annotated[
        str | None,
        typer.Option(help="Write one self-contained page to FILE.html.", metavar="FILE.html"),
    ] = None,
    graph: Annotated[
        str | None,
        typer.Option(help="Draw which proof uses which statement; .svg or .png.", metavar="FILE.svg"),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Explain each statement: steps, residuals, witness.")
    ] = False,
    show: Annotated[bool, typer.Option("--list", help="List the statements and leave.")] = False,
) -> None:
    """Judge statements about KROPE and print the verdicts."""
    from proofs_check import check_all
    from proofs_check.report_table import verdict_table
    from tabular_krope import __version__
    from tabular_krope.cli import console, targets
    from tabular_krope.cli.interrupts import told_how_to_go_on

    statements = named_statements(slugs)
    targets.require_file_target(json, "json")
    require_pictures(report, graph)
    if show:
        console.output().print(table_of_statements(statements))
        return
    settings = {"examples": examples, "seed": seed, "exact": exact, "version": __version__}
    so_far: list[Verdict] = []
    with told_how_to_go_on(lambda: f"{len(so_far)} of {len(statements)} judged") as interrupted:
        try:
            with console.progress("judging", len(statements)) as bar:

                def judged(verdict: "Verdict") -> None:
                    so_far.append(verdict)
                    interrupted()
                    bar.update(bar.task_ids[0], advance=1, description=verdict.slug)

                verdicts = check_all([statement.slug for statement in statements], examples, seed, exact, jobs, judged)
                contents = pictures(verdicts, settings, report, graph)
        except KeyboardInterrupt:
            if so_far and json != targets.STDOUT:
                out = console.output()
                out.print(verdict_table(so_far, out.width))
            raise
    _deliver(verdicts, contents, settings, json, verbose)
    if not all(verdict.as_expected for verdict in verdicts):
        raise typer.Exit(UNEXPECTED)


def named_statements(slugs: list[str] | None) -> "list[Statement]":
    """The statements with these slugs, each once; every one if None is given."""
    from proofs_check import STATEMENTS
    from tabular_krope.errors import unknown_name

    names = list(dict.fromkeys(slugs or STATEMENTS))
    for name in names:
        if name not in STATEMENTS:
            raise unknown_name("slug", name, STATEMENTS)
    return [STATEMENTS[name] for name in names]


def _deliver(
    verdicts: "list[Verdict]",
    contents: dict[Path, bytes],
    settings: dict[str, Any],
    json: str | None,
    verbose: bool,
) -> None:
    """Write page, picture and verdicts as far as they were asked for, and print the table."""
    from proofs_check.report_table import print_table, verdicts_as_json
    from tabular_krope.cli import console, targets

    targets.write_files(contents)
    if json is not None:
        targets.write_json(json, verdicts_as_json(verdicts, settings))
    if json != targets.STDOUT:
        out = console.output()
        if verbose:
            explain_all(verdicts, out)
        print_table(verdicts, out)
        console.tell_written(contents)


def require_pictures(report: str | None, graph: str | None) -> None:
    """Refuse, before the work begins, paths that could not become the page and the picture."""
    from tabular_krope.cli import targets
    from tabular_krope.errors import KropeError

    for path, option, endings in ((report, "report", (".html", ".htm")), (graph, "graph", (".svg", ".png"))):
        if path is not None and Path(path).suffix.lower() not in endings:
            raise KropeError(f"{option} must be a file that ends in {' or '.join(endings)}; got {path}")
        targets.require_file_target(path, option)


def pictures(
    verdicts: "list[Verdict]", settings: dict[str, Any], report: str | None, graph: str | None
) -> dict[Path, bytes]:
    """The contents of the files that ``--report`` and ``--graph`` ask for."""
    contents = {}
    if report is not None:
        from figures.check_report import report_html

        contents[Path(report)] = report_html(verdicts, settings).encode()
    if graph is not None:
        from figures.proof_graph import picture_kind, render

        contents[Path(graph)] = render(verdicts, picture_kind(graph))
    return contents


def explain_all(verdicts: "list[Verdict]", out: "Console") -> None:
    """What ``--verbose`` prints."""
    from proofs_check import STATEMENTS
    from proofs_check.explain import explain

    for verdict in verdicts:
        explain(verdict, STATEMENTS[verdict.slug], out)


def table_of_statements(statements: "list[Statement]") -> "Table":
    """Slug, expected verdict and claim of each statement."""
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    table.add_column("slug", no_wrap=True)
    table.add_column("expected", no_wrap=True)
    table.add_column("claim")
    for statement in statements:
        table.add_row(statement.slug, statement.expected, escape(statement.claim))
    return table
