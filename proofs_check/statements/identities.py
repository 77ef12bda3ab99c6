"""The identities behind the statements and the equality steps of their proofs, over a prime field."""

from flint import nmod, nmod_mat

from proofs_check.arithmetic.prime_field import (
    KERNEL_DEGREE,
    PRIME,
    Identity,
    Point,
    S,
    X,
    freeze,
    ones,
    squared_distance,
    stein,
)
from proofs_check.statements.lspe_identities import LSPE_IDENTITIES, unit

Sides = tuple[nmod_mat, nmod_mat]
TWO = nmod(2, PRIME)
HALF = nmod(1, PRIME) / TWO
ONE = nmod(1, PRIME)


def _difference(point: Point) -> Sides:
    """``F(k) - F(h)`` for ``k = Phi Phi'`` and ``h = D``."""
    k, h = point.Phi * point.Phi.transpose(), point.D
    images = [point.K1 + point.push(one) * point.gamma for one in (k, h)]
    return images[0] - images[1], point.push(k - h) * point.gamma


def _unrolled(point: Point, C: nmod_mat) -> Sides:
    """The solution for ``C``, and three terms of its series with the rest."""
    K = point.kernel(C)
    total, term, rest = C - C, C, K
    for _ in range(3):
        total, term, rest = total + term, point.push(term) * point.gamma, point.push(rest) * point.gamma
    return K, total + rest


def _fixed_point(point: Point) -> Sides:
    return _unrolled(point, point.K1)


def _series(point: Point) -> Sides:
    left, right = _unrolled(point, point.K1)
    return squared_distance(left), squared_distance(right)


def _unrolled_mico(point: Point) -> Sides:
    return _unrolled(point, point.apart)


def _distance(point: Point) -> Sides:
    K = point.kernel(point.K1)
    right = point.apart * (TWO / point.R) + squared_distance(point.push(K)) * point.gamma
    return squared_distance(K), right


def _rearranged(point: Point) -> Sides:
    """``(k_xx - k_xy) - (k_xy - k_yy)`` for ``k = Phi Phi'``."""
    k = point.Phi * point.Phi.transpose()
    left = [(k[x, x] - k[x, y]) - (k[x, y] - k[y, y]) for x in range(X) for y in range(X)]
    return _square(left), squared_distance(k)


def _polarised(point: Point) -> Sides:
    """``d(x, y)`` by way of each ``z``; the sides are sums over ``z`` with weights from ``D``."""
    K = point.kernel(point.K1)
    d = squared_distance(K)
    left, right = [], []
    for x in range(X):
        for y in range(X):
            via = [d[x, z] + d[z, y] + 2 * (K[x, z] - K[x, y] - K[z, z] + K[z, y]) for z in range(X)]
            left.append(sum((point.D[z, z] * d[x, y] for z in range(X)), nmod(0, PRIME)))
            right.append(sum((point.D[z, z] * via[z] for z in range(X)), nmod(0, PRIME)))
    return _square(left), _square(right)


def _levels(point: Point) -> nmod_mat:
    """``sum_k Delta_k 1{r_x <= t_k} 1{r_y <= t_k}``."""
    return point.levels * point.steps * point.levels.transpose()


def _cramer(point: Point) -> Sides:
    W = point.kernel(_levels(point))
    return squared_distance(point.kernel(point.K1)), squared_distance(W) * (TWO / point.R)


def _squares(point: Point) -> Sides:
    """``R w' K1 w = 2 int (F^x - F^y)^2`` for the laws two steps later."""
    similar, levels = point.push(point.push(point.K1)), point.push(point.push(_levels(point)))
    return squared_distance(similar) * point.R, squared_distance(levels) * TWO


def _sum_of_squares(point: Point) -> Sides:
    """T1: ``R K1 = (R - rho0/2) 11' + 2 sum Delta_k c_k c_k'``."""
    c = point.levels - ones(X, X - 1) * HALF
    span = point.r[X - 1, 0] - point.r[0, 0]
    return point.K1 * point.R, ones(X, X) * (point.R - span * HALF) + c * point.steps * c.transpose() * TWO


def _mico(point: Point) -> Sides:
    return point.kernel(point.K1), _mico_form(point)


