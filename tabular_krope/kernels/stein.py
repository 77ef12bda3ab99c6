r"""The Stein (discrete Lyapunov) equation $M = C + \gamma\,Q M Q^\top$ for a substochastic ``Q``.

Its solution is $M = \sum_n \gamma^n Q^n C (Q^n)^\top$. Smith's doubling sums $2^k$ terms after $k$ steps:

$$M_{k+1} = M_k + s_k A_k M_k A_k^\top, \quad A_{k+1} = A_k^2, \quad s_{k+1} = s_k^2, \qquad A_0 = Q,\ s_0 = \gamma.$$

What is left out is $M - M_k = s_k A_k M A_k^\top$, so in the sup norm, with $c_k = s_k \|A_k\|_\infty^2 < 1$,

$$\|M - M_k\| \le \frac{c_k}{1-c_k}\,\|M_k\|, \qquad c_{k+1} \le c_k^2,$$

which is the stopping rule. On a chain that mixes there is no need to wait for $s_k$ to vanish. With the stationary
$\mu$ and $E = A_k - 1\mu^\top$ the powers are $A_k^j = 1\mu^\top + E^j$, so, with $u = M_k \mu$, the remainder is

$$\sum_{j \ge 1} s_k^j A_k^j M_k A_k^{j\top}
  = \frac{s_k}{1-s_k}\,\mu^\top u\;11^\top + s_k\,(E u\,1^\top + 1\,u^\top E^\top) + O(3 s_k \|E\|^2 \|M_k\|)$$

and costs a few products with vectors as soon as $\|E\|$ is the square root of rounding. Since $E_{k+1} = E_k^2$, a step
knows whether it is the last, by either rule, and the last one does not square $A_k$.

One doubling earlier the square of ``E`` is small, so small that float32 multiplies it well enough: with $F = E^2$,
$t = s_k^2$ and ``u`` of the sum so far, vectors and one product of float32 matrices are all that is left,

$$\frac{t}{1-t}\,\mu^\top u\;11^\top + (f\,1^\top + 1 f^\top) + t\,F M F^\top + O(4 t \|F\|^4 \|M\|),
  \qquad f = t F u + t^2 F^2 u + t^3 F^3 u .$$

The residual is measured in float64, as ever.

This is the dense solver of float arithmetic: for one equation (`solve_stein`), for stacks (`stein_solutions`), and for
a factor of the solution (`tabular_krope.kernels.factor.stein_factor`). Products alone solve it in
`tabular_krope.kernels.matrix_free`, rationals in `tabular_krope.exact.exact_stein`.

The update is in place and computes one triangle of its second product, see `add_symmetric`; ``Q`` itself is multiplied
by as a sparse matrix if it is mostly zeros.

The error bound that is reported adds rounding: the fixed-point residual that was measured,
times the horizon $\|(I - \gamma Q)^{-1}\|_\infty$, which bounds the inverse of $M \mapsto M - \gamma Q M Q^\top$.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array, Matrix, dense, is_sparse, row_sums
from tabular_krope.errors import KropeError
from tabular_krope.kernels.products import BLOCK, add_symmetric, cheapest, lower_blocks, multiply

EPS, EPS32 = float(np.finfo(np.float64).eps), float(np.finfo(np.float32).eps)
#: Doublings that cover 2**60 terms of the series: beyond any horizon that float64 can tell from infinity.
MOST_DOUBLINGS = 60
#: Size of ``s E^2`` from which on the square of ``E`` may be small enough for float32; tried on large matrices only.
NEARLY = 2e-4
#: Size up to which a product with zeros is faster than the handling of a sparse matrix.
DENSE = 24


@dataclass(frozen=True, slots=True, eq=False)
class SteinSolution:
    """A solution with its evidence.

    Attributes:
        matrix: the solution, [n, n], symmetric.
        iterations: steps taken.
        residual: sup norm of ``M - C - gamma Q M Q'``.
        error_bound: bound on the sup-norm distance to the true solution.
    """

    matrix: Array
    iterations: int
    residual: float
    error_bound: float


def solve_stein(Q: Matrix, C: Array, gamma: float, horizon: float, tolerance: float | None = None) -> SteinSolution:
    r"""Solve $M = C + \gamma Q M Q^\top$ by Smith doubling.

    Args:
        Q: dense or CSR, non-negative with row sums at most 1, [n, n].
        C: symmetric right-hand side, [n, n].
        gamma: in [0, 1]; 1 only if powers of ``Q`` vanish.
        horizon: sup norm of ``(I - gamma Q)^{-1}``; ``1/(1-gamma)`` when rows of ``Q`` sum to 1.
        tolerance: wanted bound on the sup-norm error; a small multiple of rounding if None.

    Returns:
        The symmetric solution and its evidence.

    >>> float(solve_stein(np.array([[1.0]]), np.array([[1.0]]), 0.5, 2.0).matrix[0, 0])
    2.0
    """
    scale = float(np.abs(C).max(initial=0.0)) * horizon
    allowed = rounding_floor(scale, horizon, len(C)) if tolerance is None else tolerance
    Q = cheapest(Q) if len(C) > DENSE else dense(Q)
    M, steps = _double(Q, C, gamma)
    for refined in (False, True):
        residual = stein_residual(M, Q, C, gamma)
        # The residual is itself computed in floating point: a few ulps of numbers as large as ``scale``.
        bound = (residual + 2 * EPS * scale) * horizon
        if bound <= allowed:
            return SteinSolution(M, steps, residual, bound)
        if not refined:  # the defect is the right-hand side of an equation for the error
            correction, more = _double(Q, stein_defect(M, Q, C, gamma), gamma)
            M, steps = M + correction, steps + more
    raise KropeError(f"doubling must reach an error of {allowed:.3g}; got {bound:.3g} after {steps} steps")


def stein_solutions(Q: Array, C: Array, gamma: Array) -> Array:
    """Symmetric solutions of ``M = C + gamma Q M Q'`` for stacks [n, m, m] and gamma [n], by the same doubling.

    All take as many steps as the slowest, until the discount of what is left out is below rounding; there is no
    evidence but the rule. Where gamma is 1 every episode has to end: there the share that goes on has to vanish.

    >>> stein_solutions(np.ones((1, 1, 1)), np.ones((1, 1, 1)), np.array([0.5])).item()
    2.0
    >>> stein_solutions(np.full((1, 1, 1), 0.5), np.ones((1, 1, 1)), np.ones(1)).item()
    1.3333333333333333
    """
    M, A, s = C, Q, gamma[:, None, None]
    undiscounted = bool(np.any(gamma == 1.0))
    for _ in range(MOST_DOUBLINGS):
        left = s * A.sum(axis=2, keepdims=True).max(axis=1, keepdims=True) ** 2 if undiscounted else s
        if left.max(initial=0.0) <= EPS:
            break
        M, A, s = M + s * (A @ M @ A.transpose(0, 2, 1)), A @ A, s * s
    return np.asarray((M + M.transpose(0, 2, 1)) / 2)


def _double(Q: Matrix, C: Array, gamma: float) -> tuple[Array, int]:
    """The sum of the series until what is left is rounding next to it, and the doublings it took."""
    # Three arrays are written to in turn; Q and C, which are the caller's, are only read.
    M, A, s, steps = C.copy(), Q, gamma, 0
    left = 1.0 - gamma  # 1 - s, without the cancellation
    work = np.empty_like(M)
    while True:
        sums = row_sums(A)
        c = s * float(sums.max(initial=0.0)) ** 2
        if _negligible(c):
            return M, steps
        conserves = left > 0.0 and float(np.abs(sums - 1.0).max()) <= len(M) * EPS
        e = s * _distance_from_mixed(A, work) ** 2 if conserves else 1.0
        if 3 * e <= EPS:
            _close_tail(M, A, s, left, work)
            return M, steps
        if steps == MOST_DOUBLINGS:
            raise KropeError(f"doubling must end within {MOST_DOUBLINGS} steps; got a remaining factor of {c:.3g}")
        multiply(A, M, out=work)
        work *= s
        add_symmetric(M, work, A)
        steps += 1
        if _negligible(c * c):
            return M, steps
        if 3 * e * e <= EPS:
            _close_tail(M, A, s, left, work, squared=True)
            return M, steps
        if e <= NEARLY and len(M) > BLOCK and (F := _small_square(A, s, work)) is not None:
            _close_tail(M, A, s, left, work, squared=True, F=F)
            return M, steps
        multiply(A, A, out=work)
        A, work = work, np.empty_like(M) if A is Q else A
        left *= 1.0 + s
        s = gamma ** (2**steps)  # not s * s, whose rounding doubles with each step


def _negligible(c: float) -> bool:
    return c <= EPS * (1.0 - c)


def _distance_from_mixed(A: Matrix, work: Array) -> float:
    """Sup norm of ``E = A - 1 mu'``, or 1 where a glance says that it is not small."""
    if is_sparse(A) or np.abs(A[-1] - A[0]).sum() > 0.1:
        return 1.0
    np.subtract(A, A[0] @ A, out=work)  # mu up to the square of E
    np.abs(work, out=work)
    return float(work.sum(axis=1).max())


