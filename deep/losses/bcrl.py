r"""Bellman complete representation learning (Chang, Wang, Kallus and Sun, 2022).

The one loss here without a stop-gradient: the next features are learned along with the features, as in the paper's
objective $\min_{\phi, M, \rho}$. Its minimum over ``M`` and ``rho`` at fixed features is the proxy for Bellman
completeness.
"""

from deep.backend import torch
from deep.losses.regression import Tensor, normalized, square, weighted_mean


def bcrl_loss(
    phi: Tensor,
    r: Tensor,
    phi_next: Tensor,
    M: Tensor,
    rho: Tensor,
    gamma: float,
    weights: Tensor | None = None,
    next_spread: Tensor | None = None,
) -> Tensor:
    r"""$E\,\|M\phi - \gamma\phi'\|^2 + (\rho^\top\phi - r)^2$, gradient through ``phi`` and ``phi_next``.

    Args:
        phi: [..., B, d].
        r: [..., B].
        phi_next: features after each row by the same network, [..., B, d]; their mean over the successors of a row.
            Zero where the episode ended: nothing is predicted then.
        M: [..., d, d].
        rho: [..., d].
        gamma: discount factor.
        weights: [..., B]; uniform if None.
        next_spread: $E\|\phi'\|^2 - \|E\phi'\|^2$ of each row, [..., B], with gradient: what a mean hides from the
            square. None: each row has one successor.

    Returns:
        [...].

    >>> one = torch.ones(1, 1)
    >>> bcrl_loss(one, torch.tensor([3.0]), 2 * one, M=one, rho=torch.ones(1), gamma=1.0).item()  # (1-2)^2 + (1-3)^2
    5.0
    """
    ahead = square(phi @ M.mT - gamma * phi_next).sum(-1)
    if next_spread is not None:
        ahead = ahead + gamma**2 * next_spread
    reward = square((phi @ rho[..., None])[..., 0] - r)
    return weighted_mean(ahead + reward, weights)


def exploration_loss(phi: Tensor, weights: Tensor | None = None, ridge: float = 0.0) -> Tensor:
    r"""$-\log\det(E\,\phi\phi^\top + \epsilon I)$, the term of BCRL-EXP.

    Args:
        phi: [..., B, d].
        weights: [..., B]; uniform if None.
        ridge: $\epsilon$. Without it the loss is infinite as soon as ``d`` exceeds the number of distinct rows.

    Returns:
        [...].

    >>> round(exploration_loss(torch.tensor([[2.0, 0.0], [0.0, 2.0]])).item(), 5)  # E phi phi' = 2 I
    -1.38629
    """
    w = normalized(weights, phi[..., 0])
    covariance = phi.mT @ (w[..., None] * phi) + ridge * torch.eye(phi.shape[-1], dtype=phi.dtype, device=phi.device)
    size: Tensor = torch.linalg.slogdet(covariance).logabsdet
    return -size
