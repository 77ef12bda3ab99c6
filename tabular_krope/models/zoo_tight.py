r"""Chains on which the bounds $\|L_d\|_2 \le \sqrt\gamma$ and $\rho(L_d) \le \sqrt\gamma$ cannot be improved."""

from typing import Any

import numpy as np

from tabular_krope.arrays import require_count, require_gamma
from tabular_krope.errors import KropeError
from tabular_krope.models.mrp import MRP
from tabular_krope.models.zoo_model import Arrows, ZooModel, chain_of_arrows


def tight_norm(gamma: Any = "9/10") -> ZooModel:
    r"""The top 3 features under uniform data have $\|L_3\|_2 = \sqrt\gamma$ exactly, for gamma above 0.4302."""
    both = {"x0+": "1/2", "x0-": "1/2"}
    arrows: Arrows = {"x0+": both, "x0-": both, "x1+": {"x0+": 1}, "x1-": {"x0-": 1}}
    chain, labels = chain_of_arrows(arrows, {"x0+": 1, "x0-": -1}, gamma)
    return ZooModel(
        "f1-tight-norm",
        "norm of L_3 = sqrt(gamma) exactly under uniform weights",
        chain,
        weights=np.full(4, 0.25),
        labels=labels,
    )


def tight_radius(gamma: float = 0.9, N: int = 8) -> ZooModel:
    r"""The top 2 features under data on ``z+`` and ``z-`` have $\rho(L_2) = \sqrt\gamma \cos(\pi / (N + 2))$.

    ``z+-`` leads to ``x_m+-`` with probability proportional to $\sin((m+1)\pi/(N+2))\,\gamma^{-m/2}$, m = 0..N, and
    ``x_m+-`` to ``x_{m-1}+-``; ``x_0+-`` pays +-1 and leads to an absorbing state.
    """
    gamma, N = require_gamma(gamma), require_count(N, "N")
    if gamma == 0.0:
        raise KropeError("gamma must be positive in f2-tight-radius; got 0")
    m = np.arange(N + 1)
    p = np.sin((m + 1) * np.pi / (N + 2)) * gamma ** (-m / 2)
    p /= p.sum()
    labels = ["0"] + [f"{name}{sign}" for sign in "+-" for name in ("z", *(f"x{k}" for k in m))]
    P = np.zeros((len(labels), len(labels)))
    P[0, 0] = 1.0
    r = np.zeros(len(labels))
    weights = np.zeros(len(labels))
    for sign, z in ((1.0, 1), (-1.0, N + 3)):
        x = z + 1 + m
        P[z, x] = p
        P[x[1:], x[:-1]] = 1.0
        P[x[0], 0] = 1.0
        r[x[0]] = sign
        weights[z] = 0.5
    return ZooModel(
        "f2-tight-radius",
        "rho of L_2 = sqrt(gamma) cos(pi/(N+2)), so sqrt(gamma) is the best bound",
        MRP.from_matrix(P, r, gamma, d0=weights),
        weights=weights,
        labels=tuple(labels),
    )
