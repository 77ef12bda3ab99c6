"""What the command says when something goes wrong: one line on stderr, and an exit code."""

import sys
import traceback
from collections.abc import Callable

import typer

from tabular_krope.cli.console import PipeClosed
from tabular_krope.errors import KropeError

BAD_INPUT, FAULT, INTERRUPTED, PIPE_CLOSED = 2, 70, 130, 141

#: The base class of typer's complaints about the command line, wherever the installed version keeps it.
UsageError: type[Exception] = typer.BadParameter.__bases__[0]


def guarded(action: Callable[[], int], debug: bool = False) -> int:
    """The exit code of ``action``; an exception becomes one line on stderr, after its traceback if ``debug``.

    >>> guarded(lambda: 0)
    0
    """
    try:
        return action()
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except PipeClosed:
        return PIPE_CLOSED
    except Exception as error:
        if debug:
            traceback.print_exc()
        code, message = verdict_on(error)
        print(f"krope: error: {message}", file=sys.stderr)
        return code


def verdict_on(error: Exception) -> tuple[int, str]:
    """Exit code and one-line message for an exception.

    >>> verdict_on(KropeError("gamma must lie in [0, 1]; got 2"))
    (2, 'gamma must lie in [0, 1]; got 2')
    >>> verdict_on(FileNotFoundError(2, "No such file or directory", "a.npz"))
    (2, 'a.npz: no such file or directory')
    """
    if isinstance(error, UsageError):
        return BAD_INPUT, _usage(error)
    if isinstance(error, KropeError):
        return BAD_INPUT, _one_line(error)
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return BAD_INPUT, where + error.strerror[:1].lower() + error.strerror[1:]
    if isinstance(error, MemoryError):
        return BAD_INPUT, f"the model does not fit in memory ({_one_line(error)})"
    return FAULT, f"unexpected {type(error).__name__}: {_one_line(error)} (a fault of krope; --debug shows where)"


def _usage(error: Exception) -> str:
    text = " ".join(error.format_message().split()).rstrip(".")  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "krope"
    return f"{text[:1].lower()}{text[1:]} (see {command} --help)"


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
