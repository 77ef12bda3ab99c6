"""The identities behind the claims about fixed points, over a prime field."""

from proofs_check.arithmetic.prime_field import Identity, Point, Sides, fit, unit


def _factored(point: Point) -> Sides:
    """``A``, and ``Sigma (I - L)``."""
    left = point.Phi.transpose() * point.D
    Sigma = left * point.Phi
    A = Sigma - left * point.P_pi * point.Phi * point.gamma
    return A, Sigma * (unit(point.d) - fit(point)[1])


FACTORED = (Identity("A = Sigma (I - L)", _factored, 100),)
