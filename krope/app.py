"""The ``krope`` application: its options, its commands, and how a run ends."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from krope import analyze, bench, check, conjecture, deep, demo, diagnose, figures, sweep
from krope.bash_words import whole_words
from krope.console import be_quiet
from krope.errors import PIPE_CLOSED, guarded

EXAMPLES = """
[bold]Examples[/]

krope check                       judge every statement about KROPE

krope analyze garnet:8x5x3        kernel, features and stability of a model

krope analyze --help              what else it can do
"""

app = typer.Typer(name="krope", epilog=EXAMPLES, pretty_exceptions_enable=False, rich_markup_mode="rich")

COMMANDS = (
    (check.check, check.EXAMPLES),
    (conjecture.conjecture, conjecture.EXAMPLES),
    (analyze.analyze, analyze.EXAMPLES),
    (diagnose.diagnose, diagnose.EXAMPLES),
    (bench.bench, bench.EXAMPLES),
    (figures.figures, figures.EXAMPLES),
    (demo.demo, demo.EXAMPLES),
)

#: Commands with commands of their own.
GROUPS = (("deep", deep.app), ("sweep", sweep.app))

for command, examples in COMMANDS:
    app.command(epilog=examples, no_args_is_help=False)(command)
for name, group in GROUPS:
    app.add_typer(group, name=name)


@app.callback(invoke_without_command=True)
def krope(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Print nothing but errors and what --json - asks for; anywhere on the line.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error; anywhere on the line.")
    ] = False,
) -> None:
    """The laboratory where claims about KROPE representations are settled."""
    # `quiet` and `debug` are read by `run`, which sees them wherever they stand; they are declared here for the help.
    if version:
        from tabular_krope import __version__

        typer.echo(f"krope {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line ``arguments`` (those of the process if None) and return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in words
    be_quiet("--quiet" in words)
    words = [word for word in words if word not in ("--debug", "--quiet")]
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without Unicode gets '?', not an exception
    command = typer.main.get_command(app)
    try:
        with whole_words():
            return guarded(lambda: command.main(words, prog_name="krope", standalone_mode=False) or 0, debug)
    except SystemExit as left:
        # The one place where click leaves by itself with code 1: nobody reads its help any more.
        return PIPE_CLOSED if left.code == 1 else int(left.code or 0)
