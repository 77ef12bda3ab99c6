"""The identities behind the claims and the equality steps of their proofs, over a prime field."""

from flint import nmod_mat

from proofs_check.arithmetic.prime_field import PRIME, Identity, Point, Sides, fit, gram, unit


def _residual(point: Point) -> Sides:
    regression, L = fit(point)
    N = gram(point)
    E = N - point.K1 - point.push(N) * point.gamma
    return (
        L * L.transpose(),
        (regression * point.Phi - regression * (point.K1 + E) * regression.transpose()) * point.gamma,
    )


def _covariances(point: Point) -> Sides:
    left = point.Phi.transpose() * point.D
    B, C, N = left * point.Phi, left * point.P_pi * point.Phi, gram(point)
    E = N - point.K1 - point.push(N) * point.gamma
    return C * C.transpose() * point.gamma, B * B - left * (point.K1 + E) * left.transpose()


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
    theta = nmod_mat(point.d, 1, [int(point.r[k, 0]) for k in range(point.d)], PRIME)
    r = (unit(point.X) - point.P_pi * point.gamma) * point.Phi * theta
    return regression * r, theta - L * theta


def _factored(point: Point) -> Sides:
    """``K - gamma P K P' = G (I - gamma M M') G'`` for ``K = G G'`` and ``P G = G M``."""
    M, P = _invariant_chain(point)
    K = gram(point)
    middle = unit(point.d) - M * M.transpose() * point.gamma
    return K - P * K * P.transpose() * point.gamma, point.Phi * middle * point.Phi.transpose()


SHARP_SPECTRAL = (
    Identity("P Phi = Phi M gives L = gamma M", _restriction, 100),
    Identity("b = theta - L theta", _limit_is_value, 200),
)


RKHS_CONTRACTION = (Identity("K - gamma P K P' = G (I - gamma M M') G'", _factored, 100),)


RESIDUAL_IDENTITY = (
    Identity("gamma C C' = B^2 - Phi' D (K1 + E) D Phi", _covariances, 30),
    Identity("L L' from the residual", _residual, 100),
)
