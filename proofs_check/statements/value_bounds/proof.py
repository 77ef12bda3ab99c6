"""Proofs of the value bounds through the laws of the reward n steps later: B5 and B9."""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats, indefiniteness
from proofs_check.arithmetic.transport_metric import transport_metric
from proofs_check.chains.case import Case
from proofs_check.chains.witness import case_from_witness
from proofs_check.statements.distance.hilbert_proof import split
from proofs_check.statements.distance.marginals_proof import (
    FOLLOWED,
    difference,
    followed,
    integral,
    pushed,
    squares,
    wasserstein,
)
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Step

#: Pairs up to which optimal couplings are computed.
MOST_COUPLED = 6
TWO_ABSORBING = {"P_pi": [["1", "0"], ["0", "1"]], "r": ["-1", "1"], "gamma": "9/10"}


def gaps(f: Any) -> Any:
    """``f_x - f_y``, [X, X]."""
    return np.subtract.outer(f, f)


def _means(case: Case) -> list[Relation]:
    if not case.conservative:
        return []
    return [equal(gaps(later.mean), -integral(case, difference(later.F))) for later in followed(case)]


def _in_reward(case: Case) -> list[Relation]:
    if not case.conservative:
        return []
    return [at_most(gaps(later.mean) ** 2, case.own_range * squares(case, later)) for later in followed(case)]


def _in_time(case: Case) -> list[Relation]:
    powers = sum(later.power for later in followed(case))
    plain = sum(later.power * gaps(later.mean) for later in followed(case))
    squares = sum(later.power * gaps(later.mean) ** 2 for later in followed(case))
    return [at_most(plain * plain, powers * squares, FOLLOWED)]


def _by_cramer(case: Case) -> list[Relation]:
    if not case.conservative:
        return []
    partial = sum(later.power * squares(case, later) for later in followed(case))
    return [at_most(2 * partial, case.R * case.d)]


def _tail(case: Case) -> list[Relation]:
    """What the steps that are not followed can add: nothing that the sums above would not have."""
    if not case.conservative:
        return []
    partial = sum(later.power * gaps(later.mean) for later in followed(case))
    bound = case.gamma**FOLLOWED * case.own_range / (1 - case.gamma)
    return [at_most(np.abs(gaps(case.q) - partial), bound)]


def _attained(case: Case) -> list[Relation]:
    if not case.exact:
        return []
    two = case_from_witness(TWO_ABSORBING)
    bound = two.own_range * two.R / (2 * (1 - two.gamma)) * two.d
    return [equal(gaps(two.q) ** 2, bound), at_most(400, bound[0, 1])]


def reward_norm(case: Case) -> Any:
    """Squared norm of the reward in the RKHS of K1."""
    center = (min(case.r) + max(case.r)) / 2
    if case.R == 0:
        return center * center
    return case.R * case.own_range / 2 + 2 * case.R * center * center / (2 * case.R - case.own_range)


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
    Step("in-time", "and in time: (sum gamma^n a_n)^2 <= sum gamma^n sum gamma^n a_n^2", _in_time, kind="algebra"),
    Step("by-cramer", "sum gamma^n int (F_n^x - F_n^y)^2 is at most R d / 2, by cramer-identity", _by_cramer),
    Step("tail", "what is left of dq after n steps is at most gamma^n rho0 / (1 - gamma)", _tail),
    Step("attained", "two absorbing pairs at the ends of the range: equality (400 = 400)", _attained, kind="example"),
    Step("reward-norm", "r = K1 c with c on the two extreme rewards, and c' r is the stated |r|^2", _representer),
    Step("each-term", "hence (P^n r)(P^n r)' <= |r|^2 P^n K1 P^n'", _each_term),
    Step(
        "summed",
        "and sums of norms (Aronszajn): q q' <= sum gamma^n sum gamma^n (P^n r)(P^n r)'",
        _summed,
        kind="algebra",
    ),
)


def _unrolled(case: Case) -> list[Relation]:
    total = sum(later.power * later.spread for later in followed(case))
    return [equal(case.U, total + pushed(case, case.U))]


def _against_means(case: Case) -> list[Relation]:
    return [at_most(np.abs(gaps(later.mean)), wasserstein(case, later)) for later in followed(case)]


def _against_squares(case: Case) -> list[Relation]:
    return [at_most(squares(case, later), wasserstein(case, later)) for later in followed(case)]


def _independent_coupling(case: Case) -> list[Relation]:
    return [at_most(wasserstein(case, later), later.spread) for later in followed(case)]


def _tails(case: Case) -> list[Relation]:
    partial = sum(later.power * later.spread for later in followed(case))
    bound = case.gamma**FOLLOWED * case.own_range / (1 - case.gamma)
    return [*_tail(case), at_most(case.U - partial, bound)]


def _optimal_coupling(case: Case) -> list[Relation]:
    """The transport metric is costly, so it is computed on small chains only."""
    if case.X > MOST_COUPLED:
        return []
    metric = transport_metric([case.P_pi], [case.r], case.gamma)
    total = sum(later.power * wasserstein(case, later) for later in followed(case))
    return [at_most(total, metric)]


VALUE_BOUND_INDEPENDENT = (
    Step("unrolled", "U(x,y) = sum_n gamma^n E |r(X_n) - r(Y_n)|, independent copies", _unrolled),
    Step("split", "2 U(x,y) = R d(x,y) + U(x,x) + U(y,y), by mico-identity", split),
    Step("means", "|E r(X_n) - E r(Y_n)| <= W1(r(X_n), r(Y_n)) = int |F_n^x - F_n^y|", _against_means),
    Step("squares", "int (F_n^x - F_n^y)^2 <= W1, since |F_n^x - F_n^y| <= 1", _against_squares),
    Step("tail", "what is left of dq and of U after n steps is at most gamma^n rho0 / (1 - gamma)", _tails),
    Step("independent-coupling", "W1 is at most the cost of the independent coupling", _independent_coupling),
    Step(
        "optimal-coupling", "following optimal couplings: sum gamma^n W1 <= d_pi (at most 6 pairs)", _optimal_coupling
    ),
)
