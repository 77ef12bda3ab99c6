"""Proofs of Bellman completeness: of piecewise-constant classes, and of the span of a KROPE representation (B10)."""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import outside, rank
from proofs_check.chains.case import Case, rounding
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.spectrum.proof import invariant, span
from proofs_check.statements.statement import Step


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


def value_box(case: Case) -> tuple[Any, Any]:
    """The box of values; where episodes end it must contain zero."""
    low, high = min(case.r), max(case.r)
    if not case.conservative:
        low, high = min(low, 0 * low), max(high, 0 * high)
    return low / (1 - case.gamma), high / (1 - case.gamma)


def piecewise(case: Case) -> Any:
    """A piecewise-constant function with values in the box."""
    low, high = value_box(case)
    return (low + (high - low) * case.given["levels"])[case.given["blocks"]]


def bellman(case: Case, f: Any) -> Any:
    """``T f = r + gamma P_pi f``."""
    return case.r + case.gamma * (case.P_pi @ f)


def grouped_sum(case: Case) -> Relation:
    """The expectation of a piecewise-constant function, group by group."""
    blocks, f = case.given["blocks"], piecewise(case)
    first = [int(np.flatnonzero(blocks == b)[0]) for b in sorted(set(blocks))]
    return equal(case.P_pi @ f, (case.P_pi @ indicators(case, blocks)) @ f[first])


def _ends_of_groups(case: Case) -> tuple[Any, Any]:
    """The pairs of largest and least ``T f`` in the group of each pair, [X] each."""
    image, blocks = bellman(case, piecewise(case)), case.given["blocks"]
    members = [np.flatnonzero(blocks == b) for b in blocks]
    return (
        np.array([max(group, key=lambda x: image[x]) for group in members]),
        np.array([min(group, key=lambda x: image[x]) for group in members]),
    )


def midpoint(case: Case) -> list[Relation]:
    """The middle of ``T f`` on each group is piecewise constant and near."""
    image, (high, low) = bellman(case, piecewise(case)), _ends_of_groups(case)
    middle = (image[high] + image[low]) / 2
    return [at_most(np.abs(middle - image), (image[high] - image[low]) / 2), spread(middle, case.given["blocks"])]


def hoelder(case: Case) -> list[Relation]:
    """Half the spread of ``T f`` on a group, against the difference of the laws of the next group."""
    image, (high, low) = bellman(case, piecewise(case)), _ends_of_groups(case)
    into = case.P_pi @ indicators(case, case.given["blocks"])
    apart = np.abs(into[high] - into[low]).sum(axis=1)
    bound = case.gamma / 2 * apart * np.max(np.abs(piecewise(case)))
    return [at_most((image[high] - image[low]) / 2, bound), equal(apart, 0)]


def abstract_kernel(case: Case) -> Any:
    """The kernel between representatives of the groups."""
    first = sorted(set(groups(case)))
    return case.K[np.ix_(first, first)]


def abstract_equation(case: Case) -> list[Relation]:
    """The law of the next group may be that of any member: here the first."""
    labels = groups(case)
    first = sorted(set(labels))
    into = (case.P_pi @ indicators(case, labels))[first]
    k = abstract_kernel(case)
    return [equal(k, case.K1[np.ix_(first, first)] + case.gamma * (into @ k @ into.T))]


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
