"""The kernel, its operator and what it says about laws."""

from fractions import Fraction as Q

import numpy as np

from tests.proofs_check import oracle
from tests.proofs_check.oracle import Chain, distance, flip, mul, pairs, plus, random_chain, rank, semidefinite, twins


def largest(k):
    return max(abs(v) for row in k for v in row)


def lemma_contraction(seed):
    c, k = random_chain(seed, ending=seed % 2), random_chain(seed + 100).P
    h = random_chain(seed + 200).P
    F = [plus(c.K1, c.push(one), c.g) for one in (k, h)]
    return largest(plus(F[0], F[1], -1)) <= c.g * largest(plus(k, h, -1))


def lemma_complete(seed):
    rng = np.random.default_rng(seed)
    A, E = rng.standard_normal((4, 2)), rng.uniform(-1, 1, (4, 4)) / 10
    E = (E + E.T) / 2
    return np.linalg.eigvalsh(A @ A.T + E)[0] >= -4 * abs(E).max() - 1e-12


def prop_fixed_point(seed):
    c = random_chain(seed, ending=seed % 2)
    P, K, _, g, _ = c.floats()
    K1 = k = np.array(c.K1, dtype=float)
    for _ in range(400):
        k = K1 + g * P @ k @ P.T
    return semidefinite(c.kernel()) and abs(k - K).max() < 1e-9


def lemma_k1_psd(seed):
    r = random_chain(seed).r
    span = max(r) - min(r)

    def K1(R):
        return [[1 - abs(a - b) / R for b in r] for a in r]

    return semidefinite(K1(span)) and semidefinite(K1(span / 2)) and not semidefinite(K1(span * Q(49, 100)))


def prop_min_kernel_pd(seed):
    x = [abs(v) + Q(1, 7) for v in {abs(v): v for v in random_chain(seed, n=4).r}.values()]
    return oracle.positive_definite([[min(a, b) for b in x] for a in x])


def k1_pd_distinct(seed):
    return oracle.positive_definite(random_chain(seed, n=4).K1)


def lemma_mmd_zero(seed):
    c = random_chain(seed)
    K, z = c.kernel(), [a - b for a, b in zip(c.P[0], c.D, strict=True)]
    mmd = mul(mul([z], K), flip([z]))[0][0]
    return rank(K) < c.n or mmd > 0 or not any(z)


def lemma_kernel_embedding(seed):
    K = twins(seed).kernel()
    return distance(K)[2][3] == 0 and K[2] == K[3]


def mico_identity(seed):
    c = random_chain(seed)
    K, U = c.kernel(), c.mico()
    return all(K[x][y] == 1 / (1 - c.g) - U[x][y] / c.R for x, y in pairs(c.n))


def state_reduction(seed):
    a, b = random_chain(seed, n=4), random_chain(seed + 50, n=2)
    P = [[row[0] + row[1], row[2] + row[3]] for row in a.P]  # [X, S] = [4, 2]
    Pi = [[*b.P[0], Q(0), Q(0)], [Q(0), Q(0), *b.P[1]]]
    c = Chain(mul(P, Pi), a.r, a.g)
    K = c.kernel()
    M, Qm = mul(mul(Pi, K), flip(Pi)), mul(Pi, P)
    on_states = plus(mul(mul(Pi, c.K1), flip(Pi)), mul(mul(Qm, M), flip(Qm)), c.g)
    return on_states == M and K == plus(c.K1, mul(mul(P, M), flip(P)), c.g)


def remark_self_similarity(seed):
    """The second pair mixes two that alternate."""
    t = Q(seed + 1, seed + 2)
    P = [[Q(0), Q(0), Q(1)], [t, Q(0), 1 - t], [Q(1), Q(0), Q(0)]]
    K = Chain(P, [Q(-1), Q(1), Q(1)], Q(9, 10)).kernel()
    return any(K[x][x] < K[x][y] for x, y in pairs(3))


def rkhs_contraction(seed):
    c = random_chain(seed, n=4, tied=seed % 2)
    gap = plus(c.kernel(), c.push(c.kernel()), -c.g)
    return gap == c.K1 and semidefinite(gap) and rank(gap) == len(set(c.r))
