r"""Closed-form KROPE with a ridge that spares the constant, from moments of the data.

The ridge is rows that lead nowhere: for every feature but the constant one more row, with that feature alone, reward 0
and no successor. It adds $C = c\,\mathrm{diag}(\mathrm{Var}\,\psi_j)$ to ``G``, in the features and in LSPE alike:

- any positive semidefinite ``C`` leaves the certificate $\|L_d\|_2 \le \sqrt\gamma$ intact (theory, B13);
- the variance of the constant is 0, so constants keep their value: $A e_0 = e_0$ where no episode ends, and a reward
  of 1 everywhere is worth $1/(1 - \gamma)$ exactly, while a ridge on the constant would shrink it;
- it does not depend on the units of the features.

On the span of base features that is kept, the value at LSPE's fixed point is a weighted mean of rewards,
$v = \frac1n \sum_i w_i r_i$, $w_i = \psi_i^\top z$ with the dual vector ``z`` of its equations. From a few features on
the leading ones have that value, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array, require_count, require_gamma
from tabular_krope.closed_form.assembly import CERTAINTY, column_sizes, map_and_tolerances
from tabular_krope.closed_form.moments import Moments
from tabular_krope.closed_form.span import MARGIN, Span, defects, kernel_factor, restricted, spectral_radius
from tabular_krope.errors import KropeError
from tabular_krope.kernels.factor import compress
from tabular_krope.kernels.stein import EPS

#: How often the ridge is made ten times as large where powers of ``A`` grow too much before they decay.
LARGER_RIDGES = 6


@dataclass(frozen=True, slots=True, eq=False)
class SparedFit:
    """LSPE on closed-form features, with its certificate.

    Attributes:
        value: of the starts.
        coefficients: of the action values in the base features, [p].
        span_value: of the starts, on the whole span that is kept.
        dual: ``z``: ``span_value`` gives a transition the weight ``psi' z / n``, [p].
        map: the features are ``Psi @ map``, [p, d].
        norm, spectral_radius: of LSPE's matrix on the features, computed from the moments and the map alone.
        bound: ``sqrt(gamma)``.
        tolerance: what rounding may add to ``norm``.
        rank: the largest ``d``: rounding can move the certificate by at most 1e-6 up to there.
        dropped: directions that grow too fast and were left out.
        base_radius: spectral radius of LSPE on all base features, with the ridge.
        base_value: value by LSPE's fixed point on all base features, with the ridge (LSTD); NaN if there is none.
        ridge: ``c``; larger than asked for where rounding would have eaten the kernel.
    """

    value: float
    coefficients: Array
    span_value: float
    dual: Array
    map: Array
    norm: float
    spectral_radius: float
    bound: float
    tolerance: float
    rank: int
    dropped: int
    base_radius: float
    base_value: float
    ridge: float

    @property
    def d(self) -> int:
        """Number of features."""
        return int(self.map.shape[1])

    @property
    def certified(self) -> bool:
        """Whether the norm keeps the promise, up to rounding, and the spectral radius is below 1."""
        return self.norm <= self.bound + self.tolerance and self.spectral_radius < 1.0


def spared_fit(m: Moments, gamma: float, ridge: float, d: int | None = None) -> SparedFit:
    """Features and value from moments.

    Args:
        m: moments whose first feature is the constant.
        gamma: discount.
        ridge: in units of the features' variances, positive.
        d: number of features, at most the rank; the rank if None.

    >>> from tabular_krope.closed_form.moments import moments
    >>> Psi = np.array([[1.0, -1.0], [1.0, 1.0]])
    >>> fit = spared_fit(moments([(Psi, Psi[::-1], np.ones(2))], np.array([1.0, 0.0])), 0.5, ridge=0.1)
    >>> round(fit.value, 12), fit.certified  # a reward of 1 everywhere: 1 / (1 - 0.5), whatever the ridge
    (2.0, True)
    """
    return spared_fits(m, gamma, ridge, (d,))[0]


def spared_fits(m: Moments, gamma: float, ridge: float, sizes: Sequence[int | None]) -> list[SparedFit]:
    """`spared_fit` for several numbers of features, at the cost of one kernel."""
    gamma = require_gamma(gamma)
    if isinstance(ridge, bool) or not isinstance(ridge, int | float) or not 0 < ridge < np.inf:
        raise KropeError(f"ridge must be a positive number; got {ridge!r}")
    wanted = [None if d is None else require_count(d, "d") for d in sizes]
    for further in range(LARGER_RIDGES + 1):
        try:
            return _fits(m, gamma, float(ridge) * 10.0**further, wanted)
        except KropeError:  # with a larger ridge all directions but the constant shrink at each step
            if further == LARGER_RIDGES:
                raise
    raise AssertionError("unreachable")


def _fits(m: Moments, gamma: float, ridge: float, wanted: Sequence[int | None]) -> list[SparedFit]:
    kept, scaled = _scaled(m)
    penalized = _penalized(scaled, ridge)
    whole = _span(penalized, scaled)
    radius = whole.radius
    base_value = _base_value(penalized, scaled, gamma)
    span = _that_stays(whole, radius, gamma)
    W, tolerances = _features(span, penalized, scaled, gamma)
    rank = int(np.argmin(np.append(tolerances <= CERTAINTY, False)))
    if rank == 0:
        raise KropeError(f"rounding must leave the certificate of one feature right to {CERTAINTY:g}; got more")
    on_span, _, z = _fixed(span.E, penalized, scaled, gamma)
    p, size = len(m.G), np.sqrt(np.append(1.0, m.variances[kept[1:]]))

    def in_base(vector: Array) -> Array:
        out = np.zeros((p, *vector.shape[1:]))
        out[kept] = (vector.T / size).T
        return out

    def fit(W: Array) -> SparedFit:
        value, theta, _ = _fixed(W, penalized, scaled, gamma)
        L: Array = gamma * np.asarray(np.linalg.solve(W.T @ penalized @ W, W.T @ scaled.H @ W), dtype=np.float64)
        return SparedFit(
            value=value,
            coefficients=in_base(W @ theta),
            span_value=on_span,
            dual=in_base(span.E @ z),
            map=in_base(W),
            norm=float(np.linalg.norm(L, 2)),
            spectral_radius=spectral_radius(L),
            bound=float(np.sqrt(gamma)),
            tolerance=float(tolerances[W.shape[1] - 1]),
            rank=rank,
            dropped=len(kept) - len(span.A),
            base_radius=gamma * radius,
            base_value=base_value,
            ridge=ridge,
        )

    return [fit(W[:, : rank if d is None else min(d, rank)]) for d in wanted]


def span_value(m: Moments, gamma: float, ridge: float) -> float:
    """The value at LSPE's fixed point on the span that does not grow, without features or certificate.

    >>> from tabular_krope.closed_form.moments import moments
    >>> Psi = np.array([[1.0, -1.0], [1.0, 1.0]])
    >>> span_value(moments([(Psi, Psi[::-1], np.ones(2))], np.array([1.0, 0.0])), 0.5, ridge=0.1)
    2.0
    """
    _, scaled = _scaled(m)
    penalized = _penalized(scaled, ridge)
    span = _span(penalized, scaled)
    span = _that_stays(span, span.radius, gamma)
    return _fixed(span.E, penalized, scaled, gamma)[0]


def _penalized(m: Moments, ridge: float) -> Array:
    """``G`` with the ridge on every feature but the first."""
    return m.G + np.diag(np.append(0.0, np.full(len(m.G) - 1, float(ridge))))


def _scaled(m: Moments) -> tuple[Any, Moments]:
    """The constant and the columns that vary, by number, and their moments with the latter scaled to variance 1."""
    variances = m.variances
    kept = np.flatnonzero(np.append(True, variances[1:] > 0))
    size = np.append(1.0, np.sqrt(variances[kept[1:]]))
    at = np.ix_(kept, kept)
    square = np.outer(size, size)
    return kept, replace(
        m,
        G=m.G[at] / square,
        H=m.H[at] / square,
        b=m.b[kept] / size,
        start=m.start[kept] / size,
        S=m.S[:, kept] / size,
    )


def _span(penalized: Array, m: Moments) -> Span:
    """All base features in a basis that is orthonormal on the data and the ridge: the triangular factor's columns."""
    try:
        factor = np.linalg.cholesky(penalized)
    except np.linalg.LinAlgError:
        raise KropeError("ridge must be large enough for the features to have a triangular factor; got less") from None
    E = scipy.linalg.solve_triangular(factor.T, np.eye(len(factor)), lower=False, check_finite=False)
    A = E.T @ m.H @ E
    condition = float(np.linalg.cond(factor, 1))
    return Span(E, A, compress((m.S @ E).T), condition, float(np.linalg.norm(A)), np.zeros(0))


