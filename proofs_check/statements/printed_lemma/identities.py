"""The identities behind the claims and the equality steps of their proofs, over a prime field."""

from proofs_check.arithmetic.prime_field import TWO, Identity, Point, Sides, mean_diagonal, squared_distance


def _repaired(point: Point) -> Sides:
    """``d_{m+1}`` from ``d_m``, with the spread of two successors of one pair taken off; m = 2."""
    k = point.K1 + point.push(point.K1) * point.gamma
    following = point.K1 + point.push(k) * point.gamma
    pushed = point.push(squared_distance(k))
    rewards = point.apart * (TWO / point.R)
    return squared_distance(following), rewards + (pushed - mean_diagonal(pushed)) * point.gamma


LEMMA_VALUE_BOUND = (Identity("the last equality, repaired", _repaired, 24, conservative=True),)
