"""Running a statement over instances, and its identities over a prime field: the machinery under `judging`."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from math import isnan
from zlib import crc32

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats
from proofs_check.arithmetic.prime_field import PRIME, SIZES, random_point
from proofs_check.chains.at_once import stand_together
from proofs_check.chains.case import Case
from proofs_check.chains.stacked_garnets import Inequalities
from proofs_check.judging.verdict import StepVerdict, Trial
from proofs_check.search.tally import Seen, Tally, larger, largest_number
from proofs_check.statements.relation import Relation
from proofs_check.statements.statement import Instances, Sides, Statement, Step

#: A ratio counts as tightness when its right side exceeds the tolerance so many times.
RATIO_DIGITS = 1e4
#: Instances that are drawn before the first of them is judged.
SIDE_BY_SIDE = 200


def count_case(tally: Tally, relations: list[Relation], tolerance: float, case: Case) -> list[float]:
    """Add one instance whose premise was met, and keep it if it fails; the ratios of the sides of its relations."""
    worst, holds = judge_relations(relations, tolerance)
    ratios = [relation.tightness(floor_of(relation, tolerance)) for relation in relations]
    tally.add_one(not holds, worst, largest_number(*ratios))
    tally.open += sum(relation.open for relation in relations)
    if not holds:
        tally.failing.append(case)
        tally.final += any(not (r.arbitrated or r.holds(tolerance)) for r in relations)
    return ratios


def floor_of(relation: Relation, tolerance: float) -> float:
    """The right side from which on a ratio counts: one of two numbers near rounding says nothing."""
    return RATIO_DIGITS * tolerance * relation.scale


def count_garnets(tally: Tally, batch: Inequalities) -> None:
    """Add many instances at once."""
    excess = (batch.lhs - batch.rhs) / batch.allowed
    failed = ~(excess <= 1).all(axis=1)  # NaN counts as broken
    ratio = (batch.lhs / batch.rhs).max(axis=1)
    tally.add(Seen(np.ones(len(excess), dtype=bool), failed, excess.max(axis=1), ratio))
    tally.failing += [batch.case(int(i)) for i in np.flatnonzero(failed)[:10]]


def draw(instances: Instances, name: str, n: int, seed: int, exact: bool) -> Iterator[Case]:
    """``n`` instances, each from a generator of its own, so that any one of them can be made again."""
    for i in range(n):
        yield instances(np.random.default_rng([seed, crc32(name.encode()), int(exact), i]), exact)


def run(statement: Statement, n: int, seed: int, exact: bool) -> tuple[Tally, dict[str, StepVerdict]]:
    """Judge the statement and its proof steps on ``n`` instances."""
    tally = Tally("exact" if exact else "sampled")
    steps = [_StepTally(step) for step in statement.steps]
    for case in together(draw(statement.instances, statement.slug, n, seed, exact)):
        if not statement.premise(case):
            tally.vacuous += 1
            continue
        tolerance = 0.0 if exact else statement.tolerance(case)
        count_case(tally, list(statement.sides(case)), tolerance, case)
        for counts in steps:
            relations = list(counts.step.sides(case))
            worst, holds = judge_relations(relations, tolerance)
            tried = int(bool(relations))
            if not (holds or exact or not counts.holds) and statement.rational:
                found = step_verdict(counts.step, holds, worst, tried)
                again = arbitrated(statement, counts.step, case, found)
                worst, holds, tried = again.worst, again.holds, again.tried
            counts.add(worst, holds, tried)
    return tally, {counts.step.name: counts.verdict() for counts in steps if counts.seen}


def together(cases: Iterator[Case]) -> Iterator[Case]:
    """The same instances in their order; as many as `SIDE_BY_SIDE` are computed side by side."""
    while some := list(islice(cases, SIDE_BY_SIDE)):
        stand_together(some)
        yield from some


@dataclass(slots=True)
class _StepTally:
    """What was seen of one step."""

    step: Step
    holds: bool = True
    worst: float = 0.0
    tried: int = 0
    seen: int = 0

    def add(self, worst: float, holds: bool, tried: int) -> None:
        self.worst = larger(self.worst, worst) if self.seen else worst
        self.holds, self.tried, self.seen = self.holds and holds, self.tried + tried, self.seen + 1

    def verdict(self) -> StepVerdict:
        return step_verdict(self.step, self.holds, self.worst, self.tried)


def step_verdict(step: Step, holds: bool, worst: float, tried: int) -> StepVerdict:
    """What was found about a step, as a value."""
    return StepVerdict(step.name, step.claim, holds, worst, tried, step.kind)


def arbitrated(statement: Statement, step: Step, case: Case, found: StepVerdict) -> StepVerdict:
    """A step that failed on floats, judged again on the same instance read as rationals, where it can be."""
    from proofs_check.chains.witness import rational_case

    same = rational_case(case)
    again = judge_step(step, same, 0.0) if statement.premise(same) else found
    return again if again.tried else found


def judge_step(step: Step, case: Case, tolerance: float) -> StepVerdict:
    """One step on one instance."""
    relations = list(step.sides(case))
    worst, holds = judge_relations(relations, tolerance)
    return step_verdict(step, holds, worst, int(bool(relations)))


def merge(first: StepVerdict | None, second: StepVerdict) -> StepVerdict:
    """Two findings about one step: it holds if it held in both."""
    if first is None:
        return second
    return StepVerdict(
        second.name,
        second.claim,
        first.holds and second.holds,
        larger(first.worst, second.worst),
        first.tried + second.tried,
        second.kind,
    )


def judge_relations(relations: list[Relation], tolerance: float) -> tuple[float, bool]:
    """The largest gap over its tolerance (the gap itself where there is none), and whether all hold.

    >>> judge_relations([Relation(1.0, "<=", 0.5), Relation(1.0, "==", 1.0)], 0.25)
    (2.0, False)
    """
    worst, holds = float("-inf"), True
    for relation in relations:
        gap = relation.gap()
        size = gap if isinstance(gap, float) else float(floats(gap))
        excess = size / (tolerance * relation.scale) if tolerance else size
        if not (excess <= worst or isnan(worst)):  # a NaN is seen, and stays
            worst = excess
        holds = holds and relation.allows(gap, tolerance)
    return worst, holds


def control_fails(statement: Statement, examples: int = 200, seed: int = 0) -> bool:
    """Whether the negative control of a statement fails, as it must.

    A universal claim's control fails when some instance breaks it, in floats or rationals; an existential one's when no
    instance, its witnesses included, shows it.
    """
    from proofs_check.chains.witness import case_from_witness

    sides: Sides = statement.control.sides or statement.sides
    allowed = statement.control.tolerance or statement.tolerance
    instances = statement.control.instances or statement.instances
    if statement.form == "some":
        shown = [case_from_witness(witness) for witness in statement.witnesses]
        shown += list(draw(instances, statement.slug, examples, seed, statement.rational))
        return not any(all(relation.holds(0.0) for relation in sides(case)) for case in shown)
    for exact in (False, True) if statement.rational else (False,):
        for case in draw(instances, statement.slug, examples, seed, exact):
            tolerance = 0.0 if case.exact else allowed(case)
            if not all(relation.holds(tolerance) for relation in sides(case)):
                return True
    return False


def identity_trial(statement: Statement, points: int = 3, seed: int = 0) -> Trial | None:
    """The identities of a statement at random points; None if it has none.

    Args:
        statement: whose ``identities`` are evaluated.
        points: random points for each identity at each of the sizes.
        seed: of the points.

    Returns:
        A trial whose ``error`` bounds the probability that a false identity passed.

    >>> from proofs_check.statements.registry import STATEMENTS
    >>> trial = identity_trial(STATEMENTS["mico-identity"])
    >>> trial.failed, trial.error < 1e-40
    (0, True)
    """
    if not statement.identities:
        return None
    failed, error = 0, 0.0
    for k, identity in enumerate(statement.identities):
        for size, i in product(range(len(SIZES)), range(points)):
            rng = np.random.default_rng([seed, crc32(statement.slug.encode()), k, i + points * size])
            left, right = identity.sides(random_point(rng, identity.conservative, SIZES[size]))
            failed += int(left != right)
        error = max(error, (identity.degree / PRIME) ** points)
    sizes = f"{sizes_at(0)} pairs, {sizes_at(1)} states, {sizes_at(2)} features"
    tried = points * len(SIZES) * len(statement.identities)
    return Trial("identity", tried, 0, failed, float(failed), error=error, sizes=sizes)


def sizes_at(k: int) -> str:
    """The numbers at place ``k`` of the sizes.

    >>> sizes_at(0), sizes_at(1)
    ('3, 4 or 5', '2 or 3')
    """
    *first, last = (str(number) for number in sorted({size[k] for size in SIZES}))
    return f"{', '.join(first)} or {last}"
