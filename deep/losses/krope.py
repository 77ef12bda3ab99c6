r"""The KROPE loss, for large batches without a B-by-B matrix.

With $F = \phi$, $N = \bar\phi'$, weights $W$ (diagonal) and $t(Y) = \sum_{ij} k_1(r_i, r_j)\,y_i \cdot y_j$,

$$\sum_{ij} w_i w_j (k_1 + \gamma\,n_i \cdot n_j - f_i \cdot f_j)^2
  = \|F^\top W F\|^2 - 2 t(WF) - 2\gamma \|F^\top W N\|^2 + \Big[\sum_{ij} w_i w_j k_1^2 + 2\gamma t(WN) + \gamma^2
  \|N^\top W N\|^2\Big],$$

and with the rows in the order of their rewards and $c_k$ the sum of the first ``k`` of them,

$$t(Y) = \|s\|^2 - \frac2R \sum_k (r_{k+1} - r_k)\, c_k \cdot (s - c_k), \qquad s = c_B.$$

This takes $O(B d^2 + B \log B)$. Squares of sums cancel where the loss is small, so it is computed in float64. A batch
of few rows, such as a table, is cheaper by the definition.
"""

from deep.backend import torch
from deep.losses.regression import Tensor, fixed, normalized, regress, regress_pairs, without_own

#: Up to this many rows (or twice the number of features) the B-by-B form is the faster one.
FEW_ROWS = 128


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
        [...].

    >>> phi, r = torch.tensor([[1.0], [2.0]]), torch.tensor([0.0, 1.0])
    >>> krope_loss(phi, r, torch.zeros(2, 1), gamma=0.9).item()  # ((1-1)^2 + 2 (0-2)^2 + (1-4)^2) / 4
    4.25
    """
    if phi.shape[-2] <= max(FEW_ROWS, 2 * phi.shape[-1]):
        return by_pairs(phi, r, phi_next, gamma, weights, samples, next_square, reward_range)
    return by_sums(phi, r, phi_next, gamma, weights, samples, next_square, reward_range)


def krope_target(
    r: Tensor, similarity_next: Tensor, gamma: float, reward_range: float | Tensor | None = None
) -> Tensor:
    r"""The KROPE operator, $1 - |r_i - r_j|/R + \gamma\,k'_{ij}$, [..., B, B].

    >>> krope_target(torch.tensor([0.0, 2.0]), torch.ones(2, 2), gamma=0.5).tolist()
    [[1.5, 0.5], [0.5, 1.5]]
    """
    slope = _slope(r, reward_range)[..., None, None]
    return 1 - slope * (r[..., :, None] - r[..., None, :]).abs() + gamma * similarity_next


def by_pairs(
    phi: Tensor,
    r: Tensor,
    phi_next: Tensor,
    gamma: float,
    weights: Tensor | None = None,
    samples: int | None = None,
    next_square: Tensor | None = None,
    reward_range: float | Tensor | None = None,
) -> Tensor:
    """`krope_loss` by its definition, O(B^2 d), in the arithmetic of ``phi``."""
    target = krope_target(r, phi_next @ phi_next.mT, gamma, reward_range)
    own = None if next_square is None else 1 + gamma * next_square
    return regress_pairs(phi @ phi.mT, target, weights, samples, own)


def by_sums(
    phi: Tensor,
    r: Tensor,
    phi_next: Tensor,
    gamma: float,
    weights: Tensor | None = None,
    samples: int | None = None,
    next_square: Tensor | None = None,
    reward_range: float | Tensor | None = None,
) -> Tensor:
    """`krope_loss` from sums over rows, O(B d^2 + B log B), in float64 inside."""
    F, N, r = phi.double(), fixed(phi_next).double(), r.double()
    w = normalized(weights, r)
    levels, order = torch.sort(r, dim=-1)
    slope, gaps = _slope(r, reward_range), levels.diff(dim=-1)
    WF, WN = w[..., None] * F, w[..., None] * N

    def similarity(Y: Tensor) -> Tensor:
        return _reward_product(Y, slope, order, gaps)

    centered = r - (w * r).sum(-1, keepdim=True)
    # E k1^2 = 2 E k1 - 1 + E|dr|^2 / R^2
    k1_square = 2 * similarity(w[..., None]) - 1 + 2 * slope**2 * (w * centered * centered).sum(-1)
    target_square = k1_square + 2 * gamma * similarity(WN) + gamma**2 * _square(N.mT @ WN)
    every = _square(F.mT @ WF) - 2 * similarity(WF) - 2 * gamma * _square(F.mT @ WN) + target_square
    if samples is not None:
        after = (N * N).sum(-1) if next_square is None else next_square.double()
        every = without_own(every, regress((F * F).sum(-1), 1 + gamma * after, w), samples)
    return every.to(phi.dtype)


def _square(G: Tensor) -> Tensor:
    return (G * G).sum((-2, -1))


def _slope(r: Tensor, reward_range: float | Tensor | None) -> Tensor:
    """``1/R`` [...], 0 where R = 0."""
    R = r.amax(-1) - r.amin(-1) if reward_range is None else torch.as_tensor(reward_range, dtype=r.dtype)
    return torch.where(R > 0, 1.0 / torch.where(R > 0, R, 1.0), 0.0)


def _reward_product(Y: Tensor, slope: Tensor, order: Tensor, gaps: Tensor) -> Tensor:
    r"""$\sum_{ij} k_1(r_i, r_j)\,y_i \cdot y_j$ for Y [..., B, d], [...]."""
    below = torch.cumsum(torch.take_along_dim(Y, order[..., None], dim=-2), dim=-2)
    total = below[..., -1:, :]
    across = (below[..., :-1, :] * (total - below[..., :-1, :])).sum(-1)
    return (total * total).sum((-2, -1)) - 2 * slope * (gaps * across).sum(-1)
