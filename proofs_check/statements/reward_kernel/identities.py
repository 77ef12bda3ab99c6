"""The identities behind the claims and the equality steps of their proofs, over a prime field."""

from flint import nmod

from proofs_check.arithmetic.prime_field import PRIME, Identity, Point, X, ones, squared_distance
from proofs_check.statements.identity_parts import HALF, TWO, Sides, square, unit


def _rearranged(point: Point) -> Sides:
    """``(k_xx - k_xy) - (k_xy - k_yy)`` for ``k = Phi Phi'``."""
    k = point.Phi * point.Phi.transpose()
    left = [(k[x, x] - k[x, y]) - (k[x, y] - k[y, y]) for x in range(X) for y in range(X)]
    return square(left), squared_distance(k)


def _sum_of_squares(point: Point) -> Sides:
    """T1: ``R K1 = (R - rho0/2) 11' + 2 sum Delta_k c_k c_k'``."""
    c = point.levels - ones(X, X - 1) * HALF
    span = point.r[X - 1, 0] - point.r[0, 0]
    return point.K1 * point.R, ones(X, X) * (point.R - span * HALF) + c * point.steps * c.transpose() * TWO


def _two_min_kernels(point: Point) -> Sides:
    """``R K1 = min + min`` with the least and greatest reward as ends of the range, so R is their difference."""
    span = point.r[X - 1, 0] - point.r[0, 0]
    low = [point.r[min(x, y), 0] - point.r[0, 0] for x in range(X) for y in range(X)]
    high = [point.r[X - 1, 0] - point.r[max(x, y), 0] for x in range(X) for y in range(X)]
    return ones(X, X) * span - point.apart, square([a + b for a, b in zip(low, high, strict=True)])


def _min_is_sum(point: Point) -> Sides:
    """``min(x_i, x_j) = sum_k (x_k - x_{k-1}) 1{i >= k} 1{j >= k}`` for the increasing rewards."""
    lower = square([int(k <= x) for x in range(X) for k in range(X)])
    gaps = unit(X)
    for k in range(X):
        gaps[k, k] = point.r[k, 0] - (point.r[k - 1, 0] if k else nmod(0, PRIME))
    least = [point.r[min(x, y), 0] for x in range(X) for y in range(X)]
    return square(least), lower * gaps * lower.transpose()


LEMMA_K1_PSD = (Identity("R K1 is a sum of two min-kernels", _two_min_kernels, 2),)


PROP_MIN_KERNEL_PD = (Identity("a min-kernel is a sum of squares", _min_is_sum, 2),)


K1_PD_DISTINCT = (Identity("R K1 is a sum of X squares (T1)", _sum_of_squares, 3),)


LEMMA_KERNEL_EMBEDDING = (Identity("(k_xx - k_xy) - (k_xy - k_yy) = d", _rearranged, 2),)
