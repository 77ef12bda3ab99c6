"""Crossed chains for questions that floats cannot answer: some of each kind, as many as exact arithmetic can bear."""

from collections.abc import Iterator

from proofs_check.chains.blueprint import Blueprint
from proofs_check.conjectures.language import QUANTITIES
from proofs_check.conjectures.question import PLAIN, Question
from proofs_check.search.crossing import bearable, crossing

#: One of so many crossed chains of each kind: of short ones, those with the claim's numbers, long ones, long ones that
#: are judged at once, and those with many actions.
SHORT, SUGGESTED, LONG, EASY, ACTIONS = 10, 5, 60, 6, 4
#: The chain of a kind that is taken first is among so many: kinds differ in it, so that traits meet.
FIRST = 6
#: Pairs of short chains; most pairs at all, where all is judged at once, and where a metric is the end of an iteration.
FEW, MOST, MOST_EASY, MOST_ITERATED = 6, 24, 64, 9
#: Quantities that need no kernel.
CHEAP = PLAIN | {"pi", "mu", "D2", "q_mu", "P_mu"}


def few_crossed(question: Question, share: float = 1.0) -> Iterator[Blueprint]:
    """Some crossed chains, the same for every seed: of every shape, length and number of actions that can be borne.

    >>> from proofs_check.conjectures.question import ask
    >>> plans = list(few_crossed(ask("sum(z, pi[z]**2) >= S/8")))
    >>> max(plan.X for plan in plans), max(plan.actions for plan in plans)
    (64, 13)
    >>> max(plan.X for plan in few_crossed(ask("W1[x,y] <= U[x,y]")))
    9
    """
    known = [QUANTITIES[name] for name in question.names if name in QUANTITIES]
    most = MOST_ITERATED if any(one.chain and one.exact_only for one in known) else MOST
    most = MOST_EASY if question.names <= CHEAP else most
    met: dict[tuple[str, int, int], int] = {}
    for plan in crossing(question):
        kind = plan.traits["shape"], plan.X, plan.actions
        step = int(_step(question, plan) / share)
        nth = met.setdefault(kind, len(met) % min(FIRST, step))
        met[kind] += 1
        chosen = (nth + 1) % step == 0 or (nth + 1 == FIRST and step > FIRST)
        if chosen and plan.X <= most and bearable(question, plan):
            yield plan


def _step(question: Question, plan: Blueprint) -> int:
    if plan.policy is not None:
        return 1
    if plan.actions > 1:
        return ACTIONS if question.structured else LONG
    if plan.traits["rewards"] == "the claim's numbers":
        return SUGGESTED
    if plan.X <= FEW:
        return SHORT
    return EASY if question.names <= CHEAP else LONG
