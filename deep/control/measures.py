r"""What features are worth on a data set: LSPE under two arithmetics, certificates, completeness, orthogonality.

The rows of the data set are the chain: row ``i`` leads to its own next pair, whose features are zero where the episode
ended. So $E = \Phi\Phi^\top - K_1 - \gamma\Phi'\Phi'^\top$ is the residual of the certificate (rows by rows, never
formed), and every row weighs the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from tabular_krope.arrays import Array
from tabular_krope.evaluation.iteration import numerical_rank
from tabular_krope.kernels.reward import RewardKernel

#: Rows of the target policy whose pairs the orthogonality is taken over.
PAIRED_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class Certificate:
    """THEORY B4 on the rows: ``certified`` when ``margin = smallest (1/gamma - 1) - negative_part`` is positive.

    Attributes:
        negative_part: size of the most negative eigenvalue of ``D^1/2 E D^1/2``; NaN where Lanczos did not converge.
        smallest_eigenvalue: of the covariance, on its range.
        margin: NaN where the negative part is.
        certified: LSPE on these rows is stable.
    """

    negative_part: float
    smallest_eigenvalue: float
    margin: float
    certified: bool


def certificate_on_rows(Phi: Array, Phi_next: Array, r: Array, gamma: float, tolerance: float = 1e-6) -> Certificate:
    r"""The residual certificate from the rows' own features.

    The eigenvalue is found by Lanczos with products in O(n d): the reward kernel's by sorting.

    Args:
        Phi, Phi_next: [n, d].
        r: [n].
        gamma: discount factor. With 0 nothing is iterated: stable whatever the features, with an infinite margin.
        tolerance: relative, of the eigenvalue; the margin takes it off.

    >>> one = np.ones((3, 1))
    >>> certificate_on_rows(2 * one, 2 * one, np.zeros(3), 0.75).certified  # K = 1 / (1 - 0.75)
    True
    """
    n = len(r)
    order = np.argsort(r, kind="stable")  # once, not in each product
    reward = _sorted_product(RewardKernel.of(r[order]))
    both = np.hstack([Phi, Phi_next])[order]
    signs = np.repeat([1.0, -gamma], Phi.shape[1])

    def product(v: Array) -> Array:
        v = np.ravel(v)
        return np.asarray(both @ (signs * (v @ both)) - reward(v)) / n

    sigma = scipy.linalg.svdvals(scipy.linalg.qr(Phi, mode="r", check_finite=False)[0][: Phi.shape[1]]) / np.sqrt(n)
    rank = numerical_rank(sigma, Phi.shape)
    smallest = float(sigma[rank - 1] ** 2) if rank else 0.0
    lowest = _lowest(product, n, tolerance)
    negative = 0.0 if lowest >= 0 else -lowest  # not max(): an unknown eigenvalue must stay unknown
    scale = float(sigma[0] ** 2) if len(sigma) else 0.0
    # Rounding of the products is relative to the largest of the three terms.
    slack = tolerance * negative + 16 * np.finfo(np.float64).eps * np.sqrt(n) * max(scale, 1.0)
    margin = smallest * (1 / gamma - 1) - negative if gamma > 0 else np.inf
    return Certificate(negative, smallest, margin, bool(margin > slack))


def _sorted_product(kernel: RewardKernel) -> Callable[[Array], Array]:
    """`RewardKernel.product` with a vector where the rewards are in order already."""
    centered = kernel.r - (kernel.r[0] + kernel.r[-1]) / 2

    def product(v: Array) -> Array:
        below, moment = np.cumsum(v), np.cumsum(centered * v)
        spread = centered * (2 * below - below[-1]) - (2 * moment - moment[-1])
        return np.asarray(below[-1] - kernel.slope * spread)

    return product


def _lowest(product: Any, n: int, tolerance: float) -> float:
    if n <= 64:
        whole = np.column_stack([product(column) for column in np.eye(n)])
        return float(np.linalg.eigvalsh((whole + whole.T) / 2)[0])
    start = np.random.default_rng(0).standard_normal(n)
    operator = LinearOperator((n, n), matvec=product, dtype=np.float64)
    try:
        found = eigsh(operator, k=1, which="SA", tol=tolerance, v0=start, maxiter=200, return_eigenvectors=False)
    except ArpackNoConvergence:
        return float("nan")
    return float(found[0])


def completeness_on_rows(Phi: Array, Phi_next: Array, r: Array, gamma: float, n: int | None = None) -> float:
    r"""The paper's proxy, $\min_{M,\rho} E\,\|(M; \rho^\top)\phi - (\gamma\phi'; r)\|^2$.

    With one sampled successor for each row it contains the spread of the next features. ``n`` is the number of rows
    where those given are a triangular factor of them.

    >>> Phi, Phi_next = np.array([[1.0], [3.0]]), np.array([[3.0], [3.0]])
    >>> round(completeness_on_rows(Phi, Phi_next, np.ones(2), 0.5), 12)  # M = 0.6 leaves 0.45, rho = 0.4 leaves 0.2
    0.65
    """
    U, sigma, _ = scipy.linalg.svd(Phi, full_matrices=False, check_finite=False)
    U = U[:, : numerical_rank(sigma, Phi.shape)]
    wanted = np.column_stack([gamma * Phi_next, r])
    return float(np.sum((wanted - U @ (U.T @ wanted)) ** 2) / (len(r) if n is None else n))


def orthogonality_on_rows(Phi: Array, returns: Array) -> float:
    r"""Correlation over pairs of rows of $1 - |\cos|$ with the difference of sampled returns; NaN if none vary.

    Args:
        Phi: features of rows where the target policy acted, [k, d]; the first `PAIRED_ROWS` evenly spread are used.
        returns: their discounted returns, each a sample of q, [k]; their noise draws the correlation to zero.

    >>> Phi = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]])
    >>> round(orthogonality_on_rows(Phi, np.array([0.0, 0.0, 1.0])), 12)
    1.0
    """
    if len(returns) < 3:
        return float("nan")
    spread = np.unique(np.linspace(0, len(returns) - 1, min(PAIRED_ROWS, len(returns))).astype(int))
    Phi, q = Phi[spread], returns[spread]
    lengths = np.linalg.norm(Phi, axis=1, keepdims=True)
    unit = np.divide(Phi, lengths, out=np.zeros_like(Phi), where=lengths > 0)
    x, y = np.triu_indices(len(q), k=1)
    apart, gaps = 1 - np.abs((unit @ unit.T)[x, y]), np.abs(q[x] - q[y])
    a, b = apart - apart.mean(), gaps - gaps.mean()
    size = np.linalg.norm(a) * np.linalg.norm(b)
    flat = 16 * np.finfo(np.float64).eps * np.sqrt(len(x)) * max(float(np.abs(q).max()), 1.0)
    return float(a @ b / size) if size > flat else float("nan")
