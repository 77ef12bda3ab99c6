"""Lengths and angles of feature vectors, with finite gradients at zero."""

from deep.backend import torch
from deep.losses.regression import Tensor, weighted_mean


def unit_rows(phi: Tensor) -> Tensor:
    """Rows divided by their length, [..., B, d]; a zero row stays zero, and its gradient is finite.

    >>> unit_rows(torch.tensor([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    length = torch.linalg.vector_norm(phi, dim=-1, keepdim=True)
    return phi / torch.where(length > 0, length, 1.0)


def rolled(rows: Tensor, pairings: int) -> Tensor:
    """Rows moved on by 1, ..., ``pairings`` places, the last ones to the front, [pairings, B, ...].

    >>> rolled(torch.tensor([1, 2, 3]), 2).tolist()
    [[3, 1, 2], [2, 3, 1]]
    """
    return torch.stack([rows.roll(k, 0) for k in range(1, pairings + 1)])


def following_products(phi: Tensor, phi_next: Tensor, joint: Tensor | None) -> Tensor:
    """``phi_i . phi_next_j`` for the couples (row, what follows it).

    Args:
        phi: [..., B, d].
        phi_next: [..., B, d], row by row; or [..., M, d] with ``joint``.
        joint: weights of all couples, [..., B, M]; None: next row ``i`` follows row ``i``.

    Returns:
        [..., B], or [..., B, M] with ``joint``.
    """
    return (phi * phi_next).sum(-1) if joint is None else phi @ phi_next.mT


def couple_mean(values: Tensor, weights: Tensor | None, joint: Tensor | None) -> Tensor:
    """Mean of ``values`` over couples by ``weights`` [..., B] or, if given, by ``joint`` [..., B, M]; [...].

    >>> couple_mean(torch.tensor([[1.0, 5.0]]), None, joint=torch.tensor([[3.0, 1.0]])).item()
    2.0
    """
    if joint is None:
        return weighted_mean(values, weights)
    return (joint * values).sum((-2, -1)) / joint.sum((-2, -1))
