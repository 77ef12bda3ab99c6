"""The identities behind the claims and the equality steps of their proofs, over a prime field."""

from proofs_check.arithmetic.prime_field import ONE, Identity, Point, Sides, fit, stein


def _in_span(point: Point) -> Sides:
    """``gamma M - L M L' = gamma M1`` for ``M = M1 + gamma A M A'`` and ``L = gamma A``."""
    regression, L = fit(point)
    A = L * (ONE / point.gamma)
    M1 = regression * point.K1 * regression.transpose()
    M = stein(A, M1, point.gamma)
    return M * point.gamma - L * M * L.transpose(), M1 * point.gamma


FEATURE_SPACE_KROPE = (Identity("gamma M - L M L' = gamma M1", _in_span, 1000),)
