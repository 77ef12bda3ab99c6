"""Bellman completeness of groups and of linear features."""

from fractions import Fraction as Q

from tests.proofs_check import oracle
from tests.proofs_check.oracle import Chain, distance, mul, pairs, random_chain, rank, twins


def image_agrees(c, labels):
    """Whether ``T`` keeps functions that are constant on the groups."""
    for g in set(labels):
        f = [Q(label == g) for label in labels]
        image = [r + c.g * oracle.dot(row, f) for r, row in zip(c.r, c.P, strict=True)]
        if any(image[x] != image[y] for x, y in pairs(c.n) if labels[x] == labels[y]):
            return False
    return True


def zero_groups(c):
    d = distance(c.kernel())
    return [next(y for y in range(c.n) if d[x][y] == 0) for x in range(c.n)]


def prop_bisimulation_complete(seed):
    return image_agrees(twins(seed, distinct=seed % 2), [0, 1, 2, 2])


def theorem_2(seed):
    c = twins(seed)
    return zero_groups(c) == [0, 1, 2, 2] and image_agrees(c, zero_groups(c))


def theorem_2_without_injectivity(seed):
    """x mixes a and b as c mixes + and -; y leads to c: equal rewards at every step, by different ways."""
    t = Q(seed + 1, 9)
    P = [[0, 0, t, 1 - t, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 1]]
    P += [[0, 0, 0, 0, 0, t, 1 - t], [0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 1]]
    c = Chain([[Q(v) for v in row] for row in P], [Q(v) for v in (0, 0, 0, 0, 0, 1, -1)], Q(1, 2))
    labels = zero_groups(c)
    assert labels[0] == labels[1]
    return image_agrees(c, labels)


def linear_completeness(seed):
    c = twins(seed, distinct=False) if seed % 2 else random_chain(seed, n=4, tied=True)
    K = c.kernel()
    both = [[*k, *ahead, r] for k, ahead, r in zip(K, mul(c.P, K), c.r, strict=True)]
    return rank(both) == rank(K)
