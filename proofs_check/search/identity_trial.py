"""The identities of a statement at random points of a prime field."""

from itertools import product
from zlib import crc32

import numpy as np

from proofs_check.arithmetic.prime_field import PRIME, SIZES, random_point
from proofs_check.judging.verdict import Trial
from proofs_check.statements.statement import Statement


def identity_trial(statement: Statement, points: int = 3, seed: int = 0) -> Trial | None:
    """The identities of a statement at random points; None if it has none.

    Args:
        statement: whose ``identities`` are evaluated.
        points: random points for each identity at each of the sizes.
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
        for size, i in product(range(len(SIZES)), range(points)):
            rng = np.random.default_rng([seed, crc32(statement.slug.encode()), k, i + points * size])
            left, right = identity.sides(random_point(rng, identity.conservative, SIZES[size]))
            failed += int(left != right)
        error = max(error, (identity.degree / PRIME) ** points)
    sizes = f"{words(0)} pairs, {words(1)} states, {words(2)} features"
    tried = points * len(SIZES) * len(statement.identities)
    return Trial("identity", tried, 0, failed, float(failed), error=error, sizes=sizes)


def words(k: int) -> str:
    """The numbers at place ``k`` of the sizes.

    >>> words(0)
    '4, 3 or 5'
    """
    *first, last = (str(size[k]) for size in SIZES)
    return f"{', '.join(first)} or {last}"
