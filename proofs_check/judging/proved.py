"""What proves a verdict for every chain: the certificate, checked anew each time, and the theorem of Coq.

A theorem counts while the ledger is that of the shipped sources.
"""

from dataclasses import replace
from functools import cache

from proofs_check.formal.ledger import Theorem, proved, read_ledger
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
