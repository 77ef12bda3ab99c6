r"""Behavioral metrics as optimal transport of whole runs, and between two models."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains, probabilities, rewards_of
from proofs_check.statements.metrics.proof import metric_rounding
from proofs_check.statements.neighbors.metrics import proof as proofs
from proofs_check.statements.neighbors.metrics.occupancy import program_value
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Control, Cost, Pressure, Statement

#: What the solver of linear programs leaves, relative to the horizon.
SOLVER = 1e-6


def _two_pairs(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    return {"pair": rng.integers(0, case.X, size=2)}


def _program(case: Case) -> list[Relation]:
    """The optimum of the program is the distance; over the rationals by a feasible point of each side."""
    if case.exact:
        return [*proofs.flow(case), *proofs.margins(case), *proofs.primal(case), *proofs.dual(case)]
    return [equal(program_value(case), proofs.distance_at_start(case))]


PROGRAM = Statement(
    slug="occupancy-couplings",
    title="pi-bisimulation couples occupancies",
    claim="The pi-bisimulation distance of two pairs is the least cost of a coupling of the discounted occupancies of "
    "two runs that start there: the optimum of a linear program.",
    formula=r"d_\pi(x_0, y_0) = \min_{\mu \in M(x_0, y_0)} \sum_{xy} \mu(xy)\,|r_x - r_y|",
    source="after Calo et al. 2024 (arXiv:2406.04056); the wording is ours",
    assumes="no episode ends, gamma < 1",
    instances=chains(ending=False, most=4, most_gamma=0.9, extra=_two_pairs),
    sides=_program,
    premise=lambda case: case.conservative and case.gamma < 1,
    tolerance=lambda case: metric_rounding(case) + SOLVER * case.horizon,
    steps=proofs.PROGRAM,
    control=Control(
        "independent runs attain it",
        sides=lambda case: [equal(case.U[tuple(case.given["pair"])], proofs.distance_at_start(case))],
    ),
    pressure=Pressure(lambda case: [at_most(proofs.chain_metric(case), case.U)]),
    uses=("theorem-castro",),
    cost=Cost(share=4),
)


def _two_models(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    """Two more models of one to three states, with the actions of the first."""
    A = case.X // case.P.shape[1]
    out: dict[str, Any] = {}
    for name in ("two", "three"):
        S = int(rng.integers(1, 3 if case.exact else 4))
        out[f"P_{name}"] = probabilities(rng, case.exact, S * A, S, zeros=bool(rng.random() < 0.5))
        out[f"r_{name}"] = rewards_of(rng, case.exact, S * A, "tied" if rng.random() < 0.5 else "distinct")
    return out


def _apart(case: Case) -> Any:
    first, second, _ = proofs.between(case).values
    return np.abs(np.subtract.outer(first, second))


def _metric(case: Case) -> list[Relation]:
    d = proofs.between(case).distances
    return [
        at_most(_apart(case), d["12"]),
        equal(d["12"], d["21"].T),
        at_most(d["13"][:, None, :], d["12"][:, :, None] + d["23"][None]),
    ]


def _two_to_one(case: Case) -> list[Relation]:
    return [at_most(_apart(case), proofs.between(case).distances["12"] / 2)]


BETWEEN = Statement(
    slug="metric-between-models",
    title="Bisimulation between models bounds values",
    claim="The bisimulation metric between the states of two MDPs bounds the difference of their optimal values, is "
    "symmetric, and satisfies the triangle inequality through a third.",
    formula=r"|V_1^*(s) - V_2^*(t)| \le d_{12}(s,t) = d_{21}(t,s),\quad d_{13} \le d_{12} + d_{23}",
    source="after Tao, Xu and You 2025 (arXiv:2509.18714); the wording is ours",
    assumes="the same actions and the same gamma < 1; no episode ends",
    instances=chains(ending=False, most=4, most_gamma=0.9, extra=_two_models),
    sides=_metric,
    premise=lambda case: case.conservative and case.gamma < 1,
    tolerance=metric_rounding,
    steps=proofs.BETWEEN,
    control=Control("half of the metric", sides=_two_to_one),
    pressure=Pressure(lambda case: _metric(case)[:1], free=("r_two",)),
    uses=("theorem-ferns",),
    cost=Cost(share=4),
)

STATEMENTS = (PROGRAM, BETWEEN)