def _small_square(A: Array, s: float, work: Array) -> NDArray[np.float32] | None:
    """``F = E^2`` in float32; None unless what float32 rounds in its products, and its fourth power, are rounding."""
    E, _ = _halves(work)
    np.subtract(A, A[0] @ A, out=E)  # mu up to the square of E, which is E^2 of the first row
    F = E @ E
    norm = float(np.abs(F, out=E).sum(axis=1, dtype=np.float64).max())
    return F if s * s * norm**2 * max(4 * norm**2, 8 * EPS32) <= EPS else None


def _halves(work: Array) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Two float32 matrices in the memory of one of float64."""
    n = len(work)
    first, second = work.reshape(-1).view(np.float32).reshape(2, n, n)
    return first, second


def _close_tail(
    M: Array, A: Array, s: float, left: float, work: Array, squared: bool = False, F: NDArray[np.float32] | None = None
) -> None:
    """Add the remainder of the series to ``M`` in place, for ``A`` and ``s`` or their squares; ``F`` is small."""
    mu = A[0] @ A @ A  # stationary up to the cube of E
    if F is not None:
        mu = mu @ A @ A
    u = M @ mu
    m = float(mu @ u)
    Eu = A @ u - m
    if squared:
        s, left, Eu = s * s, left * (1.0 + s), A @ Eu - mu @ Eu
    if F is not None:
        more = F @ Eu.astype(np.float32)
        Eu = Eu + s * (more + s * (F @ more))
        _add_small(M, F, s, work)
    half = s * (Eu + m / (2 * left))
    M += np.add.outer(half, half, out=work)


def _add_small(M: Array, F: NDArray[np.float32], s: float, work: Array) -> None:
    """``M += s F M F'`` in place, in float32."""
    first, second = _halves(work)
    first[...] = M
    np.matmul(F, first, out=second)
    np.matmul(second, F.T, out=first)
    np.add(first, first.T, out=second)
    second *= np.float32(s / 2)
    M += second


def stein_defect(M: Array, Q: Matrix, C: Array, gamma: float) -> Array:
    """``C + gamma Q M Q' - M``, [n, n], for symmetric ``M`` and ``C``."""
    defect = C - M
    add_symmetric(defect, gamma * (Q @ M), Q)
    return defect


def stein_residual(M: Array, Q: Matrix, C: Array, gamma: float) -> float:
    """Sup norm of ``M - C - gamma Q M Q'``, for symmetric ``M`` and ``C``, from one triangle of it."""

    def begin(start: int, stop: int, out: Array) -> None:
        np.subtract(C[start:, start:stop], M[start:, start:stop], out=out)

    W = Q @ M
    W *= gamma
    if len(M) <= BLOCK and not is_sparse(Q):
        whole = C - M
        whole += np.matmul(Q, W.T)
        return float(np.abs((whole + whole.T) * 0.5).max(initial=0.0))
    return max((max(float(part.max()), -float(part.min())) for _, _, part in lower_blocks(Q, W, begin)), default=0.0)


def rounding_floor(scale: float, horizon: float, n: int) -> float:
    """What rounding can leave in a solution of size ``scale``: ``n`` additions each, magnified by the horizon."""
    return 8 * EPS * max(n, 4) * scale * horizon
