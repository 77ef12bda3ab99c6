"""The three kinds of evidence: rational chains, random float chains, and an adversary."""

from collections.abc import Callable, Iterable, Iterator
from zlib import crc32

import numpy as np

from proofs_check.chains.as_rationals import readings
from proofs_check.chains.case import Case
from proofs_check.chains.simpler import complexity
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.float_judge import judge_batch
from proofs_check.conjectures.question import Question
from proofs_check.conjectures.small_counterexample import as_floats
from proofs_check.search.draws import random_cases
from proofs_check.search.evolution import attack
from proofs_check.search.spaces import spaces
from proofs_check.search.tally import Attack, Seen, Tally

#: Array entries that one float judgment may hold.
ENTRIES = 400_000
#: Random chains that seem to refute a claim and are read as rationals, at most.
EXAMINED = 40
Progress = Callable[[str, float], None]


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
            tally.add_chains(finding.seen, batch)
            bad = np.flatnonzero((finding.met > 0) & finding.suspect)
            found += [(X > 6, -float(finding.score[i]), X, part[i]) for i in bad]
    if confirm:
        found.sort(key=lambda entry: entry[:3])
        examine(question, [case for *_, case in found[:EXAMINED]], tally, progress)
    return tally


def adversarial(question: Question, generations: int, seed: int, confirm: bool, progress: Progress) -> Attack:
    """Let the adversary try chains of growing size; with ``confirm`` settle what it finds, and stop at a refutation.

    Returns:
        The counts, and the tightest float chains of each size, short ones first.
    """
    tally, tightest = Tally("adversarial"), list[Case]()

    def acquitted(seen: Seen, batch: Batch) -> None:  # the others are examined, or do not count
        tally.add_settled(seen, batch, ~seen.failed)

    tried = spaces(question)
    for i, space in enumerate(tried):
        progress("adversarial", i / len(tried))
        rng = np.random.default_rng([seed, crc32(str(question.claim).encode()), 2, space.X])
        found = attack(space, generations, rng, acquitted if question.exact_only else tally.add_chains)
        tightest += found.tightest
        if confirm:
            examine(question, found.suspects, tally, progress)
        if tally.refuting is not None or (found.suspects and not confirm):
            break
    return Attack(tally, tightest)


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
