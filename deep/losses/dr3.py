"""The absolute DR3 regularizer (Kumar et al., 2021; Ma et al., 2024)."""

from deep.losses.geometry import couple_mean, following_products
from deep.losses.regression import Tensor


def dr3_loss(phi: Tensor, phi_next: Tensor, weights: Tensor | None = None, joint: Tensor | None = None) -> Tensor:
    r"""$E\,|\phi \cdot \phi'|$, gradient through both.

    Args:
        phi: [..., B, d].
        phi_next: features after each row by the same network, [..., B, d]; zero where the episode ended, which then
            adds nothing. With ``joint``: [..., M, d].
        weights: [..., B]; uniform if None.
        joint: weights of row ``i`` being followed by next row ``j``, [..., B, M]; None: next row ``i`` follows
            row ``i``.

    Returns:
        [...].

    >>> from deep.backend import torch
    >>> dr3_loss(torch.tensor([[1.0], [1.0]]), torch.tensor([[2.0], [-4.0]])).item()
    3.0
    """
    return couple_mean(following_products(phi, phi_next, joint).abs(), weights, joint)
