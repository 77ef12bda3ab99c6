"""The identities behind the claims and the equality steps of their proofs, over a prime field."""

from flint import nmod_mat

from proofs_check.arithmetic.prime_field import ONE, PRIME, PUSHED, Identity, Point, Sides, fit, gram, unit


def _solved(point: Point) -> Sides:
    """``I - L L' / gamma`` when ``K1`` is what makes the features a KROPE representation."""
    regression, L = fit(point)
    N = gram(point)
    K1 = N - point.push(N) * point.gamma
    return unit(point.d) - L * L.transpose() * (ONE / point.gamma), regression * K1 * regression.transpose()


def _solved_on_data(point: Point) -> Sides:
    """The same when the last pair has no data and the equation fails there."""
    D = nmod_mat(point.D)
    D[point.X - 1, point.X - 1] = 0
    regression, L = fit(point, D)
    N = gram(point)
    K1 = N - point.push(N) * point.gamma
    for x in range(point.X):
        K1[x, point.X - 1] = K1[x, point.X - 1] + point.r[x, 0]
        K1[point.X - 1, x] = K1[point.X - 1, x] + point.R
    return unit(point.d) - L * L.transpose() * (ONE / point.gamma), regression * K1 * regression.transpose()


def _runs(point: Point) -> Sides:
    """Three updates from two starts: the rows of the features stand for starts."""
    regression, L = fit(point)
    b = regression * point.r
    first, second = (nmod_mat(point.d, 1, [int(point.Phi[x, k]) for k in range(point.d)], PRIME) for x in (0, 1))
    apart = first - second
    for _ in range(3):
        first, second = b + L * first, b + L * second
    return first - second, L * L * L * apart


def _closer(point: Point) -> Sides:
    regression, L = fit(point)
    b = regression * point.r
    limit = (unit(point.d) - L).inv() * b
    start = nmod_mat(point.d, 1, [int(point.Phi[0, k]) for k in range(point.d)], PRIME)
    return b + L * start - limit, L * (start - limit)


def _multiplied(point: Point) -> Sides:
    """The kernel's equation between ``Phi' D`` and ``D Phi``, for any ``Phi``."""
    K, left = point.kernel(point.K1), point.Phi.transpose() * point.D
    right = left * (point.K1 + point.push(K) * point.gamma) * left.transpose()
    return left * K * left.transpose(), right


THEOREM_1 = (
    Identity("the equation between Phi' D and D Phi", _multiplied, PUSHED + 4),
    Identity("I - L L'/gamma = B^-1 Phi' D K1 D Phi B^-1", _solved, 100),
)


PROP_LSPE_STABILITY = (Identity("two runs differ by L^3 after three updates", _runs, 100),)


DEFINITION_KROPE_REPRESENTATION = (
    Identity("I - L L'/gamma where the equation holds on the data's pairs only", _solved_on_data, 100),
)


REMARK_NONEXPANSIVE = (Identity("an update multiplies the error by L", _closer, 200),)
