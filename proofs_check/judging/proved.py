"""The certificate of a statement, checked anew with every verdict."""

from dataclasses import replace

from proofs_check.judging.verdict import CertificateVerdict, Verdict
from proofs_check.prove import check_certificate, load_certificate
from proofs_check.prove.theorems import THEOREMS
from proofs_check.statements.registry import STATEMENTS
from proofs_check.statements.statement import Statement
from tabular_krope.errors import KropeError


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
