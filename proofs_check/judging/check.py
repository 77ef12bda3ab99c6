"""Judging statements: `check` for one, `check_all` for many, `judge` for one's own.

A universal claim is tried on random float instances, judged within a tolerance, and on random rational instances,
judged without one; where it says so an adversary presses it, and its identities are evaluated over a prime field. A
failure among the floats counts only if the same instance, read as rationals, fails exactly. Stored witnesses are
verified from their serialized form, stored certificates by the kernel of `proofs_check.prove`. Existential claims hold
by a witness.
"""

import gc
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any
from zlib import crc32

import numpy as np

from proofs_check.judging.assembling import assemble, universal_verdict, with_certificate, with_theorem
from proofs_check.judging.verdict import Verdict
from proofs_check.search.trials import control_fails, count_garnets, identity_trial, judge_step, merge, run
from proofs_check.statements.statement import Statement
from tabular_krope.arrays import require_count
from tabular_krope.errors import KropeError, unknown_name

#: Without ``exact`` one rational instance is tried for so many float ones.
FLOATS_PER_RATIONAL = 10
#: Instances that the adversary tries for each single instance.
PRESSED_PER_EXAMPLE = 3
#: Where a statement can judge many Garnets at once, so many are tried for each single instance.
GARNETS_PER_EXAMPLE = 10
#: Instances on which a negative control may fail; the first failure suffices.
CONTROL_EXAMPLES = 200


def check(slug: str, examples: int = 200, seed: int = 0, exact: bool = False) -> Verdict:
    """The verdict on one statement.

    Args:
        slug: name of the statement.
        examples: float instances to try (fewer for costly statements, see `Cost.share`).
        seed: of the instances; a non-negative integer.
        exact: try as many rational instances as float ones, instead of one for ten.

    Returns:
        A `Verdict`. Equal arguments give equal verdicts.

    >>> check("remark-bad-pairs", examples=20).outcome
    'holds'
    """
    from proofs_check.statements.registry import STATEMENTS

    if slug not in STATEMENTS:
        raise unknown_name("slug", str(slug), STATEMENTS)
    return judge(STATEMENTS[slug], examples, seed, exact)


def check_all(
    slugs: Iterable[str] | None = None,
    examples: int = 200,
    seed: int = 0,
    exact: bool = False,
    jobs: int | None = 1,
    progress: Callable[[Verdict], None] | None = None,
) -> list[Verdict]:
    """Verdicts on many statements, in the order asked for.

    Args:
        slugs: names; every statement if None.
        examples, seed, exact: as for `check`.
        jobs: processes to use; one for each processor that may be used if None, and never more than statements.
        progress: called with each verdict as it is ready, in any order. The verdicts do not depend on ``jobs``.

    >>> [verdict.slug for verdict in check_all(["remark-bad-pairs"], examples=10)]
    ['remark-bad-pairs']
    """
    from proofs_check.statements.registry import STATEMENTS

    names = list(STATEMENTS) if slugs is None else list(slugs)
    for name in names:
        if name not in STATEMENTS:
            raise unknown_name("slug", str(name), STATEMENTS)
    _require_settings(examples, seed)
    many = available_processors() if jobs is None else require_count(jobs, "jobs")
    found = {}
    for verdict in _verdicts(names, examples, seed, exact, min(many, len(set(names)))):
        found[verdict.slug] = verdict
        if progress is not None:
            progress(verdict)
    return [found[name] for name in names]


def available_processors() -> int:
    """Processors that this process may use.

    >>> available_processors() >= 1
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def judge(
    statement: Statement, examples: int = 200, seed: int = 0, exact: bool = False, shrink: bool = True
) -> Verdict:
    """The verdict on a statement given as a value: one's own, or a changed one.

    Args:
        statement: what is claimed.
        examples, seed, exact: as for `check`.
        shrink: whether to look for a small witness of a refutation.
    """
    _require_settings(examples, seed)
    n = max(1, examples // statement.cost.share)
    found = (
        _existential(statement, n, seed) if statement.form == "some" else _universal(statement, n, seed, exact, shrink)
    )
    judged = replace(found, control_fails=control_fails(statement, CONTROL_EXAMPLES, seed))
    return with_theorem(judged, statement)


def _universal(statement: Statement, n: int, seed: int, exact: bool, shrink: bool) -> Verdict:
    """Samples, rationals, an adversary, identities, and the certificate."""
    sampled, steps = run(statement, n, seed, exact=False)
    if statement.many is not None:
        generator = np.random.default_rng([seed, crc32(statement.slug.encode())])
        count_garnets(sampled, statement.many(generator, GARNETS_PER_EXAMPLE * n))
    tallies = [sampled]
    if statement.rational:
        rational, more = run(statement, n if exact else max(1, n // FLOATS_PER_RATIONAL), seed, exact=True)
        tallies.append(rational)
        steps = {name: merge(steps.get(name), found) for name, found in {**steps, **more}.items()}
    if statement.pressure is not None:
        from proofs_check.search.adversary import attack

        tallies.append(attack(statement, PRESSED_PER_EXAMPLE * n, seed).tally)
    witnesses: tuple[Mapping[str, Any], ...] = ()
    if statement.witnesses or any(tally.failing for tally in tallies):
        from proofs_check.search.refutation import find_refutation

        witnesses, steps = find_refutation(statement, tallies, steps, shrink)
    found = universal_verdict(statement, tallies, steps, witnesses, identity_trial(statement, seed=seed))
    return with_certificate(found, statement)


def _verdicts(names: list[str], examples: int, seed: int, exact: bool, jobs: int) -> Iterable[Verdict]:
    """The verdicts as they are ready; a user's own statements are not known to fresh processes and stay in this one."""
    from proofs_check.statements.registry import STATEMENTS

    wanted = list(dict.fromkeys(names))
    if jobs > 1:
        from tabular_krope.forks import can_fork, shared_out

        if can_fork():
            for name in wanted:
                STATEMENTS[name]  # loaded once, before the copies are made
            gc.freeze()  # what is loaded is not looked through again and again for garbage, here and in each copy
            try:
                yield from shared_out(check, ((name, examples, seed, exact) for name in wanted), jobs)
            finally:
                gc.unfreeze()
            return
    own = [name for name in wanted if jobs <= 1 or STATEMENTS.group(name) == "own"]
    others = [name for name in wanted if name not in own]
    if others:
        from tabular_krope.parallel import in_parallel

        yield from in_parallel(check, ((name, examples, seed, exact) for name in others), jobs)
    for name in own:
        yield check(name, examples, seed, exact)


def _existential(statement: Statement, n: int, seed: int) -> Verdict:
    """Holds by a stored witness; the instances show how rare another is (``failed`` counts those that are none)."""
    from proofs_check.chains.witness import case_from_witness

    tally, _ = run(replace(statement, steps=()), n, seed, exact=statement.rational)
    trials = (tally.trial(),)
    for witness in statement.witnesses:
        case = case_from_witness(witness)
        if statement.premise(case) and not statement.fails_on(case):
            steps = tuple(judge_step(step, case, 0.0) for step in statement.steps)
            return assemble(statement, "holds", "witness", trials, steps, witness)
    return assemble(statement, "vacuous", trials[-1].level, trials, (), None)


def _require_settings(examples: Any, seed: Any) -> None:
    require_count(examples, "examples")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise KropeError(f"seed must be a non-negative integer; got {seed!r}")
