r"""Fixed points of TD and fitted iteration off policy: when they exist, are unique, and are reached."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import flint_matrix
from proofs_check.arithmetic.regression import data_pairs, radius
from proofs_check.arithmetic.routh_hurwitz import positive_stable
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains, fixed
from proofs_check.chains.witness import case_from_witness
from proofs_check.statements.neighbors.fixed_points import identities
from proofs_check.statements.neighbors.fixed_points import proof as proofs
from proofs_check.statements.neighbors.temporal_differences import (
    TRIES,
    any_features,
    fit,
    fit_rounding,
    independent_features,
    invertible,
    iteration_matrix,
    rank_against,
    with_data,
)
from proofs_check.statements.relation import Relation, at_most, below, equal
from proofs_check.statements.statement import Control, Cost, Pressure, Statement
from tabular_krope.exact.spectra import is_stable

SOURCE = "after Wu, Greenwald and Parr 2025 (arXiv:2501.01774); the wording is ours"

#: Both pairs lead to the second, which has no data: the covariance is 1, and A = 1 (1 - (1/2) 2) = 0.
NO_FIXED_POINT = {
    "P_pi": [["0", "1"], ["0", "1"]],
    "r": ["1", "0"],
    "gamma": "1/2",
    "weights": ["1", "0"],
    "phi": [["1"], ["2"]],
}

#: The same chain with features of opposite sign: A = 1 + (9/10) 2 = 14/5, and L = -9/5.
OVERSHOOTS = {**NO_FIXED_POINT, "gamma": "9/10", "phi": [["1"], ["-2"]]}


def _sometimes_blind(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    """Any features; half of the time those of one pair with data are what TD expects of its successors."""
    Phi = any_features(rng, case)["phi"]
    x = int(rng.choice(data_pairs(case)))
    stays = case.gamma * case.P_pi[x, x]
    if rng.random() < 0.5:
        Phi[x] = 0 * Phi[x]
        Phi[x] = case.gamma * (case.P_pi[x] @ Phi) / (1 - stays)
    return {"phi": Phi}


def _solvable(case: Case) -> bool:
    """Whether ``A theta = Phi' D r`` has a solution for every reward."""
    now = fit(case)
    return rank_against(np.hstack([now.A, now.left]), now.size) == rank_against(now.A, now.size)


def _solvable_iff(case: Case) -> list[Relation]:
    now = fit(case)
    same = rank_against(now.Sigma, now.size) == rank_against(now.A, now.size)
    return [equal(int(_solvable(case)), int(same))]


def _solvable_iff_regular(case: Case) -> list[Relation]:
    now = fit(case)
    return [equal(int(_solvable(case)), int(rank_against(now.A, now.size) == len(now.A)))]


def _ranks(case: Case) -> list[Relation]:
    """A has at most the rank of the covariance."""
    now = fit(case)
    return [at_most(rank_against(now.A, now.size), rank_against(now.Sigma, now.size))]


SOLVABLE = Statement(
    slug="lstd-solvable",
    title="LSTD solvable iff A has the covariance's rank",
    identities=identities.FACTORED,
    claim="The system A theta = b of LSTD has a solution for every reward exactly if A has the rank of the covariance.",
    formula=r"\forall r\ \exists\theta:\ A\theta = \Phi^\top D r \iff \mathrm{rank}\,A = \mathrm{rank}\,\Sigma",
    source=SOURCE,
    assumes="nothing; dependent features and pairs without data are allowed",
    instances=chains(coverage="any", most=8, extra=_sometimes_blind),
    sides=_solvable_iff,
    tolerance=fit_rounding,
    steps=proofs.SOLVABLE,
    control=Control("exactly if A is invertible", sides=_solvable_iff_regular),
    cost=Cost(of_zeros=True),
    pressure=Pressure(_ranks, free=("phi",)),
)


def _one_fixed_point(case: Case) -> list[Relation]:
    now = fit(case)
    return [equal(rank_against(now.A, now.size), len(now.A))]


UNIQUE = Statement(
    slug="independent-features-unique",
    title="Independent features: one TD fixed point",
    identities=identities.FACTORED,
    claim="Features that are independent on the data give off-policy TD exactly one fixed point.",
    formula=r"\mathrm{rank}\,\Sigma = d \implies \det A \ne 0",
    source=SOURCE,
    assumes="the covariance is invertible",
    instances=chains(most=8, extra=independent_features),
    sides=_one_fixed_point,
    premise=invertible,
    tolerance=fit_rounding,
    steps=proofs.UNIQUE,
    expected="refuted",
    true_instead="lstd-solvable",
    false_step="never-one",
    witnesses=(NO_FIXED_POINT,),
    control=Control("one feature, two pairs", instances=fixed(lambda: case_from_witness(NO_FIXED_POINT))),
    uses=("lstd-solvable",),
)


def _td_converges(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    """Independent features on which TD converges for small steps; the constant one where none was drawn."""
    for _ in range(TRIES):
        drawn = independent_features(rng, case)
        if positive_stable(fit(case.with_given(**drawn)).A):
            return drawn
    return {"phi": 1 + 0 * case.P_pi[:, :1]}


def _one_or_two(rng: np.random.Generator, case: Case) -> list[int]:
    """One or two pairs, with whose successors the features have little to do."""
    return sorted({int(x) for x in rng.integers(0, case.X, size=2)})


def _fitted_converges(case: Case) -> list[Relation]:
    L = iteration_matrix(case)
    if case.exact:
        return [below(-1 if is_stable(flint_matrix(L)) else 1, 0)]  # the sign of rho - 1
    return [below(radius(L), 1)]


FITTED = Statement(
    slug="td-implies-fitted",
    title="Where TD converges, fitted iteration does",
    identities=identities.FACTORED,
    claim="Where TD converges for small steps, fitted iteration converges.",
    formula=r"\mathrm{Re}\,\lambda(A) > 0 \implies \rho(L) < 1",
    source=SOURCE,
    assumes="the covariance is invertible, every eigenvalue of A has a positive real part",
    instances=with_data(_one_or_two, _td_converges),
    sides=_fitted_converges,
    premise=lambda case: invertible(case) and positive_stable(fit(case).A),
    tolerance=fit_rounding,
    steps=proofs.CONVERGENCE,
    expected="refuted",
    witnesses=(OVERSHOOTS,),
    control=Control("one feature, two pairs", instances=fixed(lambda: case_from_witness(OVERSHOOTS))),
    uses=("prop-lspe-stability",),
    pressure=Pressure(_fitted_converges, free=("phi",)),
)

STATEMENTS = (SOLVABLE, UNIQUE, FITTED)
