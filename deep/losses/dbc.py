r"""Deep bisimulation for control (Zhang, McAllister, Calandra, Gal and Levine, 2021), for state-action pairs.

Two losses: the metric, regressed on rewards and a Gaussian model of what follows, and the model's own likelihood.
Choices, where public versions differ: the target is one number for each pair of rows (some versions work coordinate by
coordinate with a smooth-L1 error); all pairs of rows are used (others pair each row with one random other); the model
learns from features held fixed, so that the encoder is shaped by the metric alone. A row's pair with itself has
distance 0 and target 0: whether it is taken only changes the scale.
"""

from deep.backend import torch
from deep.losses.by_blocks import mean_over_distinct
from deep.losses.geometry import rolled
from deep.losses.regression import Tensor, fixed, regress, regress_pairs, square, weighted_mean


def wasserstein_gaussian(mu: Tensor, sigma: Tensor) -> Tensor:
    r"""$W_2 = \sqrt{\|\mu_i - \mu_j\|^2 + \|\sigma_i - \sigma_j\|^2}$ between diagonal Gaussians.

    Args:
        mu, sigma: means and standard deviations, [..., B, d].

    Returns:
        [..., B, B], symmetric, zero on the diagonal.

    >>> wasserstein_gaussian(torch.tensor([[0.0], [3.0]]), torch.tensor([[5.0], [1.0]]))[0].tolist()
    [0.0, 5.0]
    """
    both = _centered(mu, sigma)
    return _distances(both, both).to(mu.dtype)


def _centered(mu: Tensor, sigma: Tensor) -> Tensor:
    """Means and deviations side by side, about their mean over rows, in float64."""
    both = torch.cat([mu, sigma], dim=-1).double()
    return both - both.mean(-2, keepdim=True)


def _distances(rows: Tensor, columns: Tensor) -> Tensor:
    """Euclidean distances; in float64 and about the mean, what cancels is far below the features' arithmetic."""
    squares = (rows * rows).sum(-1)[..., :, None] + (columns * columns).sum(-1)[..., None, :]
    return (squares - 2 * (rows @ columns.mT)).clamp_min(0).sqrt()


def dbc_loss(
    phi: Tensor,
    r: Tensor,
    mu: Tensor,
    sigma: Tensor,
    gamma: float,
    weights: Tensor | None = None,
    samples: int | None = None,
    alive: Tensor | None = None,
) -> Tensor:
    r"""$E_{ij}\,(\|\phi_i - \phi_j\|_1 - sg[|r_i - r_j| + \gamma\,W_2(N_i, N_j)])^2$.

    Args:
        phi: [..., B, d].
        r: [..., B].
        mu, sigma: the model's next features of each row, [..., B, d].
        gamma: discount factor.
        weights: [..., B]; uniform if None.
        samples: transitions the batch stands for; their pairs with themselves are left out. None: all pairs.
        alive: 0 where the episode ended, [..., B]: what follows is then not compared. None: nothing ends.

    Returns:
        [...].

    >>> phi, r = torch.tensor([[0.0], [2.0]]), torch.tensor([0.0, 1.0])
    >>> dbc_loss(phi, r, mu=phi, sigma=torch.ones(2, 1), gamma=1.0, samples=2).item()  # (2 - 1 - 2)^2
    1.0
    """
    ahead = wasserstein_gaussian(fixed(mu), fixed(sigma))
    if alive is not None:
        ahead = ahead * alive[..., :, None] * alive[..., None, :]
    target = (r[..., :, None] - r[..., None, :]).abs() + gamma * ahead
    return regress_pairs(torch.cdist(phi, phi, p=1.0), target, weights, samples)


def sampled_dbc_loss(phi: Tensor, r: Tensor, mu: Tensor, sigma: Tensor, alive: Tensor, gamma: float) -> Tensor:
    """`dbc_loss` over the pairs of distinct transitions of a minibatch, by blocks; its arguments without batches."""
    model = _centered(fixed(mu), fixed(sigma))

    def penalty(phi: Tensor, i: slice, j: slice) -> Tensor:
        with torch.no_grad():
            ahead = _distances(model[i], model[j]).to(phi.dtype) * alive[i, None] * alive[j]
            target = (r[i, None] - r[j]).abs() + gamma * ahead
        # One coordinate at a time: a third less time than cdist's backward pass.
        apart = torch.zeros_like(target)
        for x in phi.unbind(-1):
            apart = apart + (x[i, None] - x[j]).abs()
        return square(apart - target)

    return mean_over_distinct(penalty, phi)


def paired_dbc_loss(
    phi: Tensor, r: Tensor, mu: Tensor, sigma: Tensor, alive: Tensor, gamma: float, pairings: int
) -> Tensor:
    """`sampled_dbc_loss` over ``pairings`` pairs of each row instead of all: rows ``i`` and ``i + k`` of a minibatch.

    With the rows in random order its expectation is that of all pairs. Arguments as there; ``pairings`` below B.

    >>> phi, r, one = torch.tensor([[0.0], [2.0]]), torch.tensor([0.0, 1.0]), torch.ones(2, 1)
    >>> paired_dbc_loss(phi, r, phi, one, torch.ones(2), gamma=1.0, pairings=1).item()  # (2 - 1 - 2)^2
    1.0
    """
    model = torch.cat([fixed(mu), fixed(sigma)], dim=-1)
    ahead = torch.linalg.vector_norm(model - rolled(model, pairings), dim=-1) * alive * rolled(alive, pairings)
    target = (r - rolled(r, pairings)).abs() + gamma * ahead
    return regress((phi - rolled(phi, pairings)).abs().sum(-1), target).mean()


def model_loss(
    mu: Tensor, sigma: Tensor, phi_next: Tensor, next_square: Tensor | None = None, weights: Tensor | None = None
) -> Tensor:
    r"""Negative log-likelihood of the next features, $E\,[(\phi' - \mu)^2/(2\sigma^2) + \log\sigma]$ per coordinate.

    Args:
        mu, sigma: the model's prediction for each row, [..., B, d].
        phi_next: features after each row, held fixed, [..., B, d]; their mean over the successors of a row.
        next_square: mean of the squares of the next features, coordinate by coordinate, [..., B, d]; those of
            ``phi_next`` if None (right when each row has one successor).
        weights: [..., B]; uniform if None. Give rows whose episode ended weight 0: nothing follows them.
            If they are all such, the loss is 0.

    Returns:
        [...].

    >>> one = torch.ones(1, 1)
    >>> model_loss(mu=one, sigma=one, phi_next=3 * one).item()
    2.0
    """
    mean = fixed(phi_next)
    squares = mean * mean if next_square is None else fixed(next_square)
    error = squares - 2 * mean * mu + mu * mu
    return weighted_mean((error / (2 * sigma * sigma) + torch.log(sigma)).mean(-1), weights)
