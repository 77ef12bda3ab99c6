"""Every statement on one given model: what it says there, without any search.

A statement that is false in general may well hold here, and an existential one may find no example here; so the words
are about this model only: "holds", "fails", "an example", "no example", "says nothing" (its premise is not met), "too
large (412 > 120)" (pairs of the model, and pairs up to which that statement is judged) and "lost to rounding" (floats
break it where they may well be wrong, and the model is too large for rational arithmetic).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

from proofs_check.chains.case import Case
from proofs_check.chains.generators import Maker
from proofs_check.chains.witness import rational_case
from proofs_check.search.trials import judge_relations
from proofs_check.statements.statement import LARGE_MODELS, Statement
from tabular_krope.arrays import dense, distribution, frozen_array
from tabular_krope.errors import KropeError
from tabular_krope.models.mrp import MRP, require_mrp

#: Pairs up to which any statement is judged: on so many most take a few seconds together.
MOST_PAIRS = LARGE_MODELS
#: Those with a ``share``, whose instances are costly, are judged up to so many pairs, and failures are put before the
#: rationals; existential ones, which need rational arithmetic for every try, are judged up to fewer still.
MOST_PAIRS_COSTLY, MOST_PAIRS_EXACT = 12, 6
#: How often an existential statement draws what else it speaks about.
TRIES = 30


@dataclass(frozen=True, slots=True)
class OnModel:
    """What a statement says about one model.

    Attributes:
        slug, claim: of the statement.
        expected: its verdict over all models, "holds" or "refuted".
        outcome: on this model, in the words of this module.
        worst: largest gap of its relations over the tolerance; NaN where it was not judged.
    """

    slug: str
    claim: str
    expected: str
    outcome: str
    worst: float


def judge_on_model(
    mrp: MRP,
    weights: Any = None,
    seed: int = 0,
    statements: Iterable[Statement] | None = None,
    reward_range: tuple[float, float] | None = None,
) -> list[OnModel]:
    """What each statement says about one reward process and data distribution.

    Args:
        mrp: the process, in floats.
        weights: data distribution over pairs, [X]; uniform if None.
        seed: of whatever else a statement speaks about (features, other kernels).
        statements: those of and about the paper if None.
        reward_range: (r_min, r_max) of the reward kernel; the rewards' own range if None.

    >>> from tabular_krope.models.zoo import zoo
    >>> found = {one.slug: one.outcome for one in judge_on_model(zoo("c1-value-bound").mrp())}
    >>> found["theorem-1"], found["lemma-value-bound"]
    ('holds', 'fails')
    """
    from proofs_check.statements.registry import STATEMENTS

    require_mrp(mrp)
    if not mrp.gamma < 1:
        raise KropeError(f"mrp must have gamma below 1 for the statements; got gamma = {mrp.gamma}")
    case = case_of(mrp, weights, reward_range)
    chosen = [STATEMENTS[slug] for slug in STATEMENTS.in_group("paper")] if statements is None else statements
    return [_judged(one, case, seed) for one in chosen]


def case_of(mrp: MRP, weights: Any = None, reward_range: tuple[float, float] | None = None) -> Case:
    """The process and a data distribution as an instance that statements speak about."""
    D = distribution(weights, mrp.n_pairs)
    P, Pi = (frozen_array(dense(part), "P", part.shape) for part in (mrp.P, mrp.Pi))
    return Case(P, Pi, np.asarray(mrp.r), mrp.gamma, np.asarray(mrp.end), D, reward_range)


def most_pairs(statement: Statement) -> int:
    """Pairs up to which a statement is judged on a given model.

    >>> from proofs_check.statements.registry import STATEMENTS
    >>> [most_pairs(STATEMENTS[slug]) for slug in ("theorem-1", "theorem-2", "theorem-ferns", "remark-self-similarity")]
    [450, 120, 12, 6]
    """
    if statement.form == "some" and statement.rational:
        return MOST_PAIRS_EXACT
    if statement.cost.share > 1:
        return MOST_PAIRS_COSTLY
    return statement.cost.most_pairs


def _judged(statement: Statement, case: Case, seed: int) -> OnModel:
    outcome, worst = _outcome(statement, case, seed)
    return OnModel(statement.slug, statement.claim, statement.expected, outcome, worst)


def _outcome(statement: Statement, case: Case, seed: int) -> tuple[str, float]:
    exact = statement.form == "some" and statement.rational
    most = most_pairs(statement)
    if case.X > most:
        return f"too large ({case.X} > {most})", float("nan")
    rng = np.random.default_rng([seed, crc32(statement.slug.encode())])
    found = [_once(statement, case, rng, exact) for _ in range(TRIES if statement.form == "some" else 1)]
    judged = [one for one in found if one is not None]
    if not judged:
        return "says nothing", float("nan")
    worst, holds = min(judged, key=lambda one: (not one[1], one[0]))
    if statement.cost.of_zeros and not holds:
        again = _once(statement, case, rng, exact=True) if case.X <= MOST_PAIRS_COSTLY else None
        if again is None:
            return "lost to rounding", worst
        worst, holds = again
    if statement.form == "all":
        return ("holds" if holds else "fails"), worst
    shown = holds if statement.form == "some" else not holds
    return ("an example" if shown else "no example"), worst


def _once(statement: Statement, case: Case, rng: np.random.Generator, exact: bool) -> tuple[float, bool] | None:
    """Worst gap and whether the relations hold, with what else is spoken of drawn; None if the premise is not met."""
    if isinstance(statement.instances, Maker):
        case = statement.instances.around(rng, case)
    if exact:
        case = rational_case(case)
    if not statement.premise(case):
        return None
    return judge_relations(list(statement.sides(case)), 0.0 if exact else statement.tolerance(case))
