"""Proofs about the linear system of LSTD: which right sides it can have, and what TD and fitted iteration do to it."""

import numpy as np

from proofs_check.arithmetic.linear_algebra import flint_matrix, floats, identity
from proofs_check.arithmetic.regression import radius
from proofs_check.chains.case import Case
from proofs_check.statements.neighbors.temporal_differences import fit, iteration_matrix, rank_against
from proofs_check.statements.relation import Relation, below, equal
from proofs_check.statements.statement import Step
from tabular_krope.exact.spectra import is_stable

#: Halvings of the step size that are tried; each is twice as small as the one before.
HALVINGS = 60


def _ranges(case: Case) -> list[Relation]:
    """``Phi' D r`` over all rewards, and ``Sigma theta`` over all parameters, are the same vectors."""
    now = fit(case)
    ranks = [rank_against(M, now.size) for M in (now.left, now.Sigma, np.hstack([now.Sigma, now.left]))]
    return [equal(ranks[0], ranks[1]), equal(ranks[2], ranks[1])]


def _inside(case: Case) -> list[Relation]:
    now = fit(case)
    return [equal(rank_against(np.hstack([now.Sigma, now.A]), now.size), rank_against(now.Sigma, now.size))]


def _factored(case: Case) -> list[Relation]:
    now = fit(case)
    unit = identity(len(now.A), case.exact)
    return [equal(now.A, now.Sigma @ (unit - iteration_matrix(case)), max(1.0, now.size))]


def _independent(case: Case) -> list[Relation]:
    now = fit(case)
    return [equal(rank_against(now.Sigma, now.size), len(now.Sigma))]


def _never_one(case: Case) -> list[Relation]:
    L = iteration_matrix(case)
    apart = identity(len(L), case.exact) - L
    return [equal(rank_against(apart, 1.0 + float(np.max(np.abs(floats(L))))), len(L))]


def _small_step(case: Case) -> list[Relation]:
    """Some step size makes TD converge: halved until it does."""
    A = fit(case).A
    unit, step = identity(len(A), case.exact), 1 + 0 * case.gamma
    for _ in range(HALVINGS):
        after = unit - step * A
        if is_stable(flint_matrix(after)) if case.exact else radius(after) < 1:
            return [below(0, step)]
        step = step / 2
    return [equal(1, 0)]


FACTORED = Step("factored", "A = Sigma (I - L)", _factored, kind="algebra")
SOLVABLE = (
    Step("right-sides", "Phi' D r, over all rewards r, is the range of Sigma", _ranges, kind="algebra"),
    Step("inside", "the range of A lies in it, and is all of it iff the ranks agree", _inside, kind="algebra"),
    FACTORED,
)
UNIQUE = (
    Step("regression", "Sigma is invertible: each regression has one solution", _independent, kind="algebra"),
    FACTORED,
    Step("never-one", "and 1 is no eigenvalue of L, so A is invertible", _never_one),
)
CONVERGENCE = (
    FACTORED,
    Step("small-steps", "if every eigenvalue of A has a positive real part TD converges for small steps", _small_step),
)