def _mico_form(point: Point) -> nmod_mat:
    return ones(X, X) * (ONE / (ONE - point.gamma)) - point.kernel(point.apart) * (ONE / point.R)


def _same_equation(point: Point) -> Sides:
    Z = _mico_form(point)
    return Z, point.K1 + point.push(Z) * point.gamma


def _mico_distance(point: Point) -> Sides:
    U, d = point.kernel(point.apart), squared_distance(point.kernel(point.K1))
    return U, d * (point.R * HALF) + _mean_diagonal(U)


def _means(point: Point) -> Sides:
    """``E r(X_2) - E r(Y_2) = - int (F_2^x - F_2^y)``."""
    P = point.P_pi * point.P_pi
    mean, area = P * point.r, P * point.levels * point.steps * ones(X - 1, 1)
    apart = [[f[x, 0] - f[y, 0] for x in range(X) for y in range(X)] for f in (mean, area)]
    return _square(apart[0]), _square(apart[1]) * nmod(-1, PRIME)


def _representer(point: Point) -> Sides:
    """``K1 c = r`` with ``c`` on the two extreme rewards."""
    return point.K1 * _extremes(point), point.r


def _extremes(point: Point) -> nmod_mat:
    low, high, R = point.r[0, 0], point.r[X - 1, 0], point.R
    share = TWO * R - (high - low)
    c = [ONE - ONE] * X
    c[0], c[X - 1] = -(R * (R - high) / share), R * (R + low) / share
    return nmod_mat(X, 1, [int(v) for v in c], PRIME)


def _reward_norm(point: Point) -> Sides:
    low, high, R = point.r[0, 0], point.r[X - 1, 0], point.R
    span, centre = high - low, (low + high) * HALF
    stated = R * span * HALF + TWO * R * centre * centre / (TWO * R - span)
    return _extremes(point).transpose() * point.r, nmod_mat(1, 1, [int(stated)], PRIME)


def _reduction(point: Point) -> Sides:
    Q = point.Pi * point.P
    M = stein(Q, point.Pi * point.K1 * point.Pi.transpose(), point.gamma)
    return point.kernel(point.K1), point.K1 + point.P * M * point.P.transpose() * point.gamma


def _on_states(point: Point) -> Sides:
    Q, Pi = point.Pi * point.P, point.Pi
    M = Pi * point.kernel(point.K1) * Pi.transpose()
    return M, Pi * point.K1 * Pi.transpose() + Q * M * Q.transpose() * point.gamma


def _multiplied(point: Point) -> Sides:
    """The kernel's equation between ``Phi' D`` and ``D Phi``, for any ``Phi``."""
    K, left = point.kernel(point.K1), point.Phi.transpose() * point.D
    right = left * (point.K1 + point.push(K) * point.gamma) * left.transpose()
    return left * K * left.transpose(), right


def _repaired(point: Point) -> Sides:
    """``d_{m+1}`` from ``d_m``, with the spread of two successors of one pair taken off; m = 2."""
    k = point.K1 + point.push(point.K1) * point.gamma
    following = point.K1 + point.push(k) * point.gamma
    pushed = point.push(squared_distance(k))
    rewards = point.apart * (TWO / point.R)
    return squared_distance(following), rewards + (pushed - _mean_diagonal(pushed)) * point.gamma


def _two_min_kernels(point: Point) -> Sides:
    """``R K1 = min + min`` with the least and greatest reward as ends of the range, so R is their difference."""
    span = point.r[X - 1, 0] - point.r[0, 0]
    low = [point.r[min(x, y), 0] - point.r[0, 0] for x in range(X) for y in range(X)]
    high = [point.r[X - 1, 0] - point.r[max(x, y), 0] for x in range(X) for y in range(X)]
    return ones(X, X) * span - point.apart, _square([a + b for a, b in zip(low, high, strict=True)])


