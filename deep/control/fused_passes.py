r"""Both passes of `by_hand` compiled as wholes: statistics, folded parameters and gradients around `fused_loops`.

Letters are those of `by_hand`. Arrays [.., stride] hold the minibatch's rows in their first columns and zeros behind
them; padded inputs, units and features are zeros too, and only what is not padding is ever written.
"""

import numpy as np

from deep.control.fused_loops import Floats, compiled, gradients, hidden_sums


@compiled
def forward(
    x: Floats,
    weight: Floats,
    bias: Floats,
    gain: Floats,
    shift: Floats,
    narrow: Floats,
    offset: Floats,
    eps: float,
    W: Floats,
    X: Floats,
    V: Floats,
    total: Floats,
    out: Floats,
    m: Floats,
    s: Floats,
    H: Floats,
    keep: bool,
    phi: Floats,
) -> None:
    """Features into ``phi`` [n, d]; ``z`` into ``out``, the mean into ``m``, the inverse deviation into ``s``.

    Args:
        x: [n, inputs], then the six parameters and LayerNorm's epsilon.
        W: [units, inputs], X: [inputs, stride], V: [features, units], total: [d]: made here from them.
        out: [features, stride], m, s: [stride].
        H: the hidden layer [units, stride], or [8, stride] to work in.
        keep: whether H is to hold all of it.
        phi: [n, d].
    """
    (n, inputs), (d, units) = x.shape, narrow.shape
    one, size = W.dtype.type(1), W.dtype.type(units)
    c = np.empty_like(offset)
    for j in range(units):
        for k in range(inputs):
            W[j, k] = weight[j, k]
        W[j, inputs] = bias[j]
    for i in range(d):
        folded, moved = total.dtype.type(0), offset[i]
        for j in range(units):
            v = narrow[i, j] * gain[j]
            V[i, j] = v
            folded += v
            moved += narrow[i, j] * shift[j]
        total[i], c[i] = folded, moved
    V[d, :units] = one  # this row adds the hidden units up
    for k in range(inputs):
        for r in range(n):
            X[k, r] = x[r, k]
    X[inputs, :n] = one
    out[:] = 0
    s[:] = 0
    hidden_sums(W, X, V, out, s, H, keep)
    for r in range(n):
        m[r] = out[d, r] / size
        s[r] = one / np.sqrt(s[r] / size - m[r] * m[r] + eps)
    for i in range(d):
        for r in range(n):
            z = s[r] * (out[i, r] - m[r] * total[i])
            out[i, r] = z
            phi[r, i] = z + c[i]


@compiled
def backward(
    p: Floats,
    gain: Floats,
    shift: Floats,
    narrow: Floats,
    X: Floats,
    V: Floats,
    total: Floats,
    out: Floats,
    m: Floats,
    s: Floats,
    H: Floats,
    G: Floats,
    curve: Floats,
    D: Floats,
    dW: Floats,
    dV: Floats,
    dweight: Floats,
    dbias: Floats,
    dgain: Floats,
    dshift: Floats,
    dnarrow: Floats,
    doffset: Floats,
) -> None:
    """Gradients of the six parameters from those of the features.

    Args:
        p: gradient of the features, [n, d].
        gain, shift, narrow: parameters; X to H: as the forward pass left them.
        G: [features, stride], curve: [stride], D: [4, stride], dW: [inputs, units], dV: [features, units]: to work in.
        dweight, dbias, dgain, dshift, dnarrow, doffset: where the gradients go.
    """
    (n, d), (units, inputs) = p.shape, dweight.shape
    size, zero = D.dtype.type(units), D.dtype.type(0)
    for r in range(n):
        a, e = zero, zero
        for i in range(d):
            a += total[i] * p[r, i]
            e += out[i, r] * p[r, i]
            G[i, r] = s[r] * p[r, i]
        a, e = a / size, e / size
        G[d, r] = -s[r] * (a - s[r] * m[r] * e)
        curve[r] = -(s[r] * s[r] * e)
    gradients(V, G, curve, X, H, D, dW, dV)
    dgain[:] = 0
    dshift[:] = 0
    for i in range(d):
        mean, dc = zero, zero
        for r in range(n):
            mean += G[i, r] * m[r]
            dc += p[r, i]
        doffset[i] = dc
        for j in range(units):
            dv = dV[i, j] - mean
            dgain[j] += dv * narrow[i, j]
            dshift[j] += dc * narrow[i, j]
            dnarrow[i, j] = dv * gain[j] + dc * shift[j]
    for j in range(units):
        for k in range(inputs):
            dweight[j, k] = dW[k, j]
        dbias[j] = dW[inputs, j]
