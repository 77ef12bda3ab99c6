"""A question put to one rational chain: decided without a tolerance, for every choice of indices."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from proofs_check.arithmetic.reals import Number, Undefined, sign, subtract
from proofs_check.chains.case import Case
from proofs_check.conjectures.evaluate import Exacts, Spot, each, evaluate
from proofs_check.conjectures.exact_quantities import ExactQuantities
from proofs_check.conjectures.question import Question
from proofs_check.conjectures.tree import Claim, Comparison
from proofs_check.conjectures.trivial import trivial_choices

#: Answers about one choice of indices; "void" where nothing is claimed.
HOLDS, FAILS, VOID, OPEN = "holds", "fails", "void", "open"


@dataclass(frozen=True, slots=True, eq=False)
class ExactFinding:
    """What a rational chain shows.

    Attributes:
        met: choices of indices at which the premises hold and both sides are defined.
        open: choices that could not be decided.
        at: a choice at which the claim fails; None if there is none.
        left, right: the sides there, as written.
        sign: the sign between them.
    """

    met: int
    open: int
    at: Mapping[str, int] | None = None
    left: Number = None
    right: Number = None
    sign: str = ""

    @property
    def refutes(self) -> bool:
        """Whether the claim fails here."""
        return self.at is not None


def judge_case(question: Question, case: Case) -> ExactFinding:
    """Put a question to a rational chain.

    >>> from flint import fmpq
    >>> from proofs_check.conjectures.question import ask
    >>> from proofs_check.arithmetic.linear_algebra import rationals
    >>> case = Case.from_matrix(rationals([[1, 0], [0, 1]]), rationals([0, 1]), fmpq(1, 2))
    >>> finding = judge_case(ask("abs(q[x]-q[y]) < d[x,y]/2"), case)
    >>> finding.at, finding.left, finding.right
    ({'x': 0, 'y': 0}, 0, 0)
    """
    arithmetic = Exacts(ExactQuantities(case, question.dim, question.features), case.X, question.axes)
    shape = [case.X] * len(question.claim.indices)
    answers = np.full(shape, HOLDS, dtype=object)
    for premise in question.premises:
        met = _premise(premise, question, arithmetic)
        answers = each(lambda so_far, here: here if so_far == HOLDS else so_far, answers, met)
        if np.all(answers == VOID):  # of a claim about symmetric matrices nothing is asked elsewhere
            return ExactFinding(0, 0)
    found = []
    for comparison in question.claim.comparisons:
        left, right = (_on(shape, evaluate(side, arithmetic)) for side in (comparison.left, comparison.right))
        here = each(lambda a, b, s=comparison.sign: compare(a, s, b), left, right)
        found.append((here, left, right, comparison))
    void = np.logical_or.reduce([here == VOID for here, *_ in found])
    if question.premises:  # a premise that is met where nothing is claimed is not met
        void = void | trivial_choices(question.claim, case.X)
    live = (answers != VOID) & ~void
    return _summary(question, answers, live, found)


def fails_at(question: Question, case: Case, choice: Mapping[str, int]) -> bool:
    """Whether a comparison of the claim fails on a rational chain at one choice of its indices, premises aside.

    >>> from flint import fmpq
    >>> from proofs_check.conjectures.question import ask
    >>> from proofs_check.arithmetic.linear_algebra import rationals
    >>> case = Case.from_matrix(rationals([[1, 0], [0, 1]]), rationals([0, 1]), fmpq(1, 2))
    >>> [fails_at(ask("q[x] <= q[y]"), case, {"x": x, "y": 1 - x}) for x in (0, 1)]
    [False, True]
    """
    arithmetic = Spot(ExactQuantities(case, question.dim, question.features), choice)
    for comparison in question.claim.comparisons:
        left, right = (evaluate(side, arithmetic).item() for side in (comparison.left, comparison.right))
        if compare(left, comparison.sign, right) == FAILS:
            return True
    return False


def compare(left: Number, relation: str, right: Number) -> str:
    """One of ``HOLDS``, ``FAILS``, ``VOID`` (a side is undefined) and ``OPEN`` (undecided)."""
    difference = subtract(left, right)
    if isinstance(difference, Undefined):
        return VOID
    order = sign(difference)
    if order is None:
        return OPEN
    right_orders = {"<=": (-1, 0), "<": (-1,), ">=": (0, 1), ">": (1,), "==": (0,), "!=": (-1, 1)}
    return HOLDS if order in right_orders[relation] else FAILS


Compared = tuple[Any, Any, Any, Comparison]


def _summary(question: Question, answers: Any, live: Any, found: list[Compared]) -> ExactFinding:
    at, undecided = None, 0
    for index in np.ndindex(answers.shape):
        if not live[index]:
            continue
        here = [part[index] for part, *_ in found]
        if FAILS in here and answers[index] == HOLDS:
            at = at or (index, here.index(FAILS))
        elif OPEN in here or (FAILS in here and answers[index] == OPEN):
            undecided += 1
    met = int(np.sum(live & (answers == HOLDS)))
    if at is None:
        return ExactFinding(met, undecided)
    index, k = at
    _, left, right, comparison = found[k]
    choice = dict(zip(question.claim.indices, index, strict=True))
    return ExactFinding(met, undecided, choice, left[index], right[index], comparison.sign)


def _premise(premise: Claim, question: Question, arithmetic: Exacts) -> Any:
    """For each choice of the claim's indices whether a premise holds: ``HOLDS``, ``VOID`` or ``OPEN``."""
    own = len(question.claim.indices)
    total: Any = np.full([1] * len(question.axes), HOLDS, dtype=object)
    for comparison in premise.comparisons:
        sides = (evaluate(side, arithmetic) for side in (comparison.left, comparison.right))
        here = each(lambda a, b, s=comparison.sign: compare(a, s, b), *sides)
        total = each(_both, total, here)
    for axis in range(own, total.ndim):
        slices = np.split(total, total.shape[axis], axis=axis)
        total = slices[0]
        for part in slices[1:]:
            total = each(_both, total, part)
    return total.reshape(total.shape[:own])


def _both(first: str, second: str) -> str:
    """Whether two parts of a premise hold; one that fails makes it void."""
    if FAILS in (first, second) or VOID in (first, second):
        return VOID
    return OPEN if OPEN in (first, second) else HOLDS


def _on(shape: list[int], value: Any) -> Any:
    """An array over the claim's own indices; the axes of others have length 1."""
    return np.broadcast_to(value.reshape(value.shape[: len(shape)]), shape)
