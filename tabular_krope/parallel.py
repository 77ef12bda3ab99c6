"""Work in several processes of this machine."""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Result = TypeVar("Result")


def in_parallel(
    function: Callable[..., Result], calls: Iterable[tuple[Any, ...]], jobs: int, **options: Any
) -> Iterator[Result]:
    """``function(*call)`` for each call, ``jobs`` at a time, in the order in which they are done; one job is this one.

    Ctrl-C reaches this process only, which then ends the others: they do not each print a traceback.

    >>> sorted(in_parallel(abs, ((x,) for x in (-1, 2, -3)), jobs=2))
    [1, 2, 3]
    """
    if jobs == 1:
        yield from (function(*call) for call in calls)
        return
    from joblib import Parallel, delayed

    with deaf_to_interrupts():
        results = Parallel(n_jobs=jobs, return_as="generator_unordered", **options)(
            delayed(function)(*call) for call in calls
        )
    yield from results


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes that are started inside ignore Ctrl-C for good; this one only while they are started.

    A signal mask would not do: the standard library's resource tracker lifts it.
    """
    if threading.current_thread() is not threading.main_thread():  # the only one that may set handlers
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
