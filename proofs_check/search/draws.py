"""The chains that a question is put to: random ones, in floats or rationals, and known counterexamples."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any
from zlib import crc32

import numpy as np
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains, lumpable_chains, mixture
from proofs_check.conjectures.question import Question
from tabular_krope.exact.rationals import nearest_float, rational
from tabular_krope.models.zoo import zoo

#: Rational chains of the zoo that settled a question before.
KNOWN = (
    "c1-value-bound", "c2-not-a-metric", "c3-no-injectivity", "c4-unweighted-truncation", "c5-zero-weights",
    "self-similarity", "b9-ending", "f1-tight-norm", "two-state",
)  # fmt: skip
#: By which share of their range rewards are moved, so that nothing is tied.
NUDGE = fmpq(1, 100)
SCALES, SHIFTS = ("1/10", "1/2", "2", "10"), (-10, -1, 0, 1, 10)


def random_cases(question: Question, n: int, seed: int, exact: bool) -> Iterator[Case]:
    """``n`` chains that the question is about; each from a generator of its own.

    Rewards lie in [-1, 1] half of the time and are scaled and shifted otherwise. One chain in five has a bisimulation.

    >>> from proofs_check.conjectures.question import ask
    >>> [case.gamma for case in random_cases(ask("gamma < 1", gamma="1/3"), 2, 0, True)]
    [1/3, 1/3]
    """
    # Four indices, or eigenvalues that are to be enclosed: small chains only.
    most = 6 if question.spectral or len(question.axes) > 3 else 12
    endless = question.conservative
    plain = chains(ending=False if endless else None, most=most)
    lumps = [lumpable_chains(distinct=True), lumpable_chains(distinct=False, ending=not endless)]
    make = mixture(*[plain] * 8, *lumps)
    for i in range(n):
        rng = np.random.default_rng([seed, crc32(str(question.claim).encode()), int(exact), i])
        case = replace(make(rng, exact), given={})
        if question.gamma is not None:
            case = replace(case, gamma=question.gamma if exact else nearest_float(question.gamma))
        yield case if rng.random() < 0.5 else _moved(rng, case)


def known_cases(question: Question) -> Iterator[Case]:
    """The rational chains of the zoo that the question is about; under strict premises with each reward a little moved.

    >>> from proofs_check.conjectures.question import ask
    >>> len(list(known_cases(ask("q[x] <= q[y]")))), len(list(known_cases(ask("q[x] <= q[y]", ["r[x] < r[y]"])))) > 60
    (9, True)
    """
    strict = any(part.sign in ("<", ">", "!=") for premise in question.premises for part in premise.comparisons)
    for case in _zoo_cases(question):
        yield case
        for x, share in product(range(case.X) if strict else (), (NUDGE, -NUDGE)):
            r = case.r.copy()
            r[x] = r[x] + share * (case.own_range or fmpq(1))
            yield replace(case, r=r)


def _zoo_cases(question: Question) -> Iterator[Case]:
    for name in KNOWN:
        entry = zoo(name)
        chain = entry.exact()
        X = chain.n_pairs
        weights = rationals([1] * X if entry.weights is None else entry.weights)
        case = Case(
            rationals(chain.P),
            rationals(chain.Pi),
            rationals(list(chain.r)),
            chain.gamma if question.gamma is None else question.gamma,
            rationals(list(chain.end)),
            weights / weights.sum(),
        )
        if question.about(case):
            yield case


def _moved(rng: np.random.Generator, case: Case) -> Case:
    """The chain with its rewards, and their range, scaled and shifted."""
    scale, shift = rational(SCALES[int(rng.integers(4))]), rational(SHIFTS[int(rng.integers(5))])
    a: Any = scale if case.exact else nearest_float(scale)
    b: Any = shift if case.exact else nearest_float(shift)
    limits = case.reward_range
    return replace(case, r=case.r * a + b, reward_range=None if limits is None else tuple(v * a + b for v in limits))
