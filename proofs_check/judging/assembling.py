"""From what was tried and proved to a verdict: outcome, the strongest evidence, steps in order, best constant.

What proves a verdict for every chain is the certificate, checked anew each time, and the theorem of Coq, which counts
while the ledger is that of the shipped sources.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from math import isfinite
from typing import Any

from proofs_check.formal.ledger import Theorem, proved, read_ledger
from proofs_check.judging.verdict import EVIDENCE, BestConstant, CertificateVerdict, StepVerdict, Trial, Verdict
from proofs_check.prove import check_certificate, load_certificate
from proofs_check.prove.theorems import THEOREMS
from proofs_check.search.tally import Tally
from proofs_check.statements.registry import STATEMENTS
from proofs_check.statements.statement import Statement
from tabular_krope.errors import KropeError


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
    from proofs_check.chains.witness import case_from_witness

    stored = statement.witnesses
    return next((witness for witness in stored if not statement.fails_on(case_from_witness(witness))), None)


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


def with_certificate(verdict: Verdict, statement: Statement) -> Verdict:
    """The verdict with what its certificate proves.

    A statement that holds wherever it was tried is proved by a certificate that is accepted, and unproved by one that
    is refused. A counterexample counts more than a certificate. A changed statement has none: it was not proved.

    >>> from proofs_check.judging.check import check
    >>> verdict = check("remark-bad-pairs", examples=5)
    >>> verdict.evidence, verdict.certificate.steps
    ('proved', 3)
    """
    if statement.slug not in THEOREMS or STATEMENTS.get(statement.slug) is not statement:
        return verdict
    found = certificate_verdict(statement.slug)
    if verdict.outcome == "refuted":
        return replace(verdict, certificate=found)
    return replace(
        verdict,
        outcome=verdict.outcome if found.holds else "unproved",
        evidence="proved" if found.holds and verdict.outcome == "holds" else verdict.evidence,
        certificate=found,
    )


def certificate_verdict(slug: str) -> CertificateVerdict:
    """Whether the stored certificate of a statement is accepted.

    >>> certificate_verdict("theorem-1").conclusions
    ('norm: norm2(L)^2 <= gamma', 'radius: rho(L) < 1')
    """
    try:
        proof = check_certificate(load_certificate(slug))
        if proof.slug != slug or not proof.statement:
            raise KropeError(f"the certificate must be about {slug}; got {proof.slug}")
    except (KropeError, OSError, ValueError) as problem:
        return CertificateVerdict(False, problem=str(problem))
    return CertificateVerdict(True, proof.conclusions, proof.hypotheses, proof.lemmas, proof.steps, proof.trusted)


def with_theorem(verdict: Verdict, statement: Statement) -> Verdict:
    """The verdict with the name of its theorem, if Coq has proved it.

    A theorem says what is expected: the claim, or the negation of one that is refuted. A verdict other than the
    expected one has none, nor has a changed statement: that is not what was proved.

    >>> verdict = Verdict("theorem-1", "c", "refuted", "exact", tried=1, vacuous=0, worst=0.0)
    >>> with_theorem(verdict, STATEMENTS["theorem-1"]).formal is None
    True
    """
    if STATEMENTS.get(statement.slug) is not statement or verdict.outcome != statement.expected:
        return verdict
    found = theorems().get(statement.slug)
    return verdict if found is None else replace(verdict, formal=f"{found.file}.{found.name}")


@cache
def theorems() -> dict[str, Theorem]:
    """Theorems by slug; none if a source has changed since they were compiled. Read once a process.

    >>> all(slug == theorem.slug for slug, theorem in theorems().items())
    True
    """
    slugs = proved()
    return {slug: theorem for slug, theorem in read_ledger().theorems.items() if slug in slugs} if slugs else {}
