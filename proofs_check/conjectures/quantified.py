"""What is quantified besides the chain and its data: drawn for every chain that a question is put to.

Features have few columns and small whole entries, so that a counterexample can be read: ones, ramps, indicators of
groups of pairs, copies of a column, and what chance gives. Every other chain also has its data on one or two pairs,
because off the policy's own data is where features matter.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any
from zlib import crc32

import numpy as np
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.conjectures.question import Question

#: Draws for each chain, and most features and largest entry of a draw.
DRAWS, MOST_FEATURES, LARGEST = 4, 3, 3
#: Pairs from which on a chain gets one draw only.
MANY = 6


def completed(question: Question, cases: Iterable[Case], seed: int) -> Iterator[Case]:
    """The chains with what else the question speaks about; as they are if it speaks about nothing else.

    >>> from proofs_check.conjectures.question import ask
    >>> chain = Case.from_matrix(rationals([[1]]), rationals([1]), fmpq(1, 2))
    >>> [len(case.given["Phi"]) for case in completed(ask("rho < 1", features="any"), [chain], 0)]
    [1, 1, 1, 1]
    """
    if not question.given:
        yield from cases
        return
    for i, case in enumerate(cases):
        rng = np.random.default_rng([seed, crc32(str(question.claim).encode()), 3, i])
        for k in range(DRAWS if case.X < MANY else 1):
            chain = replace(case, weights=few_pairs(rng, case.X)) if question.weighted and (i + k) % 2 else case
            more = {"Phi": features(rng, case.X, question.dim)} if "Phi" in question.given else {}
            drawn = chain.with_given(**more)
            if question.about(drawn):
                yield drawn


def features(rng: np.random.Generator, X: int, d: int | None) -> Any:
    """Small whole features, [X, d]; ``d`` is drawn if None."""
    d = int(rng.integers(1, MOST_FEATURES + 1)) if d is None else d
    Phi = rng.integers(-LARGEST, LARGEST + 1, size=(X, d))
    kinds = [np.ones(X, dtype=int), np.arange(X) + 1, rng.integers(0, 2, X), rng.permutation(X) + 1]
    for j in range(d):
        if rng.random() < 0.4:
            Phi[:, j] = kinds[int(rng.integers(len(kinds)))]
        elif j and rng.random() < 0.2:
            Phi[:, j] = Phi[:, j - 1]
    if d == X and rng.random() < 0.3:
        Phi = np.eye(X, dtype=int)
    return rationals(Phi.tolist())


def few_pairs(rng: np.random.Generator, X: int) -> Any:
    """Data on one pair, or on two in a small proportion, [X]."""
    weights = rationals([0] * X)
    first, second = int(rng.integers(X)), int(rng.integers(X))
    share = fmpq(int(rng.integers(1, 5)), 4)
    weights[first] = weights[first] + share
    weights[second] = weights[second] + (1 - share)
    return weights
