"""Ctrl-C, and SIGTERM, which batch schedulers send: what is finished stays, and the user is told how to resume."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from krope.console import messages

#: What is kept of a command without checkpoints.
NOTHING_KEPT = "nothing is kept of what was computed (a file is written whole or not at all)"
#: Called from time to time, raises an interrupt that came but was lost on its way.
Check = Callable[[], None]


#: The signals that were taken for an interrupt of this command; an exception may lose its kind on its way.
_came: list[int] = []


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
