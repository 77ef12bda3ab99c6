r"""Proofs through the laws of the reward n steps later: B7, and the value bounds B5 and B9."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from proofs_check.case import Case, squared_distance
from proofs_check.field import floats, indefiniteness
from proofs_check.relation import Relation, at_most, equal
from proofs_check.statement import Step
from proofs_check.transport_metric import transport_metric
from proofs_check.witness import case_from_witness

#: Steps of the chain that are followed.
FOLLOWED = 4

TWO_ABSORBING = {"P_pi": [["1", "0"], ["0", "1"]], "r": ["-1", "1"], "gamma": "9/10"}


@dataclass(frozen=True, slots=True, eq=False)
class Later:
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


def followed(case: Case) -> list[Later]:
    """The first `FOLLOWED` steps."""
    return case._once("later", lambda: _follow(case))


def _follow(case: Case) -> list[Later]:
    zero, one = 0 * case.r[:, None], 1 + 0 * case.r[:, None]
    F = np.where(case.r[:, None] <= np.array(sorted(set(case.r)))[None, :-1], one, zero)
    power, mean, similarity, spread = 1 + 0 * case.gamma, case.r, case.K1, case.apart
    out = []
    for _ in range(FOLLOWED):
        out.append(Later(power, F, mean, similarity, spread))
        power, F, mean = power * case.gamma, case.P_pi @ F, case.P_pi @ mean
        similarity, spread = case.push(similarity), case.push(spread)
    return out


def increments(case: Case) -> Any:
    """Differences of neighbours among the sorted distinct rewards, [m - 1]."""
    levels = np.array(sorted(set(case.r)))
    return levels[1:] - levels[:-1]


def _difference(F: Any) -> Any:
    """``F^x - F^y``, [X, X, m - 1]."""
    return F[:, None, :] - F[None, :, :]


def _integral(case: Case, values: Any) -> Any:
    """``sum_k Delta_k values_k`` over the last axis, [X, X]."""
    return (values * increments(case)).sum(axis=2) + 0 * case.apart


def _squares(case: Case, later: Later) -> Any:
    apart = _difference(later.F)
    return _integral(case, apart * apart)


def wasserstein(case: Case, later: Later) -> Any:
    """``W1`` between the laws of the reward after each two pairs, [X, X]."""
    return _integral(case, np.abs(_difference(later.F)))


def _pushed(case: Case, k: Any) -> Any:
    for _ in range(FOLLOWED):
        k = case.gamma * case.push(k)
    return k


def _series(case: Case) -> list[Relation]:
    total = sum(later.power * squared_distance(later.similarity) for later in followed(case))
    return [equal(case.d, total + squared_distance(_pushed(case, case.K)))]


def _laws(case: Case) -> list[Relation]:
    out = [equal(case.P_pi.sum(axis=1), 1)]
    for later in followed(case):
        out += [at_most(-later.F, 0), at_most(later.F, 1), at_most(later.F[:, :-1], later.F[:, 1:])]
    return out


def _sum_of_squares(case: Case) -> list[Relation]:
    return [
        equal(case.R * squared_distance(later.similarity), 2 * _squares(case, later))
        if case.R != 0
        else equal(squared_distance(later.similarity), 0)
        for later in followed(case)
    ]


def _tail(case: Case) -> list[Relation]:
    bound = 2 * case.gamma**FOLLOWED / (1 - case.gamma)
    return [at_most(np.abs(squared_distance(_pushed(case, case.K))), bound)]


CRAMER = (
    Step("series", "d(x,y) = sum_n gamma^n w_n' K1 w_n with w_n = P^n' (e_x - e_y)", _series),
    Step("laws", "no episode ends, so w_n is a difference of laws: its mass is 0", _laws),
    Step("sum-of-squares", "T1 with mass 0: R w_n' K1 w_n = 2 int (F_n^x - F_n^y)^2", _sum_of_squares),
    Step("tail", "what is left after n steps is at most 2 gamma^n / (1 - gamma)", _tail),
)


def gaps(f: Any) -> Any:
    """``f_x - f_y``, [X, X]."""
    return np.subtract.outer(f, f)


def _means(case: Case) -> list[Relation]:
    if not case.conservative:
        return []
    return [equal(gaps(later.mean), -_integral(case, _difference(later.F))) for later in followed(case)]


def _in_reward(case: Case) -> list[Relation]:
    if not case.conservative:
        return []
    return [at_most(gaps(later.mean) ** 2, case.own_range * _squares(case, later)) for later in followed(case)]


def _in_time(case: Case) -> list[Relation]:
    powers = sum(later.power for later in followed(case))
    plain = sum(later.power * gaps(later.mean) for later in followed(case))
    squares = sum(later.power * gaps(later.mean) ** 2 for later in followed(case))
    return [at_most(plain * plain, powers * squares, FOLLOWED)]


def _by_cramer(case: Case) -> list[Relation]:
    if not case.conservative:
        return []
    partial = sum(later.power * _squares(case, later) for later in followed(case))
    return [at_most(2 * partial, case.R * case.d)]


def _attained(case: Case) -> list[Relation]:
    if not case.exact:
        return []
    two = case_from_witness(TWO_ABSORBING)
    bound = two.own_range * two.R / (2 * (1 - two.gamma)) * two.d
    return [equal(gaps(two.q) ** 2, bound), at_most(400, bound[0, 1])]


def reward_norm(case: Case) -> Any:
    """Squared norm of the reward in the RKHS of K1."""
    centre = (min(case.r) + max(case.r)) / 2
    if case.R == 0:
        return centre * centre
    return case.R * case.own_range / 2 + 2 * case.R * centre * centre / (2 * case.R - case.own_range)


def _representer(case: Case) -> list[Relation]:
    """``r = K1 c`` with ``c`` on one pair of least and one of greatest reward, and ``c' r`` is the norm."""
    low, high, c = min(case.r), max(case.r), 0 * case.r
    share = 2 * case.R - case.own_range
    if case.R == 0:
        c[0] += low
    else:
        c[list(case.r).index(low)] -= case.R * (case.R - high) / share
        c[list(case.r).index(high)] += case.R * (case.R + low) / share
    return [equal(case.K1 @ c, case.r), equal(c @ case.r, reward_norm(case))]


