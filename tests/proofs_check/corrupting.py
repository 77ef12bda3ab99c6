"""Which steps of the proofs can fail: wrong K, K1, q, U, d, P and |dr| are put into instances, one at a time.

``python -m tests.proofs_check.corrupting [SLUG ...]`` lists the steps that none of them breaks, with their kind.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

import proofs_check as pc
from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.chains.witness import case_from_witness
from proofs_check.search.trials import draw, judge_relations
from proofs_check.statements.statement import Statement, Step

#: Quantities that are made wrong. What is derived from them is computed again, the others stay as they were.
QUANTITIES = ("K", "K1", "q", "U", "d", "P_pi", "apart", "after")
#: Behavioral metrics, which are cached with their game.
GAMES = ("ferns", "castro")
#: Exact and float instances of each statement.
EXACT, FLOAT = 4, 2


def instances(statement: Statement, exact: bool, seed: int = 5) -> list[Case]:
    """Instances that meet the premise, stored witnesses among the exact ones."""
    cases = [case_from_witness(witness) for witness in statement.witnesses] if exact else []
    if statement.form != "some" and (statement.rational or not exact):
        drawn = draw(statement.instances, statement.slug, 24, seed, exact)
        cases += list(islice((case for case in drawn if case.gamma > 0 and statement.premise(case)), EXACT))
    return cases[: EXACT if exact else FLOAT]


def with_quantities(case: Case, **values: Any) -> Case:
    """A copy in which named quantities (``K``, ``q``, ...) are replaced: a deliberately wrong instance."""
    copy = replace(case)
    copy._cache.update(values)
    return copy


def corruptions(case: Case) -> Iterator[Case]:
    """Copies of an instance with one quantity wrong: nothing, a third, moved, not symmetric, of rank one."""
    true = {name: getattr(case, name) for name in QUANTITIES}
    rng = np.random.default_rng(case.X)
    games = [key for key in GAMES if key in case._cache]  # transport needs laws: only the metric is made wrong
    for key in games:
        game = case._cache[key]
        for wrong in _wrong(rng, game.d, case.exact):
            yield with_quantities(case, **{**true, key: replace(game, d=wrong)})
        images = tuple(image + _numbers(rng, case.exact, image.shape, -4, 5) for image in game.images)
        for part in ({"values": 30 * game.values}, {"images": images}, {"labels": 0 * game.labels}):
            yield with_quantities(case, **{**true, key: replace(game, **part)})
    if games:
        return
    for name in QUANTITIES:
        for wrong in _wrong(rng, true[name], case.exact):
            yield with_quantities(case, **{**true, name: wrong})
    # Another chain that ends now and then, in which everything is as it was in this one.
    law = _numbers(rng, case.exact, case.P.shape, 1, 4)
    law = law / law.sum(axis=1)[:, None] / 2
    yield with_quantities(replace(case, P=law, end=1 - law.sum(axis=1)), **true)
    yield with_quantities(replace(case, P=3 * case.P), **true)


def _wrong(rng: np.random.Generator, value: Any, exact: bool) -> Iterator[Any]:
    by = _numbers(rng, exact, value.shape, -4, 5)
    yield 0 * value
    yield value / 3
    yield value + by
    if value.ndim == 2:
        yield value + (by + by.T) / 8
        yield np.multiply.outer(by[0], by[0])


def _numbers(rng: np.random.Generator, exact: bool, shape: Any, low: int, high: int) -> Any:
    drawn = rng.integers(low, high, size=shape)
    return rationals(drawn) if exact else drawn.astype(np.float64)


def breaks(statement: Statement, step: Step, case: Case) -> bool:
    """Whether a step fails on an instance; one so wrong that the step cannot be computed says nothing."""
    try:
        with np.errstate(all="ignore"):
            tolerance = 0.0 if case.exact else statement.tolerance(case)
            return not judge_relations(list(step.sides(case)), tolerance)[1]
    except (ArithmeticError, ValueError, LookupError, StopIteration, RecursionError):
        return False


def never_fails(statement: Statement, names: set[str]) -> set[str]:
    """Those of the named steps that hold, or say nothing, on every corrupted instance."""
    left = {step.name: step for step in statement.steps if step.name in names}
    for exact in (True, False):
        for case in instances(statement, exact) if left else ():
            for step in statement.steps:  # fills the cache
                step.sides(case)
            for wrong in corruptions(case):
                for name in [name for name, step in left.items() if breaks(statement, step, wrong)]:
                    del left[name]
                if not left:
                    return set()
    return set(left)


def main(slugs: list[str]) -> None:
    """Print the steps that no corruption breaks, with their kind."""
    total, silent = 0, 0
    for slug in slugs or list(pc.STATEMENTS):
        statement = pc.STATEMENTS[slug]
        found = never_fails(statement, {step.name for step in statement.steps})
        total, silent = total + len(statement.steps), silent + len(found)
        for step in statement.steps:
            if step.name in found:
                print(f"{slug}: {step.name} ({step.kind})", flush=True)
    print(f"{silent} of {total} steps fail under no corruption")


if __name__ == "__main__":
    main(sys.argv[1:])
