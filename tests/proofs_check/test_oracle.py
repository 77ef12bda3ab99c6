"""Every slug is judged a second time by code that shares nothing with the laboratory, and the verdicts agree.

That the laboratory's own verdicts are the expected ones is in `test_judging`.
"""

import ast
from fractions import Fraction as Q
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

import proofs_check as pc
from tests.proofs_check import oracle
from tests.proofs_check.oracle import Chain, distance, flip, mul, plus, random_chain, rank, semidefinite, twins

SEEDS = range(6)


def pairs(n):
    return [(x, y) for x in range(n) for y in range(n)]


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


def futures(mixes, r_end=1):
    """Pairs that go to a or b with given probabilities; a -> +, b -> -, both absorbing."""
    n = len(mixes) + 4
    P = [[Q(0)] * len(mixes) + [Q(m), 1 - Q(m), Q(0), Q(0)] for m in mixes]
    P += [[Q(int(j == k)) for j in range(n)] for k in (n - 2, n - 1, n - 2, n - 1)]
    return Chain(P, [Q(0)] * (n - 2) + [Q(r_end), Q(-r_end)], Q(9, 10))


def common_ancestor(c):
    spread = [sum((p * s * c.apart[i][j] for i, p in enumerate(row) for j, s in enumerate(row)), Q(0)) for row in c.P]
    return c.values(spread)


def lemma_value_bound(seed):
    c = futures([Q(1, 2) + Q(1, seed + 3), Q(1, 2)])
    q, d, C = c.values(), distance(c.kernel()), common_ancestor(c)
    return abs(q[0] - q[1]) <= d[0][1] + (C[0] + C[1]) / 2


def remark_deterministic(seed):
    c = random_chain(seed, n=4, deterministic=True)
    q, d = c.values(), distance(c.kernel())
    return not any(common_ancestor(c)) and all(abs(q[x] - q[y]) <= c.R / 2 * d[x][y] for x, y in pairs(4))


def value_bound_rkhs(seed):
    c = random_chain(seed, R=Q(2) if seed % 2 else None)
    q, d = c.values(), distance(c.kernel())
    constant = c.rho0 * c.R / (2 * (1 - c.g))
    two = Chain([[Q(1), Q(0)], [Q(0), Q(1)]], [min(c.r), max(c.r)], c.g, c.R)
    tight = (two.values()[0] - two.values()[1]) ** 2 == constant * distance(two.kernel())[0][1]
    return tight and all((q[x] - q[y]) ** 2 <= constant * d[x][y] for x, y in pairs(c.n))


def value_bound_independent(seed):
    c = random_chain(seed)
    q, d, U = c.values(), distance(c.kernel()), c.mico()
    W = sum(power * (abs(apart) @ gaps) for power, apart, gaps in later_laws(c))
    return all(
        abs(q[x] - q[y]) <= c.R / 2 * d[x][y] + (U[x][x] + U[y][y]) / 2
        and float(max(abs(q[x] - q[y]), c.R / 2 * d[x][y])) - 1e-9 <= W[x, y] <= float(U[x][y]) + 1e-9
        for x, y in pairs(c.n)
    )


def prop_lspe_stability(seed):
    rng = np.random.default_rng(seed)
    P, _, _, _, D = random_chain(seed, n=4).floats()
    L = oracle.lspe(P, rng.standard_normal((4, 2)), D + 0.1, 0.9)
    L = L * rng.choice([0.8, 1.2]) / max(oracle.radius(L), 1e-9)
    ends = [np.linalg.norm(np.linalg.matrix_power(L, 400) @ start) for start in np.eye(2)]
    return (max(ends) < 1e-6) == (oracle.radius(L) < 1)


def on_kernel_features(seed, zeros=False):
    c = random_chain(seed, n=4, tied=seed % 2)
    P, K, r, g, D = c.floats()
    D = D if zeros else (D + 0.1) / (D + 0.1).sum()
    return P, K, r, g, D, oracle.factor(K)


def definition_krope_representation(seed):
    """The kernel of a chain that differs off the data serves as well."""
    c = random_chain(seed, n=4, R=Q(2))
    other = Chain([*c.P[:3], random_chain(seed + 9, n=4).P[0]], [*c.r[:3], Q(0)], c.g, Q(2))
    P, _, _, g, _ = c.floats()
    _, N, _, _, _ = other.floats()
    L = oracle.lspe(P, oracle.factor(N), np.array([0.5, 0.3, 0.2, 0.0]), g)
    return np.linalg.norm(L, 2) <= np.sqrt(g) + 1e-7


