r"""The KROPE loss without a B-by-B matrix.

With $F = \phi$, $N = \bar\phi'$, the weights on the diagonal of $W$ and $t(Y) = \sum_{ij} k_1(r_i, r_j)\,y_i \cdot y_j$,

$$\sum_{ij} w_i w_j (k_1 + \gamma\,n_i \cdot n_j - f_i \cdot f_j)^2
  = \|F^\top W F\|^2 - 2 t(WF) - 2\gamma \|F^\top W N\|^2 + \Big[\sum_{ij} w_i w_j k_1^2 + 2\gamma t(WN) + \gamma^2
  \|N^\top W N\|^2\Big],$$

and with the rows in the order of their rewards and $c_k$ the sum of the first ``k`` of them,

$$t(Y) = \|s\|^2 - \frac2R \sum_k (r_{k+1} - r_k)\, c_k \cdot (s - c_k), \qquad s = c_B.$$

This takes $O(B d^2 + B \log B)$. Squares of sums cancel where the loss is small, so it is computed in float64.
"""

from deep.backend import torch
from deep.losses.regression import Tensor, fixed, normalised, regress, without_own


def krope_loss(
    phi: Tensor,
    r: Tensor,
    phi_next: Tensor,
    gamma: float,
    weights: Tensor | None = None,
    samples: int | None = None,
    next_square: Tensor | None = None,
    reward_range: float | Tensor | None = None,
) -> Tensor:
    r"""$E_{ij}\,(sg[k_1(r_i, r_j) + \gamma\,\bar\phi'_i \cdot \bar\phi'_j] - \phi_i \cdot \phi_j)^2$.

    Linear in its target: ``phi_next`` may be the mean over the successors of a row; the value then lacks the variance
    of the target, which does not depend on ``phi``.

    Args:
        phi: [..., B, d].
        r: [..., B].
        phi_next: target network's features after each row, [..., B, d]; zero where the episode ended, which masks the
            product of the pair, as the operator of an ending chain does.
        gamma: discount factor.
        weights: [..., B]; uniform if None.
        samples: transitions the batch stands for; their pairs with themselves are left out. None: all pairs.
        next_square: mean of $\|\bar\phi'\|^2$ over the successors of each row, [..., B], read with ``samples``; that of
            ``phi_next`` if None (right when each row has one successor).
        reward_range: divisor R of the reward kernel, a number or [...]; the range of ``r`` if None. Where it is zero
            the reward kernel is all ones.

    Returns:
        [...], float64.

    >>> phi, r = torch.tensor([[1.0], [2.0]]), torch.tensor([0.0, 1.0])
    >>> krope_loss(phi, r, torch.zeros(2, 1), gamma=0.9).item()  # ((1-1)^2 + 2 (0-2)^2 + (1-4)^2) / 4
    4.25
    """
    F, N, r = phi.double(), fixed(phi_next).double(), r.double()
    w = normalised(weights, r)
    slope, order, gaps = _reward_order(r, reward_range)
    WF, WN = w[..., None] * F, w[..., None] * N

    def similarity(Y: Tensor) -> Tensor:
        return _reward_product(Y, slope, order, gaps)

    # Terms without ``phi`` carry no gradient: the core's stop-gradient was applied to N.
    target = _squared_kernel(r, w, slope, order, gaps) + 2 * gamma * similarity(WN) + gamma**2 * _gram_square(N.mT @ WN)
    every = _gram_square(F.mT @ WF) - 2 * similarity(WF) - 2 * gamma * _gram_square(F.mT @ WN) + target
    if samples is None:
        return every
    after = (N * N).sum(-1) if next_square is None else next_square.double()
    return without_own(every, regress((F * F).sum(-1), 1 + gamma * after, w), samples)


def _gram_square(G: Tensor) -> Tensor:
    return (G * G).sum((-2, -1))


def _reward_order(r: Tensor, reward_range: float | Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
    """``1/R`` [...] (0 where R = 0), the order of the rewards [..., B] and the gaps between them [..., B - 1]."""
    levels, order = torch.sort(r, dim=-1)
    R = levels[..., -1] - levels[..., 0] if reward_range is None else torch.as_tensor(reward_range, dtype=r.dtype)
    slope = torch.where(R > 0, 1.0 / torch.where(R > 0, R, 1.0), 0.0)
    return slope, order, levels.diff(dim=-1)


def _reward_product(Y: Tensor, slope: Tensor, order: Tensor, gaps: Tensor) -> Tensor:
    r"""$\sum_{ij} k_1(r_i, r_j)\,y_i \cdot y_j$ for Y [..., B, d], [...]."""
    below = torch.cumsum(torch.take_along_dim(Y, order[..., None], dim=-2), dim=-2)
    total = below[..., -1:, :]
    across = (below[..., :-1, :] * (total - below[..., :-1, :])).sum(-1)
    return (total * total).sum((-2, -1)) - 2 * slope * (gaps * across).sum(-1)


def _squared_kernel(r: Tensor, w: Tensor, slope: Tensor, order: Tensor, gaps: Tensor) -> Tensor:
    r"""$\sum_{ij} w_i w_j k_1(r_i, r_j)^2 = 2 E k_1 - 1 + E|\Delta r|^2/R^2$, [...]."""
    centred = r - (w * r).sum(-1, keepdim=True)
    spread = 2 * (w * centred * centred).sum(-1)
    return 2 * _reward_product(w[..., None], slope, order, gaps) - 1 + slope**2 * spread
