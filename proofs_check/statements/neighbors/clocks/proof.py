"""Proofs about TD under any weights of the pairs: discs for the discounted one, a table for the differential one."""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import identity
from proofs_check.arithmetic.routh_hurwitz import opposite_polynomial, positive_stable, routh_column
from proofs_check.chains.case import Case
from proofs_check.chains.stationary_data import is_irreducible
from proofs_check.statements.relation import Relation, at_most, below, equal
from proofs_check.statements.statement import Step


def discounted(case: Case) -> Any:
    """``D (I - gamma P)``, [X, X]."""
    return case.weights[:, None] * (identity(case.X, case.exact) - case.gamma * case.P_pi)


def differential(case: Case, weights: Any = None) -> Any:
    """``D (I - P + eta 11')``, [X, X], under the data weights or others."""
    D = case.weights if weights is None else weights
    return D[:, None] * (identity(case.X, case.exact) - case.P_pi + case.given["eta"][0])


def _discs(case: Case) -> list[Relation]:
    """Row x: the diagonal less the moduli beside it is at least ``(1 - gamma) D_x``."""
    A = discounted(case)
    diagonal = np.diagonal(A)
    return [at_most((1 - case.gamma) * case.weights, 2 * diagonal - np.abs(A).sum(axis=1))]


def _signs(case: Case) -> list[Relation]:
    """Nothing is positive beside the diagonal, and rows sum to at least ``(1 - gamma) D_x``."""
    A = discounted(case)
    beside = np.where(np.eye(case.X, dtype=bool), 0 * A, A)
    return [at_most(beside, 0), at_most((1 - case.gamma) * case.weights, A.sum(axis=1))]


def _connected(case: Case) -> list[Relation]:
    return [equal(int(is_irreducible(case.P_pi)), 1), below(0, case.weights), below(0, case.given["eta"])]


def _coefficients(case: Case) -> list[Relation]:
    """No sign of the coefficients gives it away: all are positive."""
    return [below(0, np.array(opposite_polynomial(differential(case)), dtype=object))]


def _table(case: Case) -> list[Relation]:
    """The first column of the table becomes negative."""
    return [below(routh_column(opposite_polynomial(differential(case)))[-1], 0)]


def _local_clock(case: Case) -> list[Relation]:
    """With a clock of its own for each pair, which makes the weights equal, it is stable."""
    return [equal(int(positive_stable(differential(case, 1 + 0 * case.weights))), 1)]


DISCOUNTED = (
    Step("signs", "off the diagonal nothing is positive, and row x sums to at least (1 - gamma) D_x", _signs),
    Step("discs", "so the disc of row x (Gershgorin) lies right of (1 - gamma) D_x", _discs),
)
DIFFERENTIAL = (
    Step("connected", "every pair leads to every other, and all of them have data", _connected),
    Step("coefficients", "the coefficients of det(s + A) are positive", _coefficients),
    Step("table", "the first column of its Routh-Hurwitz table is not", _table),
    Step("local-clock", "with equal weights the same chain is stable", _local_clock),
)
