"""The identities of a statement at random points of a prime field."""

from zlib import crc32

import numpy as np

from proofs_check.arithmetic.prime_field import PRIME, random_point
from proofs_check.judging.verdict import Trial
from proofs_check.statements.statement import Statement


def identity_trial(statement: Statement, points: int = 3, seed: int = 0) -> Trial | None:
    """The identities of a statement at random points; None if it has none.

    Args:
        statement: whose ``identities`` are evaluated.
        points: random points for each identity.
        seed: of the points.

    Returns:
        A trial whose ``error`` bounds the probability that a false identity passed.

    >>> from proofs_check.statements.registry import STATEMENTS
    >>> trial = identity_trial(STATEMENTS["mico-identity"])
    >>> trial.failed, trial.error < 1e-40
    (0, True)
    """
    if not statement.identities:
        return None
    failed, error = 0, 0.0
    for k, identity in enumerate(statement.identities):
        for i in range(points):
            rng = np.random.default_rng([seed, crc32(statement.slug.encode()), k, i])
            left, right = identity.sides(random_point(rng, identity.conservative))
            failed += int(left != right)
        error = max(error, (identity.degree / PRIME) ** points)
    return Trial("identity", points * len(statement.identities), 0, failed, float(failed), error=error)
