"""Work in several processes of this machine."""

import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any


def in_parallel(tasks: Iterable[Any], jobs: int, **options: Any) -> Iterator[Any]:
    """Results of joblib's delayed ``tasks``, ``jobs`` at a time, in the order in which they are done.

    Ctrl-C reaches this process only, which then ends the others: they do not each print a traceback.

    >>> from joblib import delayed
    >>> sorted(in_parallel((delayed(abs)(x) for x in (-1, 2, -3)), jobs=2))
    [1, 2, 3]
    """
    from joblib import Parallel

    with deaf_to_interrupts():
        results: Iterator[Any] = Parallel(n_jobs=jobs, return_as="generator_unordered", **options)(tasks)
    return results


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
