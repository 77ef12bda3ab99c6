"""Claims of neighboring papers about TD, fitted iteration and LSPE, once more."""

from fractions import Fraction as Q
from random import Random

import numpy as np

from tests.proofs_check import oracle
from tests.proofs_check.oracle import det, flip, law, mul, random_chain, rank

BOTH_TO_THE_SECOND = [[Q(0), Q(1)], [Q(0), Q(1)]]


def matrices(P, Phi, D, g):
    """``Sigma``, ``A`` and ``Phi' D`` in fractions."""
    left = [[w * v for v, w in zip(column, D, strict=True)] for column in flip(Phi)]
    Sigma, C = mul(left, Phi), mul(mul(left, P), Phi)
    return Sigma, oracle.plus(Sigma, C, -g), left


def lstd_solvable(seed):
    """Half of the time the first pair, the only one with data, expects its own features."""
    c, random = random_chain(seed, n=3), Random(seed)
    Phi = [[Q(random.randint(-3, 3)) for _ in range(2)] for _ in range(3)]
    D = c.D
    if seed % 2:
        D = [Q(1), Q(0), Q(0)]
        row = [sum(c.P[0][y] * Phi[y][k] for y in (1, 2)) for k in range(2)]
        Phi[0] = [c.g * v / (1 - c.g * c.P[0][0]) for v in row]
    Sigma, A, left = matrices(c.P, Phi, D, c.g)
    solvable = all(
        rank([[*row, b[0]] for row, b in zip(A, mul(left, [[Q(x == y)] for y in range(3)]), strict=True)]) == rank(A)
        for x in range(3)
    )
    return solvable == (rank(Sigma) == rank(A))


def independent_features_unique(seed):
    """One feature with phi_1 = gamma phi_2."""
    g = Q(1, seed + 2)
    Sigma, A, _ = matrices(BOTH_TO_THE_SECOND, [[g], [Q(1)]], [Q(1), Q(0)], g)
    return det(Sigma) == 0 or det(A) != 0


def td_implies_fitted(seed):
    g, phi = Q(9, 10), Q(-2 - seed)
    Sigma, A, _ = matrices(BOTH_TO_THE_SECOND, [[Q(1)], [phi]], [Q(1), Q(0)], g)
    return A[0][0] <= 0 or abs(1 - A[0][0] / Sigma[0][0]) < 1


def n_step_stable(seed):
    rng = np.random.default_rng(seed)
    P, _, _, g, D = random_chain(seed, n=4).floats()
    Phi, D = rng.standard_normal((4, 2)), D + 0.1
    fit = np.linalg.solve(Phi.T @ np.diag(D) @ Phi, Phi.T @ np.diag(D))
    size = np.abs(Phi @ fit).sum(axis=1).max()
    radii = [oracle.radius(g**n * fit @ np.linalg.matrix_power(P, n) @ Phi) for n in range(1, 9)]
    return all(radius <= g**n * size + 1e-9 for n, radius in enumerate(radii, 1))


def n_step_monotone(seed):
    """A path on which features are 1, 0, large."""
    phi, g = (Q(1), Q(0), Q(3 + seed)), Q(9, 10)
    return abs(g * phi[1]) >= 1 or abs(g * g * phi[2]) < 1


def stationary(P):
    values, vectors = np.linalg.eig(P.T)
    mu = vectors[:, np.argmin(abs(values - 1))].real
    return mu / mu.sum()


def on_policy(seed):
    """A chain that leads from everywhere to everywhere, its law, features."""
    rng = np.random.default_rng(seed)
    P, _, _, g, _ = random_chain(seed, n=4).floats()
    P = 0.9 * P + 0.025
    return P, stationary(P), g, rng.standard_normal((4, 2)), rng


def on_policy_projection(seed):
    P, mu, g, Phi, rng = on_policy(seed)
    f = rng.standard_normal((4, 50))
    theta = np.linalg.lstsq(np.sqrt(mu)[:, None] * Phi, np.sqrt(mu)[:, None] * (g * P @ f), rcond=None)[0]
    return bool(np.all(mu @ (Phi @ theta) ** 2 <= g**2 * (mu @ f**2) + 1e-12))


def relative_td_stable(seed):
    P, mu, g, Phi, _ = on_policy(seed)
    worst = [
        np.linalg.eigvals(Phi.T @ np.diag(mu) @ (g * P - np.eye(4) - delta * np.outer(np.ones(4), mu)) @ Phi).real.max()
        for delta in (0, 0.3, 5, 400)
    ]
    return max(worst) < 0


def discounted_td_any_weights(seed):
    rng = np.random.default_rng(seed)
    P, _, _, g, _ = random_chain(seed, n=5).floats()
    mu = rng.dirichlet(np.full(5, 0.3))
    return np.linalg.eigvals(np.diag(mu) @ (np.eye(5) - g * P)).real.min() >= (1 - g) * mu.min() - 1e-9


def differential_td_unstable(seed):
    """A delay line that feeds an integrator: a path whose head is updated far more often than the rest."""
    n = 4 + seed
    P = np.eye(n, k=-1)
    P[0, 0], P[0, -1] = 1 - 1e-4, 1e-4
    mu = np.array([1000.0, *range(1, n)])
    return np.linalg.eigvals(np.diag(mu) @ (np.eye(n) - P + 1e-3)).real.min() < 0


def wide(seed, closed):
    """Three pairs, data on the first two, five features."""
    random, rng = Random(seed), np.random.default_rng(seed)
    P = np.array([[float(v) for v in law(random, 3)] for _ in range(3)])
    if closed:
        P[:2, 2] = 0
        P[:2, 0] += 1e-9
        P[:2] /= P[:2].sum(axis=1, keepdims=True)
    return P, rng.standard_normal((3, 5)) * np.array([[1], [1], [30]]), np.array([0.6, 0.4, 0.0])


def closed_independent_data(seed):
    P, Phi, D = wide(seed, closed=True)
    return oracle.radius(oracle.lspe(P, Phi, D, 0.9)) <= 0.9 + 1e-7


def independent_rows_suffice(seed):
    P, Phi, D = wide(seed, closed=False)
    return oracle.radius(oracle.lspe(P, Phi, D, 0.9)) <= 0.9 + 1e-7


def closed_data_suffices(seed):
    """One feature, both pairs have data."""
    Sigma, A, _ = matrices(BOTH_TO_THE_SECOND, [[Q(1)], [Q(2)]], [Q(9, 10), Q(1, 10)], Q(9, 10))
    return abs(1 - A[0][0] / Sigma[0][0]) <= Q(9, 10)
