"""Float chains read as rationals, from a few small fractions up to the very numbers that the floats are."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.chains.scope import Scope
from proofs_check.chains.witness import rational_case

#: Denominators that a float chain is rounded to, simplest first.
DENOMINATORS = (2, 3, 4, 6, 10, 12, 20, 60, 100, 1000, 10**6)


def on_pairs(case: Case) -> Case:
    """The same chain with each pair its own state."""
    limits = case.reward_range
    return Case.from_matrix(
        case.P_pi, case.r, case.gamma, end=case.end, weights=case.weights, reward_range=limits, given=case.given
    )


def readings(scope: Scope, case: Case) -> Iterator[Case]:
    """Rational chains near to a float one, simplest first; the last one is the float chain itself.

    >>> case = Case.from_matrix(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([0.0, 1.0]), 0.5)
    >>> next(readings(Scope(), case)).P
    array([[1/2, 1/2],
           [0, 1]], dtype=object)
    """
    base = case if scope.structured else on_pairs(case)
    for n in DENOMINATORS:
        yield _rounded(base, n, scope.gamma)
    exact = rational_case(base)
    given = {name: _normalized(name, value, len(case.Pi)) for name, value in exact.given.items()}
    yield replace(exact, given=given, gamma=exact.gamma if scope.gamma is None else scope.gamma)


def round_row(row: Any, n: int) -> list[fmpq]:
    """A distribution with every entry a multiple of ``1/n``: rounded down, then the largest remainders up.

    >>> round_row([0.3, 0.3, 0.4], 2)
    [1/2, 0, 1/2]
    """
    scaled = [float(v) * n for v in row]
    parts = [int(np.floor(v + 1e-9)) for v in scaled]
    behind = sorted(range(len(parts)), key=lambda i: (parts[i] - scaled[i], i))
    for i in behind[: n - sum(parts)]:
        parts[i] += 1
    return [fmpq(part, n) for part in parts]


def _rounded(case: Case, n: int, gamma: fmpq | None) -> Case:
    rows = [round_row([*row, stop], n) for row, stop in zip(case.P, case.end, strict=True)]
    if gamma is None:
        gamma = fmpq(min(round(float(case.gamma) * n), n - 1), n)
    r = rationals([fmpq(round(float(v) * n), n) for v in case.r])
    limits = case.reward_range
    if limits is not None:
        low, high = fmpq(round(float(limits[0]) * n), n), fmpq(round(float(limits[1]) * n), n)
        limits = (min(low, *r), max(high, *r))
    return Case(
        rationals([row[:-1] for row in rows]),
        rationals([round_row(row, n) for row in case.Pi]),
        r,
        gamma,
        rationals([row[-1] for row in rows]),
        rationals(round_row(case.weights, n)),
        limits,
        {name: _rounded_part(name, value, len(case.Pi), n) for name, value in case.given.items()},
    )


def _normalized(name: str, value: Any, states: int) -> Any:
    """Rationals as they are, distributions and policies divided by their sums."""
    if name not in ("D2", "mu"):
        return value
    rows = np.reshape(value, (states if name == "mu" else 1, -1))
    return (rows / rows.sum(axis=1)[:, None]).reshape(-1)


def _rounded_part(name: str, value: Any, states: int, n: int) -> Any:
    """What is quantified besides the chain: distributions stay distributions, all else is rounded entry by entry."""
    if name == "D2":
        return rationals(round_row(value, n))
    if name == "mu":
        rows = np.reshape(value, (states, -1))
        return rationals([part for row in rows for part in round_row(row, n)])
    entries = [fmpq(round(float(entry) * n), n) for entry in np.ravel(value)]
    return rationals(entries).reshape(np.shape(value))
