"""The identities behind the statements and the equality steps of their proofs, over a prime field."""

from flint import nmod, nmod_mat

from proofs_check.identity import (
    FEATURES,
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

Sides = tuple[nmod_mat, nmod_mat]
HALF = nmod(1, PRIME) / nmod(2, PRIME)
ONE = nmod(1, PRIME)


def _fixed_point(point: Point) -> Sides:
    """The kernel, and three terms of its series with the rest."""
    K, term = point.kernel(point.K1), point.K1
    total, rest = point.K1 - point.K1, K
    for _ in range(3):
        total, term, rest = total + term, point.push(term) * point.gamma, point.push(rest) * point.gamma
    return K, total + rest


def _distance(point: Point) -> Sides:
    K = point.kernel(point.K1)
    right = point.apart * (nmod(2, PRIME) / point.R) + squared_distance(point.push(K)) * point.gamma
    return squared_distance(K), right


def _cramer(point: Point) -> Sides:
    W = point.kernel(point.levels * point.steps * point.levels.transpose())
    return squared_distance(point.kernel(point.K1)), squared_distance(W) * (nmod(2, PRIME) / point.R)


def _mico(point: Point) -> Sides:
    U = point.kernel(point.apart)
    return point.kernel(point.K1), ones(X, X) * (ONE / (ONE - point.gamma)) - U * (ONE / point.R)


def _mico_distance(point: Point) -> Sides:
    U, d = point.kernel(point.apart), squared_distance(point.kernel(point.K1))
    return U, d * (point.R * HALF) + _mean_diagonal(U)


def _reduction(point: Point) -> Sides:
    Q = point.Pi * point.P
    M = stein(Q, point.Pi * point.K1 * point.Pi.transpose(), point.gamma)
    return point.kernel(point.K1), point.K1 + point.P * M * point.P.transpose() * point.gamma


def _fit(point: Point) -> tuple[nmod_mat, nmod_mat]:
    """``B^-1 Phi' D`` and LSPE's ``L``."""
    left = point.Phi.transpose() * point.D
    fit = (left * point.Phi).inv() * left
    return fit, fit * point.P_pi * point.Phi * point.gamma


def _residual(point: Point) -> Sides:
    fit, L = _fit(point)
    N = point.Phi * point.Phi.transpose()
    E = N - point.K1 - point.push(N) * point.gamma
    unit = fit * point.Phi
    return L * L.transpose(), (unit - fit * (point.K1 + E) * fit.transpose()) * point.gamma


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
    rewards = point.apart * (nmod(2, PRIME) / point.R)
    return squared_distance(following), rewards + (pushed - _mean_diagonal(pushed)) * point.gamma


def _square_features(point: Point) -> Sides:
    """``Phi L = gamma P_pi Phi`` for square features: here the kernel of the rewards stands for an arbitrary matrix."""
    Phi = point.kernel(point.apart) + point.D
    left = Phi.transpose() * point.D
    L = (left * Phi).inv() * left * point.P_pi * Phi * point.gamma
    return Phi * L, point.P_pi * Phi * point.gamma


def _two_min_kernels(point: Point) -> Sides:
    """``R K1 = min + min`` with the least and greatest reward as ends of the range, so R is their difference."""
    span = point.r[X - 1, 0] - point.r[0, 0]
    low = [point.r[min(x, y), 0] - point.r[0, 0] for x in range(X) for y in range(X)]
    high = [point.r[X - 1, 0] - point.r[max(x, y), 0] for x in range(X) for y in range(X)]
    both = nmod_mat(X, X, [int(a + b) for a, b in zip(low, high, strict=True)], PRIME)
    return ones(X, X) * span - point.apart, both


def _mean_diagonal(A: nmod_mat) -> nmod_mat:
    """``(A_xx + A_yy) / 2``."""
    n = A.nrows()
    return nmod_mat(n, n, [int((A[x, x] + A[y, y]) * HALF) for x in range(n) for y in range(n)], PRIME)


_PUSHED = 2 * KERNEL_DEGREE + 6
_REGRESSION = 4 * (3 * FEATURES + 3) + 12

IDENTITIES = freeze(
    {
        "prop-fixed-point": (Identity("K is three terms of its series and the rest", _fixed_point, _PUSHED + 20),),
        "state-reduction": (
            Identity("K = K1 + gamma P M P' with M solved on states", _reduction, KERNEL_DEGREE + 5 * S * S + 8),
        ),
        "lemma-k1-psd": (Identity("R K1 is a sum of two min-kernels", _two_min_kernels, 2),),
        "prop-distance-identity": (Identity("d = (2/R) |dr| + gamma MMD^2", _distance, _PUSHED),),
        "cramer-identity": (Identity("d sums squared Cramer distances", _cramer, _PUSHED, conservative=True),),
        "mico-identity": (
            Identity("K = 11'/(1-gamma) - U/R", _mico, _PUSHED + 2, conservative=True),
            Identity("U = (R/2) d + (U_xx + U_yy)/2", _mico_distance, _PUSHED + 2, conservative=True),
        ),
        "residual-identity": (Identity("L L' from the residual", _residual, _REGRESSION),),
        "theorem-1": (Identity("the equation between Phi' D and D Phi", _multiplied, _PUSHED + 4),),
        "lemma-value-bound": (Identity("the last equality, repaired", _repaired, 24, conservative=True),),
        "figure-2-instability": (
            Identity("Phi L = gamma P_pi Phi for square features", _square_features, (2 * X + 3) * (_PUSHED + 2)),
        ),
    }
)