def theorem_1(seed):
    P, _, _, g, D, Phi = on_kernel_features(seed, zeros=seed % 2)
    return oracle.radius(oracle.lspe(P, Phi, D, g)) < 1


def remark_nonexpansive(seed):
    P, _, r, g, D, Phi = on_kernel_features(seed)
    L, _ = oracle.lspe(P, Phi, D, g, r)
    errors = np.random.default_rng(seed).standard_normal((len(L), 20))
    return np.all(np.linalg.norm(L @ errors, axis=0) <= np.sqrt(g) * np.linalg.norm(errors, axis=0) + 1e-7)


def sharp_spectral(seed):
    P, _, r, g, D, Phi = on_kernel_features(seed)
    L, limit = oracle.lspe(P, Phi, D, g, r)
    return abs(oracle.radius(L) - g) < 1e-5 and abs(limit - np.linalg.solve(np.eye(4) - g * P, r)).max() < 1e-5


def rkhs_contraction(seed):
    c = random_chain(seed, n=4, tied=seed % 2)
    gap = plus(c.kernel(), c.push(c.kernel()), -c.g)
    return gap == c.K1 and semidefinite(gap) and rank(gap) == len(set(c.r))


def residual_identity(seed):
    rng = np.random.default_rng(seed)
    c = random_chain(seed, n=4)
    P, _, _, g, D = c.floats()
    K1 = np.array(c.K1, dtype=float)
    Phi = rng.standard_normal((4, 2))
    D = (D + 0.1) / (D + 0.1).sum()
    B, left = Phi.T @ np.diag(D) @ Phi, Phi.T @ np.diag(D)
    E = Phi @ Phi.T - K1 - g * P @ Phi @ Phi.T @ P.T
    inverse = np.linalg.inv(B)
    L = g * inverse @ left @ P @ Phi
    return abs(L @ L.T - g * (np.eye(2) - inverse @ left @ (K1 + E) @ left.T @ inverse)).max() < 1e-8


def truncation_stable(seed):
    P, K, _, g, D, _ = on_kernel_features(seed)
    sizes = [np.linalg.norm(oracle.lspe(P, oracle.truncated(K, D, d), D, g), 2) for d in (1, 2, 3)]
    return max(sizes) <= np.sqrt(g) + 1e-7 and sizes[0] <= np.sqrt(g * (1 + g) / 2) + 1e-7


def truncation_unweighted_stable(seed):
    """x and y lead to z, z to y; all data on z."""
    g = Q(9 - seed, 10)
    c = Chain([[Q(0), Q(0), Q(1)], [Q(0), Q(0), Q(1)], [Q(0), Q(1), Q(0)]], [Q(0), Q(-1), Q(1)], g)
    P, K, _, g, _ = c.floats()
    return oracle.radius(oracle.lspe(P, oracle.truncated(K, np.full(3, 1 / 3), 1), np.array([0.0, 0.0, 1.0]), g)) < 1


def truncated_lspe_error(seed):
    P, K, r, g, D, G = on_kernel_features(seed)
    q = np.linalg.solve(np.eye(4) - g * P, r)
    coordinates = np.linalg.pinv(G, rcond=1e-9)
    for d in (1, 2):
        Phi = oracle.truncated(K, D, d)
        _, limit = oracle.lspe(P, Phi, D, g, r)
        V, a = coordinates @ Phi, coordinates @ q
        rest = np.linalg.norm(a - V @ (V.T @ a))
        if np.linalg.norm(coordinates @ (q - limit)) > rest / np.sqrt(1 - g) + 1e-6:
            return False
        if abs(q - limit).max() > rest / (1 - g) + 1e-6:
            return False
    return True


