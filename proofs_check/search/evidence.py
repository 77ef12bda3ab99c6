"""The three kinds of evidence: rational chains, random float chains, and an adversary."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np

from proofs_check.chains.as_rationals import readings
from proofs_check.chains.case import Case
from proofs_check.chains.simpler import complexity
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.float_judge import FloatFinding, judge_batch
from proofs_check.conjectures.question import Question
from proofs_check.conjectures.shrink import as_floats
from proofs_check.conjectures.verdict import ConjectureTrial
from proofs_check.search.draws import random_cases
from proofs_check.search.evolution import SIZES, attack
from proofs_check.search.reach import Box

#: Array entries that one float judgment may hold.
ENTRIES = 400_000
#: Random chains that seem to refute a claim and are read as rationals, at most.
EXAMINED = 40
Progress = Callable[[str, float], None]


@dataclass(slots=True)
class Tally:
    """What one kind of evidence has seen so far.

    Attributes:
        level: "exact", "sampled" or "adversarial".
        tried, vacuous, failed, worst: as in `Trial`.
        box: how far the chains reach that were tried.
        ratio: tightest ratio of the sides on chains that do not seem to refute the claim.
        any_ratio: tightest ratio on any chain.
        open: exact comparisons that could not be decided.
        decided: rational chains on which all of them could.
        acquitted: float chains that seemed to refute the claim, and do not when read exactly.
        doubtful: float chains that were examined and could not be decided.
        confirmed: float chains whose violation was confirmed by a rational chain.
        refuting: a rational chain on which the claim fails; None if none was found.
    """

    level: str
    tried: int = 0
    vacuous: int = 0
    failed: int = 0
    worst: float = float("-inf")
    ratio: float = float("nan")
    any_ratio: float = float("nan")
    open: int = 0
    decided: int = 0
    acquitted: int = 0
    doubtful: int = 0
    confirmed: int = 0
    refuting: Case | None = None
    box: Box = field(default_factory=Box)

    def count(self, finding: FloatFinding, batch: Batch) -> None:
        """Add the chains of a batch, by what a float judgment found."""
        met = finding.met > 0
        bad = met & finding.suspect
        self.tried += int(met.sum())
        self.vacuous += int((~met).sum())
        self.failed += int(bad.sum())
        self.box.add_batch(batch, met)
        self.worst = max(self.worst, float(finding.excess.max()))
        self.any_ratio = float(np.fmax(self.any_ratio, np.fmax.reduce(finding.ratio)))
        self.ratio = float(np.fmax(self.ratio, np.fmax.reduce(np.where(bad, np.nan, finding.ratio))))

    def unsettled(self, soft: bool) -> int:
        """Float chains that seemed to refute the claim, and that exact arithmetic did not acquit.

        Where premises are met up to rounding (``soft``), floats find any number of chains that only nearly meet them:
        there the worst ones, which are examined, speak for the others.
        """
        if self.level == "exact":
            return 0
        return self.failed - self.acquitted if not soft or not self.acquitted else self.doubtful

    def trial(self, refuted: bool) -> ConjectureTrial:
        """The counts as a value. Unless the claim is refuted, a ratio beyond it is rounding and left out."""
        ratio = self.any_ratio if refuted else self.ratio
        examined, confirmed = self.acquitted + self.doubtful + self.confirmed, self.confirmed
        if self.level == "exact":  # nothing is left to examine
            examined = confirmed = self.failed
        counts = self.tried, self.vacuous, self.failed
        return ConjectureTrial(self.level, *counts, self.worst, ratio, examined=examined, confirmed=confirmed)


def exactly(question: Question, cases: Iterable[Case], total: int, progress: Progress, tally: Tally) -> None:
    """Judge rational chains without a tolerance."""
    for i, case in enumerate(cases):
        progress(tally.level, min(1.0, i / max(1, total)))
        finding = judge_case(question, case)
        tally.open += finding.open
        if not finding.met:
            tally.vacuous += 1
            continue
        tally.tried += 1
        tally.box.add_case(case)
        tally.decided += finding.open == 0
        if finding.refutes:
            tally.failed += 1
            if tally.refuting is None or complexity(question.scope, case) < complexity(question.scope, tally.refuting):
                tally.refuting = case


def sampled(question: Question, n: int, seed: int, confirm: bool, progress: Progress) -> Tally:
    """Judge random float chains, in batches of equal size; with ``confirm`` settle what seems to refute the claim."""
    tally = Tally("sampled")
    groups: dict[int, list[Case]] = {}
    for i, case in enumerate(random_cases(question, n, seed, exact=False)):
        progress("sampled", i / n)
        groups.setdefault(case.X, []).append(case)
    found: list[tuple[bool, float, int, Case]] = []
    for X, cases in sorted(groups.items()):
        step = max(1, ENTRIES // X ** max(2, len(question.axes)))
        for start in range(0, len(cases), step):
            part = cases[start : start + step]
            batch = Batch.of_cases(part, question.dim)
            finding = judge_batch(question, batch)
            tally.count(finding, batch)
            bad = np.flatnonzero((finding.met > 0) & finding.suspect)
            found += [(X > 6, -float(finding.score[i]), X, part[i]) for i in bad]
    if confirm:
        found.sort(key=lambda entry: entry[:3])
        examine(question, [case for *_, case in found[:EXAMINED]], tally, progress)
    return tally


def adversarial(
    question: Question, generations: int, seed: int, confirm: bool, progress: Progress
) -> tuple[Tally, list[Case]]:
    """Let the adversary try chains of growing size; with ``confirm`` settle what it finds, and stop at a refutation.

    Returns:
        The counts, and the tightest float chains of each size.
    """
    tally, tightest = Tally("adversarial"), []
    for i, X in enumerate(SIZES):
        progress("adversarial", i / len(SIZES))
        rng = np.random.default_rng([seed, crc32(str(question.claim).encode()), 2, X])
        found = attack(question, X, generations, rng, tally.count)
        tightest += found.tightest
        if confirm:
            examine(question, found.suspects, tally, progress)
        if tally.refuting is not None or (found.suspects and not confirm):
            break
    return tally, tightest


def rounded(question: Question, cases: Iterable[Case]) -> Iterator[Case]:
    """Float chains read as rationals with small denominators, each one that the question is about."""
    for case in cases:
        *rough, _ = readings(question.scope, case)
        yield from (near for near in rough if question.about(near))


def examine(question: Question, suspects: list[Case], tally: Tally, progress: Progress) -> None:
    """Read float chains that seem to refute a claim as rationals, until one of them refutes it exactly."""
    for i, suspect in enumerate(suspects):
        progress("confirming", i / len(suspects))
        *rough, exact = (case for case in readings(question.scope, suspect) if question.about(case))
        doubted = judge_batch(question, Batch.of_cases([as_floats(case) for case in rough], question.dim)).suspect
        for case in [*(case for case, kept in zip(rough, doubted, strict=True) if kept), exact]:
            finding = judge_case(question, case)
            if finding.refutes:
                tally.refuting = case
                tally.confirmed += 1
                return
        tally.acquitted += finding.open == 0
        tally.doubtful += finding.open > 0
