"""Proofs about data of the chain itself: averaging, projecting and a baseline, in the norm of the data."""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import identity, indefiniteness
from proofs_check.arithmetic.routh_hurwitz import positive_stable
from proofs_check.chains.case import Case
from proofs_check.chains.stationary_data import own_law
from proofs_check.statements.neighbors.temporal_differences import fit
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Step


def averaged(case: Case) -> Any:
    """``D - P' D P`` under the stationary law, [X, X]."""
    return np.diag(own_law(case)) - (case.P_pi.T * own_law(case)) @ case.P_pi


def projector(case: Case) -> Any:
    """``Pi_D`` under the stationary law, [X, X]."""
    return case.given["phi"] @ fit(case, own_law(case)).regression


def relative(case: Case, baseline: Any) -> Any:
    """``Phi' D (I - gamma P + delta 1 baseline') Phi`` under the stationary law, [d, d]."""
    now = fit(case, own_law(case))
    return now.A + case.given["delta"][0] * np.outer(now.left.sum(axis=1), baseline @ case.given["phi"])


def _stationary(case: Case) -> list[Relation]:
    mu = own_law(case)
    return [equal(mu @ case.P_pi, mu), at_most(-mu, 0), equal(mu.sum(), 1)]


def _laplacian(case: Case) -> list[Relation]:
    """Rows of ``D - P' D P`` sum to zero and only the diagonal is positive: it is diagonally dominant."""
    M = averaged(case)
    beside = np.where(np.eye(case.X, dtype=bool), 0 * M, M)
    return [equal(M.sum(axis=1), 0), at_most(beside, 0), at_most(indefiniteness(M), 0)]


def _shorter(case: Case) -> list[Relation]:
    D, M = np.diag(own_law(case)), projector(case)
    return [at_most(indefiniteness(D - M.T @ D @ M), 0)]


def _baseline(case: Case) -> list[Relation]:
    """``Phi' D 1 mu' Phi = m m'``: the baseline adds a square."""
    now = fit(case, own_law(case))
    m = own_law(case) @ case.given["phi"]
    return [equal(now.left.sum(axis=1), m), at_most(indefiniteness(np.outer(m, m)), 0)]


def _changes(case: Case) -> list[Relation]:
    """``2 Sigma - C - C'`` is a sum of squares: what is lost in a step and the mean square of a change."""
    now, Phi = fit(case, own_law(case)), case.given["phi"]
    change = Phi - case.P_pi @ Phi
    squares = Phi.T @ averaged(case) @ Phi + (change.T * own_law(case)) @ change
    return [
        equal(2 * now.Sigma - now.C - now.C.T, squares, max(1.0, now.size)),
        at_most(indefiniteness(squares), 0, max(1.0, now.size)),
    ]


def _lyapunov(case: Case) -> list[Relation]:
    """A matrix with a positive definite symmetric part has its eigenvalues in the right half-plane."""
    S = relative(case, own_law(case))
    if indefiniteness(S + S.T) >= 0 or not case.exact:
        return []
    half = (S + S.T) / 2
    turned = half + 3 * (S - S.T)  # the same symmetric part and another rotation
    unit = identity(len(S), True)
    return [equal(int(positive_stable(S)), 1), equal(int(positive_stable(turned)), 1), equal(half - half.T, 0 * unit)]


STATIONARY = Step("stationary", "mu P = mu for a law mu, the diagonal of D", _stationary)
AVERAGING = Step(
    "averaging", "D - P' D P: rows sum to 0, off the diagonal nothing is positive; so it is psd", _laplacian
)
PROJECTION = (
    STATIONARY,
    AVERAGING,
    Step("projection", "D - Pi' D Pi = (I - Pi)' D (I - Pi) is psd", _shorter),
)
RELATIVE = (
    STATIONARY,
    AVERAGING,
    Step("changes", "2 Sigma - C - C' = Phi' (D - P' D P) Phi + Phi' (I - P)' D (I - P) Phi is psd", _changes),
    Step("baseline", "Phi' D 1 mu' Phi = m m' with m = Phi' mu", _baseline, kind="algebra"),
    Step(
        "lyapunov",
        "a positive definite symmetric part puts eigenvalues into the right half-plane",
        _lyapunov,
        kind="algebra",
    ),
)
