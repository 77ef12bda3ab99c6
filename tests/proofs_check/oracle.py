"""A second laboratory, in fractions and numpy alone: chains, kernels and values by the plainest means."""

from fractions import Fraction as Q
from itertools import product
from random import Random

import numpy as np


def pairs(n):
    return [(x, y) for x in range(n) for y in range(n)]


def dot(x, y):
    return sum((a * b for a, b in zip(x, y, strict=True)), Q(0))


def mul(A, B):
    columns = flip(B)
    return [[dot(row, column) for column in columns] for row in A]


def flip(A):
    return [list(column) for column in zip(*A, strict=True)]


def plus(A, B, c=1):
    return [[a + c * b for a, b in zip(x, y, strict=True)] for x, y in zip(A, B, strict=True)]


def reduced(A):
    """Row echelon form and its pivots."""
    rows, pivots, k = [list(row) for row in A], [], 0
    for j in range(len(A[0])):
        i = next((i for i in range(k, len(rows)) if rows[i][j] != 0), None)
        if i is None:
            continue
        rows[k], rows[i] = rows[i], rows[k]
        rows[k] = [v / rows[k][j] for v in rows[k]]
        for other in range(len(rows)):
            if other != k and rows[other][j] != 0:
                rows[other] = [a - rows[other][j] * b for a, b in zip(rows[other], rows[k], strict=True)]
        pivots.append(j)
        k += 1
        if k == len(rows):
            break
    return rows, pivots


def solve(A, b):
    rows, _ = reduced([[*row, value] for row, value in zip(A, b, strict=True)])
    return [row[-1] for row in rows]


def rank(A):
    return len(reduced(A)[1])


def det(A):
    if len(A) == 1:
        return A[0][0]
    minors = ([row[:j] + row[j + 1 :] for row in A[1:]] for j in range(len(A)))
    return sum(((-1) ** j * A[0][j] * det(minor) for j, minor in enumerate(minors)), Q(0))


def positive_definite(A):
    """Sylvester: leading minors."""
    return all(det([row[: k + 1] for row in A[: k + 1]]) > 0 for k in range(len(A)))


def semidefinite(A):
    """Every principal minor is non-negative."""
    n = len(A)
    chosen = ([i for i in range(n) if keep[i]] for keep in product((0, 1), repeat=n) if any(keep))
    return all(det([[A[i][j] for j in some] for i in some]) >= 0 for some in chosen)


class Chain:
    """Pairs with laws, rewards and weights, all fractions."""

    def __init__(self, P, r, g, R=None, D=None):
        self.P, self.r, self.g, self.n = P, r, g, len(r)
        self.rho0 = max(r) - min(r)
        self.R = self.rho0 if R is None else R
        self.D = D or [Q(1, self.n)] * self.n
        self.apart = [[abs(a - b) for b in r] for a in r]
        self.K1 = [[1 - v / self.R if self.R else Q(1) for v in row] for row in self.apart]

    def push(self, k):
        return mul(mul(self.P, k), flip(self.P))

    def fixed_point(self, C):
        """``k = C + g P k P'`` as n^2 linear equations."""
        n = self.n
        index = list(product(range(n), repeat=2))
        A = [[Q(a == b) - self.g * self.P[a[0]][b[0]] * self.P[a[1]][b[1]] for b in index] for a in index]
        flat = solve(A, [C[x][y] for x, y in index])
        return [flat[x * n : (x + 1) * n] for x in range(n)]

    def kernel(self):
        return self.fixed_point(self.K1)

    def mico(self):
        return self.fixed_point(self.apart)

    def values(self, reward=None):
        A = [[Q(x == y) - self.g * self.P[x][y] for y in range(self.n)] for x in range(self.n)]
        return solve(A, self.r if reward is None else reward)

    def floats(self):
        """``P, K, r, g, D`` in floats."""
        P, K, r, D = (np.array(part, dtype=float) for part in (self.P, self.kernel(), self.r, self.D))
        return P, K, r, float(self.g), D


def distance(K):
    n = range(len(K))
    return [[K[x][x] + K[y][y] - 2 * K[x][y] for y in n] for x in n]


def law(random, n, total=None):
    parts = [random.randint(0, 3) for _ in range(n)]
    parts[random.randrange(n)] += 1
    return [Q(p, total or sum(parts)) for p in parts]


def random_chain(seed, n=3, ending=False, R=None, tied=False, deterministic=False):
    random = Random(f"{seed} {n} {ending} {tied}")
    P = [law(random, n, 12 if ending else None) for _ in range(n)]
    if deterministic:
        P = [[Q(j == k) for j in range(n)] for k in (random.randrange(n) for _ in range(n))]
    r = [Q(v, 4) for v in random.sample(range(-4, 5), n)]
    if tied:
        r[-1] = r[0]
    return Chain(P, r, Q(random.choice(("1/3", "1/2", "3/4", "9/10"))), R, law(random, n))


def twins(seed, distinct=True):
    """Four pairs, of which the last two are copies of each other and are entered in other proportions by each."""
    random = Random(f"twins {seed}")
    P = []
    for _ in range(3):
        a, b, both = law(random, 3)
        P.append([a, b, both / 3, both * 2 / 3])
    a, b, both = P[2][0], P[2][1], P[2][2] + P[2][3]
    P.append([a, b, both / 2, both / 2])
    r = [Q(-1), Q(0), Q(1), Q(1)] if distinct else [Q(0), Q(1), Q(0), Q(0)]
    return Chain(P, r, Q(9, 10))


def lspe(P, Phi, D, g, r=None):
    """``L`` (and the limit's values) by numpy's pseudo-inverse of the weighted features."""
    root = np.sqrt(D)[:, None]
    fit = np.linalg.pinv(root * Phi, rcond=1e-9) * root.T
    L = g * fit @ P @ Phi
    return L if r is None else (L, Phi @ np.linalg.solve(np.eye(len(L)) - L, fit @ r))


def radius(L):
    return max(abs(np.linalg.eigvals(L)))


def factor(K):
    """``Phi`` with ``Phi Phi' = K``, null directions left out."""
    values, U = np.linalg.eigh(K)
    kept = values > 1e-10 * values[-1]
    return U[:, kept] * np.sqrt(values[kept])


def truncated(K, D, d):
    """``K D^1/2 U_d Lambda_d^-1/2``."""
    root = np.sqrt(D)
    values, U = np.linalg.eigh(root[:, None] * K * root)
    top = np.argsort(-values)[:d]
    return K @ (root[:, None] * U[:, top]) / np.sqrt(values[top])
