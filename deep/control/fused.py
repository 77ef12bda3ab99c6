"""The encoder's step by compiled loops: what `by_hand` computes, with the hidden layer in the cache throughout.

Needs numba (``pip install '.[fast]'``), which is loaded and compiles at the first step: some seconds, then kept beside
the sources for the next process.
"""

from typing import Any

from deep.backend import torch
from deep.losses.regression import Tensor

#: Rows that are encoded at a time where no gradient is wanted: what they work on fits the second cache.
ROWS = 4096
#: Memory that no pass uses, by the sizes that it is for.
_FREE: dict[tuple[Any, ...], list["Work"]] = {}


class Work:
    """The arrays of one pass, padded as the loops want them: eights of inputs and units, fours of features.

    Rows of the minibatch take an odd number of cache lines, so that the same row of several arrays does not compete
    for one place in the cache. Torch's memory begins at cache lines, numpy's need not.
    """

    def __init__(self, n: int, inputs: int, units: int, d: int, dtype: torch.dtype, keep: bool) -> None:
        columns, rows, features = -(-(inputs + 1) // 8) * 8, -(-units // 8) * 8, -(-(d + 1) // 4) * 4
        stride = (-(-n // 16) | 1) * 16

        def zeros(*shape: int) -> Any:
            return torch.zeros(*shape, dtype=dtype).numpy()

        self.W, self.X, self.V = zeros(rows, columns), zeros(columns, stride), zeros(features, rows)
        self.total, self.c, self.out = zeros(d), zeros(d), zeros(features, stride)
        self.m, self.s, self.H = zeros(stride), zeros(stride), zeros(rows if keep else 8, stride)
        if keep:
            self.G, self.curve, self.D = zeros(features, stride), zeros(stride), zeros(4, stride)
            self.dW, self.dV = zeros(columns, rows), zeros(features, rows)


class FusedPass:
    """One forward pass and what its backward pass needs; see `by_hand.encode`."""

    def __init__(self, parameters: list[Tensor], eps: float) -> None:
        self.parameters, self.eps = [tensor.detach() for tensor in parameters], eps

    def forward(self, x: Tensor, keep: bool) -> Tensor:
        """Features [n, d] of pairs [n, inputs]."""
        from deep.control import fused_loops, fused_passes

        if not keep and len(x) > ROWS:
            return torch.cat([self.forward(part, keep) for part in x.split(ROWS)])
        d, units = self.parameters[4].shape
        self.key = (len(x), x.shape[1], units, d, x.dtype, keep)
        free = _FREE.setdefault(self.key, [])
        at = self.work = free.pop() if free else Work(*self.key)
        phi = x.new_empty(len(x), d)
        given = [tensor.numpy() for tensor in (x.detach().contiguous(), *self.parameters)]
        fused_passes.fold(*given, at.W, at.X, at.V, at.total, at.c)
        fused_loops.hidden_sums(at.W, at.X, at.V, at.out, at.s, at.H, keep)
        fused_passes.normalize(at.out, at.s, at.m, at.total, at.c, units, self.eps, phi.numpy())
        if not keep:
            free.append(at)
        return phi

    def backward(self, upstream: Tensor) -> tuple[Tensor, ...]:
        """Gradients of the six parameters, in the order in which they came."""
        from deep.control import fused_loops, fused_passes

        at, units = self.work, self.key[2]
        _, _, gain, shift, narrow, _ = self.parameters
        p, *folded = (tensor.numpy() for tensor in (upstream.contiguous(), gain, shift, narrow))
        found = tuple(torch.empty_like(tensor) for tensor in self.parameters)
        fused_passes.descend(p, at.out, at.s, at.m, at.total, units, at.G, at.curve)
        fused_loops.gradients(at.V, at.G, at.curve, at.X, at.H, at.D, at.dW, at.dV)
        fused_passes.unfold(p, *folded, at.G, at.m, at.dW, at.dV, *(tensor.numpy() for tensor in found))
        _FREE[self.key].append(at)
        return found
