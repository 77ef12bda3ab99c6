"""Rational chains that floats look at first, in stacks: exact arithmetic judges what they suspect, or cannot tell.

Features, policies and distributions are drawn for rational chains by the thousand. One exact judgment takes as long as
ten in floats; and a chain on which the claim holds with room to spare needs none.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from proofs_check.chains.case import Case
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.float_judge import judge_batch
from proofs_check.conjectures.question import Question
from proofs_check.conjectures.small_counterexample import as_floats
from proofs_check.search.evidence import Progress, exactly
from proofs_check.search.spaces import SUMMED_GAMMA
from proofs_check.search.tally import Tally
from tabular_krope.exact.rationals import rational

#: Chains that are judged exactly whatever floats would say, and chains of one size that floats look at together.
SURE, STACK = 400, 64
#: Discount factor up to which floats sum reward laws.
SUMMED = rational(str(SUMMED_GAMMA))


def screened(question: Question, cases: Iterable[Case], progress: Progress, floats: Tally, exact: Tally) -> None:
    """Judge rational chains: the first ones exactly, of the others those that floats do not acquit.

    Args:
        question: what is asked; floats know all that it speaks about.
        cases: the chains, with what else is quantified.
        progress: called with the stage and the share of it that is done.
        floats: counts what floats acquit.
        exact: counts what is judged exactly.
    """
    waiting = iter(cases)
    exactly(question, islice(waiting, max(0, SURE - exact.tried - exact.vacuous)), SURE, progress, exact)
    stacks: dict[Any, list[Case]] = {}
    for case in waiting:
        if "W1" in question.names and case.gamma > SUMMED:
            exactly(question, [case], 1, progress, exact)
            continue
        shapes = tuple((name, np.shape(value)) for name, value in sorted(case.given.items()))
        stack = stacks.setdefault((case.X, len(case.Pi), shapes), [])
        stack.append(case)
        if len(stack) == STACK:
            exactly(question, _left(question, stack, floats), STACK, progress, exact)
            stack.clear()
    for stack in stacks.values():
        exactly(question, _left(question, stack, floats), STACK, progress, exact)


def _left(question: Question, stack: list[Case], floats: Tally) -> Iterator[Case]:
    """The chains of a stack that floats do not acquit."""
    if not stack:
        return
    batch = Batch.of_cases([as_floats(case) for case in stack], question.dim)
    finding = judge_batch(question, batch)
    met = finding.met > 0
    # Without premises nothing is met only where floats cannot tell a rank.
    unsure = ~met if not question.premises or "Phi" in question.given else np.zeros(len(stack), dtype=bool)
    left = finding.suspect | unsure
    floats.add_settled(finding.seen, batch, ~left)
    floats.vacuous -= int(np.sum(unsure))  # exact arithmetic will tell
    yield from (case for case, kept in zip(stack, left, strict=True) if kept)
