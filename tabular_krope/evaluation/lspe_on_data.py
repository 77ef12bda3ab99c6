r"""LSPE on transitions as arrays: features of each row, features of its successor, rewards.

A row is one transition $(x_i, r_i, x_i')$ with $\phi_i = \phi(x_i)$ and $\phi_i' = \phi(x_i')$, which is zero where the
episode ended. With weights ``D`` over the rows

$$L = \gamma\,(\Phi^\top D \Phi)^+\,\Phi^\top D \Phi', \qquad b = (\Phi^\top D \Phi)^+\,\Phi^\top D r.$$

The ``svd`` route first turns the rows into the triangular factor of $D^{1/2}[\Phi, \Phi', r]$, on which the regression
is the same and which has at most $2d + 1$ rows. Singular values of $D^{1/2}\Phi$ below $(2d + 1 + \sqrt n)\,eps$ of
the largest count as null: rounding grows like the root of the number of rows. (The usual $n\,eps$ would drop, in single
precision and with 100,000 rows, directions of one percent.) Rows whose weights differ by more than a million are not
turned into fewer: they are regressed on in layers, in which no positive weight is too small to count.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array, distribution, frozen_array, require_count, require_gamma, roots_of_weights
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.determined import settled
from tabular_krope.evaluation.iteration import (
    Factored,
    Iteration,
    by_covariance,
    by_layers,
    by_svd,
    factored,
    rank_and_condition,
)
from tabular_krope.evaluation.lspe import LSPE, in_float64, judged, require_features, told, weighted_rank
from tabular_krope.evaluation.solvers import DTYPES, cast_roots, require_route, require_size
from tabular_krope.evaluation.tall_qr import TallQR, rows_at_once
from tabular_krope.representations.layers import graded

SOLVERS = ("svd", "covariance", "exact")


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
        solver: "svd", "covariance" (the paper's route, whose rounding is the thing to be shown) or "exact" (floats read
            as the rationals they are).
        dtype: "float64" or "float32".
        steps, theta0, rcond: as in `lspe`.
        penalty: [k, d]; adds ``|penalty theta|^2`` to the regression (a ridge in other coordinates). None: nothing.

    Returns:
        An `LSPE` value, as from `lspe`; ``q_hat`` is ``Phi theta`` on the rows, [n].

    >>> out = lspe_on_data([[1.0]], [[2.0]], [0.0], gamma=0.9)  # one transition, w -> 2w
    >>> round(out.spectral_radius, 12), out.stable
    (1.8, False)
    >>> round(lspe_on_data([[1.0]], [[2.0]], [0.0], gamma=0.9, penalty=[[1.5**0.5]]).norm, 12)  # 1.8 / (1 + 1.5)
    0.72
    """
    return told(rows_with_caveat(Phi, Phi_next, r, gamma, weights, solver, dtype, theta0, rcond, penalty, steps=steps))


def rows_with_caveat(
    Phi: Any,
    Phi_next: Any,
    r: Any,
    gamma: float,
    weights: Any = None,
    solver: str = "svd",
    dtype: str = "float64",
    theta0: Any = None,
    rcond: float | None = None,
    penalty: Any = None,
    *,
    steps: int,
) -> LSPE:
    """`lspe_on_data` without a warning, for callers that read the caveat."""
    require_route(solver, dtype, rcond, SOLVERS)
    Phi = require_features(Phi, "Phi")
    n, d = Phi.shape
    if n == 0:
        raise KropeError(f"Phi must have at least one row; got shape {Phi.shape}")
    Phi_next = frozen_array(Phi_next, "Phi_next", (n, d))
    r = frozen_array(r, "r", (n,))
    gamma = require_gamma(gamma)
    root = roots_of_weights(weights, n)
    D = distribution(weights, n)
    steps = require_count(steps, "steps", least=0)
    start = frozen_array(np.zeros(d) if theta0 is None else theta0, "theta0", (d,))
    extra = None if penalty is None else frozen_array(penalty, "penalty", (None, d))
    require_size(Phi, "Phi", dtype)
    require_size(Phi_next, "Phi_next", dtype)
    if solver == "covariance":
        found = _covariance(Phi, Phi_next, r, D, extra, gamma, DTYPES[dtype], rcond)
        return judged(in_float64(found, _measured(Phi, D, extra)), Phi, steps, start, solver, dtype)

    def exactly() -> LSPE:
        from tabular_krope.evaluation.exact_lspe import certified, exact_rows

        _, condition = _measured(Phi, D, extra)
        found = exact_rows(Phi, Phi_next, r, gamma, D if weights is None else np.asarray(weights, float), extra)
        return certified(found, Phi, steps, start, condition)

    if solver == "exact":
        return exactly()
    seen = Phi[root > 0] if extra is None else np.concatenate([Phi[root > 0], extra])

    def iteration(changed: Callable[[Array], Array] = lambda F: F) -> Iteration:
        route = _in_layers if graded(root) else _in_fewer_rows
        return route(changed(Phi), changed(Phi_next), r, root, extra, gamma, dtype)

    def judge(caveat: str = "") -> LSPE:
        return judged(found, Phi, steps, start, solver, dtype, caveat)

    found = iteration()
    if dtype != "float64":
        found = in_float64(found, _measured(Phi, D, extra))
        return judge()
    return settled(found, Phi, seen, iteration, exactly, judge)


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

    def rescaled(self, rows: Factored) -> Array:
        """The successors' weighted features in the basis in which the rows' own are orthonormal, [m, rank]."""
        return np.asarray(self.Phi_next @ rows.over)

    def iteration(self, gamma: float, shape: tuple[int, int]) -> Iteration:
        """LSPE's map, the rank judged by ``shape``."""
        return by_svd(factored(self.Phi, shape), self.r, gamma, self)


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


