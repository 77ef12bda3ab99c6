"""Is value learning stable on this data with these features, why not, and what cures it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tabular_krope.arrays import refuse_where
from tabular_krope.closed_form.feature_map import FeatureMap
from tabular_krope.data.offline import OfflineProblem
from tabular_krope.errors import KropeError
from tabular_krope.estimation.problem_estimate import estimate_problem
from tabular_krope.evaluation.value_estimate import ValueEstimate
from tabular_krope.looks import Tabled
from tabular_krope.notebook_tables import Grid
from tabular_krope.report.cures import Cure, close, fewer_dimensions, krope, tried
from tabular_krope.report.pair_stability import pair_facts, pair_routes
from tabular_krope.report.plain import plain
from tabular_krope.report.row_stability import RowFacts, RowRoute, row_facts, row_routes
from tabular_krope.report.row_weights import data_weights

#: Rewards up to which the sums of solvers in float32, which ends at 3.4e38, do not overflow.
LARGEST_REWARD = 1e30

#: Verdicts, from good to bad.
STABLE, ROUNDS_BADLY, UNDECIDED, DIVERGES = "stable", "rounds badly", "undecided", "diverges"
ROUNDING, SHIFT, COLLAPSED = "rounding", "distribution shift", "collapsed features"
#: What `diagnose` does, in order: for progress bars.
STAGES = ("stability", "value", "cures")


@dataclass(frozen=True, slots=True, eq=False)
class Diagnosis(Tabled):
    """LSPE on a data set diagnosed: a verdict, its causes, the cures that were tried, and the value.

    Attributes:
        verdict: "stable", "rounds badly" (stable, but not in every arithmetic), "diverges", or "undecided" (rounding
            hides on which side of 1 the spectral radius lies).
        causes: of what is wrong: "rounding", "distribution shift", "collapsed features"; the main one first.
        routes: LSPE by each solver, the one to believe first.
        failing: those that are unstable, or give another value, though LSPE is stable.
        facts: of the rows.
        estimate: the value by LSPE's fixed point, SVD in float64.
        cures: those tried, in order of preference.
        problem: the rows.
    """

    verdict: str
    causes: tuple[str, ...]
    routes: tuple[RowRoute, ...]
    failing: tuple[RowRoute, ...]
    facts: RowFacts
    estimate: ValueEstimate
    cures: tuple[Cure, ...]
    problem: OfflineProblem

    def _table(self) -> tuple[str, dict[str, Any], Grid]:
        cure = "none needed" if self.verdict == STABLE else "none found" if self.cure is None else self.cure.name
        facts: dict[str, Any] = {"verdict": self.verdict, "because of": ", ".join(self.causes) or "-", "cure": cure}
        facts |= {"transitions": self.facts.transitions, "features": f"{self.facts.d} {self.problem.features}"}
        rows = [
            [route.name, bool(route.stable), float(route.spectral_radius), float(route.value)] for route in self.routes
        ]
        return "diagnosis", facts, Grid(["LSPE by", "stable", "spectral radius", "value"], rows)

    @property
    def working(self) -> tuple[Cure, ...]:
        """The cures that work; where LSPE has a limit anyway, only those that keep its value."""
        if self.verdict == STABLE:
            return ()
        return tuple(cure for cure in self.cures if cure.works and (cure.keeps_value or self.verdict == DIVERGES))

    @property
    def cure(self) -> Cure | None:
        """The first cure that works; None if none was needed or none does."""
        return self.working[0] if self.working else None

    @property
    def recommended(self) -> FeatureMap | None:
        """The features to go on with: those of the first cure that works and has some, else KROPE of these features.

        None where no features were found that work.
        """
        maps = (cure.map for cure in (*self.working, *self.cures) if cure.works and cure.map is not None)
        return next(maps, None)

    def as_json(self) -> dict[str, Any]:
        """Plain types for JSON; arrays with a number for every row are left out."""
        p, facts = self.problem, plain(self.facts)
        return {
            "verdict": self.verdict,
            "causes": list(self.causes),
            "cure": None if self.cure is None else self.cure.name,
            "gamma": p.gamma,
            "features": p.features,
            "policy": p.policy,
            "start": p.start,
            "uncovered": p.uncovered,
            "spectral_radius": plain(self.routes[0].spectral_radius),
            "norm": plain(self.routes[0].norm),
            "estimate": _short(self.estimate),
            "facts": {k: v for k, v in facts.items() if k not in ("E", "T", "R")},
            "routes": [plain(route) | {"agrees": route not in self.failing} for route in self.routes],
            "cures": [_of_cure(cure) for cure in self.cures],
        }


def diagnose(
    problem: OfflineProblem,
    level: float = 0.95,
    replicates: int = 400,
    seed: int = 0,
    begin: Callable[[str], None] = lambda stage: None,
) -> Diagnosis:
    """Diagnose LSPE on the rows of a problem.

    Args:
        problem: from `offline_problem`.
        level, replicates, seed: of the bootstrap intervals.
        begin: called with the name of each of `STAGES` when it begins.

    >>> from tabular_krope.data.dataset import Dataset
    >>> from tabular_krope.data.offline import offline_problem
    >>> data = Dataset(s=[0] * 30, a=[0] * 30, r=[0.0] * 30, s_next=[1] * 30, done=[False] * 30, n_states=2,
    ...                n_actions=1, gamma=0.9)
    >>> out = diagnose(offline_problem(data, "uniform", [[1.0], [2.0]]))  # Tsitsiklis and Van Roy: w -> 2w
    >>> out.verdict, out.causes, round(out.routes[0].spectral_radius, 9)
    ('diverges', ('distribution shift',), 1.8)
    """
    if not isinstance(problem, OfflineProblem):
        raise KropeError(f"problem must be an OfflineProblem, from offline_problem; got {type(problem).__name__}")
    p = problem
    refuse_where(np.abs(p.r) > LARGEST_REWARD, p.r, "r", f"be at most {LARGEST_REWARD:g} in size, to fit float32")
    how: dict[str, Any] = {"level": level, "replicates": replicates, "seed": seed}
    begin("stability")
    facts = row_facts(p) if p.pairs is None else pair_facts(p.pairs, p.episodes)
    routes = row_routes(p, facts) if p.pairs is None else pair_routes(p.pairs, facts)
    begin("value")
    estimate = estimate_problem(p, **how)
    # The fixed point in the orthonormal basis keeps the digits that the coordinates of ill-conditioned features lose.
    believed = replace(routes[0], value=estimate.value)
    routes = (believed, *routes[1:])
    failing = tuple(route for route in routes[1:] if not _agrees(route, believed, estimate))
    verdict = _verdict(facts, believed, failing)
    causes = _causes(facts, verdict)
    begin("cures")
    return Diagnosis(verdict, causes, routes, failing, facts, estimate, _cures(p, facts, estimate, verdict, **how), p)


def _of_cure(cure: Cure) -> dict[str, Any]:
    shown = {name: value for name, value in plain(replace(cure, map=None)).items() if name != "map"}
    return shown | {"estimate": _short(cure.estimate)}


def _short(estimate: ValueEstimate | None) -> dict[str, Any] | None:
    if estimate is None:
        return None
    return {name: value for name, value in plain(estimate).items() if name not in ("q_hat", "theta")}


def _agrees(route: RowRoute, believed: RowRoute, estimate: ValueEstimate) -> bool:
    return route.stable == believed.stable and (not believed.stable or close(route.value, believed.value, estimate))


def _verdict(facts: RowFacts, believed: RowRoute, failing: tuple[RowRoute, ...]) -> str:
    if not facts.margin > facts.rounding:
        return UNDECIDED
    if not believed.stable:
        return DIVERGES
    return ROUNDS_BADLY if failing else STABLE


def _causes(facts: RowFacts, verdict: str) -> tuple[str, ...]:
    collapsed = (COLLAPSED,) if facts.rank < facts.d else ()
    if verdict == DIVERGES:
        return (SHIFT, *collapsed)
    if verdict == STABLE:
        return collapsed
    ill = facts.condition**2 * float(np.finfo(np.float32).eps) > 1
    return (*collapsed, ROUNDING) if ill or not collapsed else collapsed


def _cures(p: OfflineProblem, facts: RowFacts, before: ValueEstimate, verdict: str, **how: Any) -> tuple[Cure, ...]:
    of_these = krope(p, "KROPE of these features", p.own, before, **how)
    if verdict == STABLE or p.pairs is not None:  # one-hot features need no other: LSPE on them contracts
        return (of_these,)
    diverges = verdict == DIVERGES
    cures = [] if diverges else [tried("svd", "singular values, in float64", p, before, **how)]
    cures.append(of_these)
    if p.base is not None:
        cures.append(krope(p, f"KROPE of {p.base.name}", p.base, before, **how))
    cures.append(fewer_dimensions(p, facts, before, diverges, **how))
    if diverges:
        cures.append(data_weights(p, facts, before, **how))
    return tuple(cures)
