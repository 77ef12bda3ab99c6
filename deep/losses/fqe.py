"""Fitted q-evaluation (Le, Voloshin and Yue, 2019)."""

from deep.losses.regression import Tensor, regress


def fqe_loss(q: Tensor, r: Tensor, q_next: Tensor, gamma: float, weights: Tensor | None = None) -> Tensor:
    r"""$E\,(sg[r + \gamma\,E_{a'} \bar q(s', a')] - q)^2$.

    Linear in its target, so ``q_next`` may be the mean over the successors of a row.

    Args:
        q: predicted values of the rows, [..., B].
        r: rewards, [..., B].
        q_next: target network's values after each row, expected over a' of the target policy, [..., B]; zero where the
            episode ended.
        gamma: discount factor.
        weights: [..., B]; uniform if None.

    Returns:
        [...].

    >>> from deep.backend import torch
    >>> q, r, q_next = torch.tensor([1.0]), torch.tensor([2.0]), torch.tensor([4.0])
    >>> fqe_loss(q, r, q_next, gamma=0.5).item()  # (2 + 2 - 1)^2
    9.0
    """
    return regress(q, r + gamma * q_next, weights)
