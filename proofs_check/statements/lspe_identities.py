r"""Identities of LSPE and of its features over a prime field: the equality steps of the proofs about them.

The degrees are bounds, not degrees: entries of ``P_pi`` have degree 2, those of ``L`` are polynomials of degree at most
14 over one of degree 6, and a matrix of such fractions is inverted at the price of its size times that. A bound that
is too large only makes the stated probability of an error larger.
"""

from collections.abc import Mapping

from flint import nmod, nmod_mat

from proofs_check.arithmetic.prime_field import FEATURES, PRIME, Identity, Point, X, stein

Sides = tuple[nmod_mat, nmod_mat]
ONE = nmod(1, PRIME)


def unit(n: int) -> nmod_mat:
    """The identity matrix."""
    return nmod_mat(n, n, [int(i == j) for i in range(n) for j in range(n)], PRIME)


def fit(point: Point, D: nmod_mat | None = None) -> tuple[nmod_mat, nmod_mat]:
    """``B^-1 Phi' D`` and LSPE's ``L``."""
    left = point.Phi.transpose() * (point.D if D is None else D)
    regression = (left * point.Phi).inv() * left
    return regression, regression * point.P_pi * point.Phi * point.gamma


def _gram(point: Point) -> nmod_mat:
    return point.Phi * point.Phi.transpose()


def _residual(point: Point) -> Sides:
    regression, L = fit(point)
    N = _gram(point)
    E = N - point.K1 - point.push(N) * point.gamma
    return (
        L * L.transpose(),
        (regression * point.Phi - regression * (point.K1 + E) * regression.transpose()) * point.gamma,
    )


def _covariances(point: Point) -> Sides:
    left = point.Phi.transpose() * point.D
    B, C, N = left * point.Phi, left * point.P_pi * point.Phi, _gram(point)
    E = N - point.K1 - point.push(N) * point.gamma
    return C * C.transpose() * point.gamma, B * B - left * (point.K1 + E) * left.transpose()


def _solved(point: Point) -> Sides:
    """``I - L L' / gamma`` when ``K1`` is what makes the features a KROPE representation."""
    regression, L = fit(point)
    N = _gram(point)
    K1 = N - point.push(N) * point.gamma
    return unit(FEATURES) - L * L.transpose() * (ONE / point.gamma), regression * K1 * regression.transpose()


def _solved_on_data(point: Point) -> Sides:
    """The same when the last pair has no data and the equation fails there."""
    D = nmod_mat(point.D)
    D[X - 1, X - 1] = 0
    regression, L = fit(point, D)
    N = _gram(point)
    K1 = N - point.push(N) * point.gamma
    for x in range(X):
        K1[x, X - 1] = K1[x, X - 1] + point.r[x, 0]
        K1[X - 1, x] = K1[X - 1, x] + point.R
    return unit(FEATURES) - L * L.transpose() * (ONE / point.gamma), regression * K1 * regression.transpose()


def _runs(point: Point) -> Sides:
    """Three updates from two starts: the rows of the features stand for starts."""
    regression, L = fit(point)
    b = regression * point.r
    first, second = (nmod_mat(FEATURES, 1, [int(point.Phi[x, k]) for k in range(FEATURES)], PRIME) for x in (0, 1))
    apart = first - second
    for _ in range(3):
        first, second = b + L * first, b + L * second
    return first - second, L * L * L * apart


def _closer(point: Point) -> Sides:
    regression, L = fit(point)
    b = regression * point.r
    limit = (unit(FEATURES) - L).inv() * b
    start = nmod_mat(FEATURES, 1, [int(point.Phi[0, k]) for k in range(FEATURES)], PRIME)
    return b + L * start - limit, L * (start - limit)


def _invariant_chain(point: Point) -> tuple[nmod_mat, nmod_mat]:
    """``M`` and a chain with ``P Phi = Phi M``."""
    left = point.Phi.transpose()
    M = left * point.D * point.Phi
    return M, point.Phi * M * (left * point.Phi).inv() * left


def _restriction(point: Point) -> Sides:
    M, P = _invariant_chain(point)
    regression, _ = fit(point)
    return regression * P * point.Phi * point.gamma, M * point.gamma


def _limit_is_value(point: Point) -> Sides:
    """``b = theta - L theta`` when ``r = (I - gamma P) Phi theta``."""
    regression, L = fit(point)
    theta = nmod_mat(FEATURES, 1, [int(point.r[k, 0]) for k in range(FEATURES)], PRIME)
    r = (unit(X) - point.P_pi * point.gamma) * point.Phi * theta
    return regression * r, theta - L * theta


