"""How much the semidefinite programs of one question may cost, in unknowns; and what they found before."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from proofs_check.prove.small_model.problem import Problem

#: Unknowns of all programs for one question.
MOST = 25_000
Value = TypeVar("Value")
_left: ContextVar[int] = ContextVar("left", default=MOST)
_seen: ContextVar[dict[str, Any] | None] = ContextVar("seen", default=None)


@contextmanager
def patience(most: int = MOST) -> Iterator[None]:
    """Allow programs with so many unknowns inside.

    >>> with patience(10):
    ...     spend(8), spend(8), spend(1)
    (True, True, False)
    """
    token, memory = _left.set(most), _seen.set({})
    try:
        yield
    finally:
        _left.reset(token)
        _seen.reset(memory)


def spend(unknowns: int) -> bool:
    """Whether one more program may be tried, which it is then."""
    left = _left.get()
    _left.set(left - unknowns)
    return left > 0


def remembered(problem: Problem, solve: Callable[[], Value]) -> Value:
    """What was found for the same problem before, or is now."""
    seen = _seen.get()
    if seen is None:
        return solve()
    bounds = (problem.strict, problem.nonnegative, problem.simplices, problem.free, problem.constraints)
    key = f"{problem.goal} {bounds} {problem.exceeding}"
    if key not in seen:
        seen[key] = solve()
    found: Value = seen[key]
    return found