def _base_value(penalized: Array, m: Moments, gamma: float) -> float:
    """The value at LSPE's fixed point on all features; NaN where there is none."""
    try:
        return _fixed(np.eye(len(penalized)), penalized, m, gamma)[0]
    except np.linalg.LinAlgError:
        return float("nan")


def _that_stays(span: Span, radius: float, gamma: float) -> Span:
    """The part of a span that does not grow; ``radius`` is that of the whole."""
    return span if np.sqrt(gamma) * radius < 1.0 - MARGIN else restricted(span, gamma)


def _features(span: Span, penalized: Array, m: Moments, gamma: float) -> tuple[Array, Array]:
    """The map of all features of a span, and tolerances of the certificate."""
    root = kernel_factor(span.A, span.N, gamma)
    V, sigma, _ = scipy.linalg.svd(root, full_matrices=False, check_finite=False)
    R = np.hstack([np.sqrt(penalized.diagonal()), np.sqrt(m.G.diagonal())])[None, :]
    W, tolerances = map_and_tolerances(span, V, sigma, column_sizes(R))
    with np.errstate(divide="ignore", invalid="ignore"):
        # The Gram matrix itself is rounded: products of columns are off by eps times the products of their sizes.
        sizes = np.einsum("ij,ik,kj->j", np.abs(W), np.abs(penalized), np.abs(W), optimize=True) / sigma**2
        spread = np.maximum.accumulate(sizes) * sigma[0] / sigma
    tolerances = tolerances + 16 * EPS * np.nan_to_num(spread, nan=np.inf)
    if gamma > 0:
        tolerances = tolerances + np.sqrt(gamma) * defects(span, root, V, sigma, gamma) / 2
    return W, tolerances


def _fixed(W: Array, penalized: Array, m: Moments, gamma: float) -> tuple[float, Array, Array]:
    """Value at the start, coefficients and dual coefficients of LSPE's fixed point on the features ``Psi W``."""
    K = W.T @ (penalized - gamma * m.H) @ W
    theta: Array = np.asarray(np.linalg.solve(K, W.T @ m.b), dtype=np.float64)
    z: Array = np.asarray(np.linalg.solve(K.T, W.T @ m.start), dtype=np.float64)
    return float(m.start @ W @ theta), theta, z
