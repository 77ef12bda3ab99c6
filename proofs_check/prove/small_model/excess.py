"""Strict goals under strict premises: how much of a product of what is above 0 a goal can spare."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import numpy as np
from flint import fmpq

from proofs_check.prove.small_model.problem import Problem
from proofs_check.prove.small_model.ring import ONE, Polynomial, used
from proofs_check.prove.small_model.samples import sample, values

#: Factors of a product, products that are tried, shares of what the samples spare.
MOST_FACTORS, MOST_PRODUCTS = 3, 4
SHARES = (1, 2)
#: A share of a product below this is none.
LEAST = 1e-4


def excesses(problem: Problem) -> Iterator[tuple[fmpq, tuple[int, ...], Polynomial]]:
    """Numbers, products of what is above 0 (by their places) and what a goal exceeds them by, likeliest first.

    >>> from proofs_check.prove.small_model.ring import variable
    >>> b = variable("b1")
    >>> [(by, of) for by, of, _ in excesses(Problem(2 * (1 - b), simplices=(("b1",),), strict=True, above=(1 - b,)))]
    [(1, (0,)), (1/2, (0,))]
    """
    known = problem.exceeding
    points = sample(problem.nonnegative, problem.simplices, problem.free)
    goal = values(problem.goal, points)[0]
    inside = np.logical_and.reduce(
        [np.full(len(goal), True), *(_at(g, points, goal) >= 0 for g in problem.constraints)]
    )
    inside &= np.logical_and.reduce([np.full(len(goal), True), *(_at(g, points, goal) > 0 for g in known)])
    if not inside.any():
        return
    found = []
    for size in range(1, MOST_FACTORS + 1):
        for of in combinations(range(len(known)), size):
            part = ONE
            for i in of:
                part = part * known[i]
            with np.errstate(all="ignore"):  # a product may vanish by underflow
                spare = float(np.nan_to_num(goal[inside] / _at(part, points, goal)[inside]).min())
            if spare > LEAST:
                found.append((-min(spare, 1.0), size, of, part))
    for spare, _, of, part in sorted(found, key=lambda entry: entry[:3])[:MOST_PRODUCTS]:
        most = Fraction(1, int(np.ceil(-1 / spare - 1e-9)))
        for share in SHARES:
            by = fmpq(most.numerator, most.denominator * share)
            yield by, of, problem.goal - part * by


def _at(p: Polynomial, points: dict[str, np.ndarray], like: np.ndarray) -> np.ndarray:
    """Values of a polynomial, one for each point even if it is a number."""
    total = values(p, points)[0]
    return total if used(p) else np.broadcast_to(total[:1], like.shape)
