"""The analysis of one model: kernel, features, stability, completeness and value bounds, as one value."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tabular_krope.arrays import Array, distribution
from tabular_krope.errors import KropeError
from tabular_krope.kernels.kernel import Kernel
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.looks import Tabled
from tabular_krope.measures.value_bounds import ValueBounds, value_bounds
from tabular_krope.metrics.partition import bisimulation_partition
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mrp import MRP
from tabular_krope.notebook_tables import Grid
from tabular_krope.report.bounds import BoundFacts, bound_facts
from tabular_krope.report.chosen_features import chosen_features
from tabular_krope.report.facts import KernelFacts, ModelFacts, kernel_facts, model_facts
from tabular_krope.report.plain import plain
from tabular_krope.report.representation import FeatureFacts, feature_facts
from tabular_krope.report.stability import Stability, Sweep, stability_by_route, sweep_dimensions
from tabular_krope.representations.features import Features
from tabular_krope.representations.features import features as krope_features

#: Pairs up to which X-by-X arrays and their spectra are computed.
DENSE_PAIRS = 2000
#: Number of features, unless given, for larger models.
LARGE_DIMENSION = 32
#: States up to which the kernel of a rational model is computed over the rationals.
EXACT_STATES = 20

#: Pairs of pairs, drawn at random, on which a large model's value bounds are computed.
SAMPLED_PAIRS = 24

#: What a large model goes without.
SKIPPED = (
    "the rank and the whole spectrum of the kernel",
    "the orthogonality correlation",
    "the residual certificate",
    f"value bounds on more than {SAMPLED_PAIRS} pairs of pairs, drawn at random",
)

#: What `analyze_model` does, in order: for progress bars.
STAGES = ("values", "kernel", "spectrum", "features", "stability", "sweep", "measures", "value bounds", "bisimulation")


@dataclass(frozen=True, slots=True, eq=False)
class Analysis(Tabled):
    """Everything that `analyze_model` finds out about a model.

    Attributes:
        model: sizes, discounting, ends and rewards.
        q: exact action values, [X].
        weights: the data distribution, [X].
        kernel: how the kernel was computed, its rank and spectrum.
        features: the features and how well they represent the values.
        routes: LSPE on the features by each solver, the SVD first.
        sweep: stability of the top d KROPE features against d, under the same weights.
        bounds: the worst case of each bound on value differences; for a large model on pairs drawn at random.
        skipped: what was not computed, or not on all pairs, because the model is large.
        groups: blocks of the coarsest pi-bisimulation.
        value: expected value of an episode's start, ``d0 q``.
        value_estimate: the same from LSPE's fixed point.
        value_error: largest difference of LSPE's fixed point from ``q``.
        mrp, K, all_bounds: the process, its kernel and the bounds on all pairs, for figures.
    """

    model: ModelFacts
    q: Array
    weights: Array
    kernel: KernelFacts
    features: FeatureFacts
    routes: tuple[Stability, ...]
    sweep: Sweep
    bounds: tuple[BoundFacts, ...]
    skipped: tuple[str, ...]
    groups: int
    value: float
    value_estimate: float
    value_error: float
    mrp: MRP
    K: Kernel
    all_bounds: ValueBounds | None

    def _table(self) -> tuple[str, dict[str, Any], Grid]:
        main = self.stability
        facts: dict[str, Any] = {
            "stable": bool(main.stable),
            "spectral radius": main.spectral_radius,
            "norm": main.norm,
        }
        facts |= {"largest error of its limit": self.value_error, "kernel's rank": self.kernel.rank or "-"}
        facts |= {"pi-bisimulation groups": f"{self.groups} of {self.model.n_pairs} pairs"}
        rows = [
            [b.name, "-" if b.holds is None else b.holds, "-" if b.worst_ratio is None else b.worst_ratio]
            for b in self.bounds
        ]
        title = f"LSPE on {self.features.d} {self.features.kind} features"
        return title, facts, Grid(["bound on |q(x) - q(y)|", "holds", "worst ratio"], rows)

    @property
    def stability(self) -> Stability:
        """LSPE by the SVD: the one to believe."""
        return self.routes[0]

    def as_json(self) -> dict[str, Any]:
        """Plain types for JSON; the main numbers at the top, numbers that are not finite as None."""
        main = self.stability
        return {
            "gamma": self.model.gamma,
            "q": plain(self.q),
            "kernel_residual": self.kernel.evidence.residual,
            "kernel_rank": self.kernel.rank,
            "spectral_radius": plain(main.spectral_radius),
            "norm": plain(main.norm),
            "stable": bool(main.stable),
            "rank": main.rank,
            "condition": plain(main.condition),
            "bounds_on_norm": {"gamma": self.model.gamma, "sqrt_gamma": float(np.sqrt(self.model.gamma))},
            "bisimulation_groups": self.groups,
            "value": self.value,
            "value_estimate": plain(self.value_estimate),
            "value_error": plain(self.value_error),
            "q_hat": plain(main.q_hat),
            "weights": plain(self.weights),
            "model": plain(self.model),
            "kernel": plain(self.kernel),
            "features": plain(self.features),
            "routes": [{k: v for k, v in plain(route).items() if k != "q_hat"} for route in self.routes],
            "sweep": plain(self.sweep),
            "value_bounds": plain(self.bounds),
            "skipped": list(self.skipped),
        }


def analyze_model(
    mrp: MRP | ExactMRP,
    features: Any = "krope",
    d: int | None = None,
    weights: Any = None,
    reward_range: tuple[float, float] | None = None,
    seed: Any = 0,
    begin: Callable[[str], None] = lambda stage: None,
) -> Analysis:
    """Analyse a model on features.

    Args:
        mrp: the reward process. A small rational one gets its kernel over the rationals.
        features: a name of `chosen_features`, or an array [X, p].
        d: number of features; as many as there are if None (at most 32 for more than 2000 pairs).
        weights: data distribution over pairs, [X]; uniform if None.
        reward_range: (r_min, r_max) of the reward kernel; the rewards' own range if None.
        seed: an integer or a numpy Generator, for random features.
        begin: called with the name of each of `STAGES` when it begins.

    >>> out = analyze_model(MRP.from_matrix([[0.5, 0.5], [0.0, 1.0]], r=[1.0, 0.0], gamma=0.9))
    >>> round(out.stability.spectral_radius, 12), out.groups, out.as_json()["stable"]
    (0.9, 2, True)
    """
    begin("values")
    exact = mrp if isinstance(mrp, ExactMRP) else None
    chain = mrp.to_float() if isinstance(mrp, ExactMRP) else mrp
    D = distribution(weights, chain.n_pairs)
    small = chain.n_pairs <= DENSE_PAIRS
    wanted = d if d is not None or small or not isinstance(features, str) else LARGE_DIMENSION
    model, q = model_facts(chain), chain.q
    begin("kernel")
    K = krope_kernel(exact if exact and exact.n_states <= EXACT_STATES else chain, reward_range=reward_range)
    begin("spectrum")
    kernel = kernel_facts(K, spectrum=small)
    begin("features")
    asked = isinstance(features, str) and features == "krope"  # for the features that the sweep is about
    apart = not asked or (d is not None and small)
    phi = chosen_features(K, features, wanted, D, seed) if apart else None  # first: what is refused is refused soon
    top = _top_features(K, D, d if asked and not small else None, small)
    phi = top.matrix if phi is None else phi
    begin("stability")
    routes = stability_by_route(chain, phi, D)
    begin("sweep")
    sweep = sweep_dimensions(chain, top, D)
    begin("measures")
    measured = feature_facts(K, phi, features if isinstance(features, str) else "given", D, all_pairs=small)
    begin("value bounds")
    pairs = None if small else np.random.default_rng(0).integers(0, chain.n_pairs, (2, SAMPLED_PAIRS))
    found_bounds = value_bounds(K) if pairs is None else value_bounds(K, *pairs)
    bounds = bound_facts(chain, found_bounds, pairs)
    begin("bisimulation")
    groups = len(bisimulation_partition(mrp))
    q_hat = routes[0].q_hat
    return Analysis(
        model=model,
        q=q,
        weights=D,
        kernel=kernel,
        features=measured,
        routes=routes,
        sweep=sweep,
        bounds=bounds,
        skipped=() if small else SKIPPED,
        groups=groups,
        value=float(chain.d0 @ q),
        value_estimate=float(chain.d0 @ q_hat),
        value_error=float(np.abs(q_hat - q).max()),
        mrp=chain,
        K=K,
        all_bounds=found_bounds if small else None,
    )


def _top_features(K: Kernel, D: Array, d: int | None, small: bool) -> Features:
    """All KROPE features of a small model; of a large one ``d``, if None `LARGE_DIMENSION` or as many as there are."""
    if small or d is not None:
        return krope_features(K, d, D)
    try:
        return krope_features(K, LARGE_DIMENSION, D)
    except KropeError:  # fewer directions than that rise above rounding: all of them, by the small factor of the kernel
        return krope_features(K, None, D)
