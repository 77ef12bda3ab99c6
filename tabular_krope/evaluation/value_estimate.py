r"""Off-policy estimates from rows of data: action values, the value of the starts, and its interval.

The estimate is LSPE's fixed point $\Phi\theta = \Pi_D (r + \gamma \Phi'\theta)$ (least squares temporal differences),
which is its limit when LSPE is stable. Everything is computed in a basis of the span of the features that is
orthonormal on the data, from singular values: no condition number is squared.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tabular_krope.arrays import Array, distribution, frozen_array, require_count, require_gamma
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.bootstrap import Groups, Replicates, bootstrap, groups_of, interval
from tabular_krope.evaluation.iteration import factored, fixed_point
from tabular_krope.evaluation.lspe import require_features
from tabular_krope.evaluation.lspe_on_data import compressed, weighted_rows
from tabular_krope.looks import Tabled
from tabular_krope.models.randomness import generator

#: Effective number of rewards below which intervals may cover less than they say (docs/diagnose.md has the figures).
FEW_REWARDS = 80.0
#: Positive weights smaller than this share of the largest would drown in its rounding.
WIDEST = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class ValueEstimate(Tabled):
    """What the data say about the value of the target policy.

    Attributes:
        value: of the starts.
        low, high: ends of the interval.
        level: its level, for instance 0.95.
        standard_error: standard deviation of the replicates.
        q_hat: action values of the rows, [n].
        theta: coefficients of the features (of least norm), [d].
        spectral_radius: of LSPE's matrix; the estimate is its limit if that is below 1, else only its fixed point.
        stable: whether it is.
        unit, groups: what the bootstrap weights, and how many of them.
        replicates: number of replicates; without any, low and high are NaN.
        rewards: how many rewards of equal share would carry the value as those in the data do: with fewer than
            `FEW_REWARDS` the interval may be too narrow, for those that might have been seen are not in it.
    """

    value: float
    low: float
    high: float
    level: float
    standard_error: float
    q_hat: Array
    theta: Array
    spectral_radius: float
    stable: bool
    unit: str
    groups: int
    replicates: int
    rewards: float

    def _table(self) -> tuple[str, dict[str, Any]]:
        facts: dict[str, Any] = {"value": self.value}
        if self.replicates:
            facts[f"{100 * self.level:.3g}% interval"] = f"{self.low:.4g} .. {self.high:.4g}"
        facts |= {"stable": bool(self.stable), "spectral radius": float(self.spectral_radius)}
        return "value of the target policy", facts | {
            "resampled": f"{self.groups} {self.unit}",
            "rests on rewards": self.rewards,
        }


def estimate_on_rows(
    Phi: Any,
    Phi_next: Any,
    r: Any,
    gamma: float,
    starts: Any,
    start_weights: Any = None,
    weights: Any = None,
    episodes: Any = None,
    level: float = 0.95,
    replicates: int = 400,
    seed: Any = 0,
    which: Any = None,
) -> ValueEstimate:
    """The value estimate on features of transitions.

    Args:
        Phi, Phi_next: features of the rows and of their successors under the target policy, [n, d]; zero after an end.
        r: rewards, [n].
        gamma: discount factor.
        starts: features of starts under the target policy, [m, d].
        start_weights: their distribution, [m]; uniform if None. It counts as known.
        weights: of the rows, [n]; uniform if None.
        episodes: number of the episode of each row, [n]; each row its own if None.
        level: of the interval, in (0, 1).
        replicates: of the bootstrap; 0 for no interval, else at least 2.
        seed: an integer or a numpy Generator.
        which: where rows of features repeat, the row of ``Phi`` and ``Phi_next`` that each of the n transitions has;
            each its own if None.

    >>> out = estimate_on_rows([[1.0], [1.0]], [[1.0], [1.0]], [1.0, 3.0], 0.5, [[1.0]])  # (1 + 3)/2 / (1 - 1/2)
    >>> round(out.value, 12), out.low < 4 < out.high
    (4.0, True)
    """
    Phi = require_features(Phi, "Phi")
    u, d = Phi.shape
    Phi_next, which = frozen_array(Phi_next, "Phi_next", (u, d)), _which(which, u)
    n = len(which)
    r = frozen_array(r, "r", (n,))
    gamma, D = require_gamma(gamma), distribution(weights, n)
    positive = D[D > 0]
    if positive.min() < WIDEST * positive.max():
        raise KropeError(
            f"weights must lie within a factor of {1 / WIDEST:g} of each other for an interval; got "
            f"{positive.max() / positive.min():.3g} (lspe_on_data takes any)"
        )
    starts = frozen_array(starts, "starts", (None, d))
    mean = distribution(start_weights, len(starts), "start_weights") @ starts
    numbers = require_bootstrap(level, replicates, episodes, n)
    share, rewards = (np.bincount(which, weights=part, minlength=u).astype(np.float64) for part in (D, D * r))
    E = orthonormal_basis(Phi, Phi_next, np.zeros(u), share, n)
    Q, Q_next, start = Phi @ E, Phi_next @ E, mean @ E
    T = gamma * (Q.T @ (share[:, None] * Q_next))
    coefficients = fixed_point(T, Q.T @ rewards)
    groups = groups_of(numbers)
    again = bootstrap(Q, Q_next, which, r, D, gamma, start, groups, replicates, generator(seed))
    value = float(start @ coefficients)
    radius = float(np.abs(np.linalg.eigvals(T)).max(initial=0.0))
    theta = E @ coefficients
    return with_interval(value, level, again, groups, (Phi @ theta)[which], theta, radius)


def with_interval(
    value: float, level: float, again: Replicates, groups: Groups, q_hat: Array, theta: Array, radius: float
) -> ValueEstimate:
    """An estimate with the interval that its bootstrap gives at a ``level``; NaN without replicates."""
    replicates = len(again.values)
    low, high = interval(again, value, level) if replicates else (np.nan, np.nan)
    return ValueEstimate(
        value=value,
        low=float(low),
        high=float(high),
        level=level,
        standard_error=float(again.values.std(ddof=1)) if replicates else float("nan"),
        q_hat=q_hat,
        theta=theta,
        spectral_radius=radius,
        stable=radius < 1,
        unit=groups.unit,
        groups=groups.count,
        replicates=replicates,
        rewards=again.rewards,
    )


def _which(which: Any, u: int) -> Any:
    """Numbers of rows below ``u``; all in turn if None."""
    if which is None:
        return np.arange(u)
    numbers = np.asarray(which)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or not ((numbers >= 0) & (numbers < u)).all():
        raise KropeError(f"which must be a vector of integers in 0..{u - 1}; got {which!r}")
    return numbers


def require_bootstrap(level: Any, replicates: Any, episodes: Any, n: int) -> Any:
    """Settings of an interval that make sense; returned are the numbers of the episodes of ``n`` rows."""
    if not (isinstance(level, float) and 0 < level < 1):
        raise KropeError(f"level must lie strictly between 0 and 1; got {level!r}")
    if require_count(replicates, "replicates", least=0) == 1:
        raise KropeError("replicates must be 0 for no interval, or at least 2; got 1")
    numbers = np.arange(n) if episodes is None else np.asarray(episodes)
    if numbers.shape != (n,):
        raise KropeError(f"episodes must have {n} entries like r; got shape {numbers.shape}")
    return numbers


def orthonormal_basis(Phi: Array, Phi_next: Array, r: Array, D: Array, n: int | None = None) -> Array:
    """``E`` [d, k] with ``(Phi E)' D (Phi E) = I``, k the numerical rank of ``D^1/2 Phi``.

    The basis functions come in the order of the principal directions of the features, the largest first. ``n`` is the
    number of transitions by which the rank is judged, where rows stand for several.

    >>> abs(orthonormal_basis(np.array([[2.0, 0.0]]), np.zeros((1, 2)), np.zeros(1), np.ones(1)))
    array([[0.5],
           [0. ]])
    """
    d, count = Phi.shape[1], len(Phi) if n is None else n
    rows = compressed(weighted_rows(Phi, Phi_next, r, D), d)
    E = factored(rows.Phi, (2 * d + 1 + math.isqrt(count), d)).over
    if E.shape[1] == 0:
        raise KropeError("Phi must have a non-zero row with positive weight; got zeros only")
    return E