def _min_is_sum(point: Point) -> Sides:
    """``min(x_i, x_j) = sum_k (x_k - x_{k-1}) 1{i >= k} 1{j >= k}`` for the increasing rewards."""
    lower = _square([int(k <= x) for x in range(X) for k in range(X)])
    gaps = unit(X)
    for k in range(X):
        gaps[k, k] = point.r[k, 0] - (point.r[k - 1, 0] if k else nmod(0, PRIME))
    least = [point.r[min(x, y), 0] for x in range(X) for y in range(X)]
    return _square(least), lower * gaps * lower.transpose()


def _bad_pairs(point: Point) -> Sides:
    p = point.gamma
    sides = (TWO * p * (ONE - p) - p * p, p * (TWO - 3 * p))
    return nmod_mat(1, 1, [int(sides[0])], PRIME), nmod_mat(1, 1, [int(sides[1])], PRIME)


def _mean_diagonal(A: nmod_mat) -> nmod_mat:
    """``(A_xx + A_yy) / 2``."""
    n = A.nrows()
    return nmod_mat(n, n, [int((A[x, x] + A[y, y]) * HALF) for x in range(n) for y in range(n)], PRIME)


def _square(entries: list) -> nmod_mat:
    return nmod_mat(X, X, [int(v) for v in entries], PRIME)


_PUSHED = 2 * KERNEL_DEGREE + 6
_SPLIT = Identity("U = (R/2) d + (U_xx + U_yy)/2", _mico_distance, _PUSHED + 2, conservative=True)

IDENTITIES = freeze(
    {
        **LSPE_IDENTITIES,
        "lemma-contraction": (Identity("F(k) - F(h) = gamma E (k - h)", _difference, 20),),
        "prop-fixed-point": (Identity("K is three terms of its series and the rest", _fixed_point, _PUSHED + 20),),
        "state-reduction": (
            Identity("M = Pi K1 Pi' + gamma Q M Q' for M = Pi K Pi'", _on_states, _PUSHED + 10),
            Identity("K = K1 + gamma P M P' with M solved on states", _reduction, KERNEL_DEGREE + 5 * S * S + 8),
        ),
        "lemma-k1-psd": (Identity("R K1 is a sum of two min-kernels", _two_min_kernels, 2),),
        "prop-min-kernel-pd": (Identity("a min-kernel is a sum of squares", _min_is_sum, 2),),
        "k1-pd-distinct": (Identity("R K1 is a sum of X squares (T1)", _sum_of_squares, 3),),
        "lemma-kernel-embedding": (Identity("(k_xx - k_xy) - (k_xy - k_yy) = d", _rearranged, 2),),
        "prop-distance-identity": (Identity("d = (2/R) |dr| + gamma MMD^2", _distance, _PUSHED),),
        "sqrt-d-metric": (Identity("d(x,y) = d(x,z) + d(z,y) + 2 <.,.>", _polarised, _PUSHED),),
        "cramer-identity": (
            Identity("d is three terms of its series and the rest", _series, _PUSHED + 20),
            Identity("R w' K1 w = 2 int (F^x - F^y)^2", _squares, 20, conservative=True),
            Identity("d sums squared Cramer distances", _cramer, _PUSHED, conservative=True),
        ),
        "mico-identity": (
            Identity("11'/(1-gamma) - U/R satisfies the equation of K", _same_equation, _PUSHED + 8, conservative=True),
            Identity("K = 11'/(1-gamma) - U/R", _mico, _PUSHED + 2, conservative=True),
            _SPLIT,
        ),
        "value-bound-rkhs": (
            Identity("E r(X_n) - E r(Y_n) = - int (F_n^x - F_n^y)", _means, 12, conservative=True),
            Identity("r = K1 c with c on the extreme rewards", _representer, 6),
            Identity("c' r is the stated norm", _reward_norm, 8),
        ),
        "value-bound-independent": (
            Identity("U is three terms of its series and the rest", _unrolled_mico, _PUSHED + 20),
            _SPLIT,
        ),
        "theorem-1": (
            Identity("the equation between Phi' D and D Phi", _multiplied, _PUSHED + 4),
            *LSPE_IDENTITIES["theorem-1"],
        ),
        "lemma-value-bound": (Identity("the last equality, repaired", _repaired, 24, conservative=True),),
        "remark-bad-pairs": (Identity("2p(1-p) - p^2 = p (2 - 3p)", _bad_pairs, 2),),
    }
)
