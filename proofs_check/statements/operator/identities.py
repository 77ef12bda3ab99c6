"""The identities behind the claims and the equality steps of their proofs, over a prime field."""

from proofs_check.arithmetic.prime_field import KERNEL_DEGREE, MOST_S, PUSHED, Identity, Point, Sides, stein, unrolled


def _difference(point: Point) -> Sides:
    """``F(k) - F(h)`` for ``k = Phi Phi'`` and ``h = D``."""
    k, h = point.Phi * point.Phi.transpose(), point.D
    images = [point.K1 + point.push(one) * point.gamma for one in (k, h)]
    return images[0] - images[1], point.push(k - h) * point.gamma


def _fixed_point(point: Point) -> Sides:
    return unrolled(point, point.K1)


def _reduction(point: Point) -> Sides:
    Q = point.Pi * point.P
    M = stein(Q, point.Pi * point.K1 * point.Pi.transpose(), point.gamma)
    return point.kernel(point.K1), point.K1 + point.P * M * point.P.transpose() * point.gamma


def _on_states(point: Point) -> Sides:
    Q, Pi = point.Pi * point.P, point.Pi
    M = Pi * point.kernel(point.K1) * Pi.transpose()
    return M, Pi * point.K1 * Pi.transpose() + Q * M * Q.transpose() * point.gamma


LEMMA_CONTRACTION = (Identity("F(k) - F(h) = gamma E (k - h)", _difference, 20),)


PROP_FIXED_POINT = (Identity("K is three terms of its series and the rest", _fixed_point, PUSHED + 20),)


STATE_REDUCTION = (
    Identity("M = Pi K1 Pi' + gamma Q M Q' for M = Pi K Pi'", _on_states, PUSHED + 10),
    Identity("K = K1 + gamma P M P' with M solved on states", _reduction, KERNEL_DEGREE + 5 * MOST_S * MOST_S + 8),
)
