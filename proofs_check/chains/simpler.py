"""Ways to make a rational chain simpler, and how simple it is."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import identity, rationals
from proofs_check.chains.as_rationals import round_row
from proofs_check.chains.case import Case
from proofs_check.chains.scope import Scope
from proofs_check.chains.witness import INTEGERS

GAMMAS = ("1/2", "9/10", "2/3", "1/3", "3/4", "1/4", "4/5", "3/5", "1/10", "99/100", "999/1000", "999999/1000000", "0")
REWARDS = (0, 1, -1)
#: Pairs from which on a chain is changed as a whole and not row by row: its neighbors would be too many.
MANY = 13
ROUGH = (2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 1000)


def complexity(scope: Scope, case: Case) -> tuple[int, int, int, int, int]:
    """How much a reader must accept: degenerate chains, wider reward ranges, ends, pairs, then length of the numbers.

    A chain that does without the first three refutes more. Constant rewards and gamma = 0 are degenerate.

    >>> complexity(Scope(), Case.from_matrix(rationals([[1, 0], [0, 1]]), rationals(["1/2", 0]), fmpq(1, 3)))
    (0, 0, 0, 2, 10)
    """
    degenerate = case.own_range == 0 or (case.gamma == 0 and scope.gamma is None)
    numbers = [*case.P.reshape(-1), *case.Pi.reshape(-1), *case.r, *case.end]
    size = sum(map(length, numbers)) + (0 if scope.gamma is not None else length(case.gamma))
    if case.reward_range is not None:
        size += sum(map(length, case.reward_range))
    if scope.weighted and any(weight != case.weights[0] for weight in case.weights):
        size += 4 + sum(map(length, case.weights))
    for name, value in case.given.items():
        entries = np.asarray(value).reshape(-1)
        size += len(entries) + (0 if name in INTEGERS else sum(length(fmpq(entry)) for entry in entries))
    return int(degenerate), int(case.reward_range is not None), int(not case.conservative), case.X, size


def simpler(scope: Scope, case: Case) -> list[Case]:
    """Chains one step simpler than this one, simplest first."""
    limit = complexity(scope, case)
    found = [(complexity(scope, near), i, near) for i, near in enumerate(_moves(scope, case))]
    ordered = sorted((entry for entry in found if entry[0] < limit), key=lambda entry: entry[:2])
    return [near for _, _, near in ordered if scope.about(near)]


def _moves(scope: Scope, case: Case) -> Iterator[Case]:
    X = case.X
    if X >= MANY:
        yield from whole_moves(scope, case)
    elif not scope.structured:
        for k in range(X if X > 1 else 0):
            yield from without_pair(case, k)
    if case.reward_range is not None:
        yield replace(case, reward_range=None)
        yield from (replace(case, r=case.r * fmpq(scale), reward_range=None) for scale in (2, 3, 5, 10))
    if not case.conservative and not scope.structured and X < MANY:
        yield from without_end(case)
    yield replace(case, weights=rationals([fmpq(1, X)] * X))
    for k in range(X if X < MANY else 1):
        yield replace(case, weights=rationals(np.eye(X, dtype=int)[k]))
    for n in ROUGH:
        yield replace(case, weights=rationals(round_row(_floats(case.weights), n)))
    if scope.gamma is None:
        yield from (replace(case, gamma=fmpq(*map(int, g.split("/")))) for g in GAMMAS)
    if X < MANY:
        yield from row_moves(case)
    yield from reward_moves(case)
    for name, value in case.given.items():
        if name not in INTEGERS:
            yield from (case.with_given(**{name: changed}) for changed in array_moves(value))


def whole_moves(scope: Scope, case: Case) -> Iterator[Case]:
    """Many pairs at once: the first ones only, all of them absorbing or on their way to the first, two rewards."""
    X = case.X
    if not scope.structured:
        named = int(np.max(case.given.get("pair", 0)))  # pairs that are singled out stay
        for kept in {n for n in (X // 4, X // 2, 3 * X // 4, X - 1) if n > named}:
            P = case.P[:kept, :kept].copy()
            for x in range(kept):
                P[x, x] = P[x, x] + case.P[x, kept:].sum()
            weights = case.weights[:kept]
            uniform = rationals([fmpq(1, kept)] * kept)
            yield Case.from_matrix(
                P,
                case.r[:kept],
                case.gamma,
                end=case.end[:kept],
                reward_range=case.reward_range,
                weights=weights / weights.sum() if weights.sum() != 0 else uniform,
                given={name: _entries(name, value, range(kept), X) for name, value in case.given.items()},
            )
    S = case.P.shape[1]
    laws = [identity(S, True)[np.arange(X) % S], np.array([identity(S, True)[0]] * X)]
    yield from (replace(case, P=P, end=0 * case.end) for P in laws)
    yield _with_rewards(case, rationals([0] * (X - 1) + [1]))


def array_moves(value: Any) -> Iterator[Any]:
    """An array with one entry set to 0, 1 or -1, or with one column of several left out."""
    array = np.asarray(value)
    if array.dtype != object:
        return
    if array.ndim == 2 and array.shape[0] != array.shape[1]:
        yield from (np.delete(array, k, axis=1) for k in range(array.shape[1] if array.shape[1] > 1 else 0))
    for index in np.ndindex(array.shape):
        for simple in (0, 1, -1):
            changed = array.copy()
            changed[index] = fmpq(simple)
            yield changed


def without_pair(case: Case, k: int) -> Iterator[Case]:
    """Pair ``k`` left out; what went there goes to another pair, stays where it was, or ends the episode.

    Arrays of ``given`` lose the entry on every axis that has one for each pair; pairs that are singled out stay.
    """
    kept = [x for x in range(case.X) if x != k]
    inner = case.P[np.ix_(kept, kept)]
    lost = case.P[kept, k]
    weights = case.weights[kept]
    total = weights.sum()
    weights = weights / total if total != 0 else rationals([fmpq(1, len(kept))] * len(kept))
    r, end = case.r[kept], case.end[kept]
    limits = case.reward_range
    if "pair" in case.given and k in case.given["pair"]:
        return
    given = {name: _entries(name, value, kept, case.X) for name, value in case.given.items()}
    same: dict[str, Any] = {"reward_range": limits, "weights": weights, "given": given}
    for j in range(len(kept)):
        P = inner.copy()
        P[:, j] = P[:, j] + lost
        yield Case.from_matrix(P, r, case.gamma, end=end, **same)
    P = inner.copy()
    for i in range(len(kept)):
        P[i, i] = P[i, i] + lost[i]
    yield Case.from_matrix(P, r, case.gamma, end=end, **same)
    yield Case.from_matrix(inner, r, case.gamma, end=end + lost, **same)


def _entries(name: str, value: Any, kept: Sequence[int], X: int) -> Any:
    """What belongs to the pairs that are kept; distributions sum to 1 again."""
    array = np.asarray(value)
    if name == "pair":  # pairs by number: those behind move up
        return np.searchsorted(list(kept), array)
    for axis in [axis for axis, n in enumerate(array.shape) if n == X]:
        array = np.take(array, list(kept), axis=axis)
    return array / array.sum() if name == "D2" and array.sum() != 0 else array


def without_end(case: Case) -> Iterator[Case]:
    """No episode ends: what ended stays where it is, or goes to one pair."""
    nothing = 0 * case.end
    stay = case.P.copy()
    for x in range(case.X):
        stay[x, x] = stay[x, x] + case.end[x]
    yield replace(case, P=stay, end=nothing)
    for j in range(case.X):
        P = case.P.copy()
        P[:, j] = P[:, j] + case.end
        yield replace(case, P=P, end=nothing)


def row_moves(case: Case) -> Iterator[Case]:
    """One pair's law made deterministic, halved between two targets, or rounded."""
    S = case.P.shape[1]
    for x in range(case.X):
        targets = [_unit(S + 1, j) for j in range(S + 1)]
        halves = [(a + b) / fmpq(2) for i, a in enumerate(targets) for b in targets[:i]]
        own = [*case.P[x], case.end[x]]
        rough = [rationals(round_row(_floats(own), n)) for n in ROUGH]
        for law in (*targets, *halves, *rough):
            P, end = case.P.copy(), case.end.copy()
            P[x], end[x] = law[:S], law[S]
            yield replace(case, P=P, end=end)
    for s in range(len(case.Pi)):
        for n in ROUGH:
            Pi = case.Pi.copy()
            Pi[s] = round_row(_floats(case.Pi[s]), n)
            if all(Pi[s, x] == 0 or case.Pi[s, x] != 0 for x in range(case.X)):
                yield replace(case, Pi=Pi)


