"""`conjecture`: prove or refute a user's own inequality, or put it through rational, random and adversarial chains.

What the small-model theorem covers is decided for chains of every size (`proofs_check.prove.small_model`); the rest is
searched. A claim is refuted only by a rational chain on which it fails exactly; the chain is shrunk and then verified
again from its serialized form alone. A claim that survives the search "holds" in the sense that nothing tried refutes
it, and the verdict says how much was tried. Where exact arithmetic could not decide what matters the verdict is
"inconclusive"; where the claim says nothing about any chain it is "vacuous".
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np

from proofs_check.arithmetic.reals import decimal, sign, subtract
from proofs_check.chains.case import Case
from proofs_check.chains.simpler import complexity
from proofs_check.conjectures.conjecture_verdict import ConjectureVerdict, trial_of
from proofs_check.conjectures.exact_judge import ExactFinding, judge_case
from proofs_check.conjectures.existential import existential
from proofs_check.conjectures.gathering import gathered, refuting_members
from proofs_check.conjectures.matrix_judge import prove_definite
from proofs_check.conjectures.question import Question, ask
from proofs_check.conjectures.small_counterexample import BUDGET, shrink_refutation
from proofs_check.conjectures.witnesses import serialize, side_text, verify
from proofs_check.prove.small_model.prover import Decision, decide, refuted
from proofs_check.search.evidence import Progress
from proofs_check.search.tally import Box, Tally
from tabular_krope.arrays import require_count

#: Characters up to which a fraction stands in a sentence.
READABLE = 20
#: What floats count wrongly, unnoticed, where numbers are too near to each other: only exact arithmetic can tell.
COUNTED = frozenset(("rank", "groups", "rewards"))


def conjecture(
    text: str,
    assume: Iterable[str] = (),
    conservative: bool = False,
    gamma: Any = None,
    dim: int | None = None,
    examples: int = 400,
    seed: int = 0,
    progress: Progress = lambda stage, share: None,
    prove: bool = True,
    features: str | None = None,
    seen: Callable[[Case], None] = lambda case: None,
    classes: Iterable[str] = (),
) -> ConjectureVerdict:
    """The verdict on an inequality over named quantities, quantified over all pairs.

    Args:
        text: the claim, such as ``"abs(q[x]-q[y]) <= U[x,y]"``; ``krope conjecture --list`` shows what it may name. Or
            one about matrices, ``"K >= gamma*P*K*P'"``, or that there is a chain, ``"exists K[x,y] > K[x,x]"``.
        assume: premises of the same form.
        conservative: only chains in which no episode ends.
        gamma: only this discount factor, a number or a string such as "9/10"; 1 is about chains that surely end.
        dim: number of KROPE features that ``norm`` and ``rho`` are about; as many as there are if None.
        examples: random float chains to try, and as many random rational ones.
        seed: a non-negative integer. Equal arguments give equal verdicts.
        progress: called with the stage and the share of it that is done.
        prove: whether to ask the provers; the search alone otherwise.
        features: what ``Phi``, ``rho``, ``norm`` and ``q_hat`` are about: "any" features, all "krope" features or the
            "truncated" ones, the top ``dim``. If None, "truncated" where ``dim`` is given and "krope" elsewhere.
        seen: called with a counterexample and every smaller one on the way of shrinking.
        classes: only chains of these classes, by their names in `proofs_check.chains.classes`.

    Returns:
        A `ConjectureVerdict`: "proved" (with certificates), "decided" (a solver's word), "holds" (not refuted),
        "refuted" (with an exact witness), "inconclusive" or "vacuous".

    >>> verdict = conjecture("d[x,z] <= d[x,y] + d[y,z]", examples=40)
    >>> verdict.outcome, len(verdict.witness["r"]) <= 5
    ('refuted', True)
    >>> conjecture("d[x,z] <= 2*(d[x,y] + d[y,z])").outcome
    'proved'
    """
    examples, seed = require_count(examples, "examples"), require_count(seed, "seed", least=0)
    question = ask(text, assume, conservative, gamma, dim, features, classes)
    settings = {
        "conservative": question.conservative,
        "gamma": None if question.gamma is None else str(question.gamma),
        "dim": question.dim,
        "features": question.features,
        **({"classes": list(question.classes)} if question.classes else {}),
        "examples": examples,
        "seed": seed,
    }
    verdict = _judged(question, settings, progress, prove and question.provable, seen)
    return verdict if question.exists is None else existential(verdict, question.exists)


def _judged(
    question: Question, settings: dict[str, Any], progress: Progress, prove: bool, seen: Callable[[Case], None]
) -> ConjectureVerdict:
    """The verdict on a claim about every chain."""
    examples, seed = settings["examples"], settings["seed"]
    if prove and question.claim.definite is not None:
        shown = prove_definite(question, _common(question, [], settings, refuted=False), examples, seed, progress)
        if shown is not None and (shown.outcome == "proved" or not question.classes):
            return shown
    progress("proving", 0.0)
    decision = decide(question) if prove else Decision("", "")
    if decision.case is not None and not question.about(decision.case):
        member = next(refuting_members(question, decision.case), None)
        outside = "the small model has a counterexample, and it is outside of the classes"
        decision = Decision("", outside) if member is None else refuted(member)
    if decision.case is not None:
        return _refuted(question, [], settings, decision.case, progress, seen)
    if decision.outcome and decision.live:
        return _proved(decision, _common(question, [], settings, refuted=False))
    tallies = gathered(question.pinned, examples, seed, progress)
    refuting = [tally.refuting for tally in tallies if tally.refuting is not None]
    if refuting:
        simplest = min(refuting, key=lambda case: complexity(question.scope, case))
        return replace(_refuted(question, tallies, settings, simplest, progress, seen), note=decision.why)
    verdict = _not_refuted(question, tallies, settings)
    if decision.outcome and verdict.outcome == "holds":  # the premises were met somewhere, so that something is proved
        return _proved(decision, _common(question, tallies, settings, refuted=False))
    return replace(verdict, note="" if decision.outcome else decision.why)


def _proved(decision: Decision, common: dict[str, Any]) -> ConjectureVerdict:
    """The verdict on a claim that was proved, or decided by a solver."""
    proof = {"theorem": "small-model", "certificates": list(decision.certificates)} if decision.certificates else None
    return ConjectureVerdict(**common, outcome=decision.outcome, reason=decision.why, proof=proof)


def _refuted(
    question: Question,
    tallies: list[Tally],
    settings: dict[str, Any],
    case: Case,
    progress: Progress,
    seen: Callable[[Case], None],
) -> ConjectureVerdict:
    seen(case)
    small = shrink_refutation(question, case, lambda spent: progress("shrinking", spent / BUDGET), seen)
    record: dict[str, Any] = {
        "claim": question.text,
        "assume": [str(premise) for premise in question.premises],
        "settings": settings,
        "witness": serialize(question, small),
    }
    record["at"] = dict(judge_case(question, small).at or {})
    finding = verify(json.loads(json.dumps(record)))
    where = ", ".join(f"{index} = {pair}" for index, pair in record["at"].items())
    place = f"on a chain of {small.X} pair{'s' * (small.X > 1)}" + (f", at {where}" if where else "")
    return ConjectureVerdict(
        **_common(question, tallies, settings, refuted=True),
        outcome="refuted",
        reason=f"{place}, {_sides(finding)}",
        witness=record["witness"],
        at=record["at"],
        left=side_text(finding.left),
        sign=finding.sign,
        right=side_text(finding.right),
        decimals=(decimal(finding.left), decimal(finding.right)),
        before=case.X,
    )


def _sides(finding: ExactFinding) -> str:
    """Both sides in words, fractions as long as they can be read."""
    sides = (finding.left, finding.right)
    values = [text if len(text := side_text(side)) <= READABLE else decimal(side) for side in sides]
    if sign(subtract(finding.left, finding.right)) == 0:
        return f"both sides are {values[0]}"
    return f"the left side is {values[0]} and the right side {values[1]}"


def _not_refuted(question: Question, tallies: list[Tally], settings: dict[str, Any]) -> ConjectureVerdict:
    common = _common(question, tallies, settings, refuted=False)
    outcome, reason = _survival(question, tallies, common["open"])
    return ConjectureVerdict(**common, outcome=outcome, reason=reason)


def _survival(question: Question, tallies: list[Tally], undecided: int) -> tuple[str, str]:
    """Outcome and reason for a claim that nothing refutes."""
    strict = any(comparison.sign in ("<", ">", "==", "!=") for comparison in question.claim.comparisons)
    floats, attack, crossed, exact = tallies
    soft = question.soft or bool(question.names & COUNTED)
    unsettled = floats.unsettled(soft) + attack.unsettled(soft)
    close = f"{undecided} exact comparison{'s' * (undecided != 1)} could not be decided"
    if not any(tally.tried for tally in tallies):
        missed = sum(tally.vacuous for tally in tallies)
        return "vacuous", f"the claim said nothing about any of {missed:,} chains (premises unmet, or a side undefined)"
    if unsettled > 0:
        chains = f"{unsettled:,} float chain{'s' * (unsettled > 1)}"
        return "inconclusive", f"{chains} seemed to violate the claim, and exact arithmetic did not settle it"
    if not exact.tried:
        return (
            "inconclusive",
            f"no rational chain met the premises, only {floats.tried + attack.tried + crossed.tried:,} float ones",
        )
    if undecided and (strict or not exact.decided):
        return "inconclusive", close
    counts = ", ".join(f"{tally.tried:,} {tally.level}" for tally in tallies) + " instances"
    tie = f" ({close})" if undecided else ""
    return "holds", f"not refuted by {counts}{tie}"


def _common(question: Question, tallies: list[Tally], settings: dict[str, Any], refuted: bool) -> dict[str, Any]:
    trials = tuple(trial_of(tally, refuted) for tally in tallies)
    box = Box()
    for tally in tallies:
        box.add(tally.box)
    return {
        "box": box.limits,
        "crossed": {trait: dict(values) for tally in tallies for trait, values in tally.crossed.items()},
        "claim": question.text,
        "assume": tuple(str(premise) for premise in question.premises),
        "trials": trials,
        "ratio": float(np.fmax.reduce([nan, *(trial.tightness for trial in trials)])),
        "open": sum(tally.open for tally in tallies),
        "acquitted": sum(tally.acquitted for tally in tallies),
        "settings": settings,
    }
