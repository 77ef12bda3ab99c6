r"""The encoder's step by hand: linear, ReLU, LayerNorm, linear on the CPU, forward and backward, in blocks of rows.

With $h = relu(Wx + b)$, $m$ its mean, $s^{-2}$ its variance plus $\epsilon$, and LayerNorm's affine map folded into the
last layer, $V = W_2\,diag(g)$ and $c = W_2\,\beta + b_2$,

$$\phi = s\,(V h - m\,V 1) + c,$$

so LayerNorm's output is never written down, and its backward pass is one in the $d$ features:

- the hidden layer is stored [hidden, rows] in blocks that fit the cache, and never transposed;
- with $p = d\phi$, $\mathrm{d}h = V^\top (s\,p) - s\,(a - s\,m\,e)\,1 - s^2 e\,h$ where $a = (V1)\cdot p / H$ and
  $e = (\phi - c) \cdot p / H$.

What autograd makes of `Encoder.units` is the oracle of the tests. Only parameters get gradients, not the input.
"""

from typing import TYPE_CHECKING, Any

from deep.backend import torch
from deep.control.fused import FusedPass
from deep.losses.regression import Tensor

if TYPE_CHECKING:
    from deep.control.network import Encoder

#: Rows of a block: at 1024 hidden units a megabyte.
ROWS = 256
#: Blocks of hidden units that nobody uses, by shape and arithmetic: memory from the system is slower than the sums.
_FREE: dict[tuple[Any, ...], list[Tensor]] = {}


def encode(encoder: "Encoder", x: Tensor) -> Tensor:
    """Features [B, d] of pairs [B, inputs] with the encoder's parameters, as its autograd path gives up to rounding."""
    parts = (encoder.widen, encoder.norm, encoder.narrow)
    parameters = [tensor for part in parts for tensor in (part.weight, part.bias)]
    if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in parameters):
        features: Tensor = _Encoder.apply(x, *parameters, encoder.norm.eps, encoder.step)
        return features
    with torch.no_grad():
        return PASSES[encoder.step](parameters, encoder.norm.eps).forward(x, keep=False)


class _Encoder(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, *parameters: Any) -> Tensor:
        *tensors, eps, step = parameters
        ctx.work = PASSES[step](tensors, eps)
        phi: Tensor = ctx.work.forward(x, keep=True)
        return phi

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor | None, ...]:
        return (None, *ctx.work.backward(upstream[0]), None, None)


class _Pass:
    """One forward pass and what its backward pass needs."""

    def __init__(self, parameters: list[Tensor], eps: float) -> None:
        weight, bias, self.gain, self.shift, self.narrow, offset = parameters
        self.units, self.inputs = weight.shape
        self.eps = eps
        # Eight columns at least: narrower products take a slower route.
        self.W = weight.new_zeros(self.units, max(8, self.inputs + 1))
        self.W[:, : self.inputs], self.W[:, self.inputs] = weight, bias
        d = len(self.narrow)
        self.V = weight.new_ones(d + 1, self.units)  # the last row adds the hidden units up
        torch.mul(self.narrow, self.gain, out=self.V[:d])
        self.total = self.V[:d].sum(1, keepdim=True)
        self.c = self.narrow @ self.shift + offset
        self.blocks: list[Tensor] = []

    def _block(self, rows: int) -> Tensor:
        free = _FREE.get((self.units, rows, self.W.dtype))
        return free.pop() if free else self.W.new_empty(self.units, rows)

    def _release(self, *blocks: Tensor) -> None:
        for block in blocks:
            _FREE.setdefault((self.units, block.shape[1], block.dtype), []).append(block)

    def forward(self, x: Tensor, keep: bool) -> Tensor:
        n = len(x)
        columns = x.new_zeros(self.W.shape[1], n)
        columns[: self.inputs], columns[self.inputs] = x.t(), 1.0
        out, squares, ones = x.new_empty(len(self.V), n), x.new_empty(1, n), x.new_ones(1, self.units)
        for start in range(0, n, ROWS):
            rows = slice(start, min(start + ROWS, n))
            H, square = self._block(rows.stop - start), self._block(rows.stop - start)
            torch.mm(self.W, columns[:, rows].contiguous(), out=H)
            H.relu_()
            torch.mul(H, H, out=square)
            squares[:, rows] = ones @ square
            out[:, rows] = self.V @ H
            self._release(square)
            if keep:
                self.blocks.append(H)
            else:
                self._release(H)
        m = out[-1:] / self.units
        s = torch.rsqrt(squares / self.units - m * m + self.eps)
        z = s * (out[:-1] - m * self.total)
        self.columns, self.m, self.s, self.z = columns, m, s, z
        return (z + self.c[:, None]).t()

    def backward(self, upstream: Tensor) -> tuple[Tensor, ...]:
        """Gradients of the six parameters, in the order in which they came."""
        p, s, m = upstream.t(), self.s, self.m
        e = (p * self.z).sum(0, keepdim=True) / self.units
        a = (self.total * p).sum(0, keepdim=True) / self.units
        g = s * p
        down = torch.cat([g, -s * (a - s * m * e)])
        curve = -(s * s * e)
        dW, dV = torch.zeros_like(self.W.t()), torch.zeros_like(self.V[:-1])
        V_t = self.V.t().contiguous()
        for k, H in enumerate(self.blocks):
            rows = slice(k * ROWS, k * ROWS + H.shape[1])
            D = self._block(H.shape[1])
            torch.mm(V_t, down[:, rows].contiguous(), out=D)
            D.addcmul_(H, curve[:, rows])
            torch.ops.aten.threshold_backward.grad_input(D, H, 0, grad_input=D)
            dW.addmm_(self.columns[:, rows], D.t())
            dV.addmm_(g[:, rows], H.t())
            self._release(D)
        self._release(*self.blocks)
        self.blocks = []
        dV -= (g * m).sum(1, keepdim=True)
        dc = upstream.sum(0)
        widen = dW[: self.inputs].t().contiguous(), dW[self.inputs].clone()
        norm = (dV * self.narrow).sum(0), dc @ self.narrow
        return (*widen, *norm, dV * self.gain + dc[:, None] * self.shift, dc)


#: What makes the passes, by the word of the setting ``step``.
PASSES: dict[str, type[_Pass] | type[FusedPass]] = {"by-hand": _Pass, "fused": FusedPass}
