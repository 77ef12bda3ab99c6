r"""LSPE on transitions as arrays: features of each row, features of its successor, rewards.

A row is one transition $(x_i, r_i, x_i')$ with $\phi_i = \phi(x_i)$ and $\phi_i' = \phi(x_i')$, which is zero where the
episode ended. With weights ``D`` over the rows

$$L = \gamma\,(\Phi^\top D \Phi)^+\,\Phi^\top D \Phi', \qquad b = (\Phi^\top D \Phi)^+\,\Phi^\top D r.$$

The ``svd`` route first turns the rows into the triangular factor of $D^{1/2}[\Phi, \Phi', r]$, on which the regression
is the same and which has at most $2d + 1$ rows. Singular values of $D^{1/2}\Phi$ below $(2d + 1 + \sqrt n)\,eps$ of
the largest count as null: rounding grows like the root of the number of rows. (The usual $n\,eps$ would drop, in single
precision and with 100,000 rows, directions of one percent.)
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array, distribution, frozen_array, require_count, require_gamma
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.iteration import DTYPES, by_covariance, by_svd, rank_and_condition, require_route
from tabular_krope.evaluation.lspe import LSPE, judged, require_features, require_size
from tabular_krope.evaluation.tall_qr import TallQR, rows_at_once

SOLVERS = ("svd", "covariance")


def lspe_on_data(
    Phi: Any,
    Phi_next: Any,
    r: Any,
    gamma: float,
    weights: Any = None,
    solver: str = "svd",
    dtype: str = "float64",
    steps: int = 100,
    theta0: Any = None,
    rcond: float | None = None,
    penalty: Any = None,
) -> LSPE:
    r"""LSPE on the rows of a data set: iteration matrix, stability, limit and the first iterates.

    Args:
        Phi: features of the transitions, [n, d].
        Phi_next: features of their successors under the target policy, [n, d]; a zero row where the episode ended.
        r: rewards, [n].
        gamma: discount in [0, 1].
        weights: weights of the rows, [n]; uniform if None. Zeros are legal.
        solver: "svd" or "covariance" (the paper's route, whose rounding is the thing to be shown).
        dtype: "float64" or "float32".
        steps, theta0, rcond: as in `lspe`.
        penalty: [k, d]; adds ``|penalty theta|^2`` to the regression (a ridge in other coordinates). None: nothing.

    Returns:
        An `LSPE` value; ``q_hat`` is ``Phi theta`` on the rows, [n].

    >>> out = lspe_on_data([[1.0]], [[2.0]], [0.0], gamma=0.9)  # one transition, w -> 2w
    >>> round(out.spectral_radius, 12), out.stable
    (1.8, False)
    >>> round(lspe_on_data([[1.0]], [[2.0]], [0.0], gamma=0.9, penalty=[[1.5**0.5]]).norm, 12)  # 1.8 / (1 + 1.5)
    0.72
    """
    require_route(solver, dtype, rcond, SOLVERS)
    Phi = require_features(Phi, "Phi")
    n, d = Phi.shape
    if n == 0:
        raise KropeError(f"Phi must have at least one row; got shape {Phi.shape}")
    Phi_next = frozen_array(Phi_next, "Phi_next", (n, d))
    r = frozen_array(r, "r", (n,))
    gamma = require_gamma(gamma)
    D = distribution(weights, n)
    steps = require_count(steps, "steps", least=0)
    start = frozen_array(np.zeros(d) if theta0 is None else theta0, "theta0", (d,))
    extra = None if penalty is None else frozen_array(penalty, "penalty", (None, d))
    require_size(Phi, "Phi", dtype)
    require_size(Phi_next, "Phi_next", dtype)
    rows = compressed(weighted_rows(Phi, Phi_next, r, D), d, extra)
    size = (2 * d + 1 + math.isqrt(n), d)
    rank, condition = rank_and_condition(scipy.linalg.svdvals(rows.Phi), size)
    if solver == "svd":
        if dtype != "float64":
            rows = compressed(weighted_rows(Phi, Phi_next, r, D, DTYPES[dtype]), d, extra, DTYPES[dtype])
        route = by_svd(rows.Phi, rows.r, gamma, rows, size)
    else:
        route = _covariance(Phi, Phi_next, r, D, extra, gamma, DTYPES[dtype], rcond)
    return judged(*route, Phi, rank, condition, steps, start, solver, dtype)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Weighted rows ``D^1/2 [Phi, Phi_next, r]`` after an orthogonal transformation: a data set to a regression.

    Attributes:
        Phi, Phi_next: [m, d].
        r: [m].
    """

    Phi: Array
    Phi_next: Array
    r: Array

    def weighted(self) -> Array:
        """The successors' weighted features, [m, d]."""
        return self.Phi_next

    def rescaled(self, U: Array, sigma: Array, Vt: Array) -> Array:
        """The successors' weighted features in the basis in which the rows' own are orthonormal, [m, rank]."""
        return np.asarray((self.Phi_next @ Vt.T) / sigma)


def weighted_rows(Phi: Array, Phi_next: Array, r: Array, D: Array, dtype: type = np.float64) -> Iterable[Array]:
    """``D^1/2 [Phi, Phi_next, r]`` in blocks of rows, those without weight left out."""
    step = rows_at_once(Phi.shape[1])
    for start in range(0, len(r), step):
        block = slice(start, start + step)
        seen = D[block] > 0
        root: Array = np.sqrt(D[block][seen])[:, None].astype(dtype)
        stacked: Array = np.hstack([Phi[block][seen], Phi_next[block][seen], r[block][seen][:, None]]).astype(dtype)
        yield root * stacked


def compressed(blocks: Iterable[Array], d: int, penalty: Array | None = None, dtype: type = np.float64) -> Rows:
    """The same regression on at most ``2d + 1`` rows, from blocks of weighted rows and the rows of a penalty."""
    qr = TallQR(2 * d + 1, dtype)
    for block in blocks:
        qr.add(block)
    if penalty is not None:
        qr.add(np.hstack([penalty, np.zeros((len(penalty), d + 1))]).astype(dtype))
    return Rows(qr.R[:, :d], qr.R[:, d : 2 * d], qr.R[:, 2 * d])


def _covariance(
    Phi: Array,
    Phi_next: Array,
    r: Array,
    D: Array,
    penalty: Array | None,
    gamma: float,
    dtype: type,
    rcond: float | None,
) -> tuple[Array, Array, Array]:
    Phi = Phi.astype(dtype)
    weighted = D.astype(dtype)[:, None] * Phi
    B = Phi.T @ weighted
    if penalty is not None:
        B = B + (penalty.T @ penalty).astype(dtype)
    return by_covariance(B, weighted.T @ Phi_next.astype(dtype), weighted.T @ r.astype(dtype), gamma, rcond)
