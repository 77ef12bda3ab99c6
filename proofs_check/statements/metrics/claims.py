r"""The bisimulation metrics of Ferns and of Castro that the paper builds on."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.arithmetic.transport_metric import transport_metric
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains, lumpable_chains, mixture
from proofs_check.statements.metrics.proof import (
    Game,
    Games,
    coarsest_blocks,
    contraction,
    fixed,
    metric_rounding,
    optimal_values_exactly,
    proof,
)
from proofs_check.statements.relation import Relation, at_most, below, equal
from proofs_check.statements.statement import Control, Cost, Pressure, Statement
from tabular_krope.metrics.partition import bisimulation_partition
from tabular_krope.models.mdp import MDP
from tabular_krope.models.optimal import optimal_values


def _two_metrics(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    """Two pseudometrics on the pairs: distances between random points, and half of them once more."""
    shape = (2, case.X, 2)
    points, others = rationals(rng.integers(0, 4, size=shape)) if case.exact else rng.random(shape)
    first = np.abs(points[:, None] - points[None]).sum(axis=2)
    second = first / 2 if rng.random() < 0.5 else np.abs(others[:, None] - others[None]).sum(axis=2)
    return {"first": first, "second": second}


def _actions(case: Case) -> tuple[list[Any], list[Any]]:
    S = case.P.shape[1]
    A = case.X // S
    return [case.P[a::A] for a in range(A)], [case.r[a::A] for a in range(A)]


def _ferns(case: Case) -> Game:
    def build() -> Game:
        laws, rewards = _actions(case)
        d = transport_metric(laws, rewards, case.gamma)
        if case.exact:
            values = optimal_values_exactly(laws, rewards, case.gamma)
            return Game.of(case, laws, rewards, d, coarsest_blocks(laws, rewards), values)
        S = case.P.shape[1]
        mdp = MDP(case.P.reshape(S, -1, S), case.r.reshape(S, -1), case.gamma, end=case.end.reshape(S, -1))
        return Game.of(case, laws, rewards, d, bisimulation_partition(mdp).labels, optimal_values(mdp))

    return case.once("ferns", build)


def _castro(case: Case) -> Game:
    def build() -> Game:
        laws, rewards = [case.P_pi], [case.r]
        d = transport_metric(laws, rewards, case.gamma)
        if case.exact:
            return Game.of(case, laws, rewards, d, coarsest_blocks(laws, rewards), case.q)
        labels = bisimulation_partition(case.mrp(), tolerance=metric_rounding(case)).labels
        return Game.of(case, laws, rewards, d, labels, case.q)

    return case.once("castro", build)


def _is_metric(game: Game, case: Case) -> list[Relation]:
    """Fixed point, contraction, zero set, and the bound on values."""
    outside = game.d[~game.together]
    apart = np.abs(np.subtract.outer(game.values, game.values))
    return [
        *fixed(game),
        contraction(game, game.gamma),
        equal(game.d[game.together], 0),
        below(0, outside) if case.exact else at_most(16 * metric_rounding(case), outside),
        at_most(apart, game.d),
    ]


def _half_modulus(games: Games) -> Any:
    return lambda case: [contraction(games(case), case.gamma / 2)]


def _conservative(case: Case) -> bool:
    return case.conservative and case.gamma > 0


def _twins(rng: np.random.Generator, exact: bool) -> Case:
    """A model in which the last two states are copies of each other."""
    case = chains(ending=False, positive_gamma=True, most=8, most_gamma=0.9, extra=_two_metrics)(rng, exact)
    S = case.P.shape[1]
    if S < 2:
        return case
    A = case.X // S
    P, r = case.P.copy(), case.r.copy()
    P[-A:], r[-A:] = P[-2 * A : -A], r[-2 * A : -A]
    return Case(P, case.Pi, r, case.gamma, case.end, case.weights, None, case.given)


FERNS = Statement(
    slug="theorem-ferns",
    title="The bisimulation metric and its bound",
    claim="The bisimulation operator has one fixed point; its zero set is the coarsest bisimulation, and it bounds "
    "differences of optimal values.",
    formula=r"d(s,t) = \max_a |\Delta r_a| + \gamma W_d(P_a(s), P_a(t))",
    source="paper, appendix, theorem of Ferns et al. 2004",
    assumes="gamma > 0, no episode ends",
    instances=mixture(
        _twins,
        chains(ending=False, positive_gamma=True, rewards="tied", most=8, most_gamma=0.9, extra=_two_metrics),
    ),
    sides=lambda case: _is_metric(_ferns(case), case),
    premise=_conservative,
    tolerance=metric_rounding,
    steps=proof(_ferns, "|dV*| <= max_a (|dr_a| + gamma |d P_a V*|) <= d"),
    control=Control("modulus gamma / 2", sides=_half_modulus(_ferns)),
    pressure=Pressure(lambda case: _is_metric(_ferns(case), case)[-1:]),
    cost=Cost(share=4),
)

CASTRO = Statement(
    slug="theorem-castro",
    title="The pi-bisimulation metric and its bound",
    claim="The pi-bisimulation operator has one fixed point; its zero set is the coarsest pi-bisimulation, and it "
    "bounds differences of action values.",
    formula=r"d(x,y) = |\Delta r| + \gamma W_d(P_\pi(x), P_\pi(y))",
    source="paper, appendix, theorem of Castro 2020",
    assumes="gamma > 0, no episode ends",
    instances=mixture(
        lumpable_chains(distinct=False, extra=_two_metrics),
        chains(ending=False, positive_gamma=True, rewards="tied", most=6, most_gamma=0.9, extra=_two_metrics),
    ),
    sides=lambda case: _is_metric(_castro(case), case),
    premise=_conservative,
    tolerance=metric_rounding,
    steps=proof(_castro, "|dq| <= |dr| + gamma |d P_pi q| <= d"),
    control=Control("modulus gamma / 2", sides=_half_modulus(_castro)),
    pressure=Pressure(lambda case: _is_metric(_castro(case), case)[-1:]),
    cost=Cost(share=4),
)

STATEMENTS = (FERNS, CASTRO)
