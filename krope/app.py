"""The ``krope`` application: its options, its commands, and how a run ends."""

import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Annotated

import typer

from krope import console
from krope.errors import PIPE_CLOSED, guarded, show_tracebacks
from krope.lazy import Entry, accept_manners, lazy_group, list_entries
from tabular_krope import __version__

EXAMPLES = """
[bold]Examples[/]

krope check                       judge every statement about KROPE

krope analyze garnet:8x5x3        kernel, features and stability of a model

krope analyze --help              all its options, and more examples

[bold]Exit codes[/]

0    done

1    a verdict or a proof is not as expected, or a configuration failed; each command's help says which

2    bad input; one line says what to change

70   a fault of krope; --debug shows where

130  interrupted; 143 by SIGTERM
"""

COMMANDS = {
    "check": Entry(
        "krope.check:check", "Judge statements about KROPE and print the verdicts.", tables=("check",), small=True
    ),
    "conjecture": Entry(
        "krope.conjecture:conjecture",
        "Prove or refute your own inequality about KROPE for every chain, or search for a counterexample.",
        tables=("conjecture",),
        small=True,
    ),
    "verify": Entry(
        "krope.verify:verify",
        "Check a stored proof or refutation again from its file alone, and say what has to be trusted.",
        small=True,
    ),
    "worst": Entry(
        "krope.worst:worst",
        "The best constant: the supremum of an expression over all chains, with proof.",
        tables=("worst",),
        small=True,
    ),
    "analyze": Entry(
        "krope.analyze:analyze",
        "Kernel, features, stability, completeness and value bounds of a model.",
        tables=("analyze",),
    ),
    "diagnose": Entry(
        "krope.diagnose:diagnose",
        "Is value learning stable on this data with these features? If not, why, and what cures it?",
        tables=("diagnose",),
    ),
    "bench": Entry(
        "krope.bench:bench",
        "Our solvers against the alternatives: ratios within one run, one BLAS thread on both sides.",
        tables=("bench",),
    ),
    "figures": Entry("krope.figures:figures", "Compute and draw the figures: data and pictures of each."),
    "demo": Entry("krope.demo:demo", "Explore KROPE in a browser: a guided story, and a workbench for any model."),
    "deep": Entry(
        "krope.deep:app", "Offline policy evaluation on continuous control: data, policies, training, studies, tables."
    ),
    "sweep": Entry(
        "krope.sweep:app",
        "Stability and measures of features over models x policies x data weights x d, in parallel and resumable.",
        tables=("sweep", "table"),
    ),
}

app = typer.Typer(
    name="krope",
    cls=lazy_group(COMMANDS),
    epilog=EXAMPLES,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
list_entries(app, COMMANDS)


@app.callback(invoke_without_command=True)
def krope(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """The laboratory where claims about KROPE representations are settled."""
    if version:
        typer.echo(f"krope {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line ``arguments`` (those of the process if None) and return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    console.be_quiet(False)
    console.listen(None)
    show_tracebacks(False)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # was closed by whoever started this process
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 (as long as the process)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without Unicode gets '?', not an exception
    command = typer.main.get_command(app)
    accept_manners(command)
    try:
        with _words_of_the_shell():
            return guarded(lambda: _finished(command.main(words, prog_name="krope", standalone_mode=False) or 0))
    except SystemExit as left:
        # The one place where click leaves by itself with code 1: nobody reads its help any more.
        return PIPE_CLOSED if left.code == 1 else int(left.code or 0)


def _finished(code: int) -> int:
    """The exit code, after what the run showed is written in the formats that were asked for."""
    if console.listened_to():
        from krope import exports

        exports.write()
    return code


def _words_of_the_shell() -> AbstractContextManager[None]:
    """What a shell that asks for completions needs; nothing in any other run."""
    if "_KROPE_COMPLETE" not in os.environ:
        return nullcontext()
    from krope.completion import whole_words

    return whole_words()
