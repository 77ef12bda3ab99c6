"""Proof of the error bounds of LSPE on truncated representations (B14)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from proofs_check.arithmetic.eigenspaces import squared_norm, unions
from proofs_check.arithmetic.linear_algebra import floats
from proofs_check.arithmetic.regression import Iteration, kernel_features, seen
from proofs_check.arithmetic.regression_at_once import iterations
from proofs_check.chains.case import Case
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Step
from proofs_check.statements.truncation.proof import Truncated, truncated, truncations
from tabular_krope.representations.layers import weighted_directions


@dataclass(frozen=True, slots=True, eq=False)
class Approximation:
    """LSPE's limit and the best approximation of the values on some features.

    Attributes:
        left: ``q - q_d`` at every pair, [X].
        error: ``q - q_hat`` at every pair, [X].
        moved: coefficients of the projection of ``gamma P (q - q_hat)``, [d].
        part: the features.
        rest, wrong, step: squared RKHS norms of ``left``, ``error`` and of that projection.
        orthogonal: RKHS inner products of the features with ``left``, [d].
    """

    left: Any
    error: Any
    moved: Any
    part: Truncated
    rest: Any
    wrong: Any
    step: Any
    orthogonal: Any


def approximations(case: Case) -> list[Approximation]:
    """One for each truncation; the floats leave out features that are known to too few digits."""
    if case.exact:
        return case.once("approximations", lambda: list(_exact_approximations(case)))
    return case.shared("approximations", lambda: _float_approximations([case])[0], _float_approximations)


def _exact_approximations(case: Case) -> Iterator[Approximation]:
    here = seen(case)
    for V, part in zip(unions(case), truncations(case), strict=True):
        best = part.dual(V.T @ case.q[here.points])
        yield _approximation(case, part, best, lambda f: squared_norm(case, f), V.T @ case.q[here.points])


def _float_approximations(cases: list[Case]) -> list[list[Approximation]]:
    factors = [kernel_features(case) for case in cases]
    bases = [  # half the digits of the coordinates of q are gone below this
        weighted_directions(G, np.sqrt(case.weights), 1e-5)[2] for G, case in zip(factors, cases, strict=True)
    ]
    out: list[list[Approximation]] = [[] for _ in cases]
    for d in range(1, 1 + max(V.shape[1] for V in bases)):
        there = [k for k, V in enumerate(bases) if V.shape[1] >= d]
        features = [factors[k] @ bases[k][:, :d] for k in there]
        maps = iterations([cases[k] for k in there], features, [cases[k].weights for k in there])
        for k, Phi, found in zip(there, features, maps, strict=True):
            part = truncated(cases[k], Phi, np.eye(d), Iteration(*found))
            out[k].append(_float_approximation(cases[k], part, factors[k], bases[k][:, :d]))
    return out


def _float_approximation(case: Case, part: Truncated, G: Any, V: Any) -> Approximation:
    # q = G a: its norm in the RKHS is that of a
    a = case.once("coordinates of q", lambda: np.linalg.lstsq(G, case.q, rcond=1e-12)[0])
    best = V.T @ a
    found = _approximation(case, part, best, lambda f: float("nan"), best)
    rest, apart = a - V @ best, a - V @ part.limit
    return replace(found, rest=rest @ rest, wrong=apart @ apart, orthogonal=V.T @ rest)


def _approximation(case: Case, part: Truncated, best: Any, size: Any, inner: Any) -> Approximation:
    left, error = case.q - part.Phi @ best, case.q - part.Phi @ part.limit
    moved = case.gamma * (part.fit @ (case.P_pi @ error))
    orthogonal = inner - part.gram @ best
    return Approximation(left, error, moved, part, size(left), size(error), moved @ part.gram @ moved, orthogonal)


def _scale(found: Approximation) -> float:
    return max(1.0, float(floats(found.wrong)))


def _decomposed(case: Case) -> list[Relation]:
    return [
        equal(found.error, found.left + found.part.Phi @ found.moved, case.horizon) for found in approximations(case)
    ]


def _orthogonal(case: Case) -> list[Relation]:
    return [equal(found.orthogonal, 0, _scale(found)) for found in approximations(case)]


def _pythagoras(case: Case) -> list[Relation]:
    return [equal(found.wrong, found.rest + found.step, _scale(found)) for found in approximations(case)]


def _contracted(case: Case) -> list[Relation]:
    return [at_most(found.step, case.gamma * found.wrong, _scale(found)) for found in approximations(case)]


def _pointwise(case: Case) -> list[Relation]:
    own = np.diagonal(case.K)
    out = [at_most((1 - case.gamma) * own, 1)]
    return [*out, *(at_most(found.error**2, found.wrong * own, _scale(found)) for found in approximations(case))]


TRUNCATED_ERROR = (
    Step("decomposed", "q_hat = Pi_d T q_hat, so q - q_hat = (q - Pi_d q) + Pi_d gamma P (q - q_hat)", _decomposed),
    Step("orthogonal", "q - Pi_d q is orthogonal to the features in the RKHS", _orthogonal, kind="algebra"),
    Step("pythagoras", "|q - q_hat|^2 = |q - q_d|^2 + |Pi_d gamma P (q - q_hat)|^2", _pythagoras),
    Step("contracted", "|Pi_d gamma P f|^2 <= gamma |f|^2, by rkhs-contraction; rearrange", _contracted),
    Step("pointwise", "f(x)^2 <= |f|^2 K(x,x), and K(x,x) <= 1/(1-gamma)", _pointwise),
)
