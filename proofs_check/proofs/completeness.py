"""Proof that the span of a KROPE representation is Bellman complete (B10)."""

from typing import Any

import numpy as np

from proofs_check.case import Case, rounding
from proofs_check.field import outside, rank
from proofs_check.proofs.spectrum import invariant, span
from proofs_check.relation import Relation, at_most, equal
from proofs_check.statement import Step


def groups(case: Case) -> Any:
    """Groups of pairs at distance zero: exactly for rationals, within rounding for floats, [X]."""
    allowed = 0 if case.exact else rounding(case)
    labels = np.arange(case.X)
    for x in range(case.X):
        labels[x] = next(y for y in range(x + 1) if case.d[x, y] <= allowed)
    return labels


def indicators(case: Case, labels: Any) -> Any:
    """One column for each group, [X, groups]."""
    return np.column_stack([np.where(labels == b, 1 + 0 * case.r, 0 * case.r) for b in sorted(set(labels))])


def spread(values: Any, labels: Any) -> Relation:
    """That ``values`` [X, k] agree within each group."""
    first = {b: int(np.flatnonzero(labels == b)[0]) for b in set(labels)}
    return equal(values, values[[first[b] for b in labels]])


def _complete(case: Case) -> list[Relation]:
    V = span(case)
    image = case.r[:, None] + case.gamma * (case.P_pi @ V)
    return [equal(outside(V, image), 0, case.horizon)]


def _dimension(case: Case) -> list[Relation]:
    """The rank is at most the number of groups, and equal to it iff the indicators lie in the span."""
    if not case.exact:
        return []
    labels = groups(case)
    count, found = len(set(labels)), rank(case.K)
    return [at_most(found, count), equal(int(found == count), 1 - outside(case.K, indicators(case, labels)))]


LINEAR = (
    Step("reward", "the reward lies in range K", lambda case: [equal(outside(span(case), case.r), 0, case.horizon)]),
    Step("invariant", "P_pi maps range K to itself (gamma > 0), by sharp-spectral", invariant),
    Step("complete", "hence r + gamma P f lies in it for every f in it", _complete),
    Step(
        "piecewise",
        "d(x,y) = 0 gives k_x = k_y, so every f in range K is constant on groups",
        lambda case: [spread(case.K, groups(case)), spread(span(case), groups(case))],
    ),
    Step("dimension", "rank K <= number of groups, with equality iff the indicators lie in range K", _dimension),
)
