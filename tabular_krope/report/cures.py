"""What can be done when LSPE on data goes wrong: each cure is tried on the data, not recommended from a book."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.closed_form.feature_map import FeatureMap
from tabular_krope.data.offline import Base, OfflineProblem
from tabular_krope.errors import KropeError
from tabular_krope.estimation.problem_estimate import estimate_problem
from tabular_krope.evaluation.lspe_on_data import rows_with_caveat
from tabular_krope.evaluation.pair_rows import PairRows
from tabular_krope.evaluation.value_estimate import ValueEstimate, estimate_on_rows
from tabular_krope.report.counted import counted
from tabular_krope.report.digits import three
from tabular_krope.report.row_stability import RowFacts

#: Values that differ by less than this share are the same for the purpose.
AGREE = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class Cure:
    """One cure, tried.

    Attributes:
        name: "svd", "fewer dimensions", "data weights", "KROPE of these features" and the like.
        works: whether LSPE is stable with it.
        words: what was done, or why it does not work.
        d: number of features with it.
        spectral_radius, norm: of LSPE with it, by the SVD in float64.
        in_float32: whether it also survives the covariance in float32.
        keeps_value: whether the value is that of LSPE's fixed point without the cure, to 1%.
        estimate: the value with it; None where it does not work.
        map: the features that it consists of, as a function: of state and action; or, where the features given are
            those of a network, of these. None where it has none of its own.
    """

    name: str
    works: bool
    words: str
    d: int = 0
    spectral_radius: float = float("nan")
    norm: float = float("nan")
    in_float32: bool = False
    keeps_value: bool = False
    estimate: ValueEstimate | None = None
    map: FeatureMap | None = None


def tried(
    name: str,
    words: str,
    p: OfflineProblem,
    before: ValueEstimate,
    weights: Array | None = None,
    repeated: tuple[Any, Array] | None = None,
    **how: Any,
) -> Cure:
    """LSPE on the rows of ``p``, under other weights if given, as a cure; ``before`` is the value without it.

    ``repeated`` are the number of the row of each transition and its reward, where rows stand for several.
    """
    if p.pairs is not None:
        return Cure(name, False, "not tried on sparse features")
    out = rows_with_caveat(p.Phi, p.Phi_next, p.r, p.gamma, weights, steps=0)
    if repeated is None:
        estimate = estimate_problem(p, weights, **how)
    else:
        known = (p.Phi, p.Phi_next, repeated[1], p.gamma, p.starts, p.start_weights, None, p.episodes)
        estimate = estimate_on_rows(*known, **how, which=repeated[0])
    try:
        single = rows_with_caveat(p.Phi, p.Phi_next, p.r, p.gamma, weights, "covariance", "float32", steps=0)
        value = float(p.start_weights @ p.starts @ single.theta)
        in_float32 = single.stable and close(value, estimate.value, estimate)
    except (KropeError, np.linalg.LinAlgError):
        in_float32 = False
    kept = estimate if out.stable else None
    same, d = close(estimate.value, before.value, before), p.Phi.shape[1]
    return Cure(name, out.stable, words, d, out.spectral_radius, out.norm, in_float32, same, kept)


def close(value: float, reference: float, estimate: ValueEstimate) -> bool:
    """Whether two values are the same: they differ by at most 1% of the value, or of the interval around it."""
    half = (estimate.high - estimate.low) / 2
    scale = max(abs(reference), half if np.isfinite(half) else 0.0)
    return bool(abs(value - reference) <= AGREE * scale)


def in_coordinates(p: OfflineProblem, M: Array) -> OfflineProblem:
    """The same rows with features ``Phi M``."""
    return replace(p, Phi=p.Phi @ M, Phi_next=p.Phi_next @ M, starts=p.starts @ M, base=None)


def fewer_dimensions(p: OfflineProblem, facts: RowFacts, before: ValueEstimate, diverges: bool, **how: Any) -> Cure:
    """The most principal directions of the features on which LSPE is stable, and in float32 too if only that ails."""
    name = "fewer dimensions"
    directions = facts.E * facts.singular_values  # orthonormal columns

    def first(k: int) -> Cure:
        words = "the first principal direction" if k == 1 else f"the first {k} principal directions"
        words += " of the features"
        cure = tried(name, words, in_coordinates(p, directions[:, :k]), before, **how)
        return replace(cure, map=_principal(p, facts, directions[:, :k], cure)) if cure.works else cure

    if diverges:
        # LSPE on the first k principal directions has the leading block of T for its matrix
        stable = [k for k in range(1, facts.rank) if _radius(facts.T[:k, :k]) < 1]
        if not stable:
            return Cure(name, False, "no number of principal directions of these features is stable")
        return first(stable[-1])
    k = int(np.sum(facts.singular_values > 10 * np.sqrt(np.finfo(np.float32).eps) * facts.singular_values[0]))
    cure = first(k)
    while not (cure.works and cure.in_float32) and k > 1:
        k = k * 4 // 5
        cure = first(k)
    return cure


def _principal(p: OfflineProblem, facts: RowFacts, M: Array, cure: Cure) -> FeatureMap:
    """Principal directions as a map of features, with what LSPE does on them; no theorem bounds its norm."""
    k, sigma = M.shape[1], facts.singular_values
    made = FeatureMap(
        map=M,
        eigenvalues=sigma[:k] ** 2,
        theta=np.zeros(k) if cure.estimate is None else cure.estimate.theta,
        gamma=p.gamma,
        norm=cure.norm,
        spectral_radius=cure.spectral_radius,
        tolerance=0.0,
        condition=float(sigma[0] / sigma[k - 1]),
        rank=k,
        span=facts.rank,
        base_radius=_radius(facts.T) / p.gamma if p.gamma > 0 else 0.0,
        dropped=np.zeros(0),
        ridge=0.0,
        plain_norm=cure.norm,
        plain_radius=cure.spectral_radius,
        plain_bound=cure.norm,
        reward_error=0.0,
        transitions=facts.transitions,
    )
    return made if p.own is None else made.of(p.own.function, p.own.columns, p.own.table)


def krope(p: OfflineProblem, name: str, base: Base | None, before: ValueEstimate, **how: Any) -> Cure:
    """KROPE features in closed form, inside the span of the features or of other base features."""
    from tabular_krope.closed_form.feature_space import feature_space_krope
    from tabular_krope.closed_form.pair_krope import pair_krope

    pairs = None if base is None else base.pairs
    rows = p
    if base is not None and base.rows is not None:
        rows = replace(p, Phi=base.rows[0], Phi_next=base.rows[1], starts=base.rows[2], base=None)
    try:
        made = feature_space_krope(rows.Phi, rows.Phi_next, p.r, p.gamma) if pairs is None else pair_krope(pairs)
    except KropeError as error:
        return Cure(name, False, str(error))
    fast = len(made.dropped)
    dropped = (
        f", {counted(fast, 'direction')} that {'grows' if fast == 1 else 'grow'} too fast left out" if fast else ""
    )
    words = (
        f"{counted(made.d, 'feature')}; certified norm {three(made.norm)} <= sqrt(gamma) = {three(made.bound)}{dropped}"
    )
    if pairs is None:
        cure = tried(name, words, in_coordinates(rows, made.map), before, **how)
    else:
        cure = tried_on_pairs(name, words, p, pairs, made.map, before, **how)
    return replace(cure, map=made if base is None else made.of(base.function, base.columns, base.table))


def tried_on_pairs(
    name: str, words: str, p: OfflineProblem, pairs: PairRows, M: Array, before: ValueEstimate, **how: Any
) -> Cure:
    """LSPE on features ``M`` [k, d] of pairs as a cure: on the distinct rows, each as often as it occurs."""
    once = pairs.distinct()
    Phi, Phi_next = once.Phi @ M, once.Phi_next @ M
    few = replace(p, Phi=Phi, Phi_next=Phi_next, r=once.r, starts=(pairs.start @ M)[None, :], base=None, own=None)
    repeated = (once.which, p.r)
    return tried(name, words, few, before, once.weights, repeated, **how)


def _radius(T: Array) -> float:
    return float(np.abs(np.linalg.eigvals(T)).max(initial=0.0))
