r"""Data that hold their own successors, and features that are independent on them: both are needed."""

import numpy as np

from proofs_check.arithmetic.linear_algebra import flint_matrix, rationals
from proofs_check.arithmetic.regression import radius
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains, fixed
from proofs_check.chains.stationary_data import reachable
from proofs_check.chains.witness import case_from_witness
from proofs_check.statements.neighbors.coverage.proof import (
    COVERED,
    REGRESSION,
    intertwined,
    is_closed,
    rows_independent,
)
from proofs_check.statements.neighbors.temporal_differences import (
    any_features,
    fit_rounding,
    iteration_matrix,
    wide_features,
    with_data,
)
from proofs_check.statements.relation import Relation, at_most, below, equal
from proofs_check.statements.statement import Control, Pressure, Statement
from tabular_krope.exact.spectra import is_stable

SOURCE = "after Che et al. 2024 (arXiv:2405.21043); the wording is ours"

#: Both pairs lead to the second and both have data; one feature for two pairs: rho = 99/65.
DEPENDENT = {
    "P_pi": [["0", "1"], ["0", "1"]],
    "r": ["1", "0"],
    "gamma": "9/10",
    "weights": ["9/10", "1/10"],
    "phi": [["1"], ["2"]],
}

#: The same without data at the second: one row, hence independent, and rho = 9/5.
NOT_CLOSED = {**DEPENDENT, "weights": ["1", "0"]}
#: How far above gamma the radius may lie over the rationals: an eigenvalue may have the modulus gamma itself.
BEYOND = "1001/1000"


def _reached(rng: np.random.Generator, case: Case) -> list[int]:
    """One pair and all that it leads to."""
    return reachable(case.P_pi, int(rng.integers(case.X)))


def _at_most_gamma(case: Case) -> list[Relation]:
    L = iteration_matrix(case)
    if not case.exact:
        return [at_most(radius(L), case.gamma)]
    if case.gamma == 0:
        return [equal(L, 0 * L)]
    shrunk = L / (case.gamma * rationals([BEYOND])[0])
    return [below(-1 if is_stable(flint_matrix(shrunk)) else 1, 0)]


COVERED_DATA = Statement(
    slug="closed-independent-data",
    title="Closed, independent data: rho(L) <= gamma",
    claim="If every successor of the data has data, and the features of the data's pairs are linearly independent, "
    "then rho(L) <= gamma.",
    formula=r"P_\pi(T, T^c) = 0,\ \mathrm{rank}\,\Phi_T = |T| \implies \rho(L) \le \gamma",
    source=SOURCE,
    assumes="T, the pairs with data, is closed; the rows of Phi on T are independent",
    instances=with_data(_reached, wide_features),
    sides=lambda case: [intertwined(case), *_at_most_gamma(case)],
    premise=lambda case: is_closed(case) and rows_independent(case),
    tolerance=lambda case: float(np.sqrt(fit_rounding(case))),
    steps=COVERED,
    control=Control(
        "without either premise",
        instances=fixed(lambda: case_from_witness(DEPENDENT), lambda: case_from_witness(NOT_CLOSED)),
    ),
    uses=("prop-lspe-stability",),
    pressure=Pressure(_at_most_gamma, free=("phi",)),
)

CLOSED_ALONE = Statement(
    slug="closed-data-suffices",
    title="Closed data alone: rho(L) <= gamma",
    claim="If every successor of the data has data then rho(L) <= gamma.",
    formula=r"P_\pi(T, T^c) = 0 \implies \rho(L) \le \gamma",
    source=SOURCE + ", where it is denied",
    assumes="T, the pairs with data, is closed",
    instances=with_data(_reached, any_features),
    sides=_at_most_gamma,
    premise=is_closed,
    tolerance=fit_rounding,
    steps=(REGRESSION,),
    expected="refuted",
    true_instead="closed-independent-data",
    witnesses=(DEPENDENT,),
    control=Control("one feature, two pairs", instances=fixed(lambda: case_from_witness(DEPENDENT))),
    uses=("closed-independent-data",),
)

INDEPENDENT_ALONE = Statement(
    slug="independent-rows-suffice",
    title="Independent rows alone: rho(L) <= gamma",
    claim="If the features of the data's pairs are linearly independent then rho(L) <= gamma.",
    formula=r"\mathrm{rank}\,\Phi_T = |T| \implies \rho(L) \le \gamma",
    source=SOURCE + ", where it is denied",
    assumes="the rows of Phi on T, the pairs with data, are independent",
    instances=chains(most=8, extra=wide_features),
    sides=_at_most_gamma,
    premise=rows_independent,
    tolerance=fit_rounding,
    steps=(REGRESSION,),
    expected="refuted",
    true_instead="closed-independent-data",
    witnesses=(NOT_CLOSED,),
    control=Control("one feature, two pairs", instances=fixed(lambda: case_from_witness(NOT_CLOSED))),
    uses=("closed-independent-data",),
)

STATEMENTS = (COVERED_DATA, CLOSED_ALONE, INDEPENDENT_ALONE)
