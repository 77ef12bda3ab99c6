r"""A Lyapunov certificate of stability: $X \succ 0$ with $X - L^\top X L \succ 0$.

Such an ``X`` exists iff $\rho(L) < 1$, and then every step of the iteration contracts in the norm $\sqrt{u^\top X u}$.
A semidefinite program proposes ``X``; what is proposed is then read as a rational matrix and both inequalities are
decided in exact arithmetic, so that nothing rests on the solver's tolerances.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import matrix_balance, solve_triangular

from tabular_krope.arrays import Array, frozen_array
from tabular_krope.errors import KropeError
from tabular_krope.looks import Tabled


@dataclass(frozen=True, slots=True, eq=False)
class LyapunovCertificate(Tabled):
    """A matrix ``X`` that proves ``rho(L) < 1``.

    Attributes:
        X: symmetric positive definite, [d, d].
        contraction: the smallest c with ``L' X L <= c^2 X`` (in floating point): the contraction factor in the norm of
            X.
        verified: whether ``X > 0`` and ``X - L' X L > 0`` were decided over the rationals; always True on return.
    """

    X: Array
    contraction: float
    verified: bool

    def _table(self) -> tuple[str, dict[str, Any]]:
        facts = {"verified over the rationals": self.verified, "contraction": float(self.contraction)}
        return "Lyapunov certificate", facts | {"features": len(self.X)}


def lyapunov_certificate(L: Any) -> LyapunovCertificate:
    """Find and verify ``X > 0`` with ``X - L' X L > 0``.

    Args:
        L: iteration matrix, [d, d], for instance ``lspe(...).L``.

    Returns:
        A verified certificate. Raises KropeError when the spectral radius is not below 1, or when no proposal passes
        the exact check.

    >>> lyapunov_certificate([[0.5, 10.0], [0.0, 0.5]]).verified
    True
    """
    matrix = frozen_array(L, "L", (None, None))
    d = len(matrix)
    if matrix.shape != (d, d) or d == 0:
        raise KropeError(f"L must be a square matrix; got shape {matrix.shape}")
    radius = float(np.abs(np.linalg.eigvals(matrix)).max())
    if not radius < 1:
        raise KropeError(f"L must have a spectral radius below 1 for a certificate to exist; got {radius:.10g}")
    X = _propose(matrix)
    if not verify_lyapunov(matrix, X):
        raise KropeError(f"no proposed X passed the exact check; the spectral radius is {radius:.10g}")
    half = np.linalg.cholesky(X).T  # X = half' half
    contraction = float(np.linalg.norm(solve_triangular(half, (half @ matrix).T, trans="T").T, 2))
    return LyapunovCertificate(X, contraction, True)


def verify_lyapunov(L: Any, X: Any) -> bool:
    """Whether ``X`` and ``X - L' X L`` are positive definite, with all floats read as rationals.

    >>> verify_lyapunov([[0.5]], [[1.0]]), verify_lyapunov([[1.5]], [[1.0]])
    (True, False)
    """
    from tabular_krope.exact.psd import is_pd
    from tabular_krope.exact.rationals import rational_matrix

    exact_L, exact_X = rational_matrix(np.asarray(L)), rational_matrix(np.asarray(X))
    return is_pd(exact_X) and is_pd(exact_X - exact_L.transpose() * exact_X * exact_L)


def _propose(L: Array) -> Array:
    """The best conditioned solution of a semidefinite program: least t with I <= X <= t I, X - L'XL >= I."""
    import cvxpy as cp

    d = len(L)
    # Powers of a far from normal L are huge; a diagonal similarity brings its entries to one scale first.
    balance = _balance(L)
    scaled = L * (balance[None, :] / balance[:, None])
    X, t = cp.Variable((d, d), symmetric=True), cp.Variable()
    constraints = [X >> np.eye(d), t * np.eye(d) - X >> 0, X - scaled.T @ X @ scaled >> np.eye(d)]
    problem = cp.Problem(cp.Minimize(t), constraints)
    problem.solve(solver=cp.CLARABEL)
    if X.value is None:
        raise KropeError(f"the semidefinite program for X must be solved; got status {problem.status!r}")
    proposal = X.value / np.outer(balance, balance)
    return np.asarray((proposal + proposal.T) / 2)


def _balance(L: Array) -> Array:
    _, (scale, _) = matrix_balance(L, permute=False, separate=True)
    return np.asarray(scale, dtype=np.float64)
