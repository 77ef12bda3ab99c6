"""Data sets that tend to break things, and the closed form written down as it is defined."""

import numpy as np
import scipy.linalg


def tabular_rows(dataset, policy):
    """One-hot base features of the pairs; of the successors, their mean under the policy, zero at an end."""
    S, A = dataset.n_states, dataset.n_actions
    Psi = np.eye(S * A)[dataset.pairs]
    Psi_next = np.where(dataset.done[:, None], 0.0, policy.matrix().toarray()[dataset.s_next])
    return Psi, Psi_next


def random_rows(seed, n=60, p=5, size=0.6, levels=None, ends=0.2, unseen=0.2):
    """Off-policy rows: successors with nothing to do with the rows, ends of episodes, rows without weight."""
    rng = np.random.default_rng(seed)
    Psi, Psi_next = rng.standard_normal((2, n, p)) + 0.3
    Psi_next = size * Psi_next
    Psi_next[rng.random(n) < ends] = 0.0
    r = rng.standard_normal(n) if levels is None else rng.integers(0, levels, n).astype(float)
    weights = rng.uniform(0.2, 1.0, n) * (rng.random(n) >= unseen)
    weights[0] = 1.0
    return Psi, Psi_next, r, weights


def literal(Psi, Psi_next, r, gamma, weights, reward_range=None, ridge=0.0):
    """``G``, ``A`` and ``M`` in the coordinates of ``Psi``, from their definitions."""
    D, seen = np.diag(weights / weights.sum()), r[weights > 0]
    K1 = 1 - np.abs(np.subtract.outer(r, r)) / (np.ptp(seen if reward_range is None else reward_range) or np.inf)
    G = Psi.T @ D @ Psi + ridge * np.eye(Psi.shape[1])
    inverse = np.linalg.inv(G)
    A = inverse @ Psi.T @ D @ Psi_next
    M1 = inverse @ Psi.T @ D @ K1 @ D @ Psi @ inverse
    return G, A, scipy.linalg.solve_discrete_lyapunov(np.sqrt(gamma) * A, (M1 + M1.T) / 2, method="bilinear")


def lspe_norm(Phi, Phi_next, gamma, weights):
    """``norm2(L)`` straight from the rows, by numpy's pseudo-inverse: shares nothing with the package."""
    root = np.sqrt(weights / weights.sum())[:, None]
    return np.linalg.norm(gamma * np.linalg.pinv(root * Phi, rcond=1e-13) @ (root * Phi_next), 2)
