r"""LSPE that looks n steps ahead: $L_n = \gamma^n \Sigma^+ \Phi^\top D P_\pi^n \Phi$."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats
from proofs_check.arithmetic.regression import radius
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains, fixed, numbers
from proofs_check.chains.witness import case_from_witness
from proofs_check.statements.neighbors.n_step import identities
from proofs_check.statements.neighbors.n_step.proof import (
    BOUND,
    FEW,
    MONOTONE,
    MOST,
    bound,
    enough_steps,
    stable_at,
)
from proofs_check.statements.neighbors.temporal_differences import any_features, fit_rounding, iteration_matrix
from proofs_check.statements.relation import Relation, at_most, below
from proofs_check.statements.statement import Control, Cost, Pressure, Statement

SOURCE = "after Lim and Lee 2025 (arXiv:2502.08941); the wording is ours"

#: 1 -> 2 -> 3 -> 3 with data at 1 only: what is seen after one step is 0, after two steps 3, and (9/10)^2 3 = 243/100.
LATER = {
    "P_pi": [["0", "1", "0"], ["0", "0", "1"], ["0", "0", "1"]],
    "r": ["0", "0", "1"],
    "gamma": "9/10",
    "weights": ["1", "0", "0"],
    "phi": [["1"], ["0"], ["3"]],
    "start": ["1"],
}


def _features(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    Phi = any_features(rng, case)["phi"]
    return {"phi": Phi, "start": numbers(rng, case.exact, Phi.shape[1])}


def _radii(case: Case) -> list[Relation]:
    """``rho(L_n) <= gamma^n |Pi_D|``, in floats."""
    bounds = {n: float(bound(case, n)) for n in FEW}
    return [at_most(radius(iteration_matrix(case, n)), most, max(1.0, most)) for n, most in bounds.items()]


def _stable_if(case: Case) -> list[Relation]:
    if not case.exact:
        return _radii(case)
    n = enough_steps(case)
    looked_at = sorted({*FEW, n, n + 1}) if n < MOST else FEW
    return [below(stable_at(case, k) if bound(case, k) < 1 else -1, 0) for k in looked_at]


BOUNDED = Statement(
    slug="n-step-stable",
    title="n-step LSPE is stable once gamma^n is small",
    identities=identities.PROJECTS,
    claim="LSPE that looks n steps ahead is stable if gamma^n times the row norm of the projector is below 1: "
    "rho(L_n) is at most that.",
    formula=r"\rho(L_n) \le \gamma^n \|\Pi_D\|_\infty",
    source=SOURCE,
    assumes="nothing; any data weights, with the pseudo-inverse",
    instances=chains(most=8, extra=_features),
    sides=_stable_if,
    tolerance=fit_rounding,
    steps=BOUND,
    control=Control(
        "without the norm of the projector",
        instances=chains(most=8, positive_gamma=True, extra=_features),
        sides=lambda case: [at_most(radius(floats(iteration_matrix(case))), float(case.gamma))],
    ),
    pressure=Pressure(_radii, free=("phi",)),
)


def _stays_stable(case: Case) -> list[Relation]:
    """Where n steps are stable, n + 1 are."""
    signs = [stable_at(case, n) for n in (*FEW, FEW[-1] + 1)]
    return [below(later if now < 0 else -1, 0) for now, later in pairwise(signs)]


LONGER = Statement(
    slug="n-step-monotone",
    title="Stable with n steps, stable with n + 1",
    identities=identities.PROJECTS,
    claim="Where LSPE that looks n steps ahead is stable, it is stable with n + 1 steps.",
    formula=r"\rho(L_n) < 1 \implies \rho(L_{n+1}) < 1",
    source="ours, beside Lim and Lee 2025 (arXiv:2502.08941), where a large enough n is stable",
    instances=chains(most=8, extra=_features),
    sides=_stays_stable,
    tolerance=fit_rounding,
    steps=MONOTONE,
    expected="refuted",
    true_instead="n-step-stable",
    witnesses=(LATER,),
    control=Control("one feature, three pairs", instances=fixed(lambda: case_from_witness(LATER))),
    uses=("n-step-stable",),
    cost=Cost(share=2),
)

STATEMENTS = (BOUNDED, LONGER)
