"""From what was tried to a verdict: outcome, the strongest evidence, steps in order, best constant."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from proofs_check.chains.witness import case_from_witness
from proofs_check.judging.verdict import EVIDENCE, BestConstant, StepVerdict, Trial, Verdict
from proofs_check.search.refutation import breaks
from proofs_check.search.tally import Tally
from proofs_check.statements.statement import Statement


def universal_verdict(
    statement: Statement,
    tallies: list[Tally],
    steps: dict[str, StepVerdict],
    refutation: tuple[Mapping[str, Any], ...],
    identities: Trial | None,
) -> Verdict:
    """The verdict on a universal claim, or on one that something fails, from all that was tried."""
    witness, shrunk = (*refutation, None, None)[:2]
    found = [tally.trial() for tally in tallies] + ([identities] if identities else [])
    trials = tuple(sorted(found, key=lambda trial: EVIDENCE.index(trial.level)))
    # A float failure that the rationals do not confirm is rounding; where they cannot be asked it has to count.
    final = sum(tally.final if statement.rational else tally.failed for tally in tallies)
    false_identity = identities is not None and identities.failed > 0
    broken = witness is not None or final > 0 or false_identity
    outcome = "refuted" if broken != (statement.form == "some-fail") else "holds"
    if not any(trial.tried for trial in trials) and witness is None:
        outcome = "vacuous"
    exactly = any(tally.level == "exact" and tally.final for tally in tallies)
    evidence = trials[-1].level
    if broken:
        evidence = "exact" if exactly else "identity" if false_identity else "sampled"
        evidence = "witness" if witness is not None else evidence
    if statement.form == "some-fail" and witness is None:
        witness = _illustration(statement)
    return assemble(statement, outcome, evidence, trials, tuple(steps.values()), witness, shrunk)


def _illustration(statement: Statement) -> Mapping[str, Any] | None:
    """A stored instance on which the relations that the claim denies hold exactly."""
    stored = statement.witnesses
    return next((witness for witness in stored if not breaks(statement, case_from_witness(witness))), None)


def assemble(
    statement: Statement,
    outcome: str,
    evidence: str,
    trials: tuple[Trial, ...],
    steps: tuple[StepVerdict, ...],
    witness: Mapping[str, Any] | None,
    shrunk: Mapping[str, Any] | None = None,
) -> Verdict:
    """A verdict with the sums over its trials, and its steps in the order of the proof."""
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
    constant = None if statement.pressure is None else statement.pressure.constant
    if constant is None or not pressed:
        return None
    return BestConstant(constant.name, constant.proven, constant.found(max(pressed)))
