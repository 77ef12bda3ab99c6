"""From an exact counterexample of a question to a small one."""

from collections.abc import Callable, Iterator

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats
from proofs_check.chains.as_rationals import on_pairs
from proofs_check.chains.case import Case
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.float_judge import judge_batch
from proofs_check.conjectures.question import PLAIN, Question
from proofs_check.search.shrink import shrink

#: Exact judgments of small chains that shrinking may cost.
BUDGET = 400


def shrink_refutation(
    question: Question,
    case: Case,
    progress: Callable[[int], None] = lambda done: None,
    seen: Callable[[Case], None] = lambda case: None,
) -> Case:
    """A chain that still refutes the claim, exactly, and none of whose simpler neighbors that were tried does.

    Args:
        question: what is asked.
        case: a rational chain that refutes it.
        progress: called with the number of exact judgments so far.
        seen: called with every smaller chain on the way.

    >>> from flint import fmpq
    >>> from proofs_check.conjectures.question import ask
    >>> from proofs_check.arithmetic.linear_algebra import rationals
    >>> case = Case.from_matrix(rationals([["1/3", "2/3"], [1, 0]]), rationals(["5/7", 2]), fmpq(4, 7))
    >>> small = shrink_refutation(ask("q[x] <= 1"), case)
    >>> small.P, small.r, small.gamma
    (array([[0, 1],
           [1, 0]], dtype=object), array([0, 1], dtype=object), 1/2)
    """
    if not question.structured:
        case = on_pairs(case)
    return shrink(
        case,
        lambda near: judge_case(question, near).refutes,
        question.scope,
        BUDGET,
        cost=lambda near: cost(question, near),
        screen=lambda cases: _suspects(question, cases),
        progress=progress,
        seen=seen,
    )


def cost(question: Question, case: Case) -> int:
    """What an exact judgment takes, in judgments of a small chain: the kernel of ``X`` pairs takes ``X**4``."""
    return 1 if question.names <= PLAIN else 1 + (case.X // 12) ** 4


def _suspects(question: Question, cases: list[Case]) -> Iterator[Case]:
    """Those that floats do not acquit, in order."""
    if question.exact_only:
        yield from cases
        return
    keep = np.zeros(len(cases), dtype=bool)
    for X in {case.X for case in cases}:
        chosen = [i for i, case in enumerate(cases) if case.X == X]
        finding = judge_batch(question, Batch.of_cases([as_floats(cases[i]) for i in chosen], question.dim))
        keep[chosen] = finding.suspect
    yield from (case for case, kept in zip(cases, keep, strict=True) if kept)


def as_floats(case: Case) -> Case:
    """A rational chain rounded to floats."""
    limits = case.reward_range
    return Case(
        floats(case.P),
        floats(case.Pi),
        floats(case.r),
        float(floats(case.gamma)),
        floats(case.end),
        floats(case.weights),
        None if limits is None else (float(floats(limits[0])), float(floats(limits[1]))),
        {name: floats(value) for name, value in case.given.items()},
    )
