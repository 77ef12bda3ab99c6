"""Metrics as linear programs and between two models, once more: plain iteration, and the dual program."""

import numpy as np
from scipy.optimize import linprog

from tests.proofs_check.oracle import random_chain


def transport(p, q, D):
    """Laws on one or two points: the couplings of two points are a segment, and a linear cost is least at an end."""
    if 1 in D.shape:
        return p @ D @ q
    ends = (max(0.0, p[0] + q[0] - 1), min(p[0], q[0]))
    return min((np.array([[t, p[0] - t], [q[0] - t, 1 - p[0] - q[0] + t]]) * D).sum() for t in ends)


def between(first, second, g, sweeps=40):
    """The metric between two models by plain iteration; a model is laws [A, n, n] and rewards [A, n]."""
    (P, r), (Q, s) = first, second
    d = np.zeros((P.shape[1], Q.shape[1]))
    for _ in range(sweeps):
        d = np.array(
            [
                [
                    max(abs(r[a, i] - s[a, j]) + g * transport(P[a, i], Q[a, j], d) for a in range(len(P)))
                    for j in range(Q.shape[1])
                ]
                for i in range(P.shape[1])
            ]
        )
    return d


def model(rng, n):
    return rng.dirichlet(np.ones(n), size=(2, n)), rng.uniform(-1, 1, size=(2, n))


def optimal(P, r, g):
    v = np.zeros(r.shape[1])
    for _ in range(200):
        v = (r + g * P @ v).max(axis=0)
    return v


def metric_between_models(seed):
    rng, g = np.random.default_rng(seed), 0.5
    one, two, three = model(rng, 2), model(rng, 1), model(rng, 2)
    d12, d21, d23, d13 = (between(a, b, g) for a, b in ((one, two), (two, one), (two, three), (one, three)))
    apart = abs(np.subtract.outer(optimal(*one, g), optimal(*two, g)))
    through = d12[:, :, None] + d23[None]
    return bool(
        np.all(apart <= d12 + 1e-7) and np.all(abs(d12 - d21.T) < 1e-7) and np.all(d13[:, None, :] <= through + 1e-7)
    )


def occupancy_couplings(seed):
    """The dual program, ``max d(x0, y0)`` with ``d <= |dr| + gamma (P u + P v)`` and ``u + v <= d``, by its solver."""
    P, _, r, _, _ = random_chain(seed, n=2).floats()
    g, n = 0.5, 2
    pairs = [(x, y) for x in range(n) for y in range(n)]
    size = len(pairs) * (1 + 2 * n)

    def u(k, z, other):
        return len(pairs) + k * 2 * n + other * n + z

    rows, right = [], []
    for k, (x, y) in enumerate(pairs):
        row = np.zeros(size)
        row[k] = 1
        for z in range(n):
            row[u(k, z, 0)], row[u(k, z, 1)] = -g * P[x, z], -g * P[y, z]
        rows.append(row)
        right.append(abs(r[x] - r[y]))
        for j, (a, b) in enumerate(pairs):
            row = np.zeros(size)
            row[u(k, a, 0)], row[u(k, b, 1)], row[j] = 1, 1, -1
            rows.append(row)
            right.append(0)
    cost = np.zeros(size)
    cost[1] = -1
    found = -linprog(cost, A_ub=np.array(rows), b_ub=right, bounds=(None, None), method="highs").fun
    d = between((P[None], r[None]), (P[None], r[None]), g)
    return abs(found - d[0, 1]) < 1e-6
