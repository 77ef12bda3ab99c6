"""The distance d, and which inequalities of a metric it has."""

from fractions import Fraction as Q

import numpy as np

from tests.proofs_check.oracle import Chain, distance, pairs, plus, random_chain


def prop_distance_identity(seed):
    two = random_chain(seed, R=Q(2))
    wrong = random_chain(seed, R=Q(3))
    holds = [distance(c.kernel()) == plus(c.apart, distance(c.push(c.kernel())), c.g) for c in (two, wrong)]
    return holds == [True, False]


def d_pseudometric(seed):
    """Half way between two futures: is d(x, y) <= d(x, z) + d(z, y)?"""
    t = Q(seed + 1, seed + 2)
    P = [[0, 0, 0, t, 1 - t], [0, 0, 0, 1 - t, t], [0, 0, 0, Q(1, 2), Q(1, 2)], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]
    d = distance(Chain([[Q(v) for v in row] for row in P], [Q(v) for v in (0, 0, 0, 1, -1)], Q(1, 2)).kernel())
    return d[0][1] <= d[0][2] + d[2][1]


def sqrt_d_metric(seed):
    d = distance(random_chain(seed, n=4, ending=seed % 2).kernel())
    return all(
        max(Q(0), d[x][y] - d[x][z] - d[z][y]) ** 2 <= 4 * d[x][z] * d[z][y] for x, y in pairs(4) for z in range(4)
    )


def later_laws(c, steps=400):
    P, _, r, g, _ = c.floats()
    levels = np.unique(r)
    F, power = (r[:, None] <= levels[:-1]).astype(float), 1.0
    for _ in range(steps):
        yield power, F[:, None] - F[None], np.diff(levels)
        F, power = P @ F, power * g


def cramer_identity(seed):
    c = random_chain(seed)
    total = sum(power * (apart**2 @ gaps) for power, apart, gaps in later_laws(c))
    d = np.array(distance(c.kernel()), dtype=float)
    return abs(d - 2 / float(c.R) * total).max() < 1e-9
