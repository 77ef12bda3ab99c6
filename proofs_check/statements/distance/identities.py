"""The identities behind the claims and the equality steps of their proofs, over a prime field."""

from flint import nmod, nmod_mat

from proofs_check.arithmetic.prime_field import (
    ONE,
    PRIME,
    PUSHED,
    SPLIT,
    TWO,
    Identity,
    Point,
    Sides,
    ones,
    square,
    squared_distance,
    unrolled,
)


def _series(point: Point) -> Sides:
    left, right = unrolled(point, point.K1)
    return squared_distance(left), squared_distance(right)


def _distance(point: Point) -> Sides:
    K = point.kernel(point.K1)
    right = point.apart * (TWO / point.R) + squared_distance(point.push(K)) * point.gamma
    return squared_distance(K), right


def _polarised(point: Point) -> Sides:
    """``d(x, y)`` by way of each ``z``; the sides are sums over ``z`` with weights from ``D``."""
    K = point.kernel(point.K1)
    d = squared_distance(K)
    left, right = [], []
    for x in range(point.X):
        for y in range(point.X):
            via = [d[x, z] + d[z, y] + 2 * (K[x, z] - K[x, y] - K[z, z] + K[z, y]) for z in range(point.X)]
            left.append(sum((point.D[z, z] * d[x, y] for z in range(point.X)), nmod(0, PRIME)))
            right.append(sum((point.D[z, z] * via[z] for z in range(point.X)), nmod(0, PRIME)))
    return square(left), square(right)


def _levels(point: Point) -> nmod_mat:
    """``sum_k Delta_k 1{r_x <= t_k} 1{r_y <= t_k}``."""
    return point.levels * point.steps * point.levels.transpose()


def _cramer(point: Point) -> Sides:
    W = point.kernel(_levels(point))
    return squared_distance(point.kernel(point.K1)), squared_distance(W) * (TWO / point.R)


def _squares(point: Point) -> Sides:
    """``R w' K1 w = 2 int (F^x - F^y)^2`` for the laws two steps later."""
    similar, levels = point.push(point.push(point.K1)), point.push(point.push(_levels(point)))
    return squared_distance(similar) * point.R, squared_distance(levels) * TWO


def _mico(point: Point) -> Sides:
    return point.kernel(point.K1), _mico_form(point)


def _mico_form(point: Point) -> nmod_mat:
    return ones(point.X, point.X) * (ONE / (ONE - point.gamma)) - point.kernel(point.apart) * (ONE / point.R)


def _same_equation(point: Point) -> Sides:
    Z = _mico_form(point)
    return Z, point.K1 + point.push(Z) * point.gamma


PROP_DISTANCE_IDENTITY = (Identity("d = (2/R) |dr| + gamma MMD^2", _distance, PUSHED),)


SQRT_D_METRIC = (Identity("d(x,y) = d(x,z) + d(z,y) + 2 <.,.>", _polarised, PUSHED),)


CRAMER_IDENTITY = (
    Identity("d is three terms of its series and the rest", _series, PUSHED + 20),
    Identity("R w' K1 w = 2 int (F^x - F^y)^2", _squares, 20, conservative=True),
    Identity("d sums squared Cramer distances", _cramer, PUSHED, conservative=True),
)


MICO_IDENTITY = (
    Identity("11'/(1-gamma) - U/R satisfies the equation of K", _same_equation, PUSHED + 8, conservative=True),
    Identity("K = 11'/(1-gamma) - U/R", _mico, PUSHED + 2, conservative=True),
    SPLIT,
)
