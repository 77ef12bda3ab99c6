r"""What both passes of `by_hand` need around `fused_loops`: folded parameters, statistics, gradients; compiled.

Letters are those of `by_hand`. Arrays [.., stride] hold the minibatch's rows in their first columns and zeros behind
them; padded inputs, units and features are zeros too, and only what is not padding is ever written.

Nothing here calls a compiled function of another file: numba's cache would not notice when that one changes.
"""

import numpy as np

from deep.control.fused_loops import Floats, compiled


@compiled
def fold(
    x: Floats,
    weight: Floats,
    bias: Floats,
    gain: Floats,
    shift: Floats,
    narrow: Floats,
    offset: Floats,
    W: Floats,
    X: Floats,
    V: Floats,
    total: Floats,
    c: Floats,
) -> None:
    """Inputs and parameters as the loops want them.

    Args:
        x: [n, inputs], then the six parameters.
        W: [units, inputs], X: [inputs, stride], V: [features, units], total, c: [d]: made from them.
    """
    (n, inputs), (d, units) = x.shape, narrow.shape
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
    V[d, :units] = 1  # this row adds the hidden units up
    for k in range(inputs):
        for r in range(n):
            X[k, r] = x[r, k]
    X[inputs, :n] = 1


@compiled
def normalize(out: Floats, s: Floats, m: Floats, total: Floats, c: Floats, units: int, eps: float, phi: Floats) -> None:
    """Features into ``phi`` [n, d]; ``z`` into ``out``, the mean into ``m``, the inverse deviation into ``s``.

    Args:
        out, s: the loops' sums ``V h`` [features, stride] and of squares [stride].
        m: [stride], total, c: [d], units: how many there are without padding, eps: LayerNorm's, phi: [n, d].
    """
    n, d = phi.shape
    one, size, least = phi.dtype.type(1), phi.dtype.type(units), phi.dtype.type(eps)
    for r in range(n):
        m[r] = out[d, r] / size
        s[r] = one / np.sqrt(s[r] / size - m[r] * m[r] + least)
    for i in range(d):
        for r in range(n):
            z = s[r] * (out[i, r] - m[r] * total[i])
            out[i, r] = z
            phi[r, i] = z + c[i]


@compiled
def descend(p: Floats, out: Floats, s: Floats, m: Floats, total: Floats, units: int, G: Floats, curve: Floats) -> None:
    """What goes back through the hidden layer, from the gradient ``p`` [n, d] of the features.

    Args:
        p, out, s, m, total, units: as `normalize` left them.
        G: [features, stride], curve: [stride]: where it goes.
    """
    n, d = p.shape
    size, zero = p.dtype.type(units), p.dtype.type(0)
    for r in range(n):
        a, e = zero, zero
        for i in range(d):
            a += total[i] * p[r, i]
            e += out[i, r] * p[r, i]
            G[i, r] = s[r] * p[r, i]
        a, e = a / size, e / size
        G[d, r] = -s[r] * (a - s[r] * m[r] * e)
        curve[r] = -(s[r] * s[r] * e)


@compiled
def unfold(
    p: Floats,
    gain: Floats,
    shift: Floats,
    narrow: Floats,
    G: Floats,
    m: Floats,
    dW: Floats,
    dV: Floats,
    dweight: Floats,
    dbias: Floats,
    dgain: Floats,
    dshift: Floats,
    dnarrow: Floats,
    doffset: Floats,
) -> None:
    """Gradients of the six parameters from the loops' ``dW`` [inputs, units] and ``dV`` [features, units].

    Args:
        p: gradient of the features, [n, d]; gain, shift, narrow: parameters; G, m: as `descend` left them.
        dW, dV: the loops' sums.
        dweight, dbias, dgain, dshift, dnarrow, doffset: where the gradients go.
    """
    (n, d), (units, inputs) = p.shape, dweight.shape
    zero = p.dtype.type(0)
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
