"""Proof that the kernel's equation lives on states (B11)."""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import flint_matrix, rationals
from proofs_check.chains.case import Case, rounding
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Step
from tabular_krope.exact.exact_stein import solve_stein_exactly
from tabular_krope.kernels.stein import solve_stein


def stein(case: Case, A: Any, C: Any) -> Any:
    """The solution of ``M = C + gamma A M A'``, on states or on pairs."""
    if case.gamma == 0:
        return C
    if case.exact:
        return rationals(solve_stein_exactly(flint_matrix(A), flint_matrix(C), case.gamma))
    return solve_stein(A, (C + C.T) / 2, case.gamma, case.horizon, rounding(case)).matrix


def _on_states(case: Case, k: Any) -> Any:
    return case.Pi @ k @ case.Pi.T


def _substitute(case: Case) -> list[Relation]:
    M = _on_states(case, case.K)
    return [
        equal(case.P_pi, case.P @ case.Pi),
        equal(case.K, case.K1 + case.gamma * (case.P @ M @ case.P.T)),
    ]


def _multiply(case: Case) -> list[Relation]:
    M = _on_states(case, case.K)
    return [equal(M, _on_states(case, case.K1) + case.gamma * (case.Q @ M @ case.Q.T))]


def _contraction(case: Case) -> list[Relation]:
    M = _on_states(case, case.K1)
    return [
        at_most(-case.Q, 0),
        at_most(case.Q.sum(axis=1), 1),
        at_most(np.abs(case.Q @ M @ case.Q.T), np.max(np.abs(M))),
    ]


STATE_REDUCTION = (
    Step("substitute", "P_pi = P Pi, so K = K1 + gamma P (Pi K Pi') P'", _substitute),
    Step("multiply", "between Pi and Pi': M = Pi K1 Pi' + gamma Q M Q' for M = Pi K Pi'", _multiply),
    Step("contraction", "the rows of Q sum to at most 1, so max |Q m Q'| <= max |m|", _contraction),
    Step(
        "unique",
        "hence the equation on states has one solution, and it is Pi K Pi'",
        lambda case: [equal(stein(case, case.Q, _on_states(case, case.K1)), _on_states(case, case.K))],
    ),
)
