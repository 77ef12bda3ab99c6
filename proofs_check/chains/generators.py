"""Instances to judge statements on: random chains in floats or rationals, hard cases among them.

Each maker returns a function of a generator and of the arithmetic (``exact``), which a statement keeps as its
``instances``. Premises are met by construction as far as possible, so that few instances are vacuous. Float chains are
garnets of varied size; rational ones have small integer weights, so that a witness among them can be read.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.statements.statement import Instances
from tabular_krope.exact.rationals import rational

FLOAT_GAMMAS = (0.0, 0.3, 0.5, 0.9, 0.95, 0.99)
RATIONAL_GAMMAS = ("0", "1/3", "1/2", "3/4", "9/10")
Extra = Callable[[np.random.Generator, Case], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Maker:
    """Draws instances, and completes a chain that somebody else made.

    Attributes:
        make: draws an instance.
        extra: draws what else the statement speaks about; nothing if None.
    """

    make: Instances
    extra: Extra | None = None

    def __call__(self, rng: np.random.Generator, exact: bool) -> Case:
        """A random instance, in floats or rationals."""
        return self.make(rng, exact)

    def around(self, rng: np.random.Generator, case: Case) -> Case:
        """The same chain with what else the statement speaks about."""
        return case if self.extra is None else case.with_given(**self.extra(rng, case))


def chains(
    ending: bool | None = None,
    positive_gamma: bool = False,
    rewards: str | None = None,
    deterministic: bool | None = None,
    reward_range: str | None = None,
    coverage: str = "any",
    most: int = 12,
    most_gamma: float = 1.0,
    extra: Extra | None = None,
) -> Maker:
    """A maker of random chains.

    Args:
        ending: whether episodes may end; sometimes if None.
        positive_gamma: leave out gamma = 0.
        rewards: "distinct", "tied" or "constant"; any of them if None.
        deterministic: whether each pair has one successor; one time in four if None.
        reward_range: "own", "wider" or "two" (rewards in [-1, 1], divisor 2); own or wider if None.
        coverage: weights "positive" on every pair, or "any" (they may vanish on pairs).
        most: largest number of pairs of a float chain; rational ones have at most 5.
        most_gamma: leave out larger discount factors.
        extra: draws what else the statement speaks about.

    >>> case = chains(ending=False)(np.random.default_rng(0), True)
    >>> case.exact, case.conservative
    (True, True)
    """

    def make(rng: np.random.Generator, exact: bool) -> Case:
        gamma = _gamma(rng, exact, positive_gamma, most_gamma)
        S, A = _sizes(rng, 5 if exact else most)
        lone = rng.random() < 0.25 if deterministic is None else deterministic
        stops = rng.random() < 0.3 if ending is None else ending
        P, end = _moves(rng, exact, S * A, S, lone, stops)
        policy = probabilities(rng, exact, S, A, lone)
        Pi = np.where(_own_pairs(S, A), policy.reshape(-1), 0 * policy[0, 0])
        r = rewards_of(rng, exact, S * A, rewards or _kind(rng))
        limits = _limits(rng, r, reward_range)
        weights = probabilities(rng, exact, 1, S * A, zeros=coverage == "any" and rng.random() < 0.5)[0]
        return maker.around(rng, Case(P, Pi, r, gamma, end, weights, limits))

    maker = Maker(make, extra)
    return maker


def lumpable_chains(distinct: bool, ending: bool = False, extra: Extra | None = None) -> Maker:
    """A maker of chains with a known bisimulation: members of a block agree on reward and on the law of the next block.

    Args:
        distinct: whether each block has a reward of its own.
        ending: whether episodes may end.
        extra: draws what else the statement speaks about; the blocks are ``given["blocks"]`` [X].

    >>> case = lumpable_chains(distinct=True)(np.random.default_rng(0), True)
    >>> len(set(case.r)) == len(set(case.given["blocks"]))
    True
    """

    def make(rng: np.random.Generator, exact: bool) -> Case:
        gamma = _gamma(rng, exact, True, 1.0)
        n = int(rng.integers(2, 4))
        X = n + int(rng.integers(1, 3 if exact else 6))
        blocks = np.concatenate([np.arange(n), rng.integers(0, n, size=X - n)])
        lone = bool(rng.random() < 0.25)
        between, end = _moves(rng, exact, n, n, lone, ending)
        within = probabilities(rng, exact, X, X)
        member = blocks[:, None] == np.arange(n)[None, :]  # [X, n]
        P = 0 * within
        for b in range(n):
            inside = np.where(member[:, b], within, 0 * within)
            P = P + inside / inside.sum(axis=1)[:, None] * between[blocks, b][:, None]
        r = rewards_of(rng, exact, n, "distinct" if distinct else "tied")[blocks]
        weights = probabilities(rng, exact, 1, X)[0]
        case = Case.from_matrix(P, r, gamma, end=end[blocks], weights=weights, given={"blocks": blocks})
        return case if extra is None else case.with_given(**extra(rng, case))

    def blocks_and_extra(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
        from tabular_krope.metrics.partition import bisimulation_partition

        blocks = {"blocks": bisimulation_partition(case.mrp()).labels}
        return blocks if extra is None else {**blocks, **extra(rng, case.with_given(**blocks))}

    return Maker(make, blocks_and_extra)


def same_marginals(rng: np.random.Generator, exact: bool = True) -> Case:
    """Rational chains with fewer dimensions than groups: two pairs have equal laws of the reward at every step, by
    different ways, so that no bisimulation joins them. Rewards are tied; data may miss pairs.

    >>> case = same_marginals(np.random.default_rng(0))
    >>> case.d[0, 1], case.X
    (0, 7)
    """
    p = rational(f"{int(rng.integers(1, 5))}/5")
    P = rationals(np.zeros((7, 7), dtype=int))  # x, y, a, b, c, +, -: x -> a|b, y -> c, a -> +, b -> -, c -> +|-
    for x, to, share in ((0, 2, p), (0, 3, 1 - p), (1, 4, 1), (2, 5, 1), (3, 6, 1), (4, 5, p), (4, 6, 1 - p)):
        P[x, to] = P[x, to] + share
    P[5, 5], P[6, 6] = P[5, 5] + 1, P[6, 6] + 1
    r = rationals([0, 0, 0, 0, 0, 1, -int(rng.integers(1, 3))])
    weights = probabilities(rng, True, 1, 7, zeros=bool(rng.random() < 0.5))[0]
    return Case.from_matrix(P, r, _gamma(rng, True, True, 1.0), weights=weights)


def fixed(*cases: Callable[[], Case]) -> Instances:
    """A maker that goes round a few given instances: where a control must fail."""

    def make(rng: np.random.Generator, exact: bool) -> Case:
        return cases[int(rng.integers(len(cases)))]()

    return make


def mixture(*makers: Instances) -> Maker:
    """A maker that takes one of several at random; a given chain is completed as the last one would."""

    def make(rng: np.random.Generator, exact: bool) -> Case:
        return makers[int(rng.integers(len(makers)))](rng, exact)

    last = makers[-1]
    return Maker(make, last.extra if isinstance(last, Maker) else None)


def probabilities(rng: np.random.Generator, exact: bool, n: int, m: int, one: bool = False, zeros: bool = False) -> Any:
    """``n`` distributions on ``m`` points, [n, m]: positive, with ``zeros`` some vanish, with ``one`` all but one do.

    >>> probabilities(np.random.default_rng(0), True, 1, 3).sum()
    1
    """
    parts: Any
    if one:
        parts = np.eye(m, dtype=np.int64)[rng.integers(0, m, size=n)]
    elif exact:
        parts = rng.integers(1, 4, size=(n, m))
    else:
        parts = rng.standard_exponential((n, m)) + 1e-3
    if zeros and m > 1 and not one:
        hidden = rng.random((n, m)) < 0.4
        hidden[np.arange(n), rng.integers(0, m, size=n)] = False
        parts = np.where(hidden, 0, parts)
    if not exact:
        return parts / parts.sum(axis=1, keepdims=True)
    table = rationals(parts)
    return table / table.sum(axis=1)[:, None]


def numbers(rng: np.random.Generator, exact: bool, *shape: int) -> Any:
    """Small rationals, or standard normal floats, of any sign."""
    if exact:
        return rationals(rng.integers(-3, 4, size=shape))
    return rng.standard_normal(shape)


def rewards_of(rng: np.random.Generator, exact: bool, n: int, kind: str) -> Any:
    """Rewards in [-1, 1] for ``n`` pairs: "distinct", "tied" or "constant", [n]."""
    if kind == "constant":
        values = np.full(n, int(rng.integers(-1, 2)))
    elif kind == "tied":
        values = rng.integers(-1, 2, size=n)
    elif exact:
        return rationals(rng.permutation(np.arange(-n, n + 1))[:n]) / rational(n)
    else:
        # A gap of at least 1/(4n) between any two, so that "distinct" survives rounding.
        steps = 0.25 + rng.random(n)
        values = rng.permutation(2 * np.cumsum(steps) / steps.sum() - 1)
    return rationals(values) if exact else values.astype(np.float64)


def _kind(rng: np.random.Generator) -> str:
    u = rng.random()
    return "distinct" if u < 0.6 else "tied" if u < 0.93 else "constant"


def _gamma(rng: np.random.Generator, exact: bool, positive: bool, most: float) -> Any:
    allowed = _gammas(exact, positive, most)
    if not exact and rng.random() < 0.5:
        return float(rng.uniform(0.05, min(most, 0.99)))
    chosen = allowed[int(rng.integers(len(allowed)))]
    return rational(chosen) if exact else float(chosen)


@cache
def _gammas(exact: bool, positive: bool, most: float) -> tuple[Any, ...]:
    choices: tuple[Any, ...] = RATIONAL_GAMMAS if exact else FLOAT_GAMMAS
    return tuple(g for g in choices[positive:] if rational(g) <= rational(most))


@cache
def _own_pairs(S: int, A: int) -> Any:
    """Which pairs follow which states, [S, S * A]."""
    return np.repeat(np.eye(S), A, axis=1) > 0


def _sizes(rng: np.random.Generator, most: int) -> tuple[int, int]:
    A = int(rng.integers(1, 4)) if most > 5 else int(rng.integers(1, 3))
    S = int(rng.integers(2 if A == 1 else 1, most // A + 1))
    return S, A


def _moves(rng: np.random.Generator, exact: bool, n: int, m: int, lone: bool, stops: bool) -> tuple[Any, Any]:
    """Laws on ``m`` states and the probability of ending, [n, m] and [n]."""
    sparse = bool(rng.random() < 0.5)
    law = probabilities(rng, exact, n, m + 1, one=lone, zeros=sparse)
    if not stops:
        law = probabilities(rng, exact, n, m, one=lone, zeros=sparse)
        return law, 0 * law[:, 0]
    if not np.any(law[:, m] != 0):  # an ending chain in which nothing ends would be a conservative one
        law[0] = probabilities(rng, exact, 1, m + 1)[0]
    return law[:, :m].copy(), law[:, m].copy()


def _limits(rng: np.random.Generator, r: Any, wanted: str | None) -> tuple[Any, Any] | None:
    kind = wanted or ("wider" if rng.random() < 0.4 else "own")
    if kind == "own":
        return None
    one = rational(1) if r.dtype == object else 1.0
    if kind == "two":
        return (-one, one)
    return (min(r) - one * int(rng.integers(0, 3)) / 2, max(r) + one * int(rng.integers(0, 3)) / 2)
