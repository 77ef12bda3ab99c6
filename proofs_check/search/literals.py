"""The numbers in a claim, and what they suggest for every parameter of a chain.

A claim that fails at one value only, such as ``(gamma - 1/7)**2 > 0``, names the value. So each number in it, computed,
is tried as a discount factor, a reward, a reward range, a weight, a probability and a number of pairs.
"""

from collections.abc import Iterator
from itertools import permutations, product
from math import isqrt

import numpy as np
from flint import fmpq

from proofs_check.chains.blueprint import Blueprint
from proofs_check.conjectures.question import Question
from proofs_check.conjectures.translate import constant_value
from proofs_check.conjectures.tree import Letter, Named, Node, Operation, Reduction

#: Most numbers of a claim that are tried, at all and two at a time, and how near to one its neighbors are.
MOST, MOST_PAIRED, NEAR = 6, 4, fmpq(1, 1000)
#: Reward ranges that the claim suggests are up to so many times the rewards' own.
MOST_RANGE = 1000


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


def counts(question: Question) -> set[int]:
    """Exponents above 2, numbers of steps and of eigenvalues.

    >>> from proofs_check.conjectures.question import ask
    >>> sorted(counts(ask("trace(P**7) <= lam(3)")))
    [3, 7]
    """
    nodes = [node for part in (question.claim, *question.premises) for node in part.nodes()]
    powers = {node.exponent for node in nodes if isinstance(node, Operation) and node.exponent > 2}
    return powers | {node.number for node in nodes if isinstance(node, Named | Letter) and node.number}


def ratios(question: Question) -> list[fmpq]:
    """Reward ranges, in multiples of the rewards' own: the numbers of a claim that speaks about ``R``.

    >>> from proofs_check.conjectures.question import ask
    >>> ratios(ask("sum(z, K1[x,z]) >= X/15", ["R >= 1.01*rho0"])), ratios(ask("X <= 5"))
    ([101/100, 15], [])
    """
    if "R" not in question.names:
        return []
    return [c for c in numbers(question) if 1 < c <= MOST_RANGE][:MOST]


def lengths(question: Question, most: int) -> list[int]:
    """Numbers of pairs that the claim suggests: its whole numbers and their neighbors, and just above ``--dim``.

    Two above a number is where paths of so many steps, and one pair beside them, first fit.
    """
    whole = {*(int(c) for c in numbers(question) if 1 <= c <= most), *counts(question)}
    wanted = {c + near for c in whole for near in (-1, 0, 1, 2)}
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


def combined(question: Question) -> Iterator[Blueprint]:
    """Chains with two numbers of the claim at once, or with one of them as the probability of an action.

    >>> from proofs_check.conjectures.question import ask
    >>> plans = list(combined(ask("(P[x,x] - 2/5)**2 + (P[y,y] - 3/7)**2 > 0")))
    >>> any(plan.moves.tolist() == [[2, 3, 0], [4, 3, 0]] for plan in plans)
    True
    """
    parts = [comparison for part in (question.claim, *question.premises) for comparison in part.comparisons]
    found = [c for comparison in parts for side in (comparison.left, comparison.right) for c in _outer(side)]
    chosen = [c for c in dict.fromkeys(found) if c != 1][:MOST_PAIRED]
    gamma = fmpq(1, 2) if question.gamma is None else question.gamma
    yield from _in_twos(chosen, gamma)
    if question.structured:
        yield from _with_policies(chosen, gamma)


def _outer(node: Node) -> Iterator[fmpq]:
    """Moduli of constants as they are computed, and not of what they are computed from: 2/5, not 2 and 5."""
    value = constant_value(node)
    if isinstance(value, fmpq):
        yield from [abs(value)] if value != 0 else []
    elif isinstance(node, Operation):
        for part in node.parts:
            yield from _outer(part)
    elif isinstance(node, Reduction):
        yield from _outer(node.body)


def _in_twos(chosen: list[fmpq], gamma: fmpq) -> Iterator[Blueprint]:
    """Two numbers of the claim at once: as probabilities to stay, to end, as weights and as rewards."""
    names = {"R": "own", "D": "the claim's numbers", "rewards": "the claim's numbers"}
    for a, b in permutations(chosen, 2):
        for signed in ((a, b), (a, -b), (-a, -b)):
            traits = {**names, "shape": "absorbing"}
            yield Blueprint(np.array([[1, 0, 0], [0, 1, 0]]), signed, gamma, (1, 1), None, 1, traits)
        if not (a < 1 and b < 1 and a.q * b.q < 10**12):
            continue
        (p, q), (s, t) = ((int(c.p), int(c.q)) for c in (a, b))
        lazy, ending = np.array([[p, q - p, 0], [t - s, s, 0]]), np.array([[q - p, 0, p], [0, t - s, s]])
        for r in ((a, b), (b, a)):
            yield Blueprint(lazy, r, gamma, (1, 1), None, 1, {**names, "shape": "lazy cycle"})
            yield Blueprint(ending, r, gamma, (1, 1), None, 1, {**names, "shape": "ending path"})
        if a + b <= 1:
            moves, rest = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]), 1 - a - b
            for three in ((a, b, fmpq(0)), (b, a, fmpq(0))):
                yield Blueprint(moves, three, gamma, (a, b, rest), None, 1, {**names, "shape": "absorbing"})


def _with_policies(chosen: list[fmpq], gamma: fmpq) -> Iterator[Blueprint]:
    """Two actions in each state, one of them with a probability that is a number of the claim."""
    traits = {"R": "own", "D": "uniform", "rewards": "the claim's numbers", "shape": "cycle"}
    for c in (c for c in chosen if c < 1):
        for moves in (np.array([[1, 0], [1, 0]]), np.array([[1, 0, 0], [0, 1, 0], [0, 1, 0], [1, 0, 0]])):
            r = tuple(fmpq(x) for x in range(len(moves)))
            yield Blueprint(moves, r, gamma, (1,) * len(moves), None, 2, traits, (c, 1 - c))


def _laws(c: fmpq, conservative: bool) -> Iterator[tuple[np.ndarray, str]]:
    yield np.array([[1, 0]]), "absorbing"
    yield np.array([[1, 0, 0], [0, 1, 0]]), "absorbing"
    yield np.array([[0, 1, 0], [1, 0, 0]]), "cycle"
    yield np.array([[0, 1, 0], [0, 1, 0]]), "path"
    if not conservative:
        yield np.array([[0, 1]]), "ending path"
        yield np.array([[0, 1, 0], [0, 0, 1]]), "ending path"
    shares = (c, (1 + c) / 2, c / 2) if c < 1 else (1 / (2 * c),) if c > 1 else ()  # and what is beyond it
    for share in (share for share in shares if share.q < 10**12):
        p, q = int(share.p), int(share.q)
        yield np.array([[p, q - p, 0], [0, 1, 0]]), "lazy path"
        yield np.array([[p, q - p, 0], [q - p, p, 0]]), "lazy cycle"
        yield np.array([[0, p, q - p, 0], [0, 1, 0, 0], [0, 0, 1, 0]]), "fan"
        yield np.array([[p, q - p, 0], [p, q - p, 0]]), "mixing"
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
