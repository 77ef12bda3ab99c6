"""Proof of the error bounds of LSPE on truncated representations (B14)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from proofs_check.arithmetic.eigenspaces import squared_norm, unions
from proofs_check.arithmetic.linear_algebra import floats
from proofs_check.arithmetic.regression import kernel_features, seen
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
    return case.once("approximations", lambda: list(_approximations(case)))


def _approximations(case: Case) -> Iterator[Approximation]:
    if case.exact:
        here = seen(case)
        for V, part in zip(unions(case), truncations(case), strict=True):
            best = part.dual(V.T @ case.q[here.points])
            yield _approximation(case, part, best, lambda f: squared_norm(case, f), V.T @ case.q[here.points])
        return
    G, root = kernel_features(case), np.sqrt(case.weights)
    V = weighted_directions(G, root, 1e-5)[2]  # half the digits of the coordinates of q are gone below this
    a = np.linalg.lstsq(G, case.q, rcond=1e-12)[0]  # q = G a: its norm in the RKHS is that of a
    for d in range(1, V.shape[1] + 1):
        part = truncated(case, G @ V[:, :d], np.eye(d))
        best = V[:, :d].T @ a
        found = _approximation(case, part, best, lambda f: float("nan"), best)
        rest, apart = a - V[:, :d] @ best, a - V[:, :d] @ part.limit
        yield Approximation(
            found.left, found.error, found.moved, part, rest @ rest, apart @ apart, found.step, V[:, :d].T @ rest
        )


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
