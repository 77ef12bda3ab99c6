"""`decide`: a question that the small-model theorem covers is proved, decided or refuted before any search.

First a few thousand points of the small model are tried, and the worst of them made worse: what is false falls here,
with an exact chain of k + 2 pairs. Then a certificate is looked for, and checked by `checker` from its serialized form.
z3 is asked last, and only where it is installed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from proofs_check.chains.case import Case
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.question import Question
from proofs_check.prove.small_model.attack import CLOUD, ROUNDS, Cloud, attack
from proofs_check.prove.small_model.cases import cases
from proofs_check.prove.small_model.checker import check
from proofs_check.prove.small_model.curvature import Outside
from proofs_check.prove.small_model.decide import all_goals, prove, regions
from proofs_check.prove.small_model.parameter_conditions import region_of
from proofs_check.prove.small_model.region import Region
from proofs_check.prove.small_model.z3_engine import ask_z3

#: Chains that a proved claim is tried on, exactly, before it is called proved.
TRIED = 3
#: Rounds of the second attack, on what was neither proved nor refuted.
LONG = 400


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """What the small-model prover says.

    Attributes:
        outcome: "proved", "decided", "refuted", or "" if the question is left to the search.
        why: a sentence; where it is left to the search, the reason.
        certificates: of everything that the claim was reduced to, as in a file; only if proved.
        case: a chain of k + 2 pairs that refutes the claim exactly; only if refuted.
        live: whether the claim was seen to say something about some chain.
        covered: whether the theorem covers the question.
    """

    outcome: str
    why: str
    certificates: tuple[Mapping[str, Any], ...] = ()
    case: Case | None = None
    live: bool = True
    covered: bool = True


def decide(question: Question) -> Decision:
    """Decide a question for chains of every size, if the small-model theorem covers it.

    >>> from proofs_check.conjectures.question import ask
    >>> decide(ask("abs(q[x]-q[y]) <= U[x,y]", conservative=True)).outcome
    'proved'
    >>> decide(ask("abs(q[x]-q[y]) <= U[x,y]")).case.X
    4
    >>> decide(ask("sqrt(d[x,z]) <= sqrt(d[x,y]) + sqrt(d[y,z])")).why
    'sqrt on the small side is not convex'
    """
    try:
        next(iter(all_goals(question)), None)
    except Outside as reason:
        return Decision("", str(reason), covered=False)
    parts = regions(question)
    case = _attacked(question, parts)
    if case is not None:
        return refuted(case)
    try:
        proof = prove(question)
    except Outside as reason:
        return Decision("", str(reason), covered=False)
    if proof is not None:
        for certificate in proof.certificates:
            check(certificate["problem"], certificate["proof"])
        live = _lives(question, parts)
        aside = max(len(region_of(case)[1]) for case in cases(question))
        needed = "the premises are not" if aside == len(question.premises) else "not all premises are"
        why = "certificate checked in rational arithmetic" + (f" ({needed} needed)" if aside else "")
        return Decision("proved", why, proof.certificates, live=live)
    answer, case = ask_z3(question)
    if case is None:
        case = _attacked(question, parts, LONG, seed=1)
    if case is not None:
        return refuted(case)
    if answer == "holds":
        return Decision("decided", "z3 finds no counterexample in the small model", live=_lives(question, parts))
    return Decision(
        "", "neither a proof nor a counterexample was found on chains of two pairs more than the claim has indices"
    )


def refuted(case: Case) -> Decision:
    """The decision that a chain refutes a claim."""
    return Decision("refuted", f"on a chain of {case.X} pairs, before shrinking", case=case)


def _attacked(question: Question, parts: Sequence[Region], rounds: int = ROUNDS, seed: int = 0) -> Case | None:
    """A chain that refutes a claim, in any part of its region."""
    found = (attack(question, region, rounds, seed) for region in parts)
    return next((case for case in found if case is not None), None)


def _lives(question: Question, parts: Sequence[Region]) -> bool:
    """Whether the claim says something about one of a few chains; none of them may refute it."""
    return any(_lives_in(question, region) for region in parts)


def _lives_in(question: Question, region: Region) -> bool:
    chart = region.chart()
    if chart is None:
        return False
    cloud = Cloud(question, chart, region)
    points = cloud.draw(CLOUD // 10, np.random.default_rng(2))
    seen = 0
    for case in cloud.chains(points):
        finding = judge_case(question, case)
        if finding.refutes:
            raise AssertionError(f"a proved claim fails on a chain: {question.claim}")
        seen += finding.met > 0
        if seen >= TRIED:
            break
    return seen > 0
