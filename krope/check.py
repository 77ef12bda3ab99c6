"""``krope check``: judge the statements."""

from contextlib import ExitStack
from typing import Annotated

import typer

from krope import check_output, console
from krope.errors import tell_how_to_resume
from krope.lazy import offer
from proofs_check import STATEMENTS, check_all
from proofs_check.judging.verdict import Verdict
from proofs_check.statements.statement import Statement
from tabular_krope import __version__
from tabular_krope.errors import KropeError, unknown_name

EXAMPLES = """
[bold]Examples[/]

krope check                              judge every statement

krope check theorem-1 lemma-value-bound  only these

krope check --examples 1000 --seed 7

krope check theorem-1 truncation-stable --examples 1000   ten thousand Garnets each

krope check --exact theorem-1            as many rational instances as floats

krope check --json verdicts.json         evidence and witnesses too

krope check lemma-value-bound -v         steps, residuals and witness of one

krope check --table                      every column: claim, evidence, vacuous instances, false step

krope check --report run.html            a page with formulas, witnesses and tightness

krope check --graph proofs.svg           which proof uses which statement

krope check --formal                     recompile the formal proofs first (needs Coq)

krope check --list                       the statements, without judging them

krope check --group neighbors            only the claims of neighboring papers

krope check --module my_statements       statements of your own, from a module (here: my_statements.py)

[bold]What is printed[/]

First a sentence with the counts, then what is refuted, with its numbers, then what holds although a printed step is
false, then what else holds, one line each: slug, title, strongest evidence (Coq, proved, witness, exact, field,
adversarial, sampled), instances, and "tight" if the two sides of an inequality met, else the largest ratio found.

[bold]The table[/] (--table)

worst: tight = largest ratio of the sides; tol = violation over tolerance (<= 1: rounding); slack = never close

tried: instances that met the premise; vacuous: those that did not

identities: equations of the proof at random points; error: chance that a false one passed (of equations only)

proved for all: a stored certificate was checked, for chains of every size; all other evidence is from samples

(Coq): a theorem without axioms, compiled from exactly the sources that ship; --formal compiles it again

c: the best constant found, beside the proven one

[bold]Exit codes[/]

0  every verdict is as expected, refutations included

1  a verdict, a false step, a certificate or a negative control is not as expected

2  bad input; one line says what to change

130  interrupted; the files hold what was judged so far, and say so
"""

UNEXPECTED = 1


