"""Proofs about behavioral metrics: a linear program and its dual, and metrics between two models."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from proofs_check.arithmetic.transport import couple_exactly
from proofs_check.arithmetic.transport_metric import transport_metric
from proofs_check.chains.case import Case
from proofs_check.statements.metrics.proof import optimal_values_exactly
from proofs_check.statements.neighbors.metrics.occupancy import Occupancy, optimal_occupancy
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Step
from tabular_krope.metrics.between import metric_between
from tabular_krope.metrics.transport import couple
from tabular_krope.models.mdp import MDP
from tabular_krope.models.optimal import optimal_values


def chain_metric(case: Case) -> Any:
    """The pi-bisimulation metric on pairs, [X, X]."""
    return case.once("d_pi", lambda: transport_metric([case.P_pi], [case.r], case.gamma))


def distance_at_start(case: Case) -> Any:
    """The metric at the two pairs that the instance singles out."""
    return chain_metric(case)[tuple(case.given["pair"])]


def occupancy(case: Case) -> Occupancy:
    """The cheapest coupling of occupancies, over the rationals."""
    return case.once("occupancy", lambda: optimal_occupancy(case, chain_metric(case)))


def flow(case: Case) -> list[Relation]:
    """What leaves two pairs has entered them, or starts there; nothing is negative."""
    found = occupancy(case)
    return [equal(found.left, found.start + case.gamma * found.entered), at_most(-found.mass, 0)]


def margins(case: Case) -> list[Relation]:
    """Each copy moves as the chain does, wherever the other is."""
    found, P = occupancy(case), case.P_pi
    return [
        equal(found.mass.sum(axis=3), found.left[:, :, None] * P[:, None, :]),
        equal(found.mass.sum(axis=2), found.left[:, :, None] * P[None, :, :]),
    ]


def primal(case: Case) -> list[Relation]:
    """It costs the distance."""
    return [equal((occupancy(case).left * case.apart).sum(), distance_at_start(case))]


def dual(case: Case) -> list[Relation]:
    """``d <= |dr| + gamma (P u + P v)`` with ``u + v <= d`` where both copies can go: no coupling costs less."""
    found, d, P = occupancy(case), chain_metric(case), case.P_pi
    there = (P[:, None, :, None] != 0) & (P[None, :, None, :] != 0)
    worth = (found.u * P[:, None, :]).sum(axis=2) + (found.v * P[None, :, :]).sum(axis=2)
    both = found.u[:, :, :, None] + found.v[:, :, None, :]
    return [at_most((both - d)[there], 0), at_most(d, case.apart + case.gamma * worth)]


def _exactly(sides: Any) -> Any:
    return lambda case: sides(case) if case.exact else []


PROGRAM = (
    Step("flow", "the cheapest couplings of each two laws make a coupling of occupancies", _exactly(flow)),
    Step("margins", "in which each copy moves as the chain does", _exactly(margins)),
    Step("cost", "it costs d(x0, y0)", _exactly(primal)),
    Step("dual", "d and the potentials are feasible for the dual program, and worth as much", _exactly(dual)),
)


@dataclass(frozen=True, slots=True, eq=False)
class Between:
    """Three models, distances between their states, and their optimal values.

    Attributes:
        laws, rewards: for each model and action, [S, S] and [S].
        distances: ``d12, d21, d23, d13``, each from a computation of its own.
        values: optimal values of each model.
    """

    laws: tuple[list[Any], list[Any], list[Any]]
    rewards: tuple[list[Any], list[Any], list[Any]]
    distances: dict[str, Any]
    values: tuple[Any, Any, Any]


def between(case: Case) -> Between:
    """The three models of an instance: its own and two that it is given."""

    def build() -> Between:
        S = case.P.shape[1]
        A = case.X // S
        P = (case.P, case.given["P_two"], case.given["P_three"])
        r = (case.r, case.given["r_two"], case.given["r_three"])
        laws, rewards = [[M[a::A] for a in range(A)] for M in P], [[v[a::A] for a in range(A)] for v in r]
        pairs = {"12": (0, 1), "21": (1, 0), "23": (1, 2), "13": (0, 2)}
        if case.exact:
            values = [optimal_values_exactly(*model, case.gamma) for model in zip(laws, rewards, strict=True)]
            found = {name: _exact(laws, rewards, case.gamma, i, j) for name, (i, j) in pairs.items()}
        else:
            shaped = [(M.reshape(-1, A, M.shape[1]), v.reshape(-1, A)) for M, v in zip(P, r, strict=True)]
            models = [MDP(M, v, case.gamma) for M, v in shaped]
            values = [optimal_values(model) for model in models]
            found = {name: metric_between(models[i], models[j]).matrix for name, (i, j) in pairs.items()}
        return Between(tuple(laws), tuple(rewards), found, tuple(values))  # type: ignore[arg-type]

    return case.once("between", build)


def _exact(laws: list[Any], rewards: list[Any], gamma: Any, i: int, j: int) -> Any:
    """The distances between two models over the rationals: those of both side by side, [Si, Sj]."""
    S = len(rewards[i][0])
    joint = [_diagonal(P, Q) for P, Q in zip(laws[i], laws[j], strict=True)]
    side_by_side = [np.concatenate(parts) for parts in zip(rewards[i], rewards[j], strict=True)]
    return transport_metric(joint, side_by_side, gamma)[:S, S:]


def _diagonal(P: Any, Q: Any) -> Any:
    zero = 0 * P[0, 0]
    out = np.full((len(P) + len(Q),) * 2, zero)
    out[: len(P), : len(P)], out[len(P) :, len(P) :] = P, Q
    return out


def transported(P: Any, Q: Any, d: Any) -> tuple[Any, Any]:
    """Cost of cheapest couplings of each row of ``P`` and each row of ``Q``, and the worth of potentials, [n, m]."""
    cost, worth = 0 * d, 0 * d
    for i, j in np.ndindex(d.shape):
        rows, columns = np.flatnonzero(P[i]), np.flatnonzero(Q[j])
        ground = np.ascontiguousarray(d[np.ix_(rows, columns)])
        if d.dtype == object:
            exact = couple_exactly(P[i, rows], Q[j, columns], ground)
            cost[i, j], worth[i, j] = exact.cost, exact.worth
        else:
            found = couple(P[i, rows] / P[i, rows].sum(), Q[j, columns] / Q[j, columns].sum(), ground)
            cost[i, j], worth[i, j] = found.value, found.value - found.gap
    return cost, worth


def _fixed(case: Case) -> list[Relation]:
    """``d12`` solves its equation: no more by couplings, no less by potentials."""
    now = between(case)
    d, out = now.distances["12"], []
    moved = [transported(P, Q, d) for P, Q in zip(now.laws[0], now.laws[1], strict=True)]
    for side in (0, 1):
        each = [
            np.abs(np.subtract.outer(a, b)) + case.gamma * costs[side]
            for a, b, costs in zip(now.rewards[0], now.rewards[1], moved, strict=True)
        ]
        out.append(equal(d, np.max(np.stack(each), axis=0)))
    return out


def _values_once(case: Case) -> list[Relation]:
    """The mean values after a step differ by the cost of transport at most."""
    now, d = between(case), between(case).distances["12"]
    out = []
    for P, Q in zip(now.laws[0], now.laws[1], strict=True):
        ahead = np.abs(np.subtract.outer(P @ now.values[0], Q @ now.values[1]))
        out.append(at_most(ahead, transported(P, Q, d)[0]))
    return out


def _glued(case: Case) -> list[Relation]:
    """Couplings of laws 1 and 2 and of laws 2 and 3 are glued along law 2."""
    now, out = between(case), []
    for P, Q, R in zip(*now.laws, strict=True):
        first, second = (transported(M, N, now.distances[k])[0] for M, N, k in ((P, Q, "12"), (Q, R, "23")))
        out.append(at_most(transported(P, R, now.distances["13"])[0][:, None, :], first[:, :, None] + second[None]))
    return out


BETWEEN = (
    Step("fixed", "d12 solves its equation: no more by couplings, no less by potentials", _fixed),
    Step("values", "|P1 V1 - P2 V2| <= W_d12 as |V1 - V2| <= d12", _values_once),
    Step(
        "glued", "W_d13(P1, P3) <= W_d12(P1, P2) + W_d23(P2, P3): couplings are glued along P2", _glued, kind="algebra"
    ),
)
