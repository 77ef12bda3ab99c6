"""Rational chains at the edges of what is meant: long horizons, huge and tiny rewards, many pairs.

Random chains lie in a box. A claim such as ``horizon <= 100`` holds inside and is plainly false, so that every question
is put to small chains far outside, too, and to a few long ones. How far is read off the claim: a number in it sets a
discount factor, a reward scale and a number of pairs beyond itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import identity, rationals
from proofs_check.chains.case import Case
from proofs_check.conjectures.question import GIVEN, PLAIN, Question
from proofs_check.search.literals import numbers
from tabular_krope.exact.rationals import rational

GAMMAS = ("0", "1/2", "999/1000", "999999/1000000")
#: Factors and shifts of rewards that are the whole numbers from 0.
REWARDS = (
    ("1", "0"), ("1/1000000", "0"), ("1000", "0"), ("-1000000", "0"), ("1", "1000000"), ("1", "-1000000"), ("0", "1"),
)  # fmt: skip
#: A reward range that is far wider than the rewards of a small chain.
WIDE = ("-1000000", "1000000")
#: Pairs of the long chains, and the discount factors of the cycle and of the random one.
LONG, LONG_GAMMAS = (13, 20, 40), ("999/1000", "1/2")
#: Most pairs of a chain that is judged exactly: whose eigenvalues are asked for, whose kernel is, whose values are, any
#: other.
MOST_SPECTRAL, MOST_WITH_KERNEL, MOST, MOST_GIVEN = 13, 40, 100, 300
#: Choices of indices that a rational chain may have.
MOST_CHOICES = 10_000


def small_extremes(question: Question) -> Iterator[Case]:
    """Chains of one and two pairs, absorbing, periodic, mixing and ending, with discounts and rewards at the edges.

    >>> from proofs_check.conjectures.question import ask
    >>> max(case.gamma for case in small_extremes(ask("horizon <= 100")))
    999999/1000000
    >>> max(case.gamma for case in small_extremes(ask("horizon <= 1e9")))
    9999999999/10000000000
    """
    sizes = numbers(question)
    moves = [(rational(scale), rational(shift)) for scale, shift in REWARDS]
    moves += [(sign * 10 * size, fmpq(0)) for size in sizes if size > 10**5 for sign in (1, -1)]
    moves += [(size / 10, fmpq(0)) for size in sizes if size < fmpq(1, 10**5)]
    laws, gammas = _shapes(question.conservative), _gammas(question, sizes)
    for turn, (P, gamma, (scale, shift)) in enumerate(product(laws, gammas, moves)):
        n = len(P)
        r = rationals(range(n)) * scale + shift if n > 1 else rationals([scale + shift])
        case = Case.from_matrix(P, r, gamma, end=rationals([1 - row.sum() for row in P]))
        if question.weighted and n > 1 and turn % 2:  # data that hardly see one pair
            case = replace(case, weights=rationals(["999999/1000000", "1/1000000"]))
        if question.about(case):
            yield case
            if (scale, shift) == (1, 0):
                yield replace(case, reward_range=(rational(WIDE[0]), rational(WIDE[1])))


def long_extremes(question: Question) -> Iterator[Case]:
    """Cycles and random chains of many pairs, the shortest first; as long as exact arithmetic can bear.

    >>> from proofs_check.conjectures.question import ask
    >>> sorted({case.X for case in long_extremes(ask("X <= 60"))})
    [13, 20, 40, 61]
    >>> sorted({case.X for case in long_extremes(ask("norm <= 1"))})
    [13]
    """
    for X in _lengths(question):
        # Eigenvalues of one modulus cannot be told apart on so many pairs: where they matter the cycle is lazy.
        around = (_cycle(X) + identity(X, True)) / fmpq(2) if question.spectral else _cycle(X)
        for P, gamma in zip((around, _random(X)), LONG_GAMMAS, strict=True):
            yield Case.from_matrix(
                P, rationals(range(X)), rational(gamma) if question.gamma is None else question.gamma
            )


def _lengths(question: Question) -> list[int]:
    most = MOST if question.names <= PLAIN else MOST_SPECTRAL if question.spectral else MOST_WITH_KERNEL
    most = MOST_GIVEN if question.names <= GIVEN else most
    wanted = {*LONG, *(int(size) + 1 for size in numbers(question) if LONG[0] <= size < most)}
    return [X for X in sorted(wanted) if X <= most and X ** len(question.axes) <= MOST_CHOICES]


def _gammas(question: Question, sizes: Sequence[fmpq]) -> list[fmpq]:
    if question.gamma is not None:
        return [question.gamma]
    edges = {rational(gamma) for gamma in GAMMAS}
    for size in sizes:
        edges |= {size, (1 + size) / 2} if size < 1 else {1 - 1 / (10 * size)} if size > 10**5 else set()
    return sorted(edges)


def _shapes(conservative: bool) -> list[Any]:
    shapes: list[Any] = [[[1]], [[1, 0], [0, 1]], [[0, 1], [1, 0]], [["1/2", "1/2"]] * 2, [[0, 1], [0, 1]]]
    if not conservative:
        shapes += [[["1/2"]], [[0, 1], [0, 0]]]
    return [rationals(shape) for shape in shapes]


def _cycle(X: int) -> Any:
    return np.roll(identity(X, True), 1, axis=1)


def _random(X: int) -> Any:
    """Two successors with probability one half each, or one."""
    rng = np.random.default_rng(X)
    eye = identity(X, True)
    return (eye[rng.integers(0, X, X)] + eye[rng.integers(0, X, X)]) / fmpq(2)
