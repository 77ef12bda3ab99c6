r"""The regression core: every loss here is a weighted mean of a penalty on *prediction minus a fixed target*.

`fixed` is the only stop-gradient of the package.
"""

from collections.abc import Callable

from deep.backend import torch
from tabular_krope.errors import KropeError

Tensor = torch.Tensor
Penalty = Callable[[Tensor], Tensor]


def fixed(x: Tensor) -> Tensor:
    """``x`` as a constant: no gradient flows through it."""
    return x.detach()


def square(error: Tensor) -> Tensor:
    """``error^2``."""
    return error * error


def huber(error: Tensor) -> Tensor:
    r"""$e^2/2$ up to $|e| = 1$, $|e| - 1/2$ beyond.

    >>> huber(torch.tensor([0.5, -3.0])).tolist()
    [0.125, 2.5]
    """
    size = error.abs()
    return torch.where(size <= 1, error * error / 2, size - 0.5)


def normalized(weights: Tensor | None, like: Tensor) -> Tensor:
    """Weights with sum 1 over the last dimension, in the arithmetic of ``like`` [..., B]; uniform if None.

    Where all are zero they stay so: a mean over nothing is 0.

    >>> normalized(torch.tensor([1.0, 3.0]), torch.zeros(2)).tolist()
    [0.25, 0.75]
    """
    if weights is None:
        return torch.full_like(like, 1.0 / like.shape[-1])
    if weights.shape[-1] != like.shape[-1]:
        raise KropeError(f"weights must have {like.shape[-1]} entries, one for each row; got {weights.shape[-1]}")
    weights = weights.to(like.dtype)
    total = weights.sum(-1, keepdim=True)
    return weights / torch.where(total == 0, 1.0, total)


def weighted_mean(values: Tensor, weights: Tensor | None = None) -> Tensor:
    """Mean over the last dimension of ``values`` [..., B], [...]."""
    return values.mean(-1) if weights is None else (normalized(weights, values) * values).sum(-1)


def regress(prediction: Tensor, target: Tensor, weights: Tensor | None = None, penalty: Penalty = square) -> Tensor:
    """Mean penalty on ``prediction - target`` with the target held fixed.

    Args:
        prediction, target: [..., B].
        weights: [..., B]; uniform if None.
        penalty: applied to each error.

    >>> regress(torch.tensor([1.0, 3.0]), torch.tensor([0.0, 1.0])).item()
    2.5
    """
    if prediction.shape[-1] != target.shape[-1]:
        raise KropeError(f"target must have {prediction.shape[-1]} entries like the prediction; got {target.shape[-1]}")
    return weighted_mean(penalty(prediction - fixed(target)), weights)


def regress_pairs(
    prediction: Tensor,
    target: Tensor,
    weights: Tensor | None = None,
    samples: int | None = None,
    own_target: Tensor | None = None,
    penalty: Penalty = square,
) -> Tensor:
    r"""$\sum_{ij} w_i w_j\, \ell(p_{ij} - t_{ij})$ with the target held fixed, own pairs in or out.

    Args:
        prediction, target: [..., B, B].
        weights: of the rows, [..., B]; uniform if None.
        samples: sampled transitions that the batch stands for; their pairs with themselves are left out. None: all
            pairs.
        own_target: mean target of those pairs for each row, [..., B]; the diagonal of the target if None.
        penalty: applied to each error.

    >>> table = torch.tensor([[9.0, 1.0], [3.0, 9.0]])
    >>> regress_pairs(table, torch.zeros(2, 2), samples=2).item()
    5.0
    """
    own = prediction.diagonal(dim1=-2, dim2=-1)
    w = normalized(weights, own)
    errors = penalty(prediction - fixed(target))
    every = (w * (errors @ w[..., None])[..., 0]).sum(-1)
    if samples is None:
        return every
    if own_target is None:
        own_target = target.diagonal(dim1=-2, dim2=-1)
    return without_own(every, regress(own, own_target, w, penalty), samples)


def without_own(every: Tensor, own: Tensor, samples: int) -> Tensor:
    r"""Mean over ordered pairs of *distinct* transitions, from the means over all pairs and over own pairs, [...].

    Own pairs are a share $1/n$ of all: $(\bar\ell - \bar\ell_{own}/n) / (1 - 1/n)$.

    >>> without_own(torch.tensor(2.0), torch.tensor(1.0), 2).item()
    3.0
    """
    if samples < 2:
        raise KropeError(f"samples must be at least 2 for pairs of distinct transitions; got {samples}")
    return (every - own / samples) / (1 - 1 / samples)
