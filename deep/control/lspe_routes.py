r"""LSPE on features of a data set in two arithmetics, from one pass over the rows.

A regression on the rows is the same on the triangular factor of $[\Phi, \Phi', r]$, which has at most $2d + 1$ of them:
the factor is made once, and every measure that depends on the rows through it alone is read off it.
"""

import math
from typing import Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.iteration import Iteration, by_covariance
from tabular_krope.evaluation.lspe import LSPE, judged
from tabular_krope.evaluation.lspe_on_data import Rows
from tabular_krope.evaluation.solvers import require_size
from tabular_krope.evaluation.tall_qr import TallQR, rows_at_once


def short_rows(Phi: Array, Phi_next: Array, r: Array) -> Rows:
    """The triangular factor of ``[Phi, Phi_next, r]``, at most ``2d + 1`` rows that stand for all, unweighted.

    >>> rows = short_rows(np.array([[3.0], [4.0]]), np.zeros((2, 1)), np.zeros(2))
    >>> float(np.linalg.norm(rows.Phi))
    5.0
    """
    d = Phi.shape[1]
    qr = TallQR(2 * d + 1)
    step = rows_at_once(2 * d + 1)
    for start in range(0, len(r), step):
        block = slice(start, start + step)
        qr.add(np.hstack([Phi[block], Phi_next[block], r[block][:, None]]))
    return Rows(qr.R[:, :d], qr.R[:, d : 2 * d], qr.R[:, 2 * d])


def by_svd64(rows: Rows, n: int, gamma: float, steps: int) -> LSPE | None:
    """LSPE by the SVD in float64, on what `short_rows` makes of ``n`` rows; None where the features are too large.

    >>> out = by_svd64(short_rows(np.array([[1.0]]), np.array([[2.0]]), np.zeros(1)), 1, 0.9, 3)  # w -> 2w
    >>> round(out.spectral_radius, 12), out.stable
    (1.8, False)
    """
    d = rows.Phi.shape[1]
    try:
        require_size(rows.Phi, "Phi", "float64")
        require_size(rows.Phi_next, "Phi_next", "float64")
        found = rows.iteration(gamma, (2 * d + 1 + math.isqrt(n), d))
        return judged(found, rows.Phi, steps, np.zeros(d), "svd", "float64")
    except (KropeError, np.linalg.LinAlgError, ValueError):
        return None


def by_cov32(Phi: Array, Phi_next: Array, r: Array, gamma: float, steps: int) -> LSPE | None:
    """LSPE by torch's pseudo-inverse of a float32 covariance of all rows; None where the features are too large.

    Rank and condition are not judged here: they are NaN.
    """
    n, d = Phi.shape
    cut = d * float(np.finfo(np.float32).eps)
    try:
        require_size(Phi, "Phi", "float32")
        require_size(Phi_next, "Phi_next", "float32")
        F: Any = Phi.astype(np.float32)
        W: Any = np.asarray(np.float32(1 / n) * F)
        L, b = by_covariance(F.T @ W, W.T @ Phi_next.astype(np.float32), W.T @ r.astype(np.float32), gamma, cut)
        found = Iteration(L, b, L, 0, math.nan)
        return judged(found, Phi[:1], steps, np.zeros(d), "covariance", "float32")
    except (KropeError, np.linalg.LinAlgError):
        return None
