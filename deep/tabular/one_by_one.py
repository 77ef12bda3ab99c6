"""The slow reference: one trial after another, minibatches of transitions, losses written out row by row.

The batched trainer is tested and timed against it. It shares the problems, the initial parameters and (unless
told otherwise) the minibatches with the batched trainer, and none of its losses. The next action is averaged over the
target policy, or sampled if asked.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deep.backend import torch
from deep.losses.regression import Tensor
from deep.tabular.problems import Problem, minibatch_indices, problem
from deep.tabular.run_settings import GarnetConfig
from deep.tabular.stacked_networks import SIGMA_MAX, SIGMA_MIN, Parameters, initial_parameters
from tabular_krope.arrays import Array


@dataclass(frozen=True, slots=True, eq=False)
class Transitions:
    """A minibatch: pairs [B], rewards [B], next pairs [B, A] and their probabilities [B, A]."""

    x: Tensor
    r: Tensor
    x_next: Tensor
    pi: Tensor


def train_one(config: GarnetConfig, trial: int, sampled: np.random.Generator | None = None) -> Array:
    """Features [X, d] of one trial; ``sampled`` is for own minibatches and sampled next actions.

    >>> train_one(GarnetConfig("krope", 3, trials=2, transitions=200, epochs=2, batch=100), trial=1).shape
    (40, 3)
    """
    one = problem(config, trial)
    p = {k: v[trial].detach().clone().requires_grad_() for k, v in initial_parameters(config).items()}
    rates = {"model": config.model_learning_rate, "predictor": config.predictor_learning_rate}
    groups = [{"params": [v], "lr": rates.get(k.split("_")[0], config.learning_rate)} for k, v in p.items()]
    adam = torch.optim.Adam(groups, weight_decay=config.weight_decay, fused=True)
    R = float(np.ptp(one.mdp.r))
    for epoch in range(config.epochs):
        bar = {k: v.detach().clone() for k, v in p.items()}
        rows = minibatch_indices(config, trial, epoch)
        if sampled is not None:
            rows = sampled.integers(0, config.transitions, size=rows.shape)
        for index in rows:
            adam.zero_grad()
            _loss(config, p, bar, _transitions(config, one, index, sampled), R).backward()
            adam.step()
    return np.asarray((p["weight"] + p["bias"]).detach().numpy())


def _transitions(
    config: GarnetConfig, one: Problem, index: NDArray[np.int64], sampled: np.random.Generator | None
) -> Transitions:
    A, data = config.n_actions, one.dataset
    s_next = data.s_next[index]
    pi = one.policy.probs[s_next]
    if sampled is not None:
        chosen = (sampled.random(len(index))[:, None] > np.cumsum(pi, axis=1)).sum(axis=1)
        pi = np.eye(A)[np.minimum(chosen, A - 1)]
    x_next = s_next[:, None] * A + np.arange(A)
    floats = (torch.tensor(part, dtype=getattr(torch, config.dtype)) for part in (data.r[index], pi))
    r, pi_rows = floats
    return Transitions(torch.tensor(data.pairs[index]), r, torch.tensor(x_next), pi_rows)


def _loss(config: GarnetConfig, p: Parameters, bar: Parameters, batch: Transitions, R: float) -> Tensor:
    x, r, x_next, pi = batch.x, batch.r, batch.x_next, batch.pi
    g, B = config.gamma, len(x)
    table, table_bar = p["weight"] + p["bias"], bar["weight"] + bar["bias"]
    phi, phi_next, phi_bar = table[x], table[x_next], table_bar[x_next]  # [B, d], [B, A, d], [B, A, d]
    mean_bar = (pi[:, :, None] * phi_bar).sum(1)
    if config.algorithm.startswith("bcrl"):
        gap = (phi @ p["predictor_M"].T)[:, None] - g * phi_next
        loss = ((pi * gap.square().sum(-1)).sum(1) + (phi @ p["predictor_rho"] - r) ** 2).mean()
        if config.algorithm == "bcrl-exp":
            cov = phi.T @ phi / B + config.exploration_ridge * torch.eye(phi.shape[1], dtype=phi.dtype)
            loss = loss - config.exploration * torch.logdet(cov)
        return loss
    value = ((r + g * mean_bar @ bar["head"] - phi @ p["head"]) ** 2).mean()
    if config.algorithm == "fqe":
        return value
    apart = (r[:, None] - r[None, :]).abs() if config.algorithm in ("krope", "rope", "dbc") else torch.zeros(())
    model = torch.zeros(())
    if config.algorithm == "krope":
        aux = _of_others((1 - apart / R + g * mean_bar @ mean_bar.T - phi @ phi.T) ** 2)
    elif config.algorithm == "rope":
        U = _distance(table_bar, config.angle)
        law = torch.zeros(B, len(table), dtype=phi.dtype).scatter_add(1, x_next, pi)  # of what follows each row
        aux = _of_others((_distance(phi, config.angle) - apart - g * (law @ U @ law.T)) ** 2)
    elif config.algorithm == "dbc":
        still = phi.detach()
        mu = still @ p["model_mu"] + p["model_mu_bias"]
        raw = torch.sigmoid(still @ p["model_sigma"] + p["model_sigma_bias"])
        sigma = SIGMA_MIN + (SIGMA_MAX - SIGMA_MIN) * raw
        exactly = "donot_use_mm_for_euclid_dist"
        W2 = torch.hypot(*(torch.cdist(v, v, compute_mode=exactly) for v in (mu.detach(), sigma.detach())))
        aux = _of_others((torch.cdist(phi, phi, p=1) - apart - g * W2) ** 2)
        z = ((mu[:, None] - phi_next.detach()) / sigma[:, None]) ** 2 / 2 + torch.log(sigma)[:, None]
        model = (pi * z.mean(-1)).sum(1).mean()
    elif config.algorithm == "dr3":
        aux = (pi * torch.einsum("id,iad->ia", phi, phi_next).abs()).sum(1).mean()
    else:
        n, m = phi.norm(dim=-1)[:, None], phi_bar.norm(dim=-1)
        cos = torch.einsum("id,iad->ia", phi, phi_bar) / (n * m)
        bound = (n**2 + g**2 * m**2 - (r**2)[:, None] / p["head"].norm() ** 2) / (2 * g * n * m)
        aux = (pi * torch.relu(cos - bound.detach())).sum(1).mean()
    return config.alpha * aux + (1 - config.alpha) * value + model


def _of_others(errors: Tensor) -> Tensor:
    """Mean over the pairs of different rows, [B, B] -> []."""
    B = len(errors)
    return (errors.sum() - errors.diagonal().sum()) / (B * (B - 1))


def _distance(phi: Tensor, beta: float) -> Tensor:
    half = (phi**2).sum(-1) / 2
    c = (phi @ phi.T) / (phi.norm(dim=-1)[:, None] * phi.norm(dim=-1))
    eps = torch.finfo(phi.dtype).eps
    return half[:, None] + half + beta * torch.atan2((1 - c**2).clamp_min(eps).sqrt(), c)
