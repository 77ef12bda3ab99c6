r"""Data of the chain itself: the projected Bellman operator contracts, and a baseline keeps TD stable."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import indefiniteness, rationals
from proofs_check.arithmetic.regression import norm
from proofs_check.arithmetic.routh_hurwitz import positive_stable
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains, probabilities
from proofs_check.chains.stationary_data import own_law
from proofs_check.statements.neighbors.on_policy import identities
from proofs_check.statements.neighbors.on_policy.proof import PROJECTION, RELATIVE, projector, relative
from proofs_check.statements.neighbors.temporal_differences import (
    any_features,
    fit,
    fit_rounding,
    independent_features,
    invertible,
)
from proofs_check.statements.relation import Relation, at_most, below, equal
from proofs_check.statements.statement import Constant, Control, Pressure, Statement

DELTAS = (0, 1, 10, 100)


def _rounding(case: Case) -> float:
    return fit_rounding(case, own_law(case))


def _seen(mu: Any) -> list[int]:
    return [x for x in range(len(mu)) if mu[x] > 0]


def _contracts(case: Case, mu: Any, projected: Any) -> list[Relation]:
    """``gamma^2 D - (gamma Pi P)' D (gamma Pi P)`` is psd; in floats the norm itself, on the pairs with data."""
    M = case.gamma * (projected @ case.P_pi)
    if case.exact:
        return [at_most(indefiniteness(case.gamma**2 * np.diag(mu) - (M.T * mu) @ M), 0)]
    T = _seen(mu)
    root = np.sqrt(mu[T])
    return [at_most(norm(root[:, None] * M[np.ix_(T, T)] / root), case.gamma)]


def _on_policy(case: Case) -> list[Relation]:
    return _contracts(case, own_law(case), projector(case))


PROJECTED = Statement(
    slug="on-policy-projection",
    title="On policy, the projected operator contracts",
    identities=identities.PROJECTION,
    claim="With data from a stationary law of the chain the projected Bellman operator contracts by gamma in the norm "
    "of the data, whatever the features are.",
    formula=r"\mu P_\pi = \mu,\ D = \mathrm{diag}\,\mu \implies \|\gamma\,\Pi_D P_\pi\|_D \le \gamma",
    source="Tsitsiklis and Van Roy 1997, lemmas 1 and 6, known from the literature; the wording is ours",
    assumes="no episode ends; D is stationary, perhaps with zeros; the pseudo-inverse",
    instances=chains(ending=False, most=8, extra=any_features),
    sides=_on_policy,
    premise=lambda case: case.conservative,
    tolerance=_rounding,
    steps=PROJECTION,
    control=Control(
        "data of another law",
        instances=chains(ending=False, positive_gamma=True, coverage="positive", most=8, extra=any_features),
        sides=lambda case: _contracts(case, case.weights, case.given["phi"] @ fit(case).regression),
    ),
    pressure=Pressure(_on_policy, free=("phi",), constant=Constant("c in norm_D(Pi_D P) <= c", proven=1.0)),
)


def _features_and_baseline(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    """Features that are independent on the stationary law's pairs, the weight of the baseline, another baseline."""
    delta = int(rng.choice(DELTAS))
    return {
        **independent_features(rng, case, _seen(own_law(case))),
        "delta": rationals([delta]) if case.exact else np.array([float(delta)]),
        "other": probabilities(rng, case.exact, 1, case.X)[0],
    }


def _hurwitz(case: Case, baseline: Any) -> list[Relation]:
    """Eigenvalues in the right half-plane, and a symmetric part of at least ``(1 - gamma) Sigma``."""
    S, now = relative(case, baseline), fit(case, own_law(case))
    if case.exact:
        return [
            equal(int(positive_stable(S)), 1),
            at_most(indefiniteness(S + S.T - 2 * (1 - case.gamma) * now.Sigma), 0),
        ]
    inverse = np.linalg.inv(np.linalg.cholesky(now.Sigma))
    least = float(np.linalg.eigvalsh(inverse @ (S + S.T) @ inverse.T)[0]) / 2
    size = max(1.0, float(case.given["delta"][0]))
    return [below(0, float(np.linalg.eigvals(S).real.min()), size), at_most(1 - case.gamma, least, size)]


def _stable_baseline(case: Case) -> bool:
    return case.conservative and case.gamma < 1 and case.given["delta"][0] >= 0 and invertible(case, own_law(case))


BASELINE = Statement(
    slug="relative-td-stable",
    title="Relative TD is stable on policy",
    identities=identities.RELATIVE,
    claim="With data from a stationary law TD stays stable under a baseline of that law, whatever its weight: the "
    "matrix of relative TD is Hurwitz.",
    formula=r"\Phi^\top D\,(\gamma P_\pi - I - \delta\,1\mu^\top)\,\Phi \text{ is Hurwitz for all } \delta \ge 0",
    source="after Sakha, Kamalapurkar and Meyn 2026 (arXiv:2603.27874); the wording is ours",
    assumes="no episode ends; gamma < 1; D is stationary; features independent on its pairs",
    instances=chains(ending=False, most=8, extra=_features_and_baseline),
    sides=lambda case: _hurwitz(case, own_law(case)),
    premise=_stable_baseline,
    tolerance=_rounding,
    steps=RELATIVE,
    control=Control("a baseline of another law", sides=lambda case: _hurwitz(case, case.given["other"])),
    pressure=Pressure(lambda case: _hurwitz(case, own_law(case))[1:], free=("phi", "delta")),
    uses=("on-policy-projection",),
)

STATEMENTS = (PROJECTED, BASELINE)
