"""The identities behind the claims about data of the chain itself, over a prime field."""

from proofs_check.arithmetic.prime_field import Identity, Point, Sides, fit, unit


def _pythagoras(point: Point) -> Sides:
    """``D - Pi' D Pi``, and ``(I - Pi)' D (I - Pi)``."""
    projector = point.Phi * fit(point)[0]
    rest = unit(point.X) - projector
    return point.D - projector.transpose() * point.D * projector, rest.transpose() * point.D * rest


def _dirichlet(point: Point) -> Sides:
    """``D (I - P) + (I - P)' D``, and what is lost in a step with the mean square of a change."""
    moved = unit(point.X) - point.P_pi
    both = point.D * moved + moved.transpose() * point.D
    lost = point.D - point.P_pi.transpose() * point.D * point.P_pi
    return both, lost + moved.transpose() * point.D * moved


PROJECTION = (Identity("D - Pi' D Pi = (I - Pi)' D (I - Pi)", _pythagoras, 200),)
RELATIVE = (Identity("D (I - P) + (I - P)' D = (D - P' D P) + (I - P)' D (I - P)", _dirichlet, 20),)
