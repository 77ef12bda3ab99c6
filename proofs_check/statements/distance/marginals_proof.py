"""The laws of the reward n steps later, and the proof that the distance sums their differences (B7)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import identity, solve
from proofs_check.chains.case import EPS, Case, squared_distance
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Step

#: Pairs up to which a rational sum has a linear system of its own.
MOST_PAIRS = 7
#: Steps of the chain that are followed.
FOLLOWED = 4


@dataclass(frozen=True, slots=True, eq=False)
class RewardLater:
    """The reward ``n`` steps after each pair.

    Attributes:
        power: ``gamma^n``.
        F: its distribution function at all sorted levels but the last, [X, m - 1].
        mean: its expectation, [X].
        similarity: ``P^n K1 P^n'``, [X, X].
        spread: ``E |r(X_n) - r(Y_n)|`` over independent copies, [X, X].
    """

    power: Any
    F: Any
    mean: Any
    similarity: Any
    spread: Any


def followed(case: Case) -> list[RewardLater]:
    """The first `FOLLOWED` steps."""
    return case.once("later", lambda: _follow(case))


def _follow(case: Case) -> list[RewardLater]:
    zero, one = 0 * case.r[:, None], 1 + 0 * case.r[:, None]
    F = np.where(case.r[:, None] <= np.array(sorted(set(case.r)))[None, :-1], one, zero)
    power, mean, similarity, spread = 1 + 0 * case.gamma, case.r, case.K1, case.apart
    out = []
    for _ in range(FOLLOWED):
        out.append(RewardLater(power, F, mean, similarity, spread))
        power, F, mean = power * case.gamma, case.P_pi @ F, case.P_pi @ mean
        similarity, spread = case.push(similarity), case.push(spread)
    return out


def increments(case: Case) -> Any:
    """Differences of neighbors among the sorted distinct rewards, [m - 1]."""
    levels = np.array(sorted(set(case.r)))
    return levels[1:] - levels[:-1]


def difference(F: Any) -> Any:
    """``F^x - F^y``, [X, X, m - 1]."""
    return F[:, None, :] - F[None, :, :]


def integral(case: Case, values: Any) -> Any:
    """``sum_k Delta_k values_k`` over the last axis, [X, X]."""
    return (values * increments(case)).sum(axis=2) + 0 * case.apart


def squares(case: Case, later: RewardLater) -> Any:
    """``int (F^x - F^y)^2``, [X, X]."""
    apart = difference(later.F)
    return integral(case, apart * apart)


def wasserstein(case: Case, later: RewardLater) -> Any:
    """``W1`` between the laws of the reward after each two pairs, [X, X]."""
    return integral(case, np.abs(difference(later.F)))


def pushed(case: Case, k: Any) -> Any:
    """``(gamma P . P')^n k`` after the steps followed."""
    for _ in range(FOLLOWED):
        k = case.gamma * case.push(k)
    return k


def summed(case: Case, C: Any) -> Any:
    """``sum_n gamma^n P^n C P^n'`` on pairs, by another way than the kernel itself, which is solved on states.

    Rationals: one linear system with an unknown for every two pairs (on large chains the kernel's own solver). Floats:
    the number of terms is doubled until the rest is below rounding.
    """
    if not case.exact:
        total, power, weight = C, case.P_pi, case.gamma
        while weight > 0 and weight * case.horizon > EPS / 16:
            total, power, weight = total + weight * (power @ total @ power.T), power @ power, weight * weight
        return total
    if case.X > MOST_PAIRS:
        return case.kernel_of(C)
    pairs = identity(case.X**2, True) - case.gamma * np.kron(case.P_pi, case.P_pi)
    return solve(pairs, C.reshape(-1)).reshape(C.shape)


def _series(case: Case) -> list[Relation]:
    total = sum(later.power * squared_distance(later.similarity) for later in followed(case))
    return [equal(case.d, total + squared_distance(pushed(case, case.K)))]


def _laws(case: Case) -> list[Relation]:
    out = [equal(case.P_pi.sum(axis=1), 1)]
    for later in followed(case):
        out += [at_most(-later.F, 0), at_most(later.F, 1), at_most(later.F[:, :-1], later.F[:, 1:])]
    return out


def _sum_of_squares(case: Case) -> list[Relation]:
    return [
        equal(case.R * squared_distance(later.similarity), 2 * squares(case, later))
        if case.R != 0
        else equal(squared_distance(later.similarity), 0)
        for later in followed(case)
    ]


def _tail(case: Case) -> list[Relation]:
    bound = 2 * case.gamma**FOLLOWED / (1 - case.gamma)
    return [at_most(np.abs(squared_distance(pushed(case, case.K))), bound)]


CRAMER = (
    Step("series", "d(x,y) = sum_n gamma^n w_n' K1 w_n with w_n = P^n' (e_x - e_y)", _series),
    Step("laws", "no episode ends, so w_n is a difference of laws: its mass is 0", _laws),
    Step("sum-of-squares", "T1 with mass 0: R w_n' K1 w_n = 2 int (F_n^x - F_n^y)^2", _sum_of_squares),
    Step("tail", "what is left after n steps is at most 2 gamma^n / (1 - gamma)", _tail),
)
