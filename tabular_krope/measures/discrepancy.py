"""Maximum mean discrepancy of two distributions over pairs."""

from typing import Any

import numpy as np

from tabular_krope.arrays import distribution
from tabular_krope.kernels.kernel import Kernel, require_kernel


def mmd(K: Kernel, mu: Any, nu: Any) -> float:
    r"""$MMD(\mu, \nu) = \|E_\mu k(X, \cdot) - E_\nu k(X, \cdot)\|_H = \sqrt{(\mu-\nu)^\top K (\mu-\nu)}$.

    Computed as the length of ``G' (mu - nu)`` with ``K = G G'``, or as a series of squares for a matrix-free kernel:
    never the root of a negative number.

    Args:
        K: a KROPE kernel.
        mu, nu: distributions over pairs, [X]; normalized inside.

    >>> from tabular_krope.kernels.krope import krope_kernel
    >>> from tabular_krope.models.mrp import MRP
    >>> K = krope_kernel(MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.5))
    >>> round(mmd(K, [1.0, 0.0], [0.0, 1.0]), 12)
    2.0
    """
    require_kernel(K)
    X = K.mrp.n_pairs
    gap = distribution(mu, X, "mu") - distribution(nu, X, "nu")
    return float(np.sqrt(K.squares(gap)))
