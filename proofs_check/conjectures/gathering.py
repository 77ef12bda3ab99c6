"""The evidence on a claim about every chain: which chains are tried, in which order, and what ends the search."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, takewhile

from proofs_check.chains.as_rationals import DENOMINATORS
from proofs_check.chains.case import Case
from proofs_check.chains.simpler import complexity
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.policies import made_to_end
from proofs_check.conjectures.quantified import SHARES, completed, numbered
from proofs_check.conjectures.question import Question
from proofs_check.search.crossing import cross, crossing
from proofs_check.search.draws import KNOWN, known_cases, random_cases
from proofs_check.search.evidence import Progress, adversarial, exactly, rounded, sampled
from proofs_check.search.extremes import LONG, long_extremes, small_extremes
from proofs_check.search.few_crossed import few_crossed
from proofs_check.search.premises import DRAWN, climbs, drawn, recognized
from proofs_check.search.screening import screened
from proofs_check.search.tally import Tally

#: Generations of the adversary: in general, and once a witness is known.
GENERATIONS, FEW_GENERATIONS = 120, 30
#: And where features, policies or reward laws are pressed.
PRESSED_GENERATIONS = 80
#: Times as many rational chains are drawn where floats cannot be asked.
EXACT_ONLY = 3
#: Chains that refute a claim which floats cannot be asked about, after which no simpler one is waited for.
ENOUGH = 20
#: Examples from which on traits are crossed in full.
FULL = 200


def gathered(question: Question, examples: int, seed: int, progress: Progress) -> list[Tally]:
    """What float chains, an adversary, crossed chains and rational ones show, in this order.

    Every seed tries what seed 0 tries, and its own chains before: what is refuted by seed 0 is refuted by all.
    """
    tallies = _evidence(question, examples, seed, progress)
    if seed and all(tally.refuting is None for tally in tallies):
        first = _evidence(question, examples, 0, progress, drawn_only=True)
        if any(tally.refuting is not None for tally in first):
            return first
    return tallies


def _evidence(
    question: Question, examples: int, seed: int, progress: Progress, drawn_only: bool = False
) -> list[Tally]:
    """What is gathered with one seed; with ``drawn_only`` without crossing, which is the same for every seed."""
    if question.classes or question.gamma == 1:
        return _class_evidence(question, examples, seed, progress, drawn_only)
    exact = Tally("exact")
    far = list(small_extremes(question))
    drawn = examples * (EXACT_ONLY if question.exact_only else 1)
    cases = completed(
        question, chain(known_cases(question), far, random_cases(question, drawn, seed, exact=True)), seed
    )
    cases = chain(numbered(question), cases)
    if question.exact_only:  # where every chain is costly, one that can hardly be improved on ends the search
        cases = takewhile(lambda _: not _settles(question, exact) and exact.failed < ENOUGH, cases)
    floats = Tally("sampled")
    if question.pressed:
        screened(question, cases, progress, floats, exact)
    else:
        exactly(question, cases, drawn + len(far) + len(KNOWN), progress, exact)
    longer = completed(question, takewhile(lambda _: exact.refuting is None, long_extremes(question)), seed)
    exactly(question, longer, 2 * len(LONG), progress, exact)
    crossed, share = Tally("crossed"), min(1.0, examples / FULL)
    if question.exact_only:
        _cross_exactly(question, share, seed, progress, floats, exact)
        return [floats, _pressed(question, examples, seed, progress, exact), crossed, exact]
    if exact.refuting is None and not drawn_only:
        cross(question, crossing(question, share), crossed, progress)
    found = exact if crossed.refuting is None else crossed
    floats = sampled(question, examples, seed, not _settles(question, found), progress)
    settled = _settles(question, found) or _settles(question, floats)
    known = found.refuting is not None or floats.refuting is not None
    attack = adversarial(question, FEW_GENERATIONS if known else GENERATIONS, seed, not settled, progress)
    if not known and attack.tally.refuting is None:  # what the adversary ended with, judged without rounding
        count = len(DENOMINATORS) * len(attack.tightest)
        exactly(question, rounded(question, attack.tightest), count, progress, exact)
    return [floats, attack.tally, crossed, exact]


def refuting_members(question: Question, case: Case) -> Iterator[Case]:
    """Members of the question's classes near to a chain that refutes the claim, which refute it, too."""
    near = (made_to_end(case, share) for share in SHARES) if "ending" in question.classes else ()
    return (member for member in near if question.about(member) and judge_case(question, member).refutes)


def _class_evidence(question: Question, examples: int, seed: int, progress: Progress, drawn_only: bool) -> list[Tally]:
    """Chains of the question's classes only, by construction: drawn, climbed on, and those that are crossed anyway."""
    floats, attack, crossed, exact = (Tally(level) for level in ("sampled", "adversarial", "crossed", "exact"))
    recipes, share = recognized(question), min(1.0, examples / FULL)
    members = (plan.case() for plan in drawn(question, recipes, examples, seed))
    longer = takewhile(lambda _: exact.refuting is None, long_extremes(question))
    cases = chain(known_cases(question), small_extremes(question), _leaking(question), members, longer)
    if question.gamma == 1:  # what does not end is made to
        cases = chain(cases, random_cases(question, examples, seed, exact=True))
    else:
        cases = chain(filter(question.about, cases))
    meant = filter(question.about, completed(question, cases, seed))
    exactly(question, meant, 3 * examples, progress, exact)
    if question.exact_only:
        _cross_exactly(question, share, seed, progress, floats, exact)
    elif exact.refuting is None and not drawn_only:
        cross(question, crossing(question, share), crossed, progress)
    if exact.refuting is None and crossed.refuting is None and not (question.exact_only or drawn_only):
        cross(question, drawn(question, recipes, int(share * DRAWN)), floats, progress)
        cross(question, climbs(question, recipes), attack, progress)
    return [floats, attack, crossed, exact]


def _leaking(question: Question) -> Iterator[Case]:
    """Small chains at the edges that end now and then, where all chains have to end."""
    if "ending" in question.classes:
        for case in small_extremes(replace(question, classes=())):
            yield from (made_to_end(case, share) for share in (SHARES[2], SHARES[3]))


def _pressed(question: Question, examples: int, seed: int, progress: Progress, exact: Tally) -> Tally:
    """What an adversary in floats finds about features, policies or reward laws that no rational draw refuted."""
    if exact.refuting is not None or not question.pressed:
        return Tally("adversarial")
    generations = int(PRESSED_GENERATIONS * min(1.0, examples / FULL))
    attack = adversarial(question, generations, seed, True, progress)
    if attack.tally.refuting is None:
        exactly(question, rounded(question, attack.tightest), len(DENOMINATORS) * len(attack.tightest), progress, exact)
    return attack.tally


def _cross_exactly(
    question: Question, share: float, seed: int, progress: Progress, floats: Tally, exact: Tally
) -> None:
    """Crossed chains where rational ones are drawn, until one refutes the claim."""
    some = (plan.case() for plan in few_crossed(question, share))
    meant = takewhile(lambda _: exact.refuting is None, filter(question.about, completed(question, some, seed)))
    if question.pressed:
        screened(question, meant, progress, floats, exact)
    else:
        exactly(question, meant, FULL, progress, exact)


def _settles(question: Question, tally: Tally) -> bool:
    """Whether a counterexample is known that needs no degenerate chain, no wider reward range and no ends."""
    return tally.refuting is not None and not any(complexity(question.scope, tally.refuting)[:3])
