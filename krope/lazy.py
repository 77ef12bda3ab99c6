"""Commands, help pages and completers that are loaded when they are asked for: ``krope --help`` loads no command."""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from krope.console import be_quiet, output
from krope.errors import show_tracebacks

#: Read by the BLAS libraries when they are loaded.
VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


@dataclass(frozen=True, slots=True)
class Entry:
    """A command by where it lives.

    Attributes:
        place: ``module:name`` of the function, or of the ``typer.Typer`` of a group.
        help: what it does, the first line of its own help.
        examples: shown below its help; the ``EXAMPLES`` of its module if empty.
        tables: names of those commands, of it and below it, that print tables.
        small: whether its matrices are small, so that one BLAS thread serves it best.
    """

    place: str
    help: str
    examples: str = ""
    tables: tuple[str, ...] = ()
    small: bool = False


#: What stands for the value of an option that names none itself, by its type.
VALUES = {"<bool>": "", "<int>": "N", "<float>": "NUMBER", "<str>": "NAME"}


class _HelpPage:
    """A command whose epilog is laid out by `krope.help_page`, with words for values in the place of Python's types."""

    epilog: str | None

    def get_params(self, ctx: Any) -> list[Any]:
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if param.param_type_name == "argument":
                name, rest = param.display_name_raw, "..." * (param.nargs != 1)
                param.get_usage_pieces = lambda _, shown=name + rest, must=param.required: [
                    shown if must else f"[{shown}]"
                ]
                param.display_type_rich = lambda **_: None  # the name says what it is
            elif param.metavar is None:
                param.metavar = "" if param.is_flag else VALUES.get(str(param.display_type(ctx)))
        return params

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from typer import rich_utils  # most runs ask for no help

        from krope.help_page import print_epilog

        epilog, self.epilog = self.epilog, None
        before, rich_utils.MAX_WIDTH = rich_utils.MAX_WIDTH, output().width
        try:
            super().format_help(ctx, formatter)  # type: ignore[misc]
        finally:
            self.epilog, rich_utils.MAX_WIDTH = epilog, before
        print_epilog(epilog or "")


class HelpCommand(_HelpPage, TyperCommand):
    """A command with a help page of ours."""


class HelpGroup(_HelpPage, TyperGroup):
    """A group of commands with a help page of ours."""


def lazy_group(entries: Mapping[str, Entry]) -> type[HelpGroup]:
    """A class for ``typer.Typer(cls=...)``: it lists the entries, and loads the one that is run."""

    class LazyGroup(HelpGroup):
        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            name, command, rest = super().resolve_command(ctx, args)
            return name, load(entries[name], name) if name is not None and name in entries else command, rest

    return LazyGroup


def list_entries(app: typer.Typer, entries: Mapping[str, Entry]) -> None:
    """Announce the entries to an application whose class is `lazy_group` of them."""
    for name, entry in entries.items():
        app.command(name, help=entry.help)(_placeholder)


@cache
def load(entry: Entry, name: str) -> Any:
    """The command of an entry, which takes ``--quiet`` and ``--debug`` like every other."""
    module, _, attribute = entry.place.partition(":")
    if entry.small:
        ask_for_one_thread()
    loaded = import_module(module)
    target = getattr(loaded, attribute)
    if not isinstance(target, typer.Typer):
        alone = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)
        alone.command(name, cls=HelpCommand, epilog=entry.examples or loaded.EXAMPLES)(target)
        target = alone
    command: Any = typer.main.get_command(target)
    command.name = name
    accept_manners(command)
    accept_formats(command, entry.tables)
    return command


def ask_for_one_thread() -> None:
    """One BLAS thread for commands that go through thousands of small matrices.

    A product of 12-by-12 matrices is done before a second thread has heard of it; threads that wait for the next one
    spin meanwhile, and on a busy machine a judgment of 4 CPU seconds took 32. The variables are left alone if the user
    has set any of them, or if numpy is loaded, which would be too late.
    """
    if "numpy" not in sys.modules and not any(name in os.environ for name in VARIABLES):
        os.environ.update(dict.fromkeys(VARIABLES, "1"))


def offer(names: str) -> Callable[[str], list[str]]:
    """A completer by its name in `krope.completion`, which is loaded when TAB is pressed.

    >>> offer("devices")("c")
    ['cpu', 'cuda']
    """

    def complete(incomplete: str) -> list[str]:
        from krope import completion

        return list(getattr(completion, names)(incomplete))

    return complete


def accept_manners(command: Any) -> None:
    """Let a command, and the commands below it, take ``--quiet`` and ``--debug``."""
    command.params += typer.main.get_command(_manners).params
    for below in getattr(command, "commands", {}).values():
        if below.callback is not _placeholder:
            accept_manners(below)


def accept_formats(command: Any, names: tuple[str, ...]) -> None:
    """Let the commands of these names, this one or below it, take ``--csv``, ``--latex`` and ``--markdown``."""
    if command.name in names and getattr(command, "invoke_without_command", True):
        command.params += typer.main.get_command(_formats).params
    for below in getattr(command, "commands", {}).values():
        accept_formats(below, names)


def _placeholder() -> None:
    """What is listed in the place of a command that is not loaded."""


def _set_quiet(value: bool) -> None:
    if value:
        be_quiet(True)


def _set_debug(value: bool) -> None:
    if value:
        show_tracebacks(True)


_manners = typer.Typer(add_completion=False)


@_manners.command()
def _manner_options(
    quiet: bool = typer.Option(
        False,
        "--quiet",
        help="Print only errors and what --json - asks for.",
        callback=_set_quiet,
        expose_value=False,
        is_eager=True,
    ),
    debug: bool = typer.Option(
        False, "--debug", help="Show the traceback of an error.", callback=_set_debug, expose_value=False, is_eager=True
    ),
) -> None:
    """The two options that every command has."""


def _format(name: str) -> Any:
    """The option of a format; it is asked for before the command begins."""

    def asked(path: str | None) -> None:
        if path is not None:
            from krope import exports  # few runs ask for another format

            exports.ask(name, path)

    told = "Write the tables as shown to FILE; - prints it to stdout and nothing else."
    return typer.Option(None, f"--{name}", help=told, metavar="FILE", callback=asked, expose_value=False)


_formats = typer.Typer(add_completion=False)


@_formats.command()
def _format_options(
    csv: str | None = _format("csv"), latex: str | None = _format("latex"), markdown: str | None = _format("markdown")
) -> None:
    """The options of commands that print tables."""