def _factored(point: Point) -> Sides:
    """``K - gamma P K P' = G (I - gamma M M') G'`` for ``K = G G'`` and ``P G = G M``."""
    M, P = _invariant_chain(point)
    K = _gram(point)
    middle = unit(FEATURES) - M * M.transpose() * point.gamma
    return K - P * K * P.transpose() * point.gamma, point.Phi * middle * point.Phi.transpose()


def _projector(point: Point) -> nmod_mat:
    left = point.Phi.transpose()
    return point.Phi * (left * point.Phi).inv() * left


def _slack(point: Point) -> Sides:
    """What a compression leaves of ``gamma I``: the part of ``I - gamma M M'`` and what leaves the subspace."""
    T, M, g = _projector(point), point.P_pi, point.gamma
    L = T * M * T * g
    lost = T * M * (unit(X) - T) * M.transpose() * T
    return T * g - L * L.transpose(), T * (unit(X) - M * M.transpose() * g) * T * g + lost * (g * g)


def _errors(point: Point) -> tuple[nmod_mat, nmod_mat, nmod_mat]:
    """``q - q_hat``, ``q - T q`` and ``T gamma P (q - q_hat)`` for an orthogonal projector ``T``."""
    T, A = _projector(point), point.P_pi * point.gamma
    q = (unit(X) - A).inv() * point.r
    limit = (unit(X) - T * A).inv() * T * point.r
    return q - limit, q - T * q, T * A * (q - limit)


def _decomposed(point: Point) -> Sides:
    error, left, moved = _errors(point)
    return error, left + moved


def _pythagoras(point: Point) -> Sides:
    error, left, moved = _errors(point)
    return error.transpose() * error, left.transpose() * left + moved.transpose() * moved


def _in_span(point: Point) -> Sides:
    """``gamma M - L M L' = gamma M1`` for ``M = M1 + gamma A M A'`` and ``L = gamma A``."""
    regression, L = fit(point)
    A = L * (ONE / point.gamma)
    M1 = regression * point.K1 * regression.transpose()
    M = stein(A, M1, point.gamma)
    return M * point.gamma - L * M * L.transpose(), M1 * point.gamma


def _square_features(point: Point) -> Sides:
    """``Phi L = gamma P_pi Phi`` for square features: the kernel of the rewards stands for an arbitrary matrix."""
    Phi = point.kernel(point.apart) + point.D
    left = Phi.transpose() * point.D
    L = (left * Phi).inv() * left * point.P_pi * Phi * point.gamma
    return Phi * L, point.P_pi * Phi * point.gamma


def _wide_features(point: Point) -> Sides:
    """The same with one feature more than there are pairs; the least-norm fit is ``Phi' (Phi Phi')^-1``."""
    Phi = nmod_mat(
        X,
        X + 1,
        [int(v) for row, r in zip((point.P_pi + point.D).table(), point.r.entries(), strict=True) for v in (*row, r)],
        PRIME,
    )
    L = Phi.transpose() * (Phi * Phi.transpose()).inv() * point.P_pi * Phi * point.gamma
    return Phi * L, point.P_pi * Phi * point.gamma


LSPE_IDENTITIES: Mapping[str, tuple[Identity, ...]] = {
    "prop-lspe-stability": (Identity("two runs differ by L^3 after three updates", _runs, 100),),
    "definition-krope-representation": (
        Identity("I - L L'/gamma where the equation holds on the data's pairs only", _solved_on_data, 100),
    ),
    "theorem-1": (Identity("I - L L'/gamma = B^-1 Phi' D K1 D Phi B^-1", _solved, 100),),
    "remark-nonexpansive": (Identity("an update multiplies the error by L", _closer, 200),),
    "sharp-spectral": (
        Identity("P Phi = Phi M gives L = gamma M", _restriction, 100),
        Identity("b = theta - L theta", _limit_is_value, 200),
    ),
    "rkhs-contraction": (Identity("K - gamma P K P' = G (I - gamma M M') G'", _factored, 100),),
    "residual-identity": (
        Identity("gamma C C' = B^2 - Phi' D (K1 + E) D Phi", _covariances, 30),
        Identity("L L' from the residual", _residual, 100),
    ),
    "truncation-stable": (Identity("the slack of a compression", _slack, 100),),
    "truncated-lspe-error": (
        Identity("q - q_hat = (q - q_d) + Pi gamma P (q - q_hat)", _decomposed, 500),
        Identity("their squares add up", _pythagoras, 1000),
    ),
    "feature-space-krope": (Identity("gamma M - L M L' = gamma M1", _in_span, 1000),),
    "figure-2-instability": (Identity("Phi L = gamma P_pi Phi for square features", _square_features, 2000),),
    "remark-singular-covariance": (Identity("Phi L = gamma P_pi Phi for wide features", _wide_features, 200),),
}
