r"""The span of base features in a basis that is orthonormal on the data.

With $D^{1/2}\Psi E = Q$, $Q^\top Q = I$, the equations of the closed form lose their inverses:

$$G = I, \qquad A = Q^\top D^{1/2} \Psi' E, \qquad M_1 = N N^\top,\ N = (S E)^\top,$$

``S`` the rows of `reward_rows`. ``E`` comes from a singular value decomposition of the triangular factor of
$D^{1/2}\Psi$ with its columns scaled to norm 1; directions below ``rcond`` of the largest are left out. A ridge is p
further rows $\sqrt{ridge}\,I$ that lead nowhere: it belongs to the data from here on, and so to every regression.
"""

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError
from tabular_krope.kernels.factor import compress, stein_factor
from tabular_krope.kernels.stein import EPS

#: Eigenvalues of ``sqrt(gamma) A`` this close to the unit circle count as outside: the series would not end.
MARGIN = float(np.sqrt(EPS))
#: What the letters of the condition on the base features stand for.
LETTERS = "(Psi: the base features; A: their best linear map to those of the successors; rho: its spectral radius)"
#: Powers of ``sqrt(gamma) A`` that grow beyond this before they decay have lost all digits of what they decay to.
HUGE = 1e8


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """Base features in an orthonormal basis.

    Attributes:
        E: coordinates of the basis functions, [p, k].
        A: the successors' basis functions regressed on the basis, [k, k].
        N: ``M1 = N N'``, [k, m].
        condition: ratio of the largest to the smallest singular value that was kept.
        growth: Frobenius norm of ``A`` before any restriction; what its rounding is relative to.
        dropped: moduli of the eigenvalues of ``A`` that a restriction removed, decreasing.
    """

    E: Array
    A: Array
    N: Array
    condition: float
    growth: float
    dropped: Array

    @property
    def radius(self) -> float:
        """``rho(A)``."""
        return spectral_radius(self.A)


def spectral_radius(A: Array) -> float:
    """Largest modulus of the eigenvalues; 0 for an empty matrix."""
    return float(np.abs(np.linalg.eigvals(A)).max(initial=0.0))


def orthonormal_span(R: Array, S: Array, rcond: float) -> Span:
    """The span from the triangular factor of ``D^1/2 [Psi, Psi_next]`` [m, 2p] and rows ``S`` [any, p].

    >>> span = orthonormal_span(np.array([[2.0, 4.0]]), np.array([[1.0]]), 0.0)  # psi = 2, psi' = 4, K1 = 1
    >>> abs(float(span.E[0, 0])), float(span.A[0, 0])
    (0.5, 2.0)
    """
    p = R.shape[1] // 2
    scale = np.linalg.norm(R[:, :p], axis=0)
    if not scale.any():
        raise KropeError("Psi must have a non-zero row with positive weight; got zeros only")
    scale[scale == 0] = 1.0
    U, sigma, Vt = scipy.linalg.svd(R[:, :p] / scale, full_matrices=False, check_finite=False)
    k = int(np.sum(sigma > max(rcond, max(R.shape) * EPS) * sigma[0]))
    E = (Vt[:k].T / sigma[:k]) / scale[:, None]
    A = U[:, :k].T @ (R[:, p:] @ E)
    growth = float(np.linalg.norm(A))
    return Span(E, A, compress((S @ E).T), float(sigma[0] / sigma[k - 1]), growth, np.zeros(0))


def restricted(span: Span, gamma: float) -> Span:
    r"""The real invariant subspace of ``A`` with $\sqrt\gamma\,|\lambda| < 1$, by an ordered Schur form.

    Its basis functions $\Psi E Z$, ``Z`` orthonormal, are orthonormal on the data again, so that ``A`` and ``M1``
    computed afresh are $Z^\top A Z$ and $Z^\top M_1 Z$.
    """
    bar = (1.0 - MARGIN) / np.sqrt(gamma)
    eigenvalues = np.linalg.eigvals(span.A)
    T, Z, k = scipy.linalg.schur(span.A, output="real", sort=lambda re, im: np.hypot(re, im) < bar)
    if k == 0:
        least = float(np.abs(eigenvalues).min())
        raise KropeError(
            f"gamma rho(A)^2 must be below 1 on some part of the span of Psi {LETTERS}; got {gamma * least**2:.6g} or "
            "more on all of it: every direction grows too fast from the data to their successors"
        )
    Z = Z[:, :k]
    moduli = np.sort(np.abs(eigenvalues))[::-1]
    return replace(span, E=span.E @ Z, A=T[:k, :k], N=compress(Z.T @ span.N), dropped=moduli[: len(moduli) - k])


def kernel_factor(A: Array, N: Array, gamma: float) -> Array:
    r"""``W`` [k, <= k] with $W W^\top = M$, the solution of $M = N N^\top + \gamma A M A^\top$, by doubling on factors.

    >>> kernel_factor(np.array([[0.5]]), np.array([[1.0]]), 1.0) ** 2  # 1 / (1 - 1/4)
    array([[1.33333333]])
    """
    W, left = stein_factor(A, N, gamma, HUGE)
    if W is not None:
        return W
    raise KropeError(
        f"powers of sqrt(gamma) A must decay without growing beyond {HUGE:.0e} first; got {left:.3g}: the successors "
        "have base features too far from those of the data"
    )


def defects(span: Span, W: Array, V: Array, sigma: Array, gamma: float) -> Array:
    r"""How far $M = N N^\top + \gamma A M A^\top$ is from solved on the first 1, 2, ... directions, relatively, [k].

    The rows of $T = \Sigma^{-1} V^\top [N, \sqrt\gamma A W]$ are orthonormal when ``W W' = M`` has been solved, and
    $\|L_d\|_2 \le \sqrt\gamma\,\|T_d\|_2$ whether it has or not. Returned is the Frobenius norm of
    $T_d T_d^\top - I$.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        T = (V.T @ np.hstack([span.N, np.sqrt(gamma) * (span.A @ W)])) / sigma[:, None]
        gap = (T @ T.T - np.eye(len(T))) ** 2
        leading = np.cumsum(np.cumsum(gap, axis=0), axis=1).diagonal()
    value: Array = np.sqrt(np.nan_to_num(leading, nan=np.inf))
    return value
