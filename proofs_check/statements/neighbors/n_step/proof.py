"""Proofs about LSPE that looks n steps ahead: what it iterates, and why a long look ahead is stable."""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import flint_matrix, floats
from proofs_check.arithmetic.regression import radius
from proofs_check.chains.case import Case
from proofs_check.statements.neighbors.temporal_differences import fit, iteration_matrix
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Step
from tabular_krope.exact.spectra import is_stable

#: Numbers of steps that are looked at whatever the chain is.
FEW = (1, 2, 3)
#: No longer look ahead is tried: numbers of 400 digits.
MOST = 400


def projector(case: Case) -> Any:
    """``Pi_D = Phi Sigma^+ Phi' D``, [X, X]."""
    return case.once("projector", lambda: case.given["phi"] @ fit(case).regression)


def row_norm(M: Any) -> Any:
    """The largest row sum of moduli: the norm of a matrix that goes with the largest entry of a vector."""
    return np.max(np.abs(M).sum(axis=1))


def bound(case: Case, n: int) -> Any:
    """``gamma^n`` times the row norm of the projector."""
    return case.gamma**n * row_norm(projector(case))


def enough_steps(case: Case) -> int:
    """The first n at which the bound is below 1; `MOST` if it is not reached before."""
    size, n = bound(case, 1), 1
    while not size < 1 and n < MOST:
        size, n = case.gamma * size, n + 1
    return n


def stable_at(case: Case, n: int) -> Any:
    """-1 if n-step LSPE is stable and 1 if not, decided for rationals; ``rho - 1`` for floats."""
    L = iteration_matrix(case, n)
    return (-1 if is_stable(flint_matrix(L)) else 1) if case.exact else radius(L) - 1


def _powers(P: Any, n: int) -> Any:
    return P if n == 1 else P @ _powers(P, n - 1)


def _look_ahead(case: Case) -> list[Relation]:
    """Three Bellman updates of the values of ``theta`` and one regression, against ``b_3 + L_3 theta``."""
    theta, regression = case.given["start"], fit(case).regression
    v, without = case.given["phi"] @ theta, 0 * case.r
    for _ in range(3):
        v, without = case.r + case.gamma * (case.P_pi @ v), case.r + case.gamma * (case.P_pi @ without)
    size = max(1.0, float(np.max(np.abs(floats(v)))))
    return [equal(regression @ v, regression @ without + iteration_matrix(case, 3) @ theta, size)]


def _projects(case: Case) -> list[Relation]:
    M = projector(case)
    return [equal(M @ M, M, max(1.0, float(floats(row_norm(M)))))]


def _same_traces(case: Case) -> list[Relation]:
    """Traces of the powers of ``L_2`` and of ``gamma^2 Pi_D P^2``: the same non-zero eigenvalues."""
    small = iteration_matrix(case, 2)
    large = case.gamma**2 * (projector(case) @ _powers(case.P_pi, 2))
    size = max(1.0, float(floats(row_norm(large)))) ** 3
    return [equal(np.trace(_powers(small, k)), np.trace(_powers(large, k)), size) for k in (1, 2, 3)]


def _averages(case: Case) -> list[Relation]:
    M = projector(case)
    size = max(1.0, float(floats(row_norm(M))))
    return [at_most(row_norm(M @ _powers(case.P_pi, n)), row_norm(M), size) for n in FEW]


def _in_the_end(case: Case) -> list[Relation]:
    n = enough_steps(case)
    return [at_most(stable_at(case, n), 0)] if n < MOST else []


LOOK_AHEAD = Step(
    "look-ahead", "n Bellman updates and a regression are theta -> b_n + L_n theta", _look_ahead, kind="algebra"
)
BOUND = (
    LOOK_AHEAD,
    Step("projects", "Pi_D is a projector", _projects, kind="algebra"),
    Step("spectrum", "L_n has the non-zero eigenvalues of gamma^n Pi_D P^n", _same_traces, kind="algebra"),
    Step("averages", "rows of P^n are laws, so the row norm of Pi_D P^n is at most that of Pi_D", _averages),
)
MONOTONE = (LOOK_AHEAD, Step("in-the-end", "from some n on all are stable", _in_the_end))
