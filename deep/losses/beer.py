r"""BEER, a bounded rank regularizer (He, Zhou, Liu and Fang, 2024).

Where Bellman's equation holds, $|r| = |(\phi - \gamma\phi')^\top w| \le \|\phi - \gamma\phi'\|\,\|w\|$, which bounds
the cosine of $\phi$ and $\phi'$ from above; the loss pushes the cosine below that bound and no further.
"""

from deep.backend import torch
from deep.losses.geometry import couple_mean, following_products, unit_rows
from deep.losses.regression import Tensor, fixed


def beer_loss(
    phi: Tensor,
    r: Tensor,
    phi_next: Tensor,
    w: Tensor,
    gamma: float,
    weights: Tensor | None = None,
    joint: Tensor | None = None,
) -> Tensor:
    r"""$E\,relu\Big(\cos(\phi, \bar\phi') - sg\Big[\frac{\|\phi\|^2 + \gamma^2\|\bar\phi'\|^2 - r^2/\|w\|^2}
    {2\gamma\|\phi\|\,\|\bar\phi'\|}\Big]\Big)$.

    A couple with a zero vector has no cosine and adds nothing; that covers episodes that ended. With ``w = 0`` there is
    no bound, and the term of ``r`` is dropped.

    Args:
        phi: [..., B, d].
        r: [..., B].
        phi_next: target network's features after each row, [..., B, d]; zero where the episode ended. With ``joint``:
            [..., M, d].
        w: weights of the value head, [..., d].
        gamma: discount factor.
        weights: [..., B]; uniform if None.
        joint: weights of row ``i`` being followed by next row ``j``, [..., B, M]; None: next row ``i`` follows
            row ``i``.

    Returns:
        [...].

    >>> phi, w = torch.tensor([[1.0, 0.0]]), torch.tensor([1.0, 0.0])
    >>> beer_loss(phi, torch.tensor([1.0]), phi, w, gamma=1.0).item()  # cos = 1, bound (1 + 1 - 1) / 2
    0.5
    """
    phi_next = fixed(phi_next)
    cosine = following_products(unit_rows(phi), unit_rows(phi_next), joint)
    m, n = fixed(phi).square().sum(-1), phi_next.square().sum(-1)
    head = fixed(w).square().sum(-1)
    reach = torch.where(head > 0, 1 / torch.where(head > 0, head, 1.0), 0.0)[..., None] * r * r
    if joint is not None:
        m, n, reach = m[..., :, None], n[..., None, :], reach[..., :, None]
    scale = 2 * gamma * torch.sqrt(m * n)
    bound = (m + gamma**2 * n - reach) / torch.where(scale > 0, scale, 1.0)
    excess = torch.where(scale > 0, torch.relu(cosine - bound), 0.0)
    return couple_mean(excess, weights, joint)
