"""Judging statements: `check` for one, `check_all` for many, `judge` for one's own.

A universal claim is tried on random float instances, judged within a tolerance, and on random rational instances,
judged without one; where it says so an adversary presses it, and its identities are evaluated over a prime field. A
failure among the floats counts only if the same instance, read as rationals, fails exactly. Stored witnesses are
verified from their serialised form. Existential claims hold by a witness.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import isfinite
from typing import Any
from zlib import crc32

import numpy as np

from proofs_check.case import Case
from proofs_check.identity import check_identities
from proofs_check.statement import Statement
from proofs_check.trials import Tally, judge_step, merge, run
from proofs_check.verdict import EVIDENCE, BestConstant, StepVerdict, Trial, Verdict
from proofs_check.witness import case_from_witness, rational_case, witness_from_case
from tabular_krope.arrays import require_count
from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.parallel import in_parallel

#: Without ``exact`` one rational instance is tried for so many float ones.
FLOATS_PER_RATIONAL = 10
#: Instances that the adversary tries for each single instance.
PRESSED_PER_EXAMPLE = 3
#: Where a statement can judge many Garnets at once, so many are tried for each single instance.
GARNETS_PER_EXAMPLE = 10


def check(slug: str, examples: int = 200, seed: int = 0, exact: bool = False) -> Verdict:
    """The verdict on one statement.

    Args:
        slug: name of the statement.
        examples: float instances to try (fewer for costly statements, see `Statement.share`).
        seed: of the instances; a non-negative integer.
        exact: try as many rational instances as float ones, instead of one for ten.

    Returns:
        A `Verdict`. Equal arguments give equal verdicts.

    >>> check("remark-bad-pairs", examples=20).outcome
    'holds'
    """
    from proofs_check.registry import STATEMENTS

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
    from proofs_check.registry import STATEMENTS

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
    n = max(1, examples // statement.share)
    if statement.form == "some":
        return _existential(statement, n, seed)
    sampled, steps = run(statement, n, seed, exact=False)
    if statement.many is not None:
        generator = np.random.default_rng([seed, crc32(statement.slug.encode())])
        sampled.count_batch(statement.many(generator, GARNETS_PER_EXAMPLE * n))
    tallies = [sampled]
    if statement.rational:
        rational, more = run(statement, n if exact else max(1, n // FLOATS_PER_RATIONAL), seed, exact=True)
        tallies.append(rational)
        steps = {name: merge(steps.get(name), found) for name, found in {**steps, **more}.items()}
    if statement.pressed is not None:
        from proofs_check.adversarial import attack

        tallies.append(attack(statement, PRESSED_PER_EXAMPLE * n, seed).tally)
    refutation, steps = _refutation(statement, tallies, steps, shrink)
    return _verdict(statement, tallies, steps, refutation, check_identities(statement.slug, seed=seed))


def _verdicts(names: list[str], examples: int, seed: int, exact: bool, jobs: int) -> Iterable[Verdict]:
    if jobs <= 1:
        return (check(name, examples, seed, exact) for name in dict.fromkeys(names))
    from joblib import delayed

    tasks = (delayed(check)(name, examples, seed, exact) for name in dict.fromkeys(names))
    return in_parallel(tasks, jobs)


def _refutation(
    statement: Statement, tallies: list[Tally], steps: dict[str, StepVerdict], shrink: bool
) -> tuple[tuple[Mapping[str, Any], ...], dict[str, StepVerdict]]:
    """Exact instances on which the relations fail: the one to show and perhaps a smaller one; none if none is known.

    A stored witness is shown, because it was made to be read, and the steps are judged on it too. Whatever is smallest
    among the stored and the found ones is shrunk.
    """
    from proofs_check.shrink import size, small_witness, smaller

    stored = [witness for witness in statement.witnesses if _refutes(statement, case_from_witness(witness))]
    known = [case_from_witness(witness) for witness in stored]
    for step in statement.steps if stored else ():
        steps[step.name] = merge(steps.get(step.name), judge_step(step, known[0], 0.0))
    if statement.rational and not known:
        known = list(_confirmed(statement, tallies))
    if not known:
        return (), steps
    if not shrink:
        return (stored[0] if stored else witness_from_case(known[0]),), steps
    shrunk = small_witness(statement, min(known, key=size))
    if not stored:
        return (shrunk,), steps
    return (stored[0], *([shrunk] if smaller(shrunk, stored[0]) else [])), steps


def _confirmed(statement: Statement, tallies: list[Tally]) -> Iterable[Case]:
    """The first instance among those found that fails over the rationals, and still does when it is read back."""
    from proofs_check.shrink import fails

    for tally in reversed(tallies):
        for case in tally.failing:
            if case.X > statement.most_exact:
                tally.final += 1
                continue
            exact = case if case.exact else rational_case(case)
            if _refutes(statement, exact):
                again = case_from_witness(witness_from_case(exact))
                if fails(statement, again):
                    yield again
                    return
                tally.final += 1  # it speaks about states, which a witness does not know: a failure without a witness


def _refutes(statement: Statement, case: Case) -> bool:
    return statement.premise(case) and _fails(statement, case)


def _fails(statement: Statement, case: Case) -> bool:
    return not all(relation.holds(0.0) for relation in statement.sides(case))


def _verdict(
    statement: Statement,
    tallies: list[Tally],
    steps: dict[str, StepVerdict],
    refutation: tuple[Mapping[str, Any], ...],
    identities: Trial | None,
) -> Verdict:
    witness, shrunk = (*refutation, None, None)[:2]
    found = [tally.trial() for tally in tallies] + ([identities] if identities else [])
    trials = tuple(sorted(found, key=lambda trial: EVIDENCE.index(trial.level)))
    # A float failure that the rationals do not confirm is rounding; where they cannot be asked it has to count.
    final = sum(tally.final if statement.rational else tally.failed for tally in tallies)
    broken = witness is not None or final > 0
    outcome = "refuted" if broken != (statement.form == "some-fail") else "holds"
    if not any(trial.tried for trial in trials) and witness is None:
        outcome = "vacuous"
    exactly = any(tally.level == "exact" and tally.final for tally in tallies)
    evidence = trials[-1].level
    if broken:
        evidence = "witness" if witness is not None else "exact" if exactly else "sampled"
    if statement.form == "some-fail" and witness is None:
        witness = _illustration(statement)
    return _assemble(statement, outcome, evidence, trials, tuple(steps.values()), witness, shrunk)


def _illustration(statement: Statement) -> Mapping[str, Any] | None:
    """A stored instance on which the relations that the claim denies hold exactly."""
    stored = statement.witnesses
    return next((witness for witness in stored if not _fails(statement, case_from_witness(witness))), None)


def _existential(statement: Statement, n: int, seed: int) -> Verdict:
    """Holds by a stored witness; the instances show how rare another is (``failed`` counts those that are none)."""
    tally, _ = run(replace(statement, steps=()), n, seed, exact=statement.rational)
    trials = (tally.trial(),)
    for witness in statement.witnesses:
        case = case_from_witness(witness)
        if statement.premise(case) and not _fails(statement, case):
            steps = tuple(judge_step(step, case, 0.0) for step in statement.steps)
            return _assemble(statement, "holds", "witness", trials, steps, witness)
    return _assemble(statement, "vacuous", trials[-1].level, trials, (), None)


def _assemble(
    statement: Statement,
    outcome: str,
    evidence: str,
    trials: tuple[Trial, ...],
    steps: tuple[StepVerdict, ...],
    witness: Mapping[str, Any] | None,
    shrunk: Mapping[str, Any] | None = None,
) -> Verdict:
    order = {step.name: k for k, step in enumerate(statement.steps)}
    some = statement.form == "some"  # one example suffices: the others violate nothing
    proof = tuple(sorted(steps, key=lambda step: order[step.name]))
    return Verdict(
        slug=statement.slug,
        claim=statement.claim,
        outcome=outcome,
        evidence=evidence,
        tried=sum(trial.tried for trial in trials),
        vacuous=sum(trial.vacuous for trial in trials),
        worst=float("-inf") if some else trials[0].worst,
        tightness=max((t.tightness for t in trials if isfinite(t.tightness) and not some), default=float("nan")),
        witness=witness,
        steps=proof,
        first_false_step=next((step.name for step in proof if not step.holds), None),
        expected=statement.expected,
        expected_false_step=statement.false_step,
        trials=trials,
        shrunk=shrunk,
        constant=_best_constant(statement, trials),
    )


def _best_constant(statement: Statement, trials: tuple[Trial, ...]) -> BestConstant | None:
    pressed = [t.tightness for t in trials if t.level == "adversarial" and isfinite(t.tightness)]
    if statement.constant is None or not pressed:
        return None
    return BestConstant(statement.constant.name, statement.constant.proven, statement.constant.found(max(pressed)))


def _require_settings(examples: Any, seed: Any) -> None:
    require_count(examples, "examples")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise KropeError(f"seed must be a non-negative integer; got {seed!r}")
