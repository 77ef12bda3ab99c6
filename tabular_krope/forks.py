"""Work shared out between this process and copies of it, which have loaded what it has.

A fresh process loads numpy, scipy and our own modules again, which takes longer than most judgments; a copy of this one
starts at once. Only Linux copies a process well, and only one without other threads, those of a BLAS library included:
a lock that one of them holds would stay closed in the copy for good. Elsewhere `tabular_krope.parallel.in_parallel`
starts fresh processes.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

Result = TypeVar("Result")


def can_fork() -> bool:
    """Whether this process may be copied: on Linux, while it has no thread but this one."""
    return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1


def shared_out(function: Callable[..., Result], calls: Iterable[tuple[Any, ...]], processes: int) -> Iterator[Result]:
    """``function(*call)`` for each call, by this process and copies of it, in the order in which they are known.

    Each takes the next call that nobody has taken; results of the copies come in between two of our own. An exception
    in a copy is raised here. Copies do not hear Ctrl-C; they are ended when this process stops, whatever the reason.

    >>> sorted(shared_out(abs, ((x,) for x in (-1, 2, -3)), 2))
    [1, 2, 3]
    """
    work = list(calls)
    context = multiprocessing.get_context("fork")
    turn = context.Value("q", 0)

    def next_call() -> tuple[Any, ...] | None:
        with turn.get_lock():
            turn.value += 1
            return work[turn.value - 1] if turn.value <= len(work) else None

    def copy(results: Connection) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # ends it at once, without a word, whatever this process does
        while (call := next_call()) is not None:
            try:
                results.send((function(*call), None))
            except Exception as error:
                results.send((None, error))

    copies, pipes = [], []
    known = 0
    try:
        for _ in range(min(processes, len(work)) - 1):
            here, there = context.Pipe(duplex=False)
            copies.append(context.Process(target=copy, args=(there,), daemon=True))
            copies[-1].start()
            there.close()  # the copy's own is the last one: when it ends, the pipe does
            pipes.append(here)
        while (call := next_call()) is not None:
            yield function(*call)
            known += 1
            for result in _arrived(pipes, 0.0):
                yield result
                known += 1
        while pipes:
            for result in _arrived(pipes, None):
                yield result
                known += 1
        if known < len(work):
            raise RuntimeError(
                f"a process must do the work that it took; got {len(work) - known} of {len(work)} undone"
            )
    finally:
        for process in copies:
            process.terminate()
            process.join()


def _arrived(pipes: list[Connection], patience: float | None) -> Iterator[Any]:
    """The results that wait in pipes, one of each; a pipe that has ended is taken off the list."""
    for pipe in wait(pipes, patience) if pipes else []:
        assert isinstance(pipe, Connection)
        try:
            result, error = pipe.recv()
        except EOFError:
            pipes.remove(pipe)
            pipe.close()
            continue
        if error is not None:
            raise error
        yield result
