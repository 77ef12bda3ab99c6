"""How a command ends that does not come to its own end: one line on stderr, and an exit code.

Ctrl-C, and SIGTERM, which batch schedulers send, are no errors: what is finished stays, and the user is told how to
resume.
"""

import errno
import re
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer

from krope.console import PipeClosed, messages
from tabular_krope.errors import KropeError

BAD_INPUT, FAULT, INTERRUPTED, PIPE_CLOSED, TERMINATED = 2, 70, 130, 141, 143

#: What to do about the system's errors.
ADVICE = {
    errno.ENOENT: "check the path",
    errno.EISDIR: "give a file",
    errno.ENOTDIR: "give a folder",
    errno.EACCES: "check its permissions",
    errno.EPERM: "check its permissions",
    errno.EROFS: "choose another place",
    errno.ENOSPC: "free some space, or choose another place",
}
#: What to do about a claim that came in several words.
QUOTE = """quote the claim: krope conjecture "d[x,y] >= 0\""""
#: The base class of typer's complaints about the command line, wherever the installed version keeps it.
UsageError: type[Exception] = typer.BadParameter.__bases__[0]
#: What is kept of a command without checkpoints.
NOTHING_KEPT = "nothing is kept of what was computed (a file is written whole or not at all)"
#: Called from time to time, raises an interrupt that came but was lost on its way.
Check = Callable[[], None]

#: Whether ``--debug`` was given: an error's traceback is shown before its line.
_tracebacks = False
#: The signals that were taken for an interrupt of this command; an exception may lose its kind on its way.
_came: list[int] = []


def show_tracebacks(shown: bool) -> None:
    """Show the traceback of an error from now on, or only its line."""
    global _tracebacks
    _tracebacks = shown


def guarded(action: Callable[[], int]) -> int:
    """The exit code of ``action``; an exception becomes one line on stderr, after its traceback with ``--debug``.

    >>> guarded(lambda: 0)
    0
    """
    forget_signals()
    try:
        code = action()
        return _interrupted() if code == INTERRUPTED else code  # typer makes the number of an interrupt
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted()
    except PipeClosed:
        return PIPE_CLOSED
    except Exception as error:
        if _tracebacks:
            traceback.print_exc()
        code, message = verdict_on(error)
        print(f"krope: error: {message}", file=sys.stderr)
        return code


def _interrupted() -> int:
    return TERMINATED if terminated() else INTERRUPTED


def verdict_on(error: Exception) -> tuple[int, str]:
    """Exit code and one-line message for an exception.

    >>> verdict_on(KropeError("gamma must lie in [0, 1]; got 2"))
    (2, 'gamma must lie in [0, 1]; got 2')
    >>> verdict_on(FileNotFoundError(2, "No such file or directory", "a.npz"))
    (2, 'a.npz: no such file or directory (check the path)')
    """
    if isinstance(error, UsageError):
        return BAD_INPUT, _usage(error)
    if isinstance(error, KropeError):
        return BAD_INPUT, _one_line(error)
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        advice = f" ({ADVICE[error.errno]})" if error.errno in ADVICE else ""
        return BAD_INPUT, where + error.strerror[:1].lower() + error.strerror[1:] + advice
    if isinstance(error, MemoryError):
        return BAD_INPUT, f"the model does not fit in memory, take a smaller one ({_one_line(error)})"
    if isinstance(error, ModuleNotFoundError):
        from tabular_krope.extras import missing_extra

        if (missing := missing_extra(error)) is not None:
            return BAD_INPUT, str(missing)
    return FAULT, f"unexpected {type(error).__name__}: {_one_line(error)} (a fault of krope; --debug shows where)"


def _usage(error: Exception) -> str:
    text = _plain_usage(" ".join(error.format_message().split()).rstrip("."))  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "krope"
    advice = f"{QUOTE}; " if command.endswith("conjecture") and "extra argument" in text else ""
    return f"{text[:1].lower()}{text[1:]} ({advice}see {command} --help)"


def _plain_usage(text: str) -> str:
    """A complaint of typer's in the words of the others.

    >>> _plain_usage("No such option: --exampels (Possible options: --examples)")
    "no such option '--exampels', did you mean '--examples'?"
    >>> _plain_usage("Invalid value for '--seed': Input should be a valid integer, unable to parse string")
    '--seed must be an integer'
    """
    if found := re.fullmatch(r"No such option: (\S+)(?: \(Possible options?: (\S+?),?(?: .*)?\))?", text):
        return f"no such option '{found[1]}'" + (f", did you mean '{found[2]}'?" if found[2] else "")
    if found := re.match(r"Invalid value for '(\S+)': Input should be a valid (integer|number)\b", text):
        return f"{found[1]} must be {'an integer' if found[2] == 'integer' else 'a number'}"
    return text


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def terminated() -> bool:
    """Whether SIGTERM came since `forget_signals`."""
    return signal.SIGTERM in _came


def forget_signals() -> None:
    """Begin a command of which no signal has come."""
    _came.clear()


@contextmanager
def tell_how_to_resume(kept: Callable[[], str]) -> Iterator[Check]:
    """One line on stderr for an interrupt of the block, ``kept()`` in it; the interrupt goes on to end the command."""
    try:
        with signals_as_interrupts() as check:
            yield check
    except KeyboardInterrupt:
        messages().print(f"krope: interrupted: {kept()}", markup=False, soft_wrap=True)
        raise


@contextmanager
def signals_as_interrupts() -> Iterator[Check]:
    """SIGTERM raises KeyboardInterrupt, as Ctrl-C does; `terminated` tells them apart.

    Compiled libraries lose an exception now and then that is raised while they call back into Python. So the block is
    given a function to call where nothing is half done.
    """
    came: list[int] = []

    def interrupt(number: int, frame: Any) -> None:  # noqa: ARG001 (the signal's)
        came.append(number)
        _came.append(number)
        raise KeyboardInterrupt

    def check() -> None:
        if came:
            raise KeyboardInterrupt

    # A Ctrl-C that is ignored, as in the background of a shell, stays so.
    listened = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    before = {}
    try:
        for number in (signal.SIGTERM, signal.SIGINT) if listened else (signal.SIGTERM,):
            before[number] = signal.signal(number, interrupt)
    except ValueError:  # not in the main thread, where signals do not arrive either
        yield check
        return
    try:
        yield check
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
