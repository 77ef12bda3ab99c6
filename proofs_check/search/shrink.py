"""From an instance that refutes a claim to a small one: one step simpler at a time, while it still does."""

from collections.abc import Callable, Iterable

from proofs_check.chains.case import Case
from proofs_check.chains.scope import Scope
from proofs_check.chains.simpler import simpler


def shrink(
    case: Case,
    refutes: Callable[[Case], bool],
    scope: Scope,
    budget: int,
    cost: Callable[[Case], int] = lambda case: 1,
    screen: Callable[[list[Case]], Iterable[Case]] = lambda cases: cases,
    progress: Callable[[int], None] = lambda spent: None,
    seen: Callable[[Case], None] = lambda case: None,
) -> Case:
    """An instance that still refutes, and none of whose simpler neighbors does, as far as the budget reaches.

    Args:
        case: a rational instance that refutes the claim.
        refutes: whether a rational instance does, exactly.
        scope: the chains that may be proposed.
        budget: what judging the neighbors may cost.
        cost: what judging one takes.
        screen: those of the neighbors, in order, that are worth an exact judgment.
        progress: called after each step with what was spent.
        seen: called with every simpler instance that still refutes, in the order of shrinking.

    >>> from flint import fmpq
    >>> from proofs_check.arithmetic.linear_algebra import rationals
    >>> case = Case.from_matrix(rationals([["1/3", "2/3"], [1, 0]]), rationals(["5/7", 2]), fmpq(4, 7))
    >>> small = shrink(case, lambda near: max(near.q) > 1, Scope(weighted=False), budget=400)
    >>> small.P, small.r, small.gamma
    (array([[0, 1],
           [1, 0]], dtype=object), array([0, 1], dtype=object), 1/2)
    """
    spent = 0
    while True:
        for near in screen(simpler(scope, case)):
            spent += cost(near)
            if refutes(near):
                case = near
                seen(case)
                break
            if spent >= budget:
                return case
        else:
            return case
        progress(spent)
