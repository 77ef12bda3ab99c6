"""The identities behind the claims and the equality steps of their proofs, over a prime field."""

from flint import nmod

from proofs_check.arithmetic.prime_field import (
    HALF,
    PRIME,
    TWO,
    Identity,
    Point,
    Sides,
    ones,
    square,
    squared_distance,
    unit,
)


def _lagrange(point: Point) -> Sides:
    """``d(x,y) k(z,z) - (k_xz - k_yz)^2`` for ``k = Phi Phi'`` and the third pair: a sum of squares (Lagrange)."""
    Phi, k = point.Phi, point.Phi * point.Phi.transpose()
    d, z = squared_distance(k), 2
    left, right = [], []
    for x in range(point.X):
        for y in range(point.X):
            left.append(d[x, y] * k[z, z] - (k[x, z] - k[y, z]) * (k[x, z] - k[y, z]))
            apart = [Phi[x, i] - Phi[y, i] for i in range(Phi.ncols())]
            turned = [apart[i] * Phi[z, j] - apart[j] * Phi[z, i] for j in range(Phi.ncols()) for i in range(j)]
            right.append(sum((v * v for v in turned), nmod(0, PRIME)))
    return square(left), square(right)


def _sum_of_squares(point: Point) -> Sides:
    """T1: ``R K1 = (R - rho0/2) 11' + 2 sum Delta_k c_k c_k'``."""
    c = point.levels - ones(point.X, point.X - 1) * HALF
    span = point.r[point.X - 1, 0] - point.r[0, 0]
    return point.K1 * point.R, ones(point.X, point.X) * (point.R - span * HALF) + c * point.steps * c.transpose() * TWO


def _two_min_kernels(point: Point) -> Sides:
    """``R K1 = min + min`` with the least and greatest reward as ends of the range, so R is their difference."""
    span = point.r[point.X - 1, 0] - point.r[0, 0]
    low = [point.r[min(x, y), 0] - point.r[0, 0] for x in range(point.X) for y in range(point.X)]
    high = [point.r[point.X - 1, 0] - point.r[max(x, y), 0] for x in range(point.X) for y in range(point.X)]
    return ones(point.X, point.X) * span - point.apart, square([a + b for a, b in zip(low, high, strict=True)])


def _min_is_sum(point: Point) -> Sides:
    """``min(x_i, x_j) = sum_k (x_k - x_{k-1}) 1{i >= k} 1{j >= k}`` for the increasing rewards."""
    lower = square([int(k <= x) for x in range(point.X) for k in range(point.X)])
    gaps = unit(point.X)
    for k in range(point.X):
        gaps[k, k] = point.r[k, 0] - (point.r[k - 1, 0] if k else nmod(0, PRIME))
    least = [point.r[min(x, y), 0] for x in range(point.X) for y in range(point.X)]
    return square(least), lower * gaps * lower.transpose()


LEMMA_K1_PSD = (Identity("R K1 is a sum of two min-kernels", _two_min_kernels, 2),)


PROP_MIN_KERNEL_PD = (Identity("a min-kernel is a sum of squares", _min_is_sum, 2),)


K1_PD_DISTINCT = (Identity("R K1 is a sum of X squares (T1)", _sum_of_squares, 3),)


LEMMA_KERNEL_EMBEDDING = (Identity("d(x,y) k(z,z) - (k_xz - k_yz)^2 is a sum of squares", _lagrange, 4),)
