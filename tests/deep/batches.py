"""Small batches for the tests of the losses, and the empirical chain that a table of transitions stands for."""

import numpy as np
import torch

import tabular_krope as tk


def random_batch(seed, B=7, d=3, leading=(), ties=False):
    """``phi``, ``r``, ``phi_next`` and weights, float64."""
    g = torch.Generator().manual_seed(seed)
    phi, phi_next = (torch.randn(*leading, B, d, generator=g, dtype=torch.float64) for _ in range(2))
    r = torch.rand(*leading, B, generator=g, dtype=torch.float64)
    if ties:
        r = torch.round(2 * r)
    weights = torch.rand(*leading, B, generator=g, dtype=torch.float64)
    weights[..., 0] = 0.0
    return phi.requires_grad_(), r, phi_next, weights


def gradient(loss, *inputs):
    return torch.autograd.grad(loss.sum(), inputs)


def table(seed=0, S=4, A=2, n=300, gamma=0.9):
    """An empirical chain with its weights, as (mrp, P_pi, D) in float64 tensors."""
    mdp = tk.garnet(S, A, branching=min(3, S), gamma=gamma, seed=seed)
    data = tk.sample_dataset(mdp, tk.Policy.uniform(S, A), n, seed=seed)
    mrp = tk.empirical_mrp(data, tk.random_policy(mdp, seed=seed + 1))
    return mrp, torch.tensor(np.asarray(mrp.P_pi)), torch.tensor(mrp.weights)
