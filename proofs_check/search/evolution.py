"""An adversary: differential evolution over small chains, pushing a claim toward violation.

What the points of its cube stand for is the business of `spaces`. A whole generation is judged as one batch.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from proofs_check.chains.case import Case
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.float_judge import judge_batch
from proofs_check.search.spaces import Space
from proofs_check.search.tally import Seen
from tabular_krope.arrays import Array

POPULATION = 48
#: Chains of the last generation that are handed on: those that seem to refute the claim, and the tightest of all.
SUSPECTS, TIGHTEST = 12, 8


@dataclass(frozen=True, slots=True, eq=False)
class Survivors:
    """What a search on chains of one size ended with.

    Attributes:
        suspects: float chains that seem to refute the claim, the most blatant first.
        tightest: float chains of the last generation that come nearest to refuting it, or do; no two of equal score.
    """

    suspects: list[Case]
    tightest: list[Case]


def attack(space: Space, generations: int, rng: np.random.Generator, seen: Callable[[Seen, Batch], None]) -> Survivors:
    """Push a claim toward violation on the instances of a space.

    Args:
        space: the instances, of one size, and what is asked.
        generations: of the search.
        rng: source of all its choices.
        seen: called with what each generation showed, and with its chains.

    Returns:
        Chains of the last generation that deserve another look.
    """
    n, question = space.n, space.question

    def score(Z: Array) -> Array:
        batch = space.decode(Z)
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
    final = space.decode(Z)
    finding = judge_batch(question, final)
    order = [int(i) for i in np.argsort(-values, kind="stable") if finding.met[i]]
    suspects = [i for i in order if finding.suspect[i]][:SUSPECTS]
    apart = list({float(values[i]): i for i in reversed(order)}.values())[::-1][:TIGHTEST]
    return Survivors([space.case(final, i) for i in suspects], [space.case(final, i) for i in apart])


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
