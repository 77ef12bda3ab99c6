r"""LSPE's iteration $\theta \leftarrow b + L\,\theta$ from weighted rows: the numerics that every way in shares.

A *way in* (a reward process, arrays of data) gives the weighted features $D^{1/2}\Phi$, the weighted rewards and the
weighted features of the successors; what is regressed on what, and how it is inverted, stands here once.
"""

from typing import Any, Protocol

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError, unknown_name

DTYPES: dict[str, Any] = {"float64": np.float64, "float32": np.float32}
#: Relative cut-off of numpy's pseudo-inverse.
RCOND = 1e-15


class Successors(Protocol):
    """The features of what comes after each row, weighted by ``D^1/2``."""

    def weighted(self) -> Array:
        """``D^1/2 P Phi``, [n, d]."""

    def rescaled(self, U: Array, sigma: Array, Vt: Array) -> Array:
        """``D^1/2 P (Phi V S^-1)`` where ``D^1/2 Phi = U S V'``, [n, rank]."""


def by_svd(Phi: Array, r: Array, gamma: float, after: Successors, shape: tuple[int, int]) -> tuple[Array, Array, Array]:
    """``L``, ``b`` and a matrix with the non-zero eigenvalues of ``L`` that is as well conditioned as can be.

    With ``D^1/2 Phi = U S V'`` that matrix is ``T = gamma U' D^1/2 P_pi (Phi V S^-1)``: ``L = (V S^-1) T (S V')``, so
    the scales of the features, which would magnify rounding in the eigenvalues of ``L``, cancel from ``T``.

    Args:
        Phi: weighted features ``D^1/2 Phi``, [n, d], in the arithmetic that is wanted.
        r: weighted rewards ``D^1/2 r``, [n].
        gamma: discount.
        after: the successors.
        shape: rows and columns by which the numerical rank is judged.
    """
    U, sigma, Vt = scipy.linalg.svd(Phi, full_matrices=False, check_finite=False)
    rank = numerical_rank(sigma, shape)
    U, sigma, Vt = U[:, :rank], sigma[:rank], Vt[:rank]
    discount = Phi.dtype.type(gamma)
    pinv = (Vt.T / sigma) @ U.T  # (D^1/2 Phi)^+, [d, n]
    T = discount * (U.T @ after.rescaled(U, sigma, Vt))
    L = discount * (pinv @ after.weighted())
    return L.astype(np.float64), (pinv @ r).astype(np.float64), T.astype(np.float64)


def by_covariance(B: Array, C: Array, c: Array, gamma: float, rcond: float | None) -> tuple[Array, Array, Array]:
    """``L = gamma B^+ C`` and ``b = B^+ c`` as the paper computes them; the eigenvalues are those of ``L`` itself."""
    B_pinv = np.linalg.pinv(B, rcond=RCOND if rcond is None else float(rcond))
    L = (B.dtype.type(gamma) * (B_pinv @ C)).astype(np.float64)
    return L, (B_pinv @ c).astype(np.float64), L


def numerical_rank(sigma: Array, shape: tuple[int, ...]) -> int:
    """Singular values above ``max(shape) * eps`` of the largest, the rule of numpy's and torch's ``matrix_rank``.

    >>> numerical_rank(np.array([1.0, 1e-20]), (2, 2))
    1
    """
    if sigma.size == 0 or sigma[0] == 0:
        return 0
    return int(np.sum(sigma > max(shape) * np.finfo(sigma.dtype).eps * sigma[0]))


def rank_and_condition(sigma: Array, shape: tuple[int, ...]) -> tuple[int, float]:
    """Numerical rank, and the largest over the smallest singular value within it; inf at rank 0.

    >>> rank_and_condition(np.array([4.0, 2.0, 0.0]), (3, 3))
    (2, 2.0)
    """
    rank = numerical_rank(sigma, shape)
    return rank, float(sigma[0] / sigma[rank - 1]) if rank else float("inf")


def fixed_point(L: Array, b: Array) -> Array:
    """The solution of ``theta = b + L theta`` (of least norm and least residual if there is not exactly one)."""
    return np.asarray(np.linalg.lstsq(np.eye(len(b)) - L, b, rcond=None)[0])


def iterates(L: Array, b: Array, theta0: Array, steps: int) -> Array:
    """``theta_0, ..., theta_steps`` of ``theta <- b + L theta``, [steps + 1, d]; overflow shows as inf.

    >>> iterates(np.array([[0.5]]), np.array([1.0]), np.array([0.0]), 3).tolist()
    [[0.0], [1.0], [1.5], [1.75]]
    """
    trace = np.empty((steps + 1, len(b)))
    trace[0] = theta0
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(steps):
            trace[t + 1] = b + L @ trace[t]
    return trace


def require_route(solver: str, dtype: str, rcond: Any, solvers: tuple[str, ...]) -> None:
    """A known solver in an arithmetic it has, and a cut-off only where it is used."""
    if solver not in solvers:
        raise unknown_name("solver", str(solver), solvers)
    dtypes = ["float64"] if solver == "exact" else list(DTYPES)
    if dtype not in dtypes:
        raise unknown_name("dtype", str(dtype), dtypes)
    if rcond is not None and solver != "covariance":
        raise KropeError(f"rcond must be None unless solver is 'covariance'; got {rcond!r}")
    if rcond is not None and not (isinstance(rcond, int | float | np.floating) and 0 <= rcond < 1):
        raise KropeError(f"rcond must be a number in [0, 1); got {rcond!r}")


def largest_feature(dtype: str, shape: tuple[int, ...]) -> float:
    """Entries of features up to this size have squares that can be summed without overflow."""
    return float(np.sqrt(np.finfo(DTYPES[dtype]).max) / max(shape))
