"""The identity behind the claims about n-step methods, over a prime field."""

from proofs_check.arithmetic.prime_field import Identity, Point, Sides, fit


def _projects(point: Point) -> Sides:
    """``Pi_D Pi_D``, and ``Pi_D``."""
    projector = point.Phi * fit(point)[0]
    return projector * projector, projector


PROJECTS = (Identity("Pi_D is a projector", _projects, 100),)
