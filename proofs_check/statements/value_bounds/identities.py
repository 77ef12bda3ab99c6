"""The identities behind the claims and the equality steps of their proofs, over a prime field."""

from flint import nmod, nmod_mat

from proofs_check.arithmetic.prime_field import (
    HALF,
    ONE,
    PRIME,
    PUSHED,
    SPLIT,
    TWO,
    Identity,
    Point,
    Sides,
    ones,
    square,
    unrolled,
)


def _unrolled_mico(point: Point) -> Sides:
    return unrolled(point, point.apart)


def _means(point: Point) -> Sides:
    """``E r(X_2) - E r(Y_2) = - int (F_2^x - F_2^y)``."""
    P = point.P_pi * point.P_pi
    mean, area = P * point.r, P * point.levels * point.steps * ones(point.X - 1, 1)
    apart = [[f[x, 0] - f[y, 0] for x in range(point.X) for y in range(point.X)] for f in (mean, area)]
    return square(apart[0]), square(apart[1]) * nmod(-1, PRIME)


def _representer(point: Point) -> Sides:
    """``K1 c = r`` with ``c`` on the two extreme rewards."""
    return point.K1 * _extremes(point), point.r


def _extremes(point: Point) -> nmod_mat:
    low, high, R = point.r[0, 0], point.r[point.X - 1, 0], point.R
    share = TWO * R - (high - low)
    c = [ONE - ONE] * point.X
    c[0], c[point.X - 1] = -(R * (R - high) / share), R * (R + low) / share
    return nmod_mat(point.X, 1, [int(v) for v in c], PRIME)


def _reward_norm(point: Point) -> Sides:
    low, high, R = point.r[0, 0], point.r[point.X - 1, 0], point.R
    span, center = high - low, (low + high) * HALF
    stated = R * span * HALF + TWO * R * center * center / (TWO * R - span)
    return _extremes(point).transpose() * point.r, nmod_mat(1, 1, [int(stated)], PRIME)


VALUE_BOUND_RKHS = (
    Identity("E r(X_n) - E r(Y_n) = - int (F_n^x - F_n^y)", _means, 12, conservative=True),
    Identity("r = K1 c with c on the extreme rewards", _representer, 6),
    Identity("c' r is the stated norm", _reward_norm, 8),
)


VALUE_BOUND_INDEPENDENT = (
    Identity("U is three terms of its series and the rest", _unrolled_mico, PUSHED + 20),
    SPLIT,
)
