"""How much the semidefinite programs of one question may cost, in unknowns."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

#: Unknowns of all programs for one question.
MOST = 40_000
_left: ContextVar[int] = ContextVar("left", default=MOST)


@contextmanager
def patience(most: int = MOST) -> Iterator[None]:
    """Allow programs with so many unknowns inside.

    >>> with patience(10):
    ...     spend(8), spend(8), spend(1)
    (True, True, False)
    """
    token = _left.set(most)
    try:
        yield
    finally:
        _left.reset(token)


def spend(unknowns: int) -> bool:
    """Whether one more program may be tried, which it is then."""
    left = _left.get()
    _left.set(left - unknowns)
    return left > 0
