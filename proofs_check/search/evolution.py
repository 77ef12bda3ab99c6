"""An adversary: differential evolution over small chains, pushing a claim towards violation.

A chain on ``X`` pairs is a point of a cube: transition weights (negative ones are zero, so that absorbing and
deterministic chains are reached exactly), rewards, their scale and shift, a wider reward range, gamma and data weights.
A whole generation is judged as one batch.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from proofs_check.chains.case import Case
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.float_judge import judge_batch
from proofs_check.conjectures.question import Question
from proofs_check.search.tally import Seen
from tabular_krope.arrays import Array
from tabular_krope.exact.rationals import nearest_float

SIZES = (2, 3, 4, 5, 6)
POPULATION = 48
#: Chains of the last generation that are handed on: those that seem to refute the claim, and the tightest of all.
SUSPECTS, TIGHTEST = 12, 8
#: Discount factors up to this one take nine tenths of their side of the cube; the last tenth goes on to the larger one,
#: unless rounding there would blur a premise.
USUAL_GAMMA, LARGEST_GAMMA = 0.99, 0.9999


@dataclass(frozen=True, slots=True, eq=False)
class Survivors:
    """What a search on chains of one size ended with.

    Attributes:
        suspects: float chains that seem to refute the claim, the most blatant first.
        tightest: float chains of the last generation that come nearest to refuting it, or do; no two of equal score.
    """

    suspects: list[Case]
    tightest: list[Case]


def attack(
    question: Question, X: int, generations: int, rng: np.random.Generator, seen: Callable[[Seen, Batch], None]
) -> Survivors:
    """Push a claim towards violation on chains with ``X`` pairs.

    Args:
        question: what is asked.
        X: number of pairs.
        generations: of the search.
        rng: source of all its choices.
        seen: called with what each generation showed, and with its chains.

    Returns:
        Chains of the last generation that deserve another look.
    """
    n = X * (X + (not question.conservative)) + 2 * X + 5

    def score(Z: Array) -> Array:
        batch = decode(Z, X, question)
        finding = judge_batch(question, batch)
        seen(finding.seen, batch)
        short = np.minimum(finding.shortfall, 1e12)
        values: Array = np.where(finding.met > 0, finding.score, -2.0 - short / (1.0 + short))
        return values

    Z = rng.uniform(-1.0, 1.0, (POPULATION, n))
    Z[: POPULATION // 2] = np.round(1.5 * Z[: POPULATION // 2])  # corners of the cube: sparse chains, tied rewards
    Z = np.clip(Z, -1.0, 1.0)
    values = score(Z)
    for _ in range(generations):
        _generation(Z, values, score, rng)
    sigma = 0.1
    for _ in range(generations // 2):
        best = Z[int(np.argmax(values))]
        moved = rng.random((POPULATION, n)) < 0.3
        _keep(Z, values, np.clip(best + moved * rng.normal(0.0, sigma, (POPULATION, n)), -1.0, 1.0), score)
        sigma *= 0.9
    final = decode(Z, X, question)
    finding = judge_batch(question, final)
    order = [int(i) for i in np.argsort(-values, kind="stable") if finding.met[i]]
    suspects = [i for i in order if finding.suspect[i]][:SUSPECTS]
    apart = list({float(values[i]): i for i in reversed(order)}.values())[::-1][:TIGHTEST]
    return Survivors([case_of(final, i) for i in suspects], [case_of(final, i) for i in apart])


def decode(Z: Array, X: int, question: Question) -> Batch:
    """The chains that points of the cube stand for, one for each row of ``Z``."""
    N, ending = len(Z), 0 if question.conservative else 1
    width = X + ending
    law = _distribution(Z[:, : X * width].reshape(N * X, width)).reshape(N, X, width)
    rest = Z[:, X * width :]
    scale, shift, below, above, g = rest[:, 2 * X :].T
    # Dead zones around the middle: half of all chains keep rewards in [-1, 1] and their own range.
    r = rest[:, :X] * 10.0 ** (4.0 * _dead(scale))[:, None] + 20.0 * _dead(shift)[:, None]
    spread = r.max(axis=1) - r.min(axis=1)
    gamma = _discounts((g + 1.0) / 2.0, USUAL_GAMMA if question.blurred else LARGEST_GAMMA)
    if question.gamma is not None:
        gamma = np.full(N, nearest_float(question.gamma))
    return Batch(
        P=law[:, :, :X],
        r=r,
        gamma=gamma,
        end=law[:, :, X] if ending else np.zeros((N, X)),
        D=_distribution(rest[:, X : 2 * X]),
        low=r.min(axis=1) - spread * np.maximum(below, 0.0),
        high=r.max(axis=1) + spread * np.maximum(above, 0.0),
        S=np.full(N, float(X)),
        dim=question.dim,
    )


def case_of(batch: Batch, i: int) -> Case:
    """One chain of a batch as a case."""
    r = batch.r[i]
    own = batch.low[i] == r.min() and batch.high[i] == r.max()
    limits = None if own else (float(batch.low[i]), float(batch.high[i]))
    gamma = float(batch.gamma[i])
    return Case.from_matrix(batch.P[i], r, gamma, end=batch.end[i], weights=batch.D[i], reward_range=limits)


def _generation(Z: Array, values: Array, score: Callable[[Array], Array], rng: np.random.Generator) -> None:
    """One generation of DE/current-to-best/1 with binomial crossover; some coordinates jump to a corner."""
    N, n = Z.shape
    best = Z[int(np.argmax(values))]
    a, b = (Z[rng.permutation(N)] for _ in range(2))
    F = rng.uniform(0.3, 1.0, (N, 1))
    mutant = Z + F * (best - Z) * (rng.random((N, 1)) < 0.5) + F * (a - b)
    mutant = np.where(rng.random((N, n)) < 0.03, rng.integers(-1, 2, (N, n)), mutant)
    crossed = rng.random((N, n)) < rng.choice([0.2, 0.9], (N, 1))
    _keep(Z, values, np.clip(np.where(crossed, mutant, Z), -1.0, 1.0), score)


def _keep(Z: Array, values: Array, trial: Array, score: Callable[[Array], Array]) -> None:
    found = score(trial)
    better = found >= values
    Z[better], values[better] = trial[better], found[better]


def _discounts(u: Array, most: float) -> Array:
    """Discount factors from 0 to ``most``: linear up to `USUAL_GAMMA`, then even in the logarithm of ``1 - gamma``."""
    beyond = np.maximum(u - 0.9, 0.0) / 0.1
    tail: Array = (1.0 - USUAL_GAMMA) * ((1.0 - most) / (1.0 - USUAL_GAMMA)) ** beyond
    return np.where(u < 0.9, USUAL_GAMMA * u / 0.9, 1.0 - tail)


def _distribution(weights: Array) -> Array:
    """Rows made non-negative and normalized; a row without positive entry puts all on its largest."""
    positive = np.maximum(weights, 0.0)
    lone = positive.sum(axis=1) <= 0.0
    positive[lone] = np.eye(weights.shape[1])[weights[lone].argmax(axis=1)]
    normalised: Array = positive / positive.sum(axis=1, keepdims=True)
    return normalised


def _dead(z: Array) -> Array:
    return np.sign(z) * np.maximum(np.abs(z) - 0.5, 0.0)