def feature_space_krope(seed):
    rng = np.random.default_rng(seed)
    Psi, after, g = rng.standard_normal((12, 3)), rng.standard_normal((12, 3)), 0.9
    D, r = rng.dirichlet(np.ones(12)), rng.uniform(-1, 1, 12)
    pull = np.linalg.solve(Psi.T @ (D[:, None] * Psi), Psi.T * D)
    after = after * 0.9 / max(1e-9, oracle.radius(pull @ after))
    A, M1 = pull @ after, pull @ (1 - abs(r[:, None] - r) / np.ptp(r)) @ pull.T
    M = sum(g**n * np.linalg.matrix_power(A, n) @ M1 @ np.linalg.matrix_power(A, n).T for n in range(400))
    root = np.linalg.cholesky(M)
    V = np.linalg.svd(np.sqrt(D)[:, None] * (Psi @ root), full_matrices=False)[2].T
    maps = [root @ V[:, :d] for d in (1, 2, 3)]
    fits = [np.linalg.pinv(np.sqrt(D)[:, None] * (Psi @ W)) @ (np.sqrt(D)[:, None] * (after @ W)) for W in maps]
    return max(np.linalg.norm(g * fit, 2) for fit in fits) <= np.sqrt(g) + 1e-7


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


def transported(mu, nu, cost):
    n = len(mu)
    marginals = [np.kron(np.eye(n), np.ones(n)), np.kron(np.ones(n), np.eye(n))]
    return linprog(cost.reshape(-1), A_eq=np.vstack(marginals), b_eq=np.concatenate([mu, nu])).fun


def behavioural(laws, rewards, g, steps):
    n = len(rewards[0])
    d = np.zeros((n, n))
    for _ in range(steps):
        new = np.zeros((n, n))
        for s, t in combinations(range(n), 2):
            each = [abs(r[s] - r[t]) + g * transported(P[s], P[t], d) for P, r in zip(laws, rewards, strict=True)]
            new[s, t] = new[t, s] = max(each)
        d = new
    return d


def is_behavioural_metric(laws, rewards, g, values, twin):
    d = behavioural(laws, rewards, g, 16)
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
    return is_behavioural_metric(laws, rewards, 0.4, v, (1, 2))


def theorem_castro(seed):
    if seed > 1:
        return True
    c = twins(seed)
    P = np.array(c.P, dtype=float)
    r = np.array(c.r, dtype=float)
    return is_behavioural_metric([P], [r], 0.4, np.linalg.solve(np.eye(4) - 0.4 * P, r), (2, 3))


def unstable(seed, more):
    rng = np.random.default_rng(seed)
    P, _, _, g, D = random_chain(seed, n=4).floats()
    return oracle.radius(oracle.lspe(P, rng.standard_normal((4, 4 + more)), D + 0.1, g)) >= 1


def remark_realizable_not_enough(seed):
    """Two actions, the second never taken nor seen: one-hot features realize everything and miss its value."""
    P, g, r = np.array([[1.0, 0.0], [1.0, 0.0]]), 0.5 + seed / 100, np.array([1.0, 0.0])
    L, limit = oracle.lspe(P, np.eye(2), np.array([1.0, 0.0]), g, r)
    return oracle.radius(L) < 1 and abs(limit - np.linalg.solve(np.eye(2) - g * P, r)).max() > 0.1


def remark_bad_pairs(seed):
    grid = [Q(k, 60 + seed) for k in range(1, 61 + seed)]
    return all((p * p <= 2 * p * (1 - p)) == (p <= Q(2, 3)) for p in grid)


#: Claims that some instance has a property; the others are about all.
SOME = {
    "remark-self-similarity": remark_self_similarity,
    "remark-realizable-not-enough": remark_realizable_not_enough,
    "figure-2-instability": lambda seed: unstable(seed, 0),
    "remark-singular-covariance": lambda seed: unstable(seed, 2),
}
ALL = {slug: globals()[slug.replace("-", "_")] for slug in pc.STATEMENTS if slug not in SOME}


@pytest.mark.parametrize("slug", ALL)
def test_claims_about_all(slug):
    found = all(ALL[slug](seed) for seed in SEEDS)
    assert ("holds" if found else "refuted") == pc.STATEMENTS[slug].expected


@pytest.mark.parametrize("slug", SOME)
def test_claims_about_some(slug):
    found = any(SOME[slug](seed) for seed in range(40))
    assert ("holds" if found else "refuted") == pc.STATEMENTS[slug].expected


def test_every_slug_is_judged_twice():
    assert {*ALL, *SOME} == set(pc.STATEMENTS)


def test_the_oracle_shares_no_code():
    tree = ast.parse(Path(oracle.__file__).read_text())
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert names == {"fractions", "itertools", "random", "numpy"}
