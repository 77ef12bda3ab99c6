r"""The bisimulation metrics of Ferns and of Castro that the paper builds on."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from proofs_check.case import EPS, Case
from proofs_check.instances import chains, lumpable_chains, mixture
from proofs_check.relation import Relation, at_most, equal
from proofs_check.statement import Control, Statement
from tabular_krope.metrics.bisimulation import bisimulation_metric
from tabular_krope.metrics.partition import bisimulation_partition
from tabular_krope.metrics.pi_bisimulation import pi_bisimulation_metric
from tabular_krope.metrics.transport import couple
from tabular_krope.models.mdp import MDP
from tabular_krope.models.optimal import optimal_values


def _two_metrics(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    """Two pseudometrics on the pairs: distances between random points, and half of them once more."""
    points, others = rng.random((2, case.X, 2))
    first = np.abs(points[:, None] - points[None]).sum(axis=2)
    second = first / 2 if rng.random() < 0.5 else np.abs(others[:, None] - others[None]).sum(axis=2)
    return {"first": first, "second": second}


def _transport(mu: Any, nu: Any, cost: Any) -> float:
    rows, columns = np.flatnonzero(mu), np.flatnonzero(nu)
    return couple(mu[rows], nu[columns], np.ascontiguousarray(cost[np.ix_(rows, columns)])).value


def _operator(laws: list[Any], rewards: list[Any], gamma: float, d: Any) -> Any:
    """``max_a |dr_a| + gamma W_d(P_a, P_a)``, [n, n]."""
    n = len(d)
    out = np.zeros((n, n))
    for P, r in zip(laws, rewards, strict=True):
        for s in range(n):
            for t in range(s):
                far = abs(r[s] - r[t]) + gamma * _transport(P[s], P[t], d)
                out[s, t] = out[t, s] = max(out[s, t], far)
    return out


def _is_metric(laws: list[Any], rewards: list[Any], case: Case, d: Any, labels: Any, values: Any) -> list[Relation]:
    """Fixed point, contraction, zero set, and the bound on values."""
    n, gamma = len(d), case.gamma
    first, second = case.given["first"][:n, :n], case.given["second"][:n, :n]
    together = labels[:, None] == labels[None, :]
    apart = np.abs(np.subtract.outer(values, values))
    modulus = at_most(
        np.abs(_operator(laws, rewards, gamma, first) - _operator(laws, rewards, gamma, second)).max(),
        gamma * np.abs(first - second).max(),
    )
    return [
        equal(d, _operator(laws, rewards, gamma, d)),
        modulus,
        equal(d[together], 0),
        at_most(16 * _rounding(case), d[~together]),
        at_most(apart, d),
    ]


def _rounding(case: Case) -> float:
    return 64 * EPS * max(case.X, 4) * case.horizon**2


def _mdp(case: Case) -> MDP:
    S = case.P.shape[1]
    return MDP(case.P.reshape(S, -1, S), case.r.reshape(S, -1), case.gamma, end=case.end.reshape(S, -1))


def _actions(case: Case) -> tuple[list[Any], list[Any]]:
    S = case.P.shape[1]
    A = case.X // S
    return [case.P[a::A] for a in range(A)], [case.r[a::A] for a in range(A)]


def _ferns(case: Case) -> list[Relation]:
    mdp = _mdp(case)
    labels = bisimulation_partition(mdp).labels
    return _is_metric(*_actions(case), case, bisimulation_metric(mdp).matrix, labels, optimal_values(mdp))


def _castro(case: Case) -> list[Relation]:
    chain = case.mrp()
    labels = bisimulation_partition(chain, tolerance=_rounding(case)).labels
    return _is_metric([case.P_pi], [case.r], case, pi_bisimulation_metric(chain).matrix, labels, case.q)


def _half_modulus(laws: list[Any], rewards: list[Any], case: Case) -> list[Relation]:
    n = len(laws[0])
    first, second = case.given["first"][:n, :n], case.given["second"][:n, :n]
    difference = _operator(laws, rewards, case.gamma, first) - _operator(laws, rewards, case.gamma, second)
    return [at_most(np.abs(difference).max(), case.gamma / 2 * np.abs(first - second).max())]


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
    claim="The bisimulation operator has one fixed point; its zero set is the coarsest bisimulation, and it bounds "
    "differences of optimal values.",
    formula=r"d(s,t) = \max_a |\Delta r_a| + \gamma W_d(P_a(s), P_a(t))",
    source="paper, appendix, theorem of Ferns et al. 2004",
    assumes="gamma > 0, no episode ends",
    instances=mixture(
        _twins,
        chains(ending=False, positive_gamma=True, rewards="tied", most=8, most_gamma=0.9, extra=_two_metrics),
    ),
    sides=_ferns,
    pressed=lambda case: _ferns(case)[-1:],
    premise=_conservative,
    tolerance=_rounding,
    rational=False,
    share=4,
    control=Control("modulus gamma / 2", sides=lambda case: _half_modulus(*_actions(case), case)),
)

CASTRO = Statement(
    slug="theorem-castro",
    claim="The pi-bisimulation operator has one fixed point; its zero set is the coarsest pi-bisimulation, and it "
    "bounds differences of action values.",
    formula=r"d(x,y) = |\Delta r| + \gamma W_d(P_\pi(x), P_\pi(y))",
    source="paper, appendix, theorem of Castro 2020",
    assumes="gamma > 0, no episode ends",
    instances=mixture(
        lumpable_chains(distinct=False, extra=_two_metrics),
        chains(ending=False, positive_gamma=True, rewards="tied", most=6, most_gamma=0.9, extra=_two_metrics),
    ),
    sides=_castro,
    pressed=lambda case: _castro(case)[-1:],
    premise=_conservative,
    tolerance=_rounding,
    rational=False,
    share=4,
    control=Control("modulus gamma / 2", sides=lambda case: _half_modulus([case.P_pi], [case.r], case)),
)

STATEMENTS = (FERNS, CASTRO)
