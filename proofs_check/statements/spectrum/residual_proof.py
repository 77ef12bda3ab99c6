"""Proof that the residual of the KROPE equation certifies any features (B4)."""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats, indefiniteness, pseudo_inverse
from proofs_check.chains.case import Case
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Step


def _size(M: Any) -> float:
    return max(1.0, float(floats(np.max(np.abs(M)))))


class _Residual:
    """The matrices of B4."""

    def __init__(self, case: Case) -> None:
        Phi, D = case.given["phi"], case.weights
        self.weighted = Phi.T * D
        self.B, self.C = self.weighted @ Phi, self.weighted @ (case.P_pi @ Phi)
        self.inverse = pseudo_inverse(self.B)
        self.fit = self.inverse @ self.weighted
        N = Phi @ Phi.T
        self.E = N - case.K1 - case.gamma * case.push(N)
        self.L = case.gamma * (self.inverse @ self.C)
        self.scale = max(1.0, _size(self.L) ** 2, _size(self.fit) ** 2)


def residual(case: Case) -> _Residual:
    """Covariances, residual and fit of the given features."""
    return case.once("residual", lambda: _Residual(case))


def _covariances(case: Case) -> list[Relation]:
    m = residual(case)
    inside = m.weighted @ (case.K1 + m.E) @ m.weighted.T
    return [equal(case.gamma * (m.C @ m.C.T), m.B @ m.B - inside, _size(m.B) ** 2)]


def _pseudo_inverse(case: Case) -> list[Relation]:
    m = residual(case)
    return [
        equal(m.inverse @ m.B @ m.B @ m.inverse, m.B @ m.inverse, m.scale),
        equal(m.fit @ case.given["phi"], m.inverse @ m.B, m.scale),
    ]


def residual_identity(case: Case) -> Relation:
    """``L L' = gamma (B B^+ - B^+ Phi' D (K1 + E) D Phi B^+)``."""
    m = residual(case)
    right = case.gamma * (m.B @ m.inverse - m.fit @ (case.K1 + m.E) @ m.fit.T)
    return equal(m.L @ m.L.T, right, m.scale)


def _shrinks(case: Case) -> list[Relation]:
    """``Y' Y = B^+`` for ``Y = D^1/2 Phi B^+``, without roots."""
    m = residual(case)
    return [equal(m.inverse @ m.B @ m.inverse, m.inverse, m.scale)]


def _negative_part(case: Case) -> list[Relation]:
    """``L L' <= gamma (B B^+ + e B^+)`` where ``e`` bounds the spectrum of ``D^1/2 E D^1/2``: its largest row sum."""
    m = residual(case)
    e = np.max((np.abs(m.E) * case.weights).sum(axis=1))
    bound = case.gamma * (m.B @ m.inverse + e * m.inverse)
    return [at_most(indefiniteness(bound - m.L @ m.L.T), 0, m.scale * max(1.0, float(floats(e))))]


RESIDUAL = (
    Step(
        "covariances", "gamma C C' = B^2 - Phi' D (K1 + E) D Phi, by the definition of E", _covariances, kind="algebra"
    ),
    Step("pseudo-inverse", "B^+ B^2 B^+ = B B^+, as B is symmetric", _pseudo_inverse, kind="algebra"),
    Step(
        "identity",
        "hence L L' = gamma (B B^+ - B^+ Phi' D (K1 + E) D Phi B^+)",
        lambda case: [residual_identity(case)],
        kind="algebra",
    ),
    Step("shrinks", "Y = D^1/2 Phi B^+ has Y' Y = B^+", _shrinks, kind="algebra"),
    Step(
        "certificate",
        "so L L' <= gamma (B B^+ + e B^+) if -e is below the spectrum of D^1/2 E D^1/2",
        _negative_part,
        kind="algebra",
    ),
)
