"""LSPE on features of the kernel, whole or truncated, and on others."""

from fractions import Fraction as Q

import numpy as np

from tests.proofs_check import oracle
from tests.proofs_check.oracle import Chain, random_chain


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


def unstable(seed, more):
    rng = np.random.default_rng(seed)
    P, _, _, g, D = random_chain(seed, n=4).floats()
    return oracle.radius(oracle.lspe(P, rng.standard_normal((4, 4 + more)), D + 0.1, g)) >= 1


def figure_2_instability(seed):
    return unstable(seed, 0)


def remark_singular_covariance(seed):
    return unstable(seed, 2)


def remark_realizable_not_enough(seed):
    """Two actions, the second never taken nor seen: one-hot features realize everything and miss its value."""
    P, g, r = np.array([[1.0, 0.0], [1.0, 0.0]]), 0.5 + seed / 100, np.array([1.0, 0.0])
    L, limit = oracle.lspe(P, np.eye(2), np.array([1.0, 0.0]), g, r)
    return oracle.radius(L) < 1 and abs(limit - np.linalg.solve(np.eye(2) - g * P, r)).max() > 0.1