Slugs = Annotated[
    list[str] | None,
    typer.Argument(metavar="SLUG", help="Statements to judge. Default: every one.", autocompletion=offer("statements")),
]
Jobs = Annotated[int | None, typer.Option(help="Number of processes. Default: one per processor.", show_default=False)]
Json = Annotated[
    str | None,
    typer.Option(
        help="Write the verdicts, or the list, to FILE; - prints it to stdout and nothing else.", metavar="FILE"
    ),
]
Report = Annotated[
    str | None,
    typer.Option(help="Write one self-contained page to FILE.html.", metavar="FILE.html"),
]
Graph = Annotated[
    str | None,
    typer.Option(help="Draw which proof uses which statement; .svg or .png.", metavar="FILE.svg"),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Explain each statement: steps, residuals, witness.")]
Formal = Annotated[bool, typer.Option("--formal", help="First recompile the formal proofs of the statements with Coq.")]
Group = Annotated[
    str | None,
    typer.Option(
        help="Only statements of one group: paper, neighbors or own.",
        metavar="NAME",
        autocompletion=offer("groups"),
    ),
]
Module = Annotated[
    str | None,
    typer.Option(
        help="Import this Python module first; unless others are named, only its statements are judged.",
        metavar="NAME",
    ),
]


def check(
    context: typer.Context,
    slugs: Slugs = None,
    examples: Annotated[int, typer.Option(help="Random instances per statement.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed for the instances.")] = 0,
    exact: Annotated[bool, typer.Option("--exact", help="As many rational instances as float ones.")] = False,
    jobs: Jobs = None,
    json: Json = None,
    report: Report = None,
    graph: Graph = None,
    verbose: Verbose = False,
    table: Annotated[bool, typer.Option("--table", help="Print the table with every column instead.")] = False,
    formal: Formal = False,
    show: Annotated[bool, typer.Option("--list", help="List the statements and exit.")] = False,
    group: Group = None,
    module: Module = None,
) -> None:
    """Judge statements about KROPE and print the verdicts."""
    statements = named_statements(chosen_slugs(slugs, group, module))
    wanted = check_output.Wanted(json, report, graph, verbose, table, context)
    wanted.require()
    if show:
        _list(statements, json)
        return
    if formal:
        from krope import formal_proofs

        formal_proofs.compile_again([statement.slug for statement in statements])
    settings = {"examples": examples, "seed": seed, "exact": exact, "version": __version__}
    names = [statement.slug for statement in statements]
    so_far: dict[str, Verdict] = {}
    written: list[str] = []
    with tell_how_to_resume(lambda: _kept(len(so_far), len(names), written)) as interrupted:
        try:
            with ExitStack() as shown:
                # A bar has a thread, and a process with threads is not copied: it begins when the copies are made.
                bar = None if len(names) > 1 else shown.enter_context(console.progress("judging", len(names)))

                def judged(verdict: Verdict) -> None:
                    nonlocal bar
                    so_far[verdict.slug] = verdict
                    interrupted()
                    bar = bar or shown.enter_context(console.progress("judging", len(names)))
                    bar.update(bar.task_ids[0], advance=1, description=verdict.slug)

                verdicts = check_all(names, examples, seed, exact, jobs, judged)
                contents = check_output.pictures(verdicts, settings, wanted)
        except KeyboardInterrupt:
            found = [so_far[name] for name in names if name in so_far]
            missing = [name for name in names if name not in so_far]
            written += check_output.deliver_interrupted(found, missing, settings, wanted)
            raise
    check_output.deliver(verdicts, contents, settings, wanted)
    if not all(verdict.as_expected for verdict in verdicts):
        raise typer.Exit(UNEXPECTED)


def _kept(judged: int, asked: int, written: list[str]) -> str:
    """What an interrupt leaves.

    >>> _kept(15, 40, ["r.html", "c.json"])
    '15 of 40 judged; r.html, c.json: these only, marked as incomplete'
    """
    held = "these only, marked as incomplete" if judged < asked else "written whole"
    files = f"; {', '.join(written)}: {held}" if written else ""
    return f"{judged} of {asked} judged{files}"


def chosen_slugs(slugs: list[str] | None, group: str | None, module: str | None) -> list[str] | None:
    """The slugs that the options ask for: those of a module, of a group, or those that are named; None for all."""
    brought = None if module is None else _register(module)
    if group is None:
        return slugs or brought
    if slugs:
        raise KropeError(f"group must not be given with slugs; got {group} and {slugs[0]}")
    found = STATEMENTS.in_group(group)
    if not found:
        raise KropeError(f"group must have statements; got {group!r}, which has none (--module NAME brings some)")
    return found


def _register(module: str) -> list[str]:
    from proofs_check.statements.own import register_module

    return register_module(module)


def named_statements(slugs: list[str] | None) -> list[Statement]:
    """The statements with these slugs, each once; every one if None is given."""
    names = list(dict.fromkeys(slugs or STATEMENTS))
    for name in names:
        if name not in STATEMENTS:
            raise unknown_name("slug", name, STATEMENTS, "krope check --list")
    return [STATEMENTS[name] for name in names]


def _list(statements: list[Statement], json: str | None) -> None:
    """What ``--list`` prints, or writes where ``--json`` says."""
    if json is not None:
        from krope import targets

        names = ("slug", "source", "expected", "claim", "assumes", "formula")
        rows = [
            {"group": STATEMENTS.group(one.slug), **{name: getattr(one, name) for name in names}} for one in statements
        ]
        targets.write_json(json, rows)
    if json != console.STDOUT:
        out = console.output()
        out.print(check_output.table_of_statements(statements, out.width))