def _each_term(case: Case) -> list[Relation]:
    norm = reward_norm(case)
    scale = max(1.0, float(floats(norm)))
    return [
        at_most(indefiniteness(norm * later.similarity - np.outer(later.mean, later.mean)), 0, scale)
        for later in followed(case)
    ]


def _summed(case: Case) -> list[Relation]:
    powers = sum(later.power for later in followed(case))
    value = sum(later.power * later.mean for later in followed(case))
    squares = sum(later.power * np.outer(later.mean, later.mean) for later in followed(case))
    return [at_most(indefiniteness(powers * squares - np.outer(value, value)), 0, FOLLOWED)]


VALUE_BOUND_RKHS = (
    Step("means", "E r(X_n) - E r(Y_n) = - int (F_n^x - F_n^y) where no episode ends", _means),
    Step("in-reward", "Cauchy and Schwarz on the range: its square is at most rho0 int (F_n^x - F_n^y)^2", _in_reward),
    Step("in-time", "and in time: (sum gamma^n a_n)^2 <= sum gamma^n sum gamma^n a_n^2", _in_time),
    Step("by-cramer", "sum gamma^n int (F_n^x - F_n^y)^2 is at most R d / 2, by cramer-identity", _by_cramer),
    Step("attained", "two absorbing pairs at the ends of the range: equality (400 = 400)", _attained),
    Step("reward-norm", "r = K1 c with c on the two extreme rewards, and c' r is the stated |r|^2", _representer),
    Step("each-term", "hence (P^n r)(P^n r)' <= |r|^2 P^n K1 P^n'", _each_term),
    Step("summed", "and sums of norms (Aronszajn): q q' <= sum gamma^n sum gamma^n (P^n r)(P^n r)'", _summed),
)


def _unrolled(case: Case) -> list[Relation]:
    total = sum(later.power * later.spread for later in followed(case))
    return [equal(case.U, total + _pushed(case, case.U))]


def _split(case: Case) -> list[Relation]:
    own = np.diagonal(case.U)
    return [equal(2 * case.U, case.R * case.d + np.add.outer(own, own))]


def _against_means(case: Case) -> list[Relation]:
    return [at_most(np.abs(gaps(later.mean)), wasserstein(case, later)) for later in followed(case)]


def _against_squares(case: Case) -> list[Relation]:
    return [at_most(_squares(case, later), wasserstein(case, later)) for later in followed(case)]


def _independent_coupling(case: Case) -> list[Relation]:
    return [at_most(wasserstein(case, later), later.spread) for later in followed(case)]


def _optimal_coupling(case: Case) -> list[Relation]:
    """The transport metric is costly, so it is computed on small chains only."""
    if case.X > 3:
        return []
    metric = transport_metric([case.P_pi], [case.r], case.gamma)
    total = sum(later.power * wasserstein(case, later) for later in followed(case))
    return [at_most(total, metric)]


VALUE_BOUND_INDEPENDENT = (
    Step("unrolled", "U(x,y) = sum_n gamma^n E |r(X_n) - r(Y_n)|, independent copies", _unrolled),
    Step("split", "2 U(x,y) = R d(x,y) + U(x,x) + U(y,y), by mico-identity", _split),
    Step("means", "|E r(X_n) - E r(Y_n)| <= W1(r(X_n), r(Y_n)) = int |F_n^x - F_n^y|", _against_means),
    Step("squares", "int (F_n^x - F_n^y)^2 <= W1, since |F_n^x - F_n^y| <= 1", _against_squares),
    Step("independent-coupling", "W1 is at most the cost of the independent coupling", _independent_coupling),
    Step(
        "optimal-coupling", "following optimal couplings: sum gamma^n W1 <= d_pi (at most 3 pairs)", _optimal_coupling
    ),
)
