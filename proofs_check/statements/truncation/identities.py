"""The identities behind the claims and the equality steps of their proofs, over a prime field."""

from flint import nmod_mat

from proofs_check.arithmetic.prime_field import Identity, Point, Sides, unit


def _projector(point: Point) -> nmod_mat:
    left = point.Phi.transpose()
    return point.Phi * (left * point.Phi).inv() * left


def _slack(point: Point) -> Sides:
    """What a compression leaves of ``gamma I``: the part of ``I - gamma M M'`` and what leaves the subspace."""
    T, M, g = _projector(point), point.P_pi, point.gamma
    L = T * M * T * g
    lost = T * M * (unit(point.X) - T) * M.transpose() * T
    return T * g - L * L.transpose(), T * (unit(point.X) - M * M.transpose() * g) * T * g + lost * (g * g)


def _errors(point: Point) -> tuple[nmod_mat, nmod_mat, nmod_mat]:
    """``q - q_hat``, ``q - T q`` and ``T gamma P (q - q_hat)`` for an orthogonal projector ``T``."""
    T, A = _projector(point), point.P_pi * point.gamma
    q = (unit(point.X) - A).inv() * point.r
    limit = (unit(point.X) - T * A).inv() * T * point.r
    return q - limit, q - T * q, T * A * (q - limit)


def _decomposed(point: Point) -> Sides:
    error, left, moved = _errors(point)
    return error, left + moved


def _pythagoras(point: Point) -> Sides:
    error, left, moved = _errors(point)
    return error.transpose() * error, left.transpose() * left + moved.transpose() * moved


TRUNCATION_STABLE = (Identity("the slack of a compression", _slack, 100),)


TRUNCATED_LSPE_ERROR = (
    Identity("q - q_hat = (q - q_d) + Pi gamma P (q - q_hat)", _decomposed, 500),
    Identity("their squares add up", _pythagoras, 1000),
)
