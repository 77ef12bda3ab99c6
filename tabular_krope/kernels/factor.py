r"""A factor $K = G G^\top$ that keeps the small directions: doubling on square roots.

Writing $M_k = N_k N_k^\top$ in Smith's doubling gives $N_{k+1} = [N_k,\ \sqrt{s_k} A_k N_k]$, compressed back to at
most S columns by a QR factorization of its transpose. The kernel itself is never formed, so its condition number is
never squared: singular values of ``G`` are right to ``eps * sigma_1``, where an eigendecomposition of ``K`` would only
give eigenvalues right to ``eps * lambda_1``, and lose every direction below $\sqrt{eps}$ of the largest.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array, dense
from tabular_krope.errors import KropeError
from tabular_krope.kernels.reward import RewardKernel
from tabular_krope.kernels.stein import EPS, MOST_DOUBLINGS

if TYPE_CHECKING:
    from tabular_krope.models.mrp import MRP

#: Columns that LAPACK reduces at once, at least as many as it wants.
QR_BLOCK = 64


def state_factor(mrp: "MRP", reward: RewardKernel) -> Array:
    """``N`` [S, <= S] with ``N N' = M``, the solution of ``M = Pi K1 Pi' + gamma Q M Q'``."""
    N = np.zeros((mrp.n_states, 0))
    for Z in reward.factor_blocks(mrp.n_states):
        N = compress(np.concatenate([N, mrp.Pi @ Z], axis=1))
    found, left = stein_factor(dense(mrp.Q), N, mrp.gamma)
    if found is None:
        raise KropeError(f"doubling must end within {MOST_DOUBLINGS} steps; got a remaining factor of {left:.3g}")
    return found


def stein_factor(A: Array, N: Array, gamma: float, most: float = np.inf) -> tuple[Array | None, float]:
    r"""``W`` [k, <= k] with $W W^\top = M$, the solution of $M = N N^\top + \gamma A M A^\top$, by doubling on factors.

    Args:
        A: [k, k], powers of ``sqrt(gamma) A`` vanish.
        N: [k, any].
        gamma: in [0, 1].
        most: size of those powers beyond which they have lost all digits of what they decay to.

    Returns:
        The factor and the size of the last power; None in place of the factor if it did not decay, or grew too large.

    >>> factor, _ = stein_factor(np.array([[0.5]]), np.array([[1.0]]), 1.0)
    >>> factor**2  # 1 / (1 - 1/4)
    array([[1.33333333]])
    """
    root = float(np.sqrt(gamma))
    B, left = root * A, np.inf
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(MOST_DOUBLINGS):
            left = float(np.abs(B).sum(axis=1).max(initial=0.0))
            # The part left out is B W_inf, whose size relative to W_inf is at most this: negligible next to rounding.
            if left <= EPS:
                return N, left
            if not left <= most:
                break
            if 0.0 < root < 1.0 and has_mixed(B / root, root):
                # B W_inf is a multiple of 1: the remainder of M is s/(1-s) (mu' M mu) 11', see `solve_stein`.
                tail = float(np.linalg.norm(B[0] @ N)) / np.sqrt(1 - root * root)
                return compress(np.concatenate([N, np.full((len(A), 1), tail)], axis=1)), left
            N = compress(np.concatenate([N, B @ N], axis=1))
            B, root = B @ B, root * root
    return None, left


def has_mixed(A: Array, s: float) -> bool:
    """Whether ``A`` is ``1 mu'`` to rounding, as seen in a sum where it has weight ``s``.

    >>> has_mixed(np.array([[0.5, 0.5], [0.5, 0.5]]), 0.9), has_mixed(np.eye(2), 0.9)
    (True, False)
    """
    conserves = abs(float(A[0].sum()) - 1.0) <= len(A) * EPS
    return conserves and 3 * s * float(np.abs(A - A[0]).max()) <= EPS


def kernel_factor(mrp: "MRP", reward: RewardKernel, N: Array | None = None) -> Array:
    """``G`` [X, <= X] with ``G G' = K``, the KROPE kernel.

    >>> from tabular_krope.models.mrp import MRP
    >>> mrp = MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], 0.5)
    >>> G = kernel_factor(mrp, RewardKernel.of(mrp.r))
    >>> np.round(G @ G.T, 12)
    array([[2., 0.],
           [0., 2.]])
    """
    if N is None:
        N = state_factor(mrp, reward)
    return compress(np.concatenate([reward.factor(), np.sqrt(mrp.gamma) * (mrp.P @ N)], axis=1))


def compress(G: Array) -> Array:
    """A factor of ``G G'`` with no more columns than rows.

    >>> compress(np.array([[3.0, 4.0]])) ** 2
    array([[25.]])
    """
    n, m = G.shape
    if m <= n:
        return G
    # LAPACK itself: on small factors scipy's wrapper takes longer than the factorization.
    QR, _, _, info = scipy.linalg.lapack.dgeqrf(G.T, lwork=QR_BLOCK * max(n, 1))
    if info != 0:
        raise KropeError(f"the factor must be a matrix that LAPACK can reduce; got info = {info}")
    return np.where(_triangle(n), QR[:n].T, 0.0)


@lru_cache(maxsize=64)
def _triangle(n: int) -> np.ndarray:
    """The lower triangle as a mask, [n, n]."""
    mask = np.tri(n, dtype=bool)
    mask.flags.writeable = False
    return mask
