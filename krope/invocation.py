"""The command line of a run, as a reader may type it again."""

import shlex
from collections.abc import Collection, Iterator
from typing import Any

import typer


def command_line(context: typer.Context, without: Collection[str] = (), **changes: Any) -> str:
    """What was typed, in the order of the help page: options that were not given are left to their defaults.

    Args:
        context: of the command.
        without: parameters to leave out.
        changes: parameters by name that are to have another value; None leaves one out.
    """
    words = [*context.command_path.split()]
    kept: dict[str, Any] = {}
    for param in context.command.params:
        name = str(param.name)
        if name in changes:
            kept[name] = changes[name]
        elif name not in without and name in context.params and given(context, name):
            kept[name] = context.params[name]
    for last in (False, True):  # arguments first
        for param in context.command.params:
            if (param.param_type_name != "argument") == last and kept.get(str(param.name)) is not None:
                words += _words(param, kept[str(param.name)])
    return shlex.join(words)


def given(context: typer.Context, name: str) -> bool:
    """Whether a parameter was typed, not left to its default."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _words(param: Any, value: Any) -> Iterator[str]:
    values = [str(one) for one in (value if isinstance(value, list | tuple) else [value])]
    if param.param_type_name == "argument":
        yield from values
    elif getattr(param, "is_flag", False):
        yield from [max(param.opts, key=len)] if value else []
    elif getattr(param, "multiple", False):
        for one in values:
            yield from (max(param.opts, key=len), one)
    else:
        yield from (max(param.opts, key=len), *values)
