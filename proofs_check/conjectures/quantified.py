"""What is quantified besides the chain and its data: drawn for every chain that a question is put to.

Features have few columns and small whole entries, so that a counterexample can be read: ones, ramps, indicators of
groups of pairs, copies of a column, what chance gives, and what the chain carries furthest. Every other chain also has
its data on one or two pairs, because off the policy's own data is where features matter.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any
from zlib import crc32

import numpy as np
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import floats, rationals
from proofs_check.arithmetic.reals import UNDEFINED
from proofs_check.chains.case import Case
from proofs_check.conjectures.counts import actions
from proofs_check.conjectures.policies import made_to_end, surely_ends
from proofs_check.conjectures.question import Question
from proofs_check.search.literals import numbers

#: Draws for each chain, and most features and largest entry of a draw.
DRAWS, MOST_FEATURES, LARGEST = 4, 3, 3
#: Shares of the transitions that end an episode where all of them have to.
SHARES = (fmpq(1, 2), fmpq(1, 10), fmpq(1, 1000), fmpq(1, 10**7))
#: How often a draw has one of the claim's numbers in it.
NUMBERED = 0.3
#: Pairs from which on a chain gets one draw only.
MANY = 6
#: Pairs up to which features that are carried furthest are worked out, and their largest entry.
STEEPEST, ENTRIES = 40, 12


def completed(question: Question, cases: Iterable[Case], seed: int) -> Iterator[Case]:
    """The chains with what else the question speaks about; as they are if it speaks about nothing else.

    >>> from proofs_check.conjectures.question import ask
    >>> chain = Case.from_matrix(rationals([[1]]), rationals([1]), fmpq(1, 2))
    >>> [len(case.given["Phi"]) for case in completed(ask("rho < 1", features="any"), [chain], 0)]
    [1, 1, 1, 1]
    """
    if question.gamma == 1:
        cases = (
            case if surely_ends(case) else made_to_end(case, SHARES[i % len(SHARES)]) for i, case in enumerate(cases)
        )
    if not question.given:
        yield from cases
        return
    known = numbers(question)
    for i, case in enumerate(cases):
        if "mu" in question.given and actions(case) is UNDEFINED:
            continue
        rng = np.random.default_rng([seed, crc32(str(question.claim).encode()), 3, i])
        for k in range(DRAWS if case.X < MANY else 1):
            chain = replace(case, weights=few_pairs(rng, case.X)) if question.weighted and (i + k) % 2 else case
            drawn = chain.with_given(
                **{name: _draw(name, question.dim, chain, rng, known) for name in sorted(question.given)}
            )
            if question.about(drawn):
                yield drawn
        if question.given == {"Phi"} and 1 < case.X <= STEEPEST and all(case.weights):
            for made in (steep_features, balancing_features):
                drawn = case.with_given(Phi=made(case, question.dim or 1))
                if question.about(drawn):
                    yield drawn


def numbered(question: Question) -> Iterator[Case]:
    """Two pairs, one feature and data on the pair that leads on, such that LSPE, LSTD or a moment is a known number.

    With features 1 and ``v / gamma`` LSPE's ``L`` is ``v`` and LSTD's ``A`` is ``1 - v``.

    >>> from proofs_check.conjectures.question import ask
    >>> [str(case.given["Phi"][1, 0]) for case in numbered(ask("radius(L) != 5", features="any", gamma="1/2"))][:3]
    ['10', '5', '-10']
    """
    if question.given != {"Phi"}:
        return
    gammas = [fmpq(1, 2), fmpq(9, 10)] if question.gamma is None else [question.gamma]
    seen = rationals([1, 0])
    for c, gamma in product(numbers(question), (gamma for gamma in gammas if 0 < gamma < 1)):
        lead = Case.from_matrix(rationals([[0, 1], [0, 1]]), rationals([0, 1]), gamma, weights=seen)
        for value in (v for moved in (c, -c, 1 - c, 1 + c) for v in (moved / gamma, moved)):
            Phi = rationals([[0] * (question.dim or 1)] * 2)
            Phi[:, 0] = 1, value
            case = lead.with_given(Phi=Phi)
            if question.about(case):
                yield case


def _draw(name: str, dim: int | None, case: Case, rng: np.random.Generator, known: Sequence[fmpq]) -> Any:
    """Features, a distribution or a policy, for one chain."""
    if name == "Phi":
        return features(rng, case.X, dim, known)
    return distribution(rng, case.X, known) if name == "D2" else policy(rng, case)


def features(rng: np.random.Generator, X: int, d: int | None, known: Sequence[fmpq] = ()) -> Any:
    """Small whole features, [X, d]; ``d`` is drawn if None. One entry may be near to a known number, or far above."""
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
    made = rationals(Phi.tolist())
    if known and rng.random() < NUMBERED:
        number = known[int(rng.integers(len(known)))]
        made[int(rng.integers(X)), int(rng.integers(d))] = (number, -number, 2 * number, 100 * number)[
            int(rng.integers(4))
        ]
    return made


def steep_features(case: Case, d: int) -> Any:
    """Features that a chain carries further than any others, in whole numbers, [X, d].

    ``phi' D P phi / phi' D phi`` is largest at the first eigenvector of the symmetric part of ``D^1/2 P D^-1/2``.

    >>> star = Case.from_matrix(rationals([[1, 0, 0, 0]] * 4), rationals([0, 0, 0, 1]), fmpq(1, 2))
    >>> steep_features(star, 1).T
    array([[12, 4, 4, 4]], dtype=object)
    """
    roots = np.sqrt(floats(case.weights))
    moved = roots[:, None] * floats(case.P_pi) / roots
    vectors = np.linalg.eigh(moved + moved.T)[1][:, ::-1][:, : min(d, case.X)] / roots[:, None]
    vectors = np.pad(vectors, ((0, 0), (0, d - vectors.shape[1])))
    most = np.abs(vectors).max(axis=0)
    signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(d)])
    return rationals(np.rint(ENTRIES * signs * vectors / np.where(most > 0, most, 1.0)).astype(int).tolist())


def balancing_features(case: Case, d: int) -> Any:
    """One feature that is large on the rarest pair and small on the commonest: both weigh alike in it, [X, d].

    ``Pi_D`` stretches no feature by more than ``(a + b) / (2 sqrt(a b))``, with ``a`` and ``b`` the least and largest
    weights, and this one by about as much.

    >>> chain = Case.from_matrix(rationals([[1, 0]] * 2), rationals([0, 1]), fmpq(1, 2), weights=rationals([9, 1]) / 10)
    >>> balancing_features(chain, 1).T
    array([[1, 3]], dtype=object)
    """
    rare, common = int(np.argmin(case.weights)), int(np.argmax(case.weights))
    Phi = np.zeros((case.X, d), dtype=np.int64)
    Phi[common, 0] = 1
    Phi[rare, 0] = round(float(case.weights[common] / case.weights[rare]) ** 0.5)
    return rationals(Phi.tolist())


def policy(rng: np.random.Generator, case: Case) -> Any:
    """A policy on the MDP of a chain, [X]: greedy, deterministic, uniform, or with small probabilities."""
    S = len(case.Pi)
    A = case.X // S
    kind = int(rng.integers(4))
    best = np.reshape(case.q, (S, A)).argmax(axis=1) if kind == 0 else np.zeros(S)
    rows = []
    for s in range(S):
        weights = rng.integers(0, 3, A) if kind == 2 else np.full(A, int(kind == 3))
        if not weights.any():
            weights[int(best[s]) if kind == 0 else int(rng.integers(A))] = 1
        rows += [fmpq(int(w), int(weights.sum())) for w in weights]
    return rationals(rows)


def distribution(rng: np.random.Generator, X: int, known: Sequence[fmpq] = ()) -> Any:
    """Weights of pairs, [X]: on few of them, on all alike, or whole numbers over their sum."""
    kind = int(rng.integers(4))
    if kind < 2:
        return few_pairs(rng, X, known)
    weights = np.ones(X, dtype=int) if kind == 2 else rng.integers(0, 4, X)
    weights[0] += not weights.any()
    return rationals([fmpq(int(w), int(weights.sum())) for w in weights])


def few_pairs(rng: np.random.Generator, X: int, known: Sequence[fmpq] = ()) -> Any:
    """Data on one pair, or on two in a small proportion or one that is known, [X]."""
    weights = rationals([0] * X)
    first, second = int(rng.integers(X)), int(rng.integers(X))
    share = fmpq(int(rng.integers(1, 5)), 4)
    fitting = [number for number in known if number < 1]
    if fitting and rng.random() < NUMBERED:
        share = fitting[int(rng.integers(len(fitting)))]
    weights[first] = weights[first] + share
    weights[second] = weights[second] + (1 - share)
    return weights