def _in_fewer_rows(
    Phi: Array, Phi_next: Array, r: Array, root: Array, penalty: Array | None, gamma: float, dtype: str
) -> Iteration:
    d, kind = Phi.shape[1], DTYPES[dtype]
    rows = compressed(weighted_rows(Phi, Phi_next, r, root**2, kind), d, penalty, kind)
    return rows.iteration(gamma, _shape(Phi))


def _in_layers(
    Phi: Array, Phi_next: Array, r: Array, root: Array, penalty: Array | None, gamma: float, dtype: str
) -> Iteration:
    roots = cast_roots(root, dtype)
    seen = roots > 0
    parts = [Phi[seen], roots[seen], r[seen], Phi_next[seen]]
    if penalty is not None:
        unit, size = _units(penalty)
        parts = [np.concatenate(pair) for pair in zip(parts, (unit, size, 0 * size, 0 * unit), strict=True)]
    Phi, roots, r, Phi_next = (part.astype(DTYPES[dtype]) for part in parts)
    return by_layers(Phi, roots, r, gamma, Phi_next)


def _measured(Phi: Array, D: Array, penalty: Array | None) -> tuple[int, float]:
    """Rank and condition number of the weighted rows in float64."""
    d = Phi.shape[1]
    if graded(np.sqrt(D)):
        unit, size = _units(np.zeros((0, d)) if penalty is None else penalty)
        return weighted_rank(np.concatenate([Phi, unit]), np.concatenate([np.sqrt(D), size]))
    nothing = np.zeros((len(Phi), 0))
    qr = TallQR(d)
    for block in weighted_rows(Phi, nothing, np.zeros(len(Phi)), D):
        qr.add(block[:, :d])
    if penalty is not None:
        qr.add(penalty)
    return rank_and_condition(scipy.linalg.svdvals(qr.R), _shape(Phi))


def _shape(Phi: Array) -> tuple[int, int]:
    n, d = Phi.shape
    return 2 * d + 1 + math.isqrt(n), d


def _units(penalty: Array) -> tuple[Array, Array]:
    """Rows of a penalty as rows of size 1, with their sizes as roots of weights; rows of zeros left out."""
    size = np.abs(penalty).max(axis=1, initial=0.0)
    return penalty[size > 0] / size[size > 0][:, None], size[size > 0]


def _covariance(
    Phi: Array,
    Phi_next: Array,
    r: Array,
    D: Array,
    penalty: Array | None,
    gamma: float,
    dtype: type,
    rcond: float | None,
) -> Iteration:
    Phi = Phi.astype(dtype)
    weighted = D.astype(dtype)[:, None] * Phi
    B = Phi.T @ weighted
    if penalty is not None:
        B = B + (penalty.T @ penalty).astype(dtype)
    L, b = by_covariance(B, weighted.T @ Phi_next.astype(dtype), weighted.T @ r.astype(dtype), gamma, rcond)
    return Iteration(L, b, L, 0, 1.0)
