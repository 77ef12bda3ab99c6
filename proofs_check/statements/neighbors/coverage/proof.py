"""The proof about data that hold their own successors, with features that are independent on them."""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats, identity, rank
from proofs_check.arithmetic.regression import data_pairs
from proofs_check.chains.case import Case
from proofs_check.statements.neighbors.temporal_differences import fit, iteration_matrix
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Step


def is_closed(case: Case) -> bool:
    """Whether every successor of a pair with data has data."""
    T = data_pairs(case)
    outside = [x for x in range(case.X) if x not in T]
    return not np.any(case.P_pi[np.ix_(T, outside)] != 0)


def rows_independent(case: Case) -> bool:
    """Whether the features of the pairs with data are linearly independent."""
    T = data_pairs(case)
    return rank(case.given["phi"][T]) == len(T)


def inner(case: Case) -> Any:
    """Transitions among the pairs with data, [t, t]."""
    T = data_pairs(case)
    return case.P_pi[np.ix_(T, T)]


def intertwined(case: Case) -> Relation:
    """``Phi_T L = gamma P_TT Phi_T``."""
    seen = case.given["phi"][data_pairs(case)]
    size = max(1.0, float(np.max(np.abs(floats(seen)))))
    return equal(seen @ iteration_matrix(case), case.gamma * (inner(case) @ seen), size)


def _reproduced(case: Case) -> list[Relation]:
    T = data_pairs(case)
    return [equal(case.given["phi"][T] @ fit(case).regression[:, T], identity(len(T), case.exact))]


def _through(case: Case) -> list[Relation]:
    """``L = gamma F P_TT Phi_T``: where ``Phi_T v = 0`` also ``L v = 0``."""
    T = data_pairs(case)
    seen, regression = case.given["phi"][T], fit(case).regression[:, T]
    size = max(1.0, float(np.max(np.abs(floats(seen)))))
    return [equal(iteration_matrix(case), case.gamma * (regression @ inner(case) @ seen), size)]


def _substochastic(case: Case) -> list[Relation]:
    return [at_most(-inner(case), 0), at_most(inner(case).sum(axis=1), 1)]


def _seen_only(case: Case) -> list[Relation]:
    T = data_pairs(case)
    ahead = case.gamma * (case.P_pi[T] @ case.given["phi"])
    size = max(1.0, float(np.max(np.abs(floats(ahead)))))
    return [equal(iteration_matrix(case), fit(case).regression[:, T] @ ahead, size)]


COVERED = (
    Step(
        "reproduced",
        "independent rows: the regression reproduces any values on the data's pairs",
        _reproduced,
        kind="algebra",
    ),
    Step("intertwined", "successors have data: Phi_T L = gamma P_TT Phi_T", lambda case: [intertwined(case)]),
    Step("through", "L = gamma F P_TT Phi_T: other eigenvalues of L are zero", _through),
    Step("averages", "rows of P_TT sum to at most 1, so its eigenvalues are at most 1 in modulus", _substochastic),
)
REGRESSION = Step("through-the-data", "L sees pairs with data and their successors only", _seen_only, kind="algebra")
