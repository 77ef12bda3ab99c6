"""Running a statement over instances: the machinery under `judging`."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats
from proofs_check.chains.case import Case
from proofs_check.chains.stacked_garnets import Batch
from proofs_check.judging.verdict import StepVerdict, Trial
from proofs_check.statements.relation import Relation
from proofs_check.statements.statement import Instances, Sides, Statement, Step

#: A ratio counts as tightness when its right side exceeds the tolerance so many times.
RATIO_DIGITS = 1e4


@dataclass(slots=True)
class Tally:
    """Counts while instances go by; `trial` is the summary. ``final`` failures are those no rational can arbitrate."""

    level: str
    tried: int = 0
    vacuous: int = 0
    failed: int = 0
    worst: float = float("-inf")
    tightness: float = float("nan")
    failing: list[Case] = field(default_factory=list)
    final: int = 0

    def count(self, relations: list[Relation], tolerance: float, case: Case) -> None:
        """Add one instance whose premise was met."""
        self.tried += 1
        worst, holds = judge_relations(relations, tolerance)
        self.worst = _larger(self.worst, worst)
        # A ratio of two numbers near rounding says nothing.
        ratios = [relation.tightness(RATIO_DIGITS * tolerance * relation.scale) for relation in relations]
        self.tightness = float(np.fmax.reduce([self.tightness, *ratios]))
        if not holds:
            self.failed += 1
            self.failing.append(case)
            self.final += any(not (r.arbitrated or r.holds(tolerance)) for r in relations)

    def count_batch(self, batch: Batch) -> None:
        """Add many instances at once."""
        excess = (batch.lhs - batch.rhs) / batch.allowed
        self.tried += len(excess)
        self.worst = _larger(self.worst, float(excess.max()))
        self.tightness = float(np.fmax(self.tightness, (batch.lhs / batch.rhs).max()))
        broken = np.flatnonzero(~(excess <= 1).all(axis=1))  # NaN counts as broken
        self.failed += len(broken)
        self.failing += [batch.case(int(i)) for i in broken[:10]]

    def trial(self) -> Trial:
        """The counts as a value."""
        return Trial(self.level, self.tried, self.vacuous, self.failed, self.worst, self.tightness)


def draw(instances: Instances, name: str, n: int, seed: int, exact: bool) -> Iterator[Case]:
    """``n`` instances, each from a generator of its own, so that any one of them can be made again."""
    for i in range(n):
        yield instances(np.random.default_rng([seed, crc32(name.encode()), int(exact), i]), exact)


def run(statement: Statement, n: int, seed: int, exact: bool) -> tuple[Tally, dict[str, StepVerdict]]:
    """Judge the statement and its proof steps on ``n`` instances."""
    tally = Tally("exact" if exact else "sampled")
    steps: dict[str, StepVerdict] = {}
    for case in draw(statement.instances, statement.slug, n, seed, exact):
        if not statement.premise(case):
            tally.vacuous += 1
            continue
        tolerance = 0.0 if exact else statement.tolerance(case)
        tally.count(list(statement.sides(case)), tolerance, case)
        for step in statement.steps:
            found = judge_step(step, case, tolerance)
            known = step.name in steps and not steps[step.name].holds
            if not (found.holds or exact or known) and statement.rational:
                found = arbitrated(statement, step, case, found)
            steps[step.name] = merge(steps.get(step.name), found)
    return tally, steps


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
    return StepVerdict(step.name, step.claim, holds, worst, int(bool(relations)))


def merge(first: StepVerdict | None, second: StepVerdict) -> StepVerdict:
    """Two findings about one step: it holds if it held in both."""
    if first is None:
        return second
    return StepVerdict(
        second.name,
        second.claim,
        first.holds and second.holds,
        _larger(first.worst, second.worst),
        first.tried + second.tried,
    )


def judge_relations(relations: list[Relation], tolerance: float) -> tuple[float, bool]:
    """The largest gap over its tolerance (the gap itself where there is none), and whether all hold.

    >>> judge_relations([Relation(1.0, "<=", 0.5), Relation(1.0, "==", 1.0)], 0.25)
    (2.0, False)
    """
    worst, holds = float("-inf"), True
    for relation in relations:
        gap = relation.gap()
        size = float(floats(gap))
        worst = _larger(worst, size / (tolerance * relation.scale) if tolerance else size)
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


def _larger(*values: float) -> float:
    """The largest; NaN if any is NaN, so that a NaN violation is seen."""
    return float(np.max(values))
