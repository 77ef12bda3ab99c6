"""The numbers in a claim, and what they suggest for every parameter of a chain.

A claim that fails at one value only, such as ``(gamma - 1/7)**2 > 0``, names the value. So each number in it, computed,
is tried as a discount factor, a reward, a reward range, a weight, a probability and a number of pairs.
"""

from collections.abc import Iterator
from itertools import product
from math import isqrt

import numpy as np
from flint import fmpq

from proofs_check.chains.blueprint import Blueprint
from proofs_check.conjectures.question import Question
from proofs_check.conjectures.translate import constant_value

#: Most numbers of a claim that are tried, and how near to one its neighbors are.
MOST, NEAR = 6, fmpq(1, 1000)


def numbers(question: Question) -> list[fmpq]:
    """Moduli of the constants in the claim and its premises, computed, zero left out, in order.

    >>> from proofs_check.conjectures.question import ask
    >>> numbers(ask("horizon <= 10**7 - 1"))
    [1, 10, 9999999, 10000000]
    """
    nodes = (node for part in (question.claim, *question.premises) for node in part.nodes())
    values = (constant_value(node) for node in nodes)
    return sorted({abs(value) for value in values if isinstance(value, fmpq) and value != 0})


def gammas(question: Question) -> list[fmpq]:
    """Discount factors that the numbers suggest: themselves, what makes them a horizon, roots, and values nearby.

    >>> from proofs_check.conjectures.question import ask
    >>> [str(gamma) for gamma in gammas(ask("(gamma - 1/7)**2 > 0"))][:6]
    ['0', '1/49', '993/7000', '1/7', '1007/7000', '25/49']
    """
    if question.gamma is not None:
        return [question.gamma]
    found: set[fmpq] = set()
    for c in numbers(question):
        for v in (c, 1 / c, c * c, root(c), root(1 / c)):
            if v is not None:
                found |= {v, 1 - v, 1 - 2 * v, (1 + v) / 2}
                found |= {(1 - v) / (1 + v)}
        found |= {c - NEAR, c + NEAR}
    return sorted(gamma for gamma in found if 0 <= gamma < 1)


def root(value: fmpq) -> fmpq | None:
    """The square root, if it is rational.

    >>> root(fmpq(9, 16)), root(fmpq(2))
    (3/4, None)
    """
    top, bottom = isqrt(int(value.p)), isqrt(int(value.q))
    found = fmpq(top, bottom)
    return found if found * found == value else None


def lengths(question: Question, most: int) -> list[int]:
    """Numbers of pairs that the claim suggests: its whole numbers and their neighbors, and just above ``--dim``."""
    wanted = {int(c) + near for c in numbers(question) if 1 <= c <= most for near in (-1, 0, 1)}
    wanted |= {question.dim, question.dim + 1} if question.dim is not None else set()
    return sorted(n for n in wanted if 1 <= n <= most)


def suggested(question: Question) -> Iterator[Blueprint]:
    """Chains of one to three pairs with the claim's numbers in all places.

    >>> from proofs_check.conjectures.question import ask
    >>> plans = list(suggested(ask("(D[x] - 2/9)**2 > 0")))
    >>> any(plan.data[0] == fmpq(2, 9) for plan in plans if plan.X > 1)
    True
    """
    chosen = [c for c in numbers(question) if c != 1][-MOST:]
    discounts = [question.gamma] if question.gamma is not None else [fmpq(0), fmpq(1, 2), *gammas(question)]
    for c in chosen:
        for (moves, name), gamma, r in product(_laws(c, question.conservative), discounts, _rewards(c)):
            n = len(moves)
            low, high = min(r[:n]), max(r[:n])
            ranges = [None, *((low, low + R) for R in (c, 1 / c, 2 / c, 2 * c) if R > high - low)]
            for k, limits in enumerate(ranges):
                for data in _data(c, n) if question.weighted else [(1,) * n]:
                    traits = {"shape": name, "R": "wide" if k else "own", "D": "the claim's numbers"}
                    yield Blueprint(moves, r[:n], gamma, data, limits, 1, {**traits, "rewards": "the claim's numbers"})


def _laws(c: fmpq, conservative: bool) -> Iterator[tuple[np.ndarray, str]]:
    yield np.array([[1, 0]]), "absorbing"
    yield np.array([[1, 0, 0], [0, 1, 0]]), "absorbing"
    yield np.array([[0, 1, 0], [1, 0, 0]]), "cycle"
    yield np.array([[0, 1, 0], [0, 1, 0]]), "path"
    if not conservative:
        yield np.array([[0, 1]]), "ending path"
        yield np.array([[0, 1, 0], [0, 0, 1]]), "ending path"
    if c < 1 and c.q < 10**12:
        p, q = int(c.p), int(c.q)
        yield np.array([[p, q - p, 0], [0, 1, 0]]), "lazy path"
        yield np.array([[p, q - p, 0], [q - p, p, 0]]), "lazy cycle"
        yield np.array([[0, p, q - p, 0], [0, 1, 0, 0], [0, 0, 1, 0]]), "fan"
        if not conservative:
            yield np.array([[q - p, p]]), "ending path"
            yield np.array([[0, q - p, p], [0, q - p, p]]), "ending path"


def _rewards(c: fmpq) -> list[tuple[fmpq, ...]]:
    zero, one = fmpq(0), fmpq(1)
    return [(zero, one, c), (c, zero, one), (-c, c, zero), (c, c, c), (1 / c, zero, one)]


def _data(c: fmpq, n: int) -> list[tuple[fmpq, ...]]:
    one = fmpq(1)
    shares = [c, 1 - c] if c < 1 else [1 / c]
    return [(one,) * n, *((share, 1 - share, fmpq(0))[:n] for share in shares if n > 1), (one, fmpq(0), fmpq(0))[:n]]
