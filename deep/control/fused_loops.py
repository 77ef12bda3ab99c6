r"""The step by hand as compiled loops: the hidden layer goes by in a few units at a time and stays in the cache.

Rows of the minibatch lie along the vector registers, so every inner loop runs over contiguous rows with its weights in
registers; sizes come padded with zeros: inputs and units to eights, features to fours. A zero unit has $h = 0$ and adds
nothing anywhere.

Sums may be reordered and products joined with sums, nothing else of fast arithmetic: a network that diverges must
become infinite or NaN here as elsewhere, and comparisons are written so that NaN stays NaN.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tabular_krope.extras import needed

if TYPE_CHECKING:
    Floats = np.ndarray[Any, np.dtype[Any]]

    def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
        """A function as machine code, which checks its arguments itself."""
        ...
else:
    Floats = np.ndarray
    compiled = needed("numba").njit(
        nogil=True, cache=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz", "arcp"}
    )


@compiled
def hidden_sums(W: Floats, X: Floats, V: Floats, out: Floats, squares: Floats, H: Floats, keep: bool) -> None:
    """``h = relu(W X)``, ``out = V h`` and ``squares = sum h^2`` over units.

    Args:
        W: [units, inputs], X: [inputs, rows], V: [features, units].
        out: [features, rows], squares: [rows].
        H: [units, rows] for the hidden layer, or [8, rows] to work in.
        keep: whether H is to hold all of it.
    """
    out[:] = 0
    squares[:] = 0
    for j in range(0, len(W), 8):
        at = j if keep else 0
        _four_units(W, j, X, H, at)
        _four_units(W, j + 4, X, H, at + 4)
        _squares(H, at, squares)
        for i in range(0, len(V), 2):
            _two_features(V, i, j, H, at, out)


@compiled
def gradients(V: Floats, G: Floats, curve: Floats, X: Floats, H: Floats, D: Floats, dW: Floats, dV: Floats) -> None:
    """With ``D = (V' G + curve h) where h > 0``: ``dW = X D'`` and ``dV = G h'``.

    Args:
        V: [features, units], G: [features, rows], curve: [rows], X: [inputs, rows], H: [units, rows].
        D: [4, rows] to work in.
        dW: [inputs, units], dV: [features, units].
    """
    for j in range(0, len(H), 4):
        last = len(G) - 4
        for i in range(0, last, 4):
            _units_back(V, i, j, G, D, i == 0)
        _through_relu(V, last, j, G, H, curve, D, last == 0)
        for k in range(0, len(X), 4):
            _dots(X, k, D, 0, dW, j)
        for i in range(0, len(G), 4):
            _dots(G, i, H, j, dV, j)


@compiled
def _four_units(W: Floats, j: int, X: Floats, H: Floats, t: int) -> None:
    """``H[t:t+4] = relu(W[j:j+4] X)``, eight inputs at a time."""
    e, f, g, h = H[t], H[t + 1], H[t + 2], H[t + 3]
    for k in range(0, len(X), 8):
        w = W[j : j + 4, k : k + 8]
        a0, a1, a2, a3, a4, a5, a6, a7 = w[0, 0], w[0, 1], w[0, 2], w[0, 3], w[0, 4], w[0, 5], w[0, 6], w[0, 7]
        b0, b1, b2, b3, b4, b5, b6, b7 = w[1, 0], w[1, 1], w[1, 2], w[1, 3], w[1, 4], w[1, 5], w[1, 6], w[1, 7]
        c0, c1, c2, c3, c4, c5, c6, c7 = w[2, 0], w[2, 1], w[2, 2], w[2, 3], w[2, 4], w[2, 5], w[2, 6], w[2, 7]
        d0, d1, d2, d3, d4, d5, d6, d7 = w[3, 0], w[3, 1], w[3, 2], w[3, 3], w[3, 4], w[3, 5], w[3, 6], w[3, 7]
        x0, x1, x2, x3, x4, x5, x6, x7 = X[k], X[k + 1], X[k + 2], X[k + 3], X[k + 4], X[k + 5], X[k + 6], X[k + 7]
        floor = W.dtype.type(0.0 if k + 8 == len(X) else -np.inf)
        if k == 0:
            for r in range(e.size):
                u0, u1, u2, u3, u4, u5, u6, u7 = x0[r], x1[r], x2[r], x3[r], x4[r], x5[r], x6[r], x7[r]
                a = a0 * u0 + a1 * u1 + a2 * u2 + a3 * u3 + a4 * u4 + a5 * u5 + a6 * u6 + a7 * u7
                b = b0 * u0 + b1 * u1 + b2 * u2 + b3 * u3 + b4 * u4 + b5 * u5 + b6 * u6 + b7 * u7
                c = c0 * u0 + c1 * u1 + c2 * u2 + c3 * u3 + c4 * u4 + c5 * u5 + c6 * u6 + c7 * u7
                d = d0 * u0 + d1 * u1 + d2 * u2 + d3 * u3 + d4 * u4 + d5 * u5 + d6 * u6 + d7 * u7
                e[r], f[r] = floor if a < floor else a, floor if b < floor else b
                g[r], h[r] = floor if c < floor else c, floor if d < floor else d
        else:
            for r in range(e.size):
                u0, u1, u2, u3, u4, u5, u6, u7 = x0[r], x1[r], x2[r], x3[r], x4[r], x5[r], x6[r], x7[r]
                a = e[r] + a0 * u0 + a1 * u1 + a2 * u2 + a3 * u3 + a4 * u4 + a5 * u5 + a6 * u6 + a7 * u7
                b = f[r] + b0 * u0 + b1 * u1 + b2 * u2 + b3 * u3 + b4 * u4 + b5 * u5 + b6 * u6 + b7 * u7
                c = g[r] + c0 * u0 + c1 * u1 + c2 * u2 + c3 * u3 + c4 * u4 + c5 * u5 + c6 * u6 + c7 * u7
                d = h[r] + d0 * u0 + d1 * u1 + d2 * u2 + d3 * u3 + d4 * u4 + d5 * u5 + d6 * u6 + d7 * u7
                e[r], f[r] = floor if a < floor else a, floor if b < floor else b
                g[r], h[r] = floor if c < floor else c, floor if d < floor else d


@compiled
def _squares(H: Floats, t: int, squares: Floats) -> None:
    """``squares += sum H[t:t+8]^2``."""
    h0, h1, h2, h3, h4, h5, h6, h7 = H[t], H[t + 1], H[t + 2], H[t + 3], H[t + 4], H[t + 5], H[t + 6], H[t + 7]
    for r in range(squares.size):
        low = h0[r] * h0[r] + h1[r] * h1[r] + h2[r] * h2[r] + h3[r] * h3[r]
        high = h4[r] * h4[r] + h5[r] * h5[r] + h6[r] * h6[r] + h7[r] * h7[r]
        squares[r] += low + high


@compiled
def _two_features(V: Floats, i: int, j: int, H: Floats, t: int, out: Floats) -> None:
    """``out[i:i+2] += V[i:i+2, j:j+8] H[t:t+8]``."""
    a0, a1, a2, a3 = V[i, j], V[i, j + 1], V[i, j + 2], V[i, j + 3]
    a4, a5, a6, a7 = V[i, j + 4], V[i, j + 5], V[i, j + 6], V[i, j + 7]
    b0, b1, b2, b3 = V[i + 1, j], V[i + 1, j + 1], V[i + 1, j + 2], V[i + 1, j + 3]
    b4, b5, b6, b7 = V[i + 1, j + 4], V[i + 1, j + 5], V[i + 1, j + 6], V[i + 1, j + 7]
    h0, h1, h2, h3, h4, h5, h6, h7 = H[t], H[t + 1], H[t + 2], H[t + 3], H[t + 4], H[t + 5], H[t + 6], H[t + 7]
    p, q = out[i], out[i + 1]
    for r in range(p.size):
        p[r] += a0 * h0[r] + a1 * h1[r] + a2 * h2[r] + a3 * h3[r] + a4 * h4[r] + a5 * h5[r] + a6 * h6[r] + a7 * h7[r]
        q[r] += b0 * h0[r] + b1 * h1[r] + b2 * h2[r] + b3 * h3[r] + b4 * h4[r] + b5 * h5[r] + b6 * h6[r] + b7 * h7[r]


@compiled
def _units_back(V: Floats, i: int, j: int, G: Floats, D: Floats, first: bool) -> None:
    """``D = V[i:i+4, j:j+4]' G[i:i+4]``, or that added to it."""
    a0, a1, a2, a3 = V[i, j], V[i + 1, j], V[i + 2, j], V[i + 3, j]
    b0, b1, b2, b3 = V[i, j + 1], V[i + 1, j + 1], V[i + 2, j + 1], V[i + 3, j + 1]
    c0, c1, c2, c3 = V[i, j + 2], V[i + 1, j + 2], V[i + 2, j + 2], V[i + 3, j + 2]
    e0, e1, e2, e3 = V[i, j + 3], V[i + 1, j + 3], V[i + 2, j + 3], V[i + 3, j + 3]
    g0, g1, g2, g3 = G[i], G[i + 1], G[i + 2], G[i + 3]
    p, q, s, t = D[0], D[1], D[2], D[3]
    if first:
        for r in range(p.size):
            p[r] = a0 * g0[r] + a1 * g1[r] + a2 * g2[r] + a3 * g3[r]
            q[r] = b0 * g0[r] + b1 * g1[r] + b2 * g2[r] + b3 * g3[r]
            s[r] = c0 * g0[r] + c1 * g1[r] + c2 * g2[r] + c3 * g3[r]
            t[r] = e0 * g0[r] + e1 * g1[r] + e2 * g2[r] + e3 * g3[r]
    else:
        for r in range(p.size):
            p[r] += a0 * g0[r] + a1 * g1[r] + a2 * g2[r] + a3 * g3[r]
            q[r] += b0 * g0[r] + b1 * g1[r] + b2 * g2[r] + b3 * g3[r]
            s[r] += c0 * g0[r] + c1 * g1[r] + c2 * g2[r] + c3 * g3[r]
            t[r] += e0 * g0[r] + e1 * g1[r] + e2 * g2[r] + e3 * g3[r]


@compiled
def _through_relu(V: Floats, i: int, j: int, G: Floats, H: Floats, curve: Floats, D: Floats, first: bool) -> None:
    """As `_units_back`, with ``curve H[j:j+4]`` added, and zero where the unit is."""
    zero = D.dtype.type(0)
    a0, a1, a2, a3 = V[i, j], V[i + 1, j], V[i + 2, j], V[i + 3, j]
    b0, b1, b2, b3 = V[i, j + 1], V[i + 1, j + 1], V[i + 2, j + 1], V[i + 3, j + 1]
    c0, c1, c2, c3 = V[i, j + 2], V[i + 1, j + 2], V[i + 2, j + 2], V[i + 3, j + 2]
    d0, d1, d2, d3 = V[i, j + 3], V[i + 1, j + 3], V[i + 2, j + 3], V[i + 3, j + 3]
    g0, g1, g2, g3 = G[i], G[i + 1], G[i + 2], G[i + 3]
    p, q, s, t = D[0], D[1], D[2], D[3]
    e, f, g, h = H[j], H[j + 1], H[j + 2], H[j + 3]
    if first:
        for r in range(p.size):
            u0, u1, u2, u3, bent = g0[r], g1[r], g2[r], g3[r], curve[r]
            a = a0 * u0 + a1 * u1 + a2 * u2 + a3 * u3 + bent * e[r]
            b = b0 * u0 + b1 * u1 + b2 * u2 + b3 * u3 + bent * f[r]
            c = c0 * u0 + c1 * u1 + c2 * u2 + c3 * u3 + bent * g[r]
            d = d0 * u0 + d1 * u1 + d2 * u2 + d3 * u3 + bent * h[r]
            p[r], q[r] = zero if e[r] <= zero else a, zero if f[r] <= zero else b
            s[r], t[r] = zero if g[r] <= zero else c, zero if h[r] <= zero else d
    else:
        for r in range(p.size):
            u0, u1, u2, u3, bent = g0[r], g1[r], g2[r], g3[r], curve[r]
            a = p[r] + a0 * u0 + a1 * u1 + a2 * u2 + a3 * u3 + bent * e[r]
            b = q[r] + b0 * u0 + b1 * u1 + b2 * u2 + b3 * u3 + bent * f[r]
            c = s[r] + c0 * u0 + c1 * u1 + c2 * u2 + c3 * u3 + bent * g[r]
            d = t[r] + d0 * u0 + d1 * u1 + d2 * u2 + d3 * u3 + bent * h[r]
            p[r], q[r] = zero if e[r] <= zero else a, zero if f[r] <= zero else b
            s[r], t[r] = zero if g[r] <= zero else c, zero if h[r] <= zero else d


@compiled
def _dots(X: Floats, k: int, D: Floats, t: int, out: Floats, j: int) -> None:
    """``out[k:k+4, j:j+4] = X[k:k+4] D[t:t+4]'``."""
    x0, x1, x2, x3 = X[k], X[k + 1], X[k + 2], X[k + 3]
    d0, d1, d2, d3 = D[t], D[t + 1], D[t + 2], D[t + 3]
    zero = out.dtype.type(0)
    s00 = s01 = s02 = s03 = s10 = s11 = s12 = s13 = zero
    s20 = s21 = s22 = s23 = s30 = s31 = s32 = s33 = zero
    for r in range(x0.size):
        u0, u1, u2, u3 = x0[r], x1[r], x2[r], x3[r]
        v0, v1, v2, v3 = d0[r], d1[r], d2[r], d3[r]
        s00, s01, s02, s03 = s00 + u0 * v0, s01 + u0 * v1, s02 + u0 * v2, s03 + u0 * v3
        s10, s11, s12, s13 = s10 + u1 * v0, s11 + u1 * v1, s12 + u1 * v2, s13 + u1 * v3
        s20, s21, s22, s23 = s20 + u2 * v0, s21 + u2 * v1, s22 + u2 * v2, s23 + u2 * v3
        s30, s31, s32, s33 = s30 + u3 * v0, s31 + u3 * v1, s32 + u3 * v2, s33 + u3 * v3
    out[k, j], out[k, j + 1], out[k, j + 2], out[k, j + 3] = s00, s01, s02, s03
    out[k + 1, j], out[k + 1, j + 1], out[k + 1, j + 2], out[k + 1, j + 3] = s10, s11, s12, s13
    out[k + 2, j], out[k + 2, j + 1], out[k + 2, j + 2], out[k + 2, j + 3] = s20, s21, s22, s23
    out[k + 3, j], out[k + 3, j + 1], out[k + 3, j + 2], out[k + 3, j + 3] = s30, s31, s32, s33
