"""Signs of parameters, found by the cheap rules only."""

from proofs_check.prove.small_model.problem import Problem
from proofs_check.prove.small_model.rules import find


def polynomial_sign(problem: Problem) -> int | None:
    """1 if the goal is at least 0 everywhere, -1 if at most 0, 0 if it is 0; None if neither was seen.

    >>> from proofs_check.prove.small_model.ring import variable
    >>> polynomial_sign(Problem(variable("b1") - 1, simplices=(("b1",),)))
    -1
    """
    if problem.goal.is_zero():
        return 0
    for sign in (1, -1):
        if find(problem.about(sign * problem.goal), squares=False) is not None:
            return sign
    return None
