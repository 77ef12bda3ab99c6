"""LSPE on KROPE representations exactly: its spectrum, its norm, and what a residual says of any features."""

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats, indefiniteness, independent_columns, outside, rank, solve
from proofs_check.arithmetic.regression import (
    data_pairs,
    iteration,
    kernel_norm,
    norm,
    radius,
    regression_rounding,
    top_features,
)
from proofs_check.chains.case import EPS, Case
from proofs_check.chains.generators import Maker, chains, lumpable_chains, mixture, same_marginals
from proofs_check.statements.relation import Relation, at_most, equal, float_only
from proofs_check.statements.spectrum import identities
from proofs_check.statements.spectrum import proof as proofs
from proofs_check.statements.spectrum import residual_proof as residual
from proofs_check.statements.stability.claims import random_features
from proofs_check.statements.stability.proof import norm_step
from proofs_check.statements.statement import Constant, Control, Pressure, Statement


def _spectrum(case: Case) -> list[Relation]:
    V = independent_columns(case.K) if case.exact else top_features(case)[0]
    it = iteration(case, V)
    one = 1 + 0 * case.r
    w = solve(V.T @ V, V.T @ one) if case.exact else np.linalg.lstsq(V, one, rcond=None)[0]
    size = max(1.0, float(floats(np.max(np.abs(it.L)))))
    out = [
        equal(outside(V, np.column_stack([one, case.r, case.q])), 0, case.horizon),
        equal(V @ it.L, case.gamma * (case.P_pi @ V), size),
        equal(it.L @ w, case.gamma * w, size),
        equal(V @ it.limit(), case.q, case.horizon * size),
    ]
    if case.exact:
        powers = proofs.powers_of_levels(case)
        return [*out, equal(rank(powers), rank(case.K)), equal(outside(case.K, powers), 0)]
    # A double eigenvalue moves by the square root of a perturbation.
    return [*out, float_only(equal(radius(it.L), case.gamma, 1 / np.sqrt(regression_rounding(case))))]


#: Floats whose rank is clear; rationals with tied rewards, fewer dimensions than groups, and pairs without data.
_FLOAT = mixture(
    chains(ending=False, positive_gamma=True, coverage="positive", rewards="distinct"), lumpable_chains(distinct=True)
)
_RATIONAL = mixture(
    chains(ending=False, positive_gamma=True), lumpable_chains(distinct=False), same_marginals, same_marginals, _FLOAT
)


def _invertible(case: Case) -> bool:
    """Whether the data see every direction of the features: ``B`` is invertible."""
    if bool(np.all(case.weights > 0)):
        return True
    T = data_pairs(case)
    return case.exact and rank(case.K[np.ix_(T, T)]) == rank(case.K)


SHARP = Statement(
    slug="sharp-spectral",
    title="On the kernel's range rho(L) = gamma",
    identities=identities.SHARP_SPECTRAL,
    claim="The range of K is the smallest invariant subspace that contains every function of the reward; on it "
    "rho(L) = gamma exactly, and LSPE's limit is q itself.",
    formula=r"P_\pi\Phi = \Phi M,\ L = \gamma M,\ \rho(L) = \gamma,\ \hat q = q",
    source="B1",
    assumes="gamma > 0, no episode ends, B invertible",
    instances=Maker(lambda rng, exact: _RATIONAL(rng, True) if exact else _FLOAT(rng, False)),
    sides=_spectrum,
    premise=lambda case: case.conservative and case.gamma > 0 and _invertible(case),
    tolerance=regression_rounding,
    steps=proofs.SHARP,
    control=Control(
        "episodes that end",
        instances=chains(
            ending=True, positive_gamma=True, coverage="positive", rewards="distinct", deterministic=False
        ),
        sides=lambda case: [_radius_is_gamma(case)],
    ),
    uses=("prop-fixed-point", "k1-pd-distinct"),
)


def _radius_is_gamma(case: Case) -> Relation:
    V = independent_columns(case.K) if case.exact else top_features(case)[0]
    return equal(radius(floats(iteration(case, V).L)), float(case.gamma), 1 / np.sqrt(EPS))


def _contraction(case: Case) -> list[Relation]:
    out = [at_most(indefiniteness(case.K - case.gamma * case.after), 0), *norm_step(case)]
    if case.exact:
        out.append(equal(rank(case.K - case.gamma * case.after), len(set(case.r))))
    return out


def _norm_gamma(case: Case) -> list[Relation]:
    return [at_most(kernel_norm(case), case.gamma)] if not case.exact else []


RKHS = Statement(
    slug="rkhs-contraction",
    title="Bellman contracts by sqrt(gamma) in H",
    identities=identities.RKHS_CONTRACTION,
    claim="The Bellman operator is a sqrt(gamma)-contraction in the KROPE RKHS, and norm2(L) <= sqrt(gamma) for all "
    "data weights; gamma I - L L' has the rank of the number of distinct rewards.",
    formula=r"\|\gamma P_\pi f\|_H \le \sqrt\gamma\,\|f\|_H,\quad \|L\|_2 \le \sqrt\gamma",
    source="B2",
    assumes="L is that of features with Phi Phi' = K, by the pseudo-inverse: `norm` in conjectures",
    instances=mixture(chains(), chains(), lumpable_chains(distinct=False)),
    sides=_contraction,
    tolerance=lambda case: regression_rounding(case) * case.horizon,
    steps=proofs.RKHS,
    control=Control("a modulus of gamma", sides=_norm_gamma),
    uses=("prop-fixed-point", "lemma-k1-psd"),
    pressure=Pressure(
        lambda case: [at_most(kernel_norm(case), float(case.gamma) ** 0.5)],
        constant=Constant("c in norm2(L) <= c sqrt(gamma)", proven=1.0),
    ),
)


def _residual_identity(case: Case) -> list[Relation]:
    m = residual.residual(case)
    out = [residual.residual_identity(case)]
    if not case.exact:
        root = np.sqrt(case.weights)
        negative = max(0.0, indefiniteness(root[:, None] * m.E * root))
        least = 1 / norm(m.inverse)
        out.append(float_only(at_most(norm(m.L) ** 2, case.gamma * (1 + negative / least), m.scale)))
    return out


def _without_residual(case: Case) -> list[Relation]:
    """The certificate with the residual left out: ``norm2(L)^2 <= gamma`` for any features."""
    return [at_most(norm(floats(iteration(case, case.given["phi"]).L)) ** 2, float(case.gamma))]


RESIDUAL = Statement(
    slug="residual-identity",
    title="The KROPE residual certifies the norm of L",
    identities=identities.RESIDUAL_IDENTITY,
    claim="L L' of any features is known from the residual E of the KROPE equation, which certifies its norm.",
    formula=r"L L^\top = \gamma\,(B B^+ - B^+ \Phi^\top D (K_1 + E) D \Phi B^+)",
    source="B4",
    instances=chains(extra=random_features),
    sides=_residual_identity,
    tolerance=lambda case: 64 * EPS * max(case.X, 4) * max(1.0, _condition(case)) ** 4,
    steps=residual.RESIDUAL,
    control=Control("the residual left out", sides=_without_residual),
    uses=(),
    pressure=Pressure(lambda case: _residual_identity(case)[1:], free=("phi",)),
)


def _condition(case: Case) -> float:
    return iteration(case, case.given["phi"]).condition


STATEMENTS = (SHARP, RKHS, RESIDUAL)
