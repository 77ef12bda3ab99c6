r"""A stability certificate for any features, from how far they are from being a KROPE representation.

With the residual $E = \Phi\Phi^\top - K_1 - \gamma P_\pi \Phi\Phi^\top P_\pi^\top$ the identity

$$L L^\top = \gamma\,\bigl(B B^+ - B^+ \Phi^\top D (K_1 + E) D \Phi B^+\bigr)$$

holds for *every* $\Phi$. As $K_1 \ge 0$, $\|L\|_2^2 \le \gamma\,(1 + \epsilon / \lambda_{min}(B))$ where $\epsilon$ is
the size of the negative part of $D^{1/2} E D^{1/2}$, so LSPE is stable when $\epsilon < \lambda_{min}(B) (1/\gamma -
1)$.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array, frozen_array, roots_of_weights
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.iteration import numerical_rank
from tabular_krope.kernels.reward import RewardKernel
from tabular_krope.looks import Tabled
from tabular_krope.models.mrp import MRP, require_mrp
from tabular_krope.representations.layers import column_scales, eliminated, graded, graded_svd


@dataclass(frozen=True, slots=True, eq=False)
class ResidualCertificate(Tabled):
    """What the KROPE residual of features says about LSPE on them.

    Attributes:
        residual: ``E``, [X, X]; zero iff the features factor the kernel.
        negative_part: spectral norm of the negative part of ``D^1/2 E D^1/2``.
        smallest_eigenvalue: of ``B`` on its range.
        norm: 2-norm of ``L``, from the identity.
        norm_bound: the bound on it from ``negative_part`` and ``smallest_eigenvalue``.
        margin: ``smallest_eigenvalue * (1/gamma - 1) - negative_part``.
        certified: whether the margin is positive, so that LSPE is stable.
    """

    residual: Array
    negative_part: float
    smallest_eigenvalue: float
    norm: float
    norm_bound: float
    margin: float
    certified: bool

    def _table(self) -> tuple[str, dict[str, Any]]:
        facts = {"certified stable": bool(self.certified), "margin": float(self.margin), "norm": float(self.norm)}
        return "residual certificate", facts | {"norm at most": float(self.norm_bound)}


def residual_certificate(
    mrp: MRP, phi: Any, weights: Any = None, reward_range: tuple[float, float] | None = None
) -> ResidualCertificate:
    """Certify LSPE's stability on features from their own KROPE residual.

    Args:
        mrp: the reward process.
        phi: features, [X, d].
        weights: data distribution over pairs, [X]; uniform if None.
        reward_range: (r_min, r_max) of the reward kernel; the rewards' own range if None.

    >>> mrp = MRP.from_matrix([[1.0]], [0.0], gamma=0.75)
    >>> certificate = residual_certificate(mrp, [[2.0]])  # K = 1 / (1 - gamma) = 4
    >>> certificate.certified, round(certificate.norm, 12)
    (True, 0.75)
    """
    require_mrp(mrp)
    Phi = frozen_array(phi, "phi", (mrp.n_pairs, None))
    root = roots_of_weights(weights, mrp.n_pairs)
    reward = RewardKernel.of(mrp.r, reward_range)
    after = np.asarray(mrp.P @ (mrp.Pi @ Phi))
    E = Phi @ Phi.T - reward.matrix() - mrp.gamma * (after @ after.T)
    layered = graded(root) or column_scales(root[:, None] * Phi) is not None
    spread = _layered if layered else _singular
    sigma, gram = spread(Phi, root, E + reward.matrix())
    if len(sigma) == 0:
        raise KropeError("phi must not vanish wherever the weights are positive; got features that do")
    smallest = float(sigma[-1] ** 2)
    weighted = root[:, None] * E * root
    negative = max(0.0, -float(np.linalg.eigvalsh((weighted + weighted.T) / 2)[0]))
    square = mrp.gamma * gram
    norm = float(np.sqrt(max(0.0, float(np.linalg.eigvalsh((square + square.T) / 2)[-1]))))
    bound = float(np.sqrt(mrp.gamma * (1 + negative / smallest))) if smallest > 0 else float("inf")
    margin = float("inf") if mrp.gamma == 0 else smallest * (1 / mrp.gamma - 1) - negative
    # Eigenvalues of light weights lie below the rounding of the negative part: they certify nothing.
    slack = len(E) * np.finfo(np.float64).eps * float(np.abs(weighted).max()) if layered else 0.0
    return ResidualCertificate(E, negative, smallest, norm, bound, margin, margin > slack)


def _singular(Phi: Array, root: Array, M: Array) -> tuple[Array, Array]:
    """Singular values of ``D^1/2 Phi``, and ``B B^+ - B^+ Phi' D M D Phi B^+`` in the singular basis."""
    U, sigma, _ = scipy.linalg.svd(root[:, None] * Phi, full_matrices=False)
    rank = numerical_rank(sigma, Phi.shape)
    U, sigma = U[:, :rank], sigma[:rank]
    # In the singular basis B^+ Phi' D^1/2 = V diag(1/sigma) U', so LL' needs no inverse of B.
    reduced = U.T @ (root[:, None] * M * root) @ U
    return sigma, np.eye(rank) - reduced / np.outer(sigma, sigma)


def _layered(Phi: Array, root: Array, M: Array) -> tuple[Array, Array]:
    """The same for weights of any sizes, the second in the coordinates of the features."""
    seen = root > 0
    layers = eliminated(Phi[seen], root[seen])
    _, sigma, _ = graded_svd(layers.weighted())
    both = layers.fit(layers.fit(M[np.ix_(seen, seen)]).T)  # [k, k]
    return sigma, layers.inverse @ layers.U - layers.inverse @ both @ layers.inverse.T
