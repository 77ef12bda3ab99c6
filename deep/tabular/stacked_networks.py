"""Parameters of all trials side by side, and what they compute.

The encoder is linear with bias on one-hot pairs, so the features of pair ``x`` are ``weight[x] + bias``; the value head
is linear without bias. Every tensor has the trials first: a batch of networks, trained by one optimizer whose steps are
elementwise, and therefore the same as those of separate ones.
"""

import numpy as np

from deep.backend import torch
from deep.losses.regression import Tensor
from deep.tabular.problems import PARAMETERS, stream
from deep.tabular.run_settings import GarnetConfig

Parameters = dict[str, Tensor]

#: Bounds of the Gaussian model's standard deviations, those of DBC's public code.
SIGMA_MIN, SIGMA_MAX = 1e-4, 10.0


def shapes(config: GarnetConfig) -> dict[str, tuple[tuple[int, ...], int]]:
    """Shape in one trial and number of inputs of each parameter, in the order in which they are drawn."""
    X, d = config.n_pairs, config.dimension
    table: dict[str, tuple[tuple[int, ...], int]] = {"weight": ((X, d), X), "bias": ((1, d), X)}
    if not config.algorithm.startswith("bcrl"):
        table["head"] = ((d,), d)
    if config.algorithm == "dbc":
        table |= {"model_mu": ((d, d), d), "model_mu_bias": ((1, d), d)}
        table |= {"model_sigma": ((d, d), d), "model_sigma_bias": ((1, d), d)}
    if config.algorithm.startswith("bcrl"):
        table |= {"predictor_M": ((d, d), d), "predictor_rho": ((d,), d)}
    return table


def initial_parameters(config: GarnetConfig) -> Parameters:
    """Uniform on +-1/sqrt(inputs), as torch's linear layers start; the encoder's draw does not depend on the algorithm.

    >>> initial_parameters(GarnetConfig("fqe", 10, trials=2))["weight"].shape
    torch.Size([2, 40, 10])
    """
    drawn: dict[str, list[np.ndarray]] = {name: [] for name in shapes(config)}
    for trial in range(config.trials):
        rng = stream(config, trial, PARAMETERS, config.dimension)
        for name, (shape, inputs) in shapes(config).items():
            drawn[name].append(rng.uniform(-1.0, 1.0, size=shape) / np.sqrt(inputs))
    dtype = getattr(torch, config.dtype)
    return {name: torch.tensor(np.stack(arrays), dtype=dtype, requires_grad=True) for name, arrays in drawn.items()}


def encode(parameters: Parameters) -> Tensor:
    """Features of all pairs, [T, X, d]."""
    return parameters["weight"] + parameters["bias"]


def gaussian_model(parameters: Parameters, phi: Tensor) -> tuple[Tensor, Tensor]:
    """DBC's means and standard deviations of the next features, each [T, X, d]."""
    mu = phi @ parameters["model_mu"] + parameters["model_mu_bias"]
    raw = phi @ parameters["model_sigma"] + parameters["model_sigma_bias"]
    return mu, SIGMA_MIN + (SIGMA_MAX - SIGMA_MIN) * torch.sigmoid(raw)


def optimizer(config: GarnetConfig, parameters: Parameters) -> torch.optim.Adam:
    """Adam with the learning rate of each part."""
    rates = {"model": config.model_learning_rate, "predictor": config.predictor_learning_rate}
    groups = [
        {"params": [tensor], "lr": rates.get(name.split("_")[0], config.learning_rate)}
        for name, tensor in parameters.items()
    ]
    return torch.optim.Adam(groups, weight_decay=config.weight_decay, fused=True)
