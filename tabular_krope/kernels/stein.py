r"""The Stein (discrete Lyapunov) equation $M = C + \gamma\,Q M Q^\top$ for a substochastic ``Q``.

Its solution is $M = \sum_n \gamma^n Q^n C (Q^n)^\top$. Smith's doubling sums $2^k$ terms after $k$ steps:

$$M_{k+1} = M_k + s_k A_k M_k A_k^\top, \quad A_{k+1} = A_k^2, \quad s_{k+1} = s_k^2, \qquad A_0 = Q,\ s_0 = \gamma.$$

What is left out is $M - M_k = s_k A_k M A_k^\top$, so in the sup norm, with $c = s_k \|A_k\|_\infty^2 < 1$,

$$\|M - M_k\| \le \frac{c}{1-c}\,\|M_k\|,$$

which is the stopping rule. On a chain that has mixed, $A_k = 1\mu^\top$ up to $\delta$ in the sup norm, there is no
need to wait for $s_k$ to vanish: the remainder is a multiple of $11^\top$ with $m = \mu^\top M \mu = \mu^\top M_k \mu /
(1 - s_k)$,

$$M = M_k + s_k\,m\,11^\top, \quad \text{wrong by at most } s_k (2\delta + \delta^2) \|M\|.$$

The error bound that is reported adds rounding: the fixed-point residual that was measured,
times the horizon $\|(I - \gamma Q)^{-1}\|_\infty$, which bounds the inverse of $M \mapsto M - \gamma Q M Q^\top$.
"""

from dataclasses import dataclass

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError

EPS = float(np.finfo(np.float64).eps)
#: Doublings that cover 2**60 terms of the series: beyond any horizon that float64 can tell from infinity.
MOST_DOUBLINGS = 60


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


def solve_stein(Q: Array, C: Array, gamma: float, horizon: float, tolerance: float | None = None) -> SteinSolution:
    r"""Solve $M = C + \gamma Q M Q^\top$ by Smith doubling.

    Args:
        Q: dense, non-negative with row sums at most 1, [n, n].
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
    M, steps = _double(Q, C, gamma)
    for refined in (False, True):
        M = (M + M.T) / 2
        residual = stein_residual(M, Q, C, gamma)
        # The residual is itself computed in floating point: a few ulps of numbers as large as ``scale``.
        bound = (residual + 2 * EPS * scale) * horizon
        if bound <= allowed:
            return SteinSolution(M, steps, residual, bound)
        if not refined:  # the residual is the right-hand side of an equation for the error
            correction, more = _double(Q, C - M + gamma * (Q @ M @ Q.T), gamma)
            M, steps = M + correction, steps + more
    raise KropeError(f"doubling must reach an error of {allowed:.3g}; got {bound:.3g} after {steps} steps")


def _double(Q: Array, C: Array, gamma: float) -> tuple[Array, int]:
    """The sum of the series until what is left is rounding next to it, and the doublings it took."""
    # Three arrays are written to in turn; Q and C, which are the caller's, are only read.
    M, A, s, steps = C.copy(), Q, gamma, 0
    spare, work = np.empty_like(M), np.empty_like(M)
    while True:
        reach = float(A.sum(axis=1).max(initial=0.0))
        c = s * reach * reach
        if c <= EPS * (1.0 - c):
            return M, steps
        if s < 1.0 and has_mixed(A, s):
            M += s / (1.0 - s) * float(A[0] @ M @ A[0])
            return M, steps
        if steps == MOST_DOUBLINGS:
            raise KropeError(f"doubling must end within {MOST_DOUBLINGS} steps; got a remaining factor of {c:.3g}")
        np.matmul(A, M, out=spare)
        np.matmul(spare, A.T, out=work)
        work *= s
        M += work
        np.matmul(A, A, out=spare)
        A, spare = spare, np.empty_like(M) if A is Q else A
        s = s * s
        steps += 1


def has_mixed(A: Array, s: float) -> bool:
    """Whether ``A`` is ``1 mu'`` to rounding, as seen in a sum where it has weight ``s``.

    >>> has_mixed(np.array([[0.5, 0.5], [0.5, 0.5]]), 0.9), has_mixed(np.eye(2), 0.9)
    (True, False)
    """
    conserves = abs(float(A[0].sum()) - 1.0) <= len(A) * EPS
    return conserves and 3 * s * float(np.abs(A - A[0]).max()) <= EPS


def stein_residual(M: Array, Q: Array, C: Array, gamma: float) -> float:
    """Sup norm of ``M - C - gamma Q M Q'``."""
    return float(np.abs(M - C - gamma * (Q @ M @ Q.T)).max(initial=0.0))


def rounding_floor(scale: float, horizon: float, n: int) -> float:
    """What rounding can leave in a solution of size ``scale``: ``n`` additions each, magnified by the horizon."""
    return 8 * EPS * max(n, 4) * scale * horizon
