r"""TD under weights that are not the chain's own: the discounted one is always stable, the differential one is not."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import identity, rationals
from proofs_check.arithmetic.routh_hurwitz import positive_stable
from proofs_check.chains.case import EPS, Case
from proofs_check.chains.generators import chains
from proofs_check.chains.stationary_data import is_irreducible
from proofs_check.statements.neighbors.clocks.proof import DIFFERENTIAL, DISCOUNTED, differential, discounted
from proofs_check.statements.relation import Relation, at_most, below, equal
from proofs_check.statements.statement import Constant, Control, Pressure, Statement

#: A path of eight pairs: each waits for the one before, pair 0 all but keeps its own value. Weights 1, 2, ..., 7 along
#: the path and 1000 at its head make a loop of one integrator and seven delays.
PATH = {
    "P_pi": [
        ["9999/10000", "0", "0", "0", "0", "0", "0", "1/10000"],
        *[["1" if y == x - 1 else "0" for y in range(8)] for x in range(1, 8)],
    ],
    "r": ["1", "0", "0", "0", "0", "0", "0", "0"],
    "gamma": "1/2",
    "weights": ["250/257", *[f"{x}/1028" for x in range(1, 8)]],
    "eta": ["1/1000"],
}
#: The share of the bound that is asked for over the rationals: an eigenvalue may lie on the bound itself.
NEARLY = "999/1000"


def _bound(case: Case) -> list[Relation]:
    """Real parts of at least ``(1 - gamma) min D``."""
    A, least = discounted(case), (1 - case.gamma) * np.min(case.weights)
    if case.exact:
        shifted = A - least * rationals([NEARLY])[0] * identity(case.X, True)
        return [below(-1 if positive_stable(shifted) else 1, 0)]
    return [at_most(least, float(np.linalg.eigvals(A).real.min()))]


def _too_much(case: Case) -> list[Relation]:
    A = discounted(case)
    return [equal(int(positive_stable(A - np.min(case.weights) * identity(case.X, case.exact))), 1)]


DISCOUNTED_TD = Statement(
    slug="discounted-td-any-weights",
    title="Tabular TD is stable under any weights",
    claim="Tabular discounted TD is stable under any positive weights of the pairs: eigenvalues of D (I - gamma P) "
    "have a real part of at least (1 - gamma) min D.",
    formula=r"\mathrm{Re}\,\lambda(D_\mu (I - \gamma P_\pi)) \ge (1-\gamma)\min\mu > 0",
    source="after Antrobius and Zhang 2026 (arXiv:2605.06874); the bound is ours",
    assumes="D > 0, gamma < 1",
    instances=chains(coverage="positive", most=8),
    sides=_bound,
    premise=lambda case: bool(np.all(case.weights > 0)) and case.gamma < 1,
    tolerance=lambda case: float(np.sqrt(64 * EPS * case.X)),
    steps=DISCOUNTED,
    control=Control(
        "of at least min D", instances=chains(ending=False, positive_gamma=True, coverage="positive"), sides=_too_much
    ),
    pressure=Pressure(_bound, constant=Constant("c in c (1 - gamma) min D <= Re lambda", proven=1.0)),
)


def _step_size(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    eta = int(rng.integers(1, 11))
    return {"eta": rationals([f"{eta}/10"]) if case.exact else np.array([eta / 10])}


def _unstable(case: Case, weights: Any = None) -> list[Relation]:
    return [
        equal(int(case.conservative and is_irreducible(case.P_pi)), 1),
        below(0, case.weights),
        below(0, case.given["eta"]),
        equal(int(positive_stable(differential(case, weights))), 0),
    ]


DIFFERENTIAL_TD = Statement(
    slug="differential-td-unstable",
    title="Differential TD can be unstable",
    claim="Some irreducible chain, positive weights and a step size of the average make differential TD unstable: "
    "D (I - P + eta 11') has an eigenvalue without a positive real part.",
    formula=r"\exists P, \mu > 0, \eta > 0:\ D_\mu (I - P + \eta\,1 1^\top) \text{ is not positive stable}",
    source="after Antrobius and Zhang 2026 (arXiv:2605.06874), whose counterexample was not at hand; the chain is ours",
    assumes="no episode ends, P is irreducible, D > 0",
    instances=chains(ending=False, coverage="positive", extra=_step_size),
    sides=_unstable,
    form="some",
    witnesses=(PATH,),
    steps=DIFFERENTIAL,
    control=Control("equal weights", sides=lambda case: _unstable(case, 1 + 0 * case.weights)),
)

STATEMENTS = (DISCOUNTED_TD, DIFFERENTIAL_TD)
