"""Work that another thread may take: begun early if a core is free, done by whoever asks for it otherwise.

`later` hands a call to a pool; `Later.result` takes it back and makes it itself if no thread has begun it. So nothing
ever waits for a thread that is busy elsewhere, calls may be nested, and with one core all happens in one thread, in the
order of the results. Sums are split by rows only, so that no number depends on the threads.

There are as many threads as ``OMP_NUM_THREADS`` says, else as many as the process has cores.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

T = TypeVar("T")
#: Threads at most: what is done here reads memory, which more cores share.
MOST = 16
_pools: dict[int, ThreadPoolExecutor] = {}


def workers() -> int:
    """Threads that work at a time, this one included."""
    told = os.environ.get("OMP_NUM_THREADS", "")
    if told.isdecimal() and int(told) > 0:
        return min(int(told), MOST)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(cores or 1, MOST)


class Later(Generic[T]):
    """A call that a thread may have begun.

    A pool keeps what was taken back in its queue until a thread comes by, so what it keeps must hold no arrays: the
    call is dropped when it is made.
    """

    def __init__(self, call: Callable[[], T], pool: ThreadPoolExecutor | None) -> None:
        self.call: Callable[[], T] | None = call
        self.begun = None if pool is None else pool.submit(self._make)

    def _make(self) -> T:
        call, self.call = self.call, None
        assert call is not None, "a call is made once"
        return call()

    def result(self) -> T:
        """What the call returns; it is made here and now unless a thread has it in hand."""
        return self._make() if self.begun is None or self.begun.cancel() else self.begun.result()


def later(call: Callable[[], T]) -> Later[T]:
    """A call for a thread that is free.

    >>> later(lambda: 3).result()
    3
    """
    others = workers() - 1
    if others == 0:
        return Later(call, None)
    if others not in _pools:
        _pools[others] = ThreadPoolExecutor(others, thread_name_prefix="krope")
    return Later(call, _pools[others])


def together(calls: Sequence[Callable[[], object]]) -> None:
    """Make all calls, several at a time."""
    rest = [later(call) for call in calls[1:]]
    for call in calls[:1]:
        call()
    for begun in reversed(rest):
        begun.result()


if hasattr(os, "register_at_fork"):  # threads do not survive in a forked process
    os.register_at_fork(after_in_child=_pools.clear)
