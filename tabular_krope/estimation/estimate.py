r"""The value of a target policy by closed-form KROPE: certificate, interval, and whether to believe it.

For each of three draws of the base features: moments of the data in one pass, closed-form features with a ridge that
spares the constant, LSPE's fixed point on them with its certificate, the dual weights in a second pass. The value is
the median of the draws. The interval is a Bayesian bootstrap over groups of episodes (one Newton step from the
estimate), its replicates pooled over the draws, so that it contains their spread.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tabular_krope.arrays import Array, require_count
from tabular_krope.closed_form.moments import moments
from tabular_krope.closed_form.spared_ridge import SparedFit, span_value, spared_fit
from tabular_krope.closed_form.union_features import UnionFeatures
from tabular_krope.errors import KropeError
from tabular_krope.estimation.bases import base_for, fresh_functions
from tabular_krope.estimation.belief import Belief, Evidence, believe
from tabular_krope.estimation.dual_weights import DualWeights, dual_weights
from tabular_krope.estimation.transitions import Transitions
from tabular_krope.estimation.uncovered import Uncovered, uncovered
from tabular_krope.evaluation.bootstrap import Groups, groups_of
from tabular_krope.looks import Tabled

#: Draws of the base features, the ridge in units of the features' variances, and a second one to see what it changes.
DRAWS, RIDGE, OTHER_RIDGE = 3, 1e-2, 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Estimate(Tabled):
    """What the data say about the value of the target policy, and whether to believe it.

    Attributes:
        value: of the starts: the median over the draws.
        low, high: ends of the interval: what sampling, and the draws, leave open.
        complete: whether the base features hold every function; else their own error is not in the interval.
        level: its level.
        standard_error: standard deviation of the replicates.
        draws: the value by each draw of the base features, [draws].
        other_ridge: the value on the whole span with a tenth of the ridge: the median over the draws.
        belief: the verdict and what it rests on.
        uncovered: where the data do not cover the target policy; none where the estimate is believed.
        norm, spectral_radius: the largest of LSPE's matrices on the features of the draws.
        bound: ``sqrt(gamma)``, which no norm exceeds by more than ``tolerance``.
        tolerance: what rounding may add.
        d: features of the median draw.
        base: number of base features.
        dropped: directions that grow too fast and were left out, by the median draw.
        base_radius: spectral radius of LSPE on all base features; it diverges at 1 and above.
        base_value: LSTD on all base features, the median over the draws.
        q_hat: action values of the rows by the median draw, [n].
        transitions: number of rows.
        ridge: in units of the features' variances.
        unit, groups, replicates: what the bootstrap weights, how many of them, and how often.
        policy, start: what was evaluated where, in words.
    """

    value: float
    low: float
    high: float
    complete: bool
    level: float
    standard_error: float
    draws: Array
    other_ridge: float
    belief: Belief
    uncovered: tuple[Uncovered, ...]
    norm: float
    spectral_radius: float
    bound: float
    tolerance: float
    d: int
    base: int
    dropped: int
    base_radius: float
    base_value: float
    q_hat: Array
    transitions: int
    ridge: float
    unit: str
    groups: int
    replicates: int
    policy: str
    start: str

    def _table(self) -> tuple[str, dict[str, Any]]:
        facts: dict[str, Any] = {"verdict": self.belief.verdict, "value": self.value}
        if self.replicates:
            left_out = "" if self.complete else " of sampling"
            facts[f"{100 * self.level:.3g}% interval{left_out}"] = f"{self.low:.4g} .. {self.high:.4g}"
        if self.belief.reasons:
            facts["against it"] = "; ".join(self.belief.reasons)
        facts |= {"stable": bool(self.stable), "norm": float(self.norm), "sqrt(gamma)": float(self.bound)}
        sizes = {"features": f"{self.d} of {self.base} base features", "transitions": self.transitions}
        return "value of the target policy", facts | sizes | {"policy": self.policy, "value is that of": self.start}

    @property
    def spread(self) -> float:
        """Largest minus smallest value of the draws."""
        return float(np.ptp(self.draws))

    @property
    def stable(self) -> bool:
        """Whether LSPE converges on the features of every draw, by certificate."""
        return self.norm <= self.bound + self.tolerance and self.spectral_radius < 1.0

    @property
    def believed(self) -> bool:
        """Whether the verdict is to believe the value."""
        return self.belief.believed


@dataclass(frozen=True, slots=True, eq=False)
class _Draw:
    fit: SparedFit
    dual: DualWeights
    other: float
    size: int


def estimate(
    rows: Transitions,
    base: str | None = None,
    d: int | None = None,
    ridge: float = RIDGE,
    draws: int = DRAWS,
    reference: float | None = None,
    level: float = 0.95,
    replicates: int = 400,
    seed: int = 0,
    progress: Callable[[int], None] = lambda done: None,
    **union: Any,
) -> Estimate:
    """The value of the target policy at the starts.

    Args:
        rows: transitions, from `transitions_of`.
        base: "union" (polynomials and waves) or "pairs" (tabular); by the kind of data if None.
        d: number of features, at most the rank; the rank if None.
        ridge: in units of the features' variances.
        draws: of the union's waves.
        reference: value of another policy, for instance a random one's: the distance to it is the unit of errors. If
            None, that is the standard deviation of the estimated action values, which is smaller as a rule.
        level, replicates: of the interval.
        seed: of the draws, of the fresh functions and of the bootstrap.
        progress: called with the number of draws done.
        union: sizes of the union: ``polynomials``, ``fourier``, ``bandwidth``, ``clip``, as in `union_features`.

    >>> import tabular_krope as tk
    >>> mdp = tk.garnet(6, 3, branching=3, gamma=0.9, seed=0)
    >>> target = tk.random_policy(mdp, seed=1)
    >>> data = tk.sample_dataset(mdp, tk.Policy.uniform(6, 3), 20_000, seed=2)
    >>> out = tk.estimate_value(data, target, base="pairs")
    >>> mrp = tk.induce(mdp, target)
    >>> out.believed, out.stable, bool(out.low < mrp.d0 @ mrp.q < out.high)
    (True, True, True)
    """
    require_count(draws, "draws")
    count = require_count(replicates, "replicates", least=0)
    if not (isinstance(level, float) and 0 < level < 1):
        raise KropeError(f"level must lie strictly between 0 and 1; got {level!r}")
    made = []
    for k in range(draws):
        made.append(_draw(rows, base, d, ridge, [seed, k], union))
        progress(k + 1)
        if base_is_fixed(rows, base):
            break
    values = np.array([one.fit.value for one in made])
    median = made[int(np.argsort(values, kind="stable")[len(values) // 2])]
    groups = groups_of(rows.episodes)
    replicated = _replicates(made, groups, count, np.random.default_rng([seed, draws]))
    low, high = np.quantile(replicated, [(1 - level) / 2, (1 + level) / 2]) if count else (np.nan, np.nan)
    others = float(np.median([one.other for one in made]))
    error = float(replicated.std()) if count else median.dual.noise
    evidence = Evidence.of([one.dual for one in made], values, others, error, reference, rows.r)
    belief = believe(evidence)
    fit = median.fit
    return Estimate(
        value=fit.value,
        low=float(low),
        high=float(high),
        complete=base_is_fixed(rows, base),
        level=level,
        standard_error=error,
        draws=values,
        other_ridge=others,
        belief=belief,
        uncovered=() if belief.believed else uncovered(rows, median.dual.weights, seed),
        norm=max(one.fit.norm for one in made),
        spectral_radius=max(one.fit.spectral_radius for one in made),
        bound=fit.bound,
        tolerance=max(one.fit.tolerance for one in made),
        d=fit.d,
        base=median.size,
        dropped=fit.dropped,
        base_radius=fit.base_radius,
        base_value=float(np.median([one.fit.base_value for one in made])),
        q_hat=median.dual.q,
        transitions=len(rows.r),
        ridge=float(ridge),
        unit=groups.unit,
        groups=groups.count,
        replicates=count,
        policy=rows.policy,
        start=rows.start,
    )


def base_is_fixed(rows: Transitions, base: str | None) -> bool:
    """Whether every draw would be the same."""
    return not isinstance(base_for(rows, base, 0), UnionFeatures)


def _draw(
    rows: Transitions, base: str | None, d: int | None, ridge: float, seed: list[int], union: dict[str, Any]
) -> _Draw:
    rng = np.random.default_rng(seed)
    psi = base_for(rows, base, rng, **union)
    m = moments(rows.blocks(psi), rows.at_start(psi), rows.r)
    fit = spared_fit(m, rows.gamma, ridge, d)
    other = span_value(m, rows.gamma, ridge * OTHER_RIDGE / RIDGE)
    return _Draw(fit, dual_weights(rows, psi, fit, fresh_functions(rows, psi, rng)), other, len(m.b))


def _replicates(made: list[_Draw], groups: Groups, count: int, rng: np.random.Generator) -> Array:
    """Values of replicates: groups weighted by exponential variables, one Newton step, all draws, [draws * count]."""
    e = rng.exponential(size=(count, groups.count)) - 1.0
    out = []
    for one in made:
        by_row = one.dual.weights * one.dual.errors / len(one.dual.errors)
        out.append(one.fit.value + e @ np.bincount(groups.of_row, by_row, groups.count))
    return np.concatenate(out)
