"""The theorem of Coq behind a verdict, while the ledger is that of the shipped sources."""

from dataclasses import replace
from functools import cache

from proofs_check.formal.ledger import Theorem, proved, read_ledger
from proofs_check.judging.verdict import Verdict
from proofs_check.statements.registry import STATEMENTS
from proofs_check.statements.statement import Statement


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
