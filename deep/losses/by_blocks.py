r"""Means over all pairs of distinct rows, a block of rows at a time.

A loss on B-by-B distances makes a dozen arrays of that size, forward and backward. Distances being symmetric, half of
the pairs are enough; and a block whose arrays fit the processor's cache, with its gradient taken at once, spares the
rest of the traffic. Value and gradient are those of the whole table up to the order of sums.
"""

from collections.abc import Callable
from typing import Any

from deep.backend import torch
from deep.losses.regression import Tensor
from tabular_krope.errors import KropeError

#: ``(phi, rows, columns)`` to the penalties of these pairs, [rows, columns].
PairPenalty = Callable[[Tensor, slice, slice], Tensor]
#: Rows of a block: at 2048 columns, arrays of 1 MB.
ROWS = 128


def mean_over_distinct(penalty: PairPenalty, phi: Tensor, rows: int = ROWS) -> Tensor:
    r"""$\frac{1}{B(B-1)} \sum_{i \neq j} \ell_{ij}(\phi)$ for a symmetric penalty, with its gradient in ``phi``.

    Args:
        penalty: of the features [B, d], the rows and the columns of a block; no gradient flows to what else it reads.
        phi: features, [B, d].
        rows: of one block.

    Returns:
        A scalar; it can be differentiated once.

    >>> phi = torch.tensor([[0.0], [1.0], [3.0]], requires_grad=True)
    >>> mean_over_distinct(lambda phi, i, j: (phi[i] - phi[j].T).abs(), phi).item()  # (1 + 2 + 3) / 3
    2.0
    """
    if len(phi) < 2:
        raise KropeError(f"phi must have at least 2 rows for pairs of distinct ones; got {len(phi)}")
    mean: Tensor = _Blocks.apply(phi, penalty, rows)
    return mean


class _Blocks(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, phi: Tensor, penalty: PairPenalty, rows: int) -> Tensor:
        n = len(phi)
        share = 2 / (n * (n - 1))
        total = torch.zeros((), dtype=torch.float64, device=phi.device)
        with torch.enable_grad():
            leaf = phi.detach().requires_grad_()
            gradient = torch.zeros_like(leaf)
            for start in range(0, n, rows):
                # Columns from the block's first row on: above its diagonal lies each unordered pair once.
                values = penalty(leaf, slice(start, min(start + rows, n)), slice(start, n))
                block = torch.triu(values, diagonal=1).sum()
                gradient += torch.autograd.grad(block, leaf)[0]
                total += block.detach()
        ctx.save_for_backward(gradient * share)
        return (total * share).to(phi.dtype)

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, None, None]:
        (gradient,) = ctx.saved_tensors
        return upstream[0] * gradient, None, None
