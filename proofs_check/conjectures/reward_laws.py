r"""$W_1[x,y] = \sum_n \gamma^n W_1(r_n^x, r_n^y)$: how far the reward laws are apart ``n`` steps after two pairs.

After an end the reward is 0. On the line $W_1$ is the area between distribution functions, and the one of the reward
``n`` steps after each pair is $P^n F$: a sum with a geometric rest. Where the functions repeat themselves, as on every
deterministic chain, the sum is a rational number. Elsewhere it is enclosed: float64 leaves at most
``n (X + 4) eps`` in $P^n F$, because ``P`` does not expand, and the rest of the sum is bounded.
"""

from typing import Any

import numpy as np
from flint import arb

from proofs_check.arithmetic.linear_algebra import floats, rationals
from proofs_check.arithmetic.reals import Number, Real
from proofs_check.arithmetic.rounding import EPS, Rounded
from proofs_check.chains.case import Case
from tabular_krope.arrays import Array

#: Steps of a sum in floats at most, fewer where these do not suffice either, and of the search for a repetition.
STEPS, FEW_STEPS, REPEATING = 2000, 100, 40
#: Digits of the fractions with which a repetition is looked for.
LONGEST = 60
#: Least ``1 - gamma`` that floats can tell, and what its rounding may add to the rest of a sum.
SHORTEST, SLACK = 1e-12, 1.001


def exact_law_sums(case: Case) -> Any:
    """The sums on a rational chain, an object array [X, X] of rationals or of enclosed numbers.

    >>> case = Case.from_matrix(rationals([[0, 1], [0, 1]]), rationals([1, 0]), rationals("1/2")[()])
    >>> exact_law_sums(case)
    array([[0, 1],
           [1, 0]], dtype=object)
    """
    found = _repeating(case)
    if found is not None:
        return found
    P, r, end = (np.asarray(floats(part))[None] for part in (case.P_pi, case.r, case.end))
    worth = floats(case.value_of(np.abs(case.r)))[None] if case.gamma == 1 else None
    total = law_sums(P, r, end, np.array([float(floats(case.gamma))]), worth)
    out = np.empty((case.X, case.X), dtype=object)
    for x, y in np.ndindex(out.shape):
        out[x, y] = rationals(0)[()] if x == y else _ball(float(total.value[0, x, y]), float(total.error[0, x, y]))
    return out


def law_sums(
    P: Array, r: Array, end: Array, gamma: Array, worth: Array | None = None, steps: int | None = None
) -> Rounded:
    """The sums on float chains with bounds on their errors, [B, X, X]; P [B, X, X], r and end [B, X], gamma [B].

    The rest of a sum is bounded by the largest gap, discounted; at gamma = 1 by ``worth`` [B, X], the expected sum of
    the moduli of all rewards to come, which is computed where it is None. ``steps`` bounds the terms of the sum.

    >>> law_sums(np.eye(2)[None], np.array([[0.0, 1.0]]), np.zeros((1, 2)), np.array([0.5])).value
    array([[[0., 2.],
            [2., 0.]]])
    """
    X = r.shape[1]
    levels = np.sort(np.concatenate([r, np.zeros((len(r), 1))], axis=1), axis=1)  # 0 is what comes after an end
    gaps = np.diff(levels, axis=1)
    below = levels[:, None, :-1]
    F, over = (r[:, :, None] <= below).astype(np.float64), (below >= 0.0).astype(np.float64)
    total = np.zeros((len(r), X, X))
    size = np.abs(r).max(axis=1) * 2.0
    weight, lost = np.ones(len(r)), np.zeros(len(r))
    left: Any = worth
    if worth is None:
        left = np.linalg.solve(np.eye(X) - gamma[:, None, None] * P, np.abs(r)[:, :, None])[:, :, 0]
    horizon = np.where(1.0 - gamma > SHORTEST, 1.0 / np.maximum(1.0 - gamma, SHORTEST), np.inf)
    reachable = np.all(STEPS * np.log(np.maximum(gamma, EPS)) < np.log(EPS) - np.log(horizon))
    for n in range(steps or (STEPS if reachable or np.any(gamma == 1.0) else FEW_STEPS)):
        apart = np.einsum("bxyt,bt->bxy", np.abs(F[:, :, None, :] - F[:, None, :, :]), gaps)
        total += weight[:, None, None] * apart
        lost += 4 * EPS * (weight * size * (n + 2) * (X + 4) + total.max(axis=(1, 2)))
        F = P @ F + end[:, :, None] * over
        weight, left = weight * gamma, (P @ left[:, :, None])[:, :, 0]
        most = np.where(gamma == 1.0, 2.0 * left.max(axis=1), np.where(size > 0, size, 1.0) * horizon)
        rest = np.where(weight > 0, weight * most, 0.0) * SLACK
        if np.all(rest <= EPS * size):
            break
    error = np.broadcast_to((lost + rest)[:, None, None], total.shape)
    return Rounded(total, np.where(np.eye(X, dtype=bool), 0.0, error))


def _repeating(case: Case) -> Any:
    """The sums as rationals, where the distribution functions repeat themselves soon; else None."""
    levels = np.array(sorted({*case.r, rationals(0)[()]}))
    below, zero = levels[:-1], 0 * case.r
    F = np.where(case.r[:, None] <= below[None, :], 1 + zero[:, None], zero[:, None])
    over = np.array([1 if level >= 0 else 0 for level in below], dtype=object)
    gaps = levels[1:] - below
    seen: dict[str, int] = {}
    laws: list[Any] = []
    for n in range(REPEATING):
        key = str(F.tolist())
        if key in seen:
            # Most laws never repeat: only those that do are measured.
            areas = [(np.abs(F[:, None, :] - F[None, :, :]) * gaps).sum(axis=2) + 0 * case.apart for F in laws]
            return _summed(case.gamma, areas, seen[key])
        if max((len(str(value)) for value in F.reshape(-1)), default=0) > LONGEST:
            return None
        seen[key] = n
        laws.append(F)
        F = case.P_pi @ F + case.end[:, None] * over[None, :]
    return None


def _summed(gamma: Any, areas: list[Any], start: int) -> Any:
    """``sum_n gamma^n areas[n]`` where the areas from ``start`` on repeat for ever."""
    period = len(areas) - start
    head = sum((gamma**n * area for n, area in enumerate(areas[:start])), 0 * areas[0])
    round_ = sum((gamma**n * area for n, area in enumerate(areas[start:], start)), 0 * areas[0])
    if gamma == 1:  # every episode ends: what repeats for ever is the same law
        return head
    return head + round_ / (1 - gamma**period)


def _ball(middle: float, radius: float) -> Number:
    ball = arb(middle, radius)
    return Real(lambda: ball)
