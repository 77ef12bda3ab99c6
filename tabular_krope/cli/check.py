"""``krope check``: judge the statements."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from proofs_check.statement import Statement
    from proofs_check.verdict import Verdict

EXAMPLES = """
[bold]Examples[/]

krope check                              judge every statement

krope check theorem-1 lemma-value-bound  only these

krope check --examples 1000 --seed 7 --jobs 2

krope check --exact theorem-1            as many rational instances as floats

krope check --json verdicts.json         evidence and witnesses too

krope check --list                       the statements, without judging them

Exit code 0 when each verdict is the expected one, 1 otherwise.
"""

UNEXPECTED = 1


def check(
    slugs: Annotated[
        list[str] | None, typer.Argument(metavar="[SLUG]...", help="Statements to judge. Default: every one.")
    ] = None,
    examples: Annotated[int, typer.Option(help="Random instances for each statement.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the instances.")] = 0,
    exact: Annotated[bool, typer.Option("--exact", help="As many rational instances as float ones.")] = False,
    jobs: Annotated[int, typer.Option(help="Processes.")] = 1,
    json: Annotated[
        str | None,
        typer.Option(help="Write the verdicts to FILE; - for stdout, and nothing else there.", metavar="FILE"),
    ] = None,
    show: Annotated[bool, typer.Option("--list", help="List the statements and leave.")] = False,
) -> None:
    """Judge statements about KROPE and print the verdicts."""
    from proofs_check import STATEMENTS, check_all
    from proofs_check.report_table import print_table, verdicts_as_json
    from tabular_krope.cli import console, targets
    from tabular_krope.errors import unknown_name

    names = list(dict.fromkeys(slugs or STATEMENTS))
    for name in names:
        if name not in STATEMENTS:
            raise unknown_name("slug", name, STATEMENTS)
    if json is not None:
        targets.require_file_target(json, "json")
    if show:
        console.output().print(table_of_statements([STATEMENTS[name] for name in names]))
        return
    with console.progress("judging", len(names)) as bar:

        def judged(verdict: "Verdict") -> None:
            bar.update(bar.task_ids[0], advance=1, description=verdict.slug)

        verdicts = check_all(names, examples, seed, exact, jobs, judged)
    if json is not None:
        settings = {"examples": examples, "seed": seed, "exact": exact}
        targets.write_json(json, verdicts_as_json(verdicts, settings))
    if json != targets.STDOUT:
        print_table(verdicts, console.output())
    if not all(verdict.as_expected for verdict in verdicts):
        raise typer.Exit(UNEXPECTED)


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