def reward_moves(case: Case) -> Iterator[Case]:
    """One reward made simple or equal to another; all of them rounded, shifted, scaled or negated."""
    r = case.r
    for x in range(case.X if case.X < MANY else 0):
        for value in {fmpq(v) for v in REWARDS} | {*r} | {fmpq(round(float(_floats(r)[x]) * n), n) for n in (1, 2, 4)}:
            changed = r.copy()
            changed[x] = value
            yield _with_rewards(case, changed)
    low, high = min(r), max(r)
    candidates = [-r, r - low, r - high, *([r / (high - low), (r - low) / (high - low)] if high > low else [])]
    candidates += [r / a for a in {abs(v) for v in r} if a != 0] + [r / fmpq(a) for a in (10, 2)]
    candidates += [rationals([fmpq(round(float(v) * n), n) for v in _floats(r)]) for n in (1, 2, 3, 4, 10)]
    for changed in candidates:
        yield _with_rewards(case, changed)


def _with_rewards(case: Case, r: Any) -> Case:
    limits = case.reward_range
    if limits is not None:
        limits = (min(limits[0], *r), max(limits[1], *r))
    return replace(case, r=r, reward_range=limits)


def _unit(n: int, j: int) -> Any:
    return identity(n, True)[j]


def _floats(values: Any) -> list[float]:
    return [int(v.p) / int(v.q) for v in values]


def length(value: fmpq) -> int:
    """How long a fraction is: nothing for 0, one for 1."""
    if value == 0:
        return 0
    top, bottom = abs(int(value.p)), int(value.q)
    return int(top.bit_length() + (bottom.bit_length() if bottom > 1 else 0) + (value < 0))
