r"""Stability of LSPE on KROPE representations: Theorem 1, what is behind it, and how sharp it is."""

from collections.abc import Mapping
from math import comb
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import flint_matrix, floats, independent_columns
from proofs_check.arithmetic.regression import (
    gram_stable,
    iteration,
    kernel_features,
    kernel_radius,
    norm,
    radius,
    regression_rounding,
)
from proofs_check.chains.case import EPS, Case
from proofs_check.chains.generators import chains, numbers, probabilities
from proofs_check.chains.stacked_garnets import full_rank_radius
from proofs_check.statements.relation import Relation, at_most, below, equal, float_only
from proofs_check.statements.stability import identities
from proofs_check.statements.stability import proof as proofs
from proofs_check.statements.statement import Control, Pressure, Statement, Step
from tabular_krope.exact.spectra import is_stable, lyapunov_stable

#: Powers of L that stability is compared with.
POWER = 64


def random_features(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    """Features that have nothing to do with the chain, and two starts."""
    d = int(rng.integers(1, min(case.X, 3) + 1))
    Phi = numbers(rng, case.exact, case.X, d)
    Phi[0, 0] = Phi[0, 0] * 0 + 1  # not all zero
    return {"phi": Phi, "start": numbers(rng, case.exact, d), "other": numbers(rng, case.exact, d)}


def _power(L: Any, n: int) -> Any:
    out = L
    for _ in range(n - 1):
        out = out @ L
    return out


def _iterates_differ(case: Case) -> list[Relation]:
    it = iteration(case, case.given["phi"])
    first, second = case.given["start"], case.given["other"]
    for _ in range(3):
        first, second = it.b + it.L @ first, it.b + it.L @ second
    apart = _power(it.L, 3) @ (case.given["start"] - case.given["other"])
    return [equal(first - second, apart, max(1.0, float(floats(np.max(np.abs(apart))))))]


def _growth(case: Case) -> list[Relation]:
    """``rho^n <= |L^n| <= sum_k C(n, k) rho^(n-k) |N|^k``: powers vanish iff rho < 1 (N: the strict Schur part)."""
    L = iteration(case, case.given["phi"]).L
    d, rho = len(L), radius(L)
    size = norm(np.linalg.matrix_power(L, POWER))
    spread = float(np.linalg.norm(L))
    bound = sum(comb(POWER, k) * rho ** (POWER - k) * spread**k for k in range(d))
    unit = max(spread, EPS)
    rate = size ** (1 / POWER) / unit
    return [float_only(at_most(rho / unit, rate)), float_only(at_most(rate, bound ** (1 / POWER) / unit))]


def _stable_iff(case: Case) -> list[Relation]:
    if not case.exact:
        return _iterates_differ(case) + _growth(case)
    L = flint_matrix(iteration(case, case.given["phi"]).L)
    return [*_iterates_differ(case), equal(int(is_stable(L)), int(lyapunov_stable(L)))]


def _every_step_contracts(case: Case) -> list[Relation]:
    L = iteration(case, case.given["phi"]).L
    return [at_most(norm(floats(L)), radius(floats(L)))]


def _feature_rounding(case: Case) -> float:
    it = iteration(case, case.given["phi"])
    # An eigenvalue of a d-by-d matrix moves by the d-th root of its perturbation.
    return float((64 * EPS * max(case.X, 4) * it.condition) ** (1 / len(it.b)))


LSPE_STABLE = Statement(
    slug="prop-lspe-stability",
    title="LSPE converges iff rho(L) < 1",
    identities=identities.PROP_LSPE_STABILITY,
    claim="LSPE converges to one and the same limit from every start iff the spectral radius of L is below 1.",
    formula=r"\theta_t \to \theta^* \ \forall \theta_0 \iff \rho(L) < 1",
    source="paper, prop:stability",
    instances=chains(extra=random_features),
    sides=_stable_iff,
    tolerance=_feature_rounding,
    steps=(
        Step("linear", "two runs differ by L^t times the difference of their starts", _iterates_differ, kind="algebra"),
        Step(
            "powers",
            "rho^t <= |L^t| <= a polynomial in t times rho^t",
            lambda case: [] if case.exact else _growth(case),
            kind="algebra",
        ),
    ),
    control=Control("every step contracts by rho", sides=_every_step_contracts),
)


def _elsewhere(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    """Another chain that agrees with this one on the data's pairs: its kernel satisfies the definition there."""
    unseen = case.weights == 0
    P = np.where(unseen[:, None], probabilities(rng, case.exact, case.X, case.P.shape[1]), case.P)
    low, high = (min(case.r), max(case.r)) if case.reward_range is None else case.reward_range
    r = np.where(unseen, case.r * 0 + low, case.r)
    off = numbers(rng, case.exact, case.X, 2)
    return {"P_other": P, "r_other": r, "range_other": np.array([low, high]), "off": off}


def _definition(case: Case) -> list[Relation]:
    other = proofs.elsewhere(case)
    out = [proofs.met_on_data(case), *proofs.norm_bound(case, other.K, None if case.exact else kernel_features(other))]
    return [*out, *proofs.free_off_data(case)] if case.exact else out


DEFINITION = Statement(
    slug="definition-krope-representation",
    title="The definition can be met on the data",
    identities=identities.DEFINITION_KROPE_REPRESENTATION,
    claim="Read entrywise on the data's pairs, the definition can be met, and Theorem 1 holds under this reading: "
    "norm2(L) <= sqrt(gamma) whatever the features are on pairs without data.",
    formula=r"\phi_x^\top\phi_y = K_1(x,y) + \gamma\,(P_\pi\Phi)_x^\top (P_\pi\Phi)_y \ \forall x, y \in D",
    source="paper, def:krope_rep",
    instances=chains(extra=_elsewhere),
    sides=_definition,
    tolerance=lambda case: regression_rounding(proofs.elsewhere(case)) * proofs.elsewhere(case).horizon,
    steps=proofs.DEFINITION,
    control=Control(
        "features that do not satisfy it",
        instances=chains(extra=random_features, positive_gamma=True),
        sides=lambda case: proofs.norm_bound(case, case.given["phi"] @ case.given["phi"].T, case.given["phi"]),
        tolerance=_feature_rounding,
    ),
    uses=("prop-fixed-point",),
)


def _radius_below_one(case: Case) -> list[Relation]:
    if case.exact:
        return [below(-1 if gram_stable(case, case.K) else 1, 0)]  # the sign of rho - 1
    return [below(kernel_radius(case), 1)]


THEOREM_1 = Statement(
    slug="theorem-1",
    title="KROPE features make LSPE stable",
    identities=identities.THEOREM_1,
    claim="A KROPE representation makes LSPE stable: the spectral radius of L is below 1.",
    formula=r"\rho(L) \le \|L\|_2 \le \sqrt\gamma < 1",
    source="paper, thm:krope_spectral",
    assumes="gamma < 1; any data weights, with the pseudo-inverse",
    instances=chains(),
    sides=_radius_below_one,
    premise=lambda case: case.gamma < 1,
    tolerance=regression_rounding,
    steps=proofs.THEOREM_1,
    false_step="printed-eigenvalues",
    control=Control(
        "features that are no KROPE representation",
        instances=chains(extra=random_features, positive_gamma=True),
        sides=lambda case: [below(radius(floats(iteration(case, case.given["phi"]).L)), 1)],
    ),
    uses=("lemma-k1-psd", "prop-lspe-stability", "definition-krope-representation"),
    many=full_rank_radius,
    pressure=Pressure(lambda case: [at_most(kernel_radius(case), float(case.gamma) ** 0.5)]),
)


def _start(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    return {"start": numbers(rng, case.exact, case.X), "mix": numbers(rng, case.exact, case.X, case.X)}


def _closer(case: Case, Phi: Any) -> list[Relation]:
    """Distances of successive iterates to the limit, squared, against gamma times the one before."""
    it = iteration(case, Phi)
    error = case.given["start"][: len(it.b)] - it.limit()
    out = []
    for _ in range(3):
        after = it.L @ error
        out.append(float_only(at_most(after @ after, case.gamma * (error @ error), max(1.0, float(error @ error)))))
        error = after
    return out


def _nonexpansive(case: Case) -> list[Relation]:
    return proofs.norm_step(case) if case.exact else [*proofs.norm_step(case), *_closer(case, kernel_features(case))]


NONEXPANSIVE = Statement(
    slug="remark-nonexpansive",
    title="LSPE steps approach the limit",
    identities=identities.REMARK_NONEXPANSIVE,
    claim="In KROPE coordinates each LSPE step brings theta closer to its limit, by a factor sqrt(gamma) or less.",
    formula=r"\|\theta_{t+1} - \theta^*\| \le \sqrt\gamma\,\|\theta_t - \theta^*\|",
    source="paper, after thm:krope_spectral",
    assumes="the coordinates are those of Phi with Phi Phi' = K",
    instances=chains(extra=_start),
    sides=_nonexpansive,
    tolerance=regression_rounding,
    steps=proofs.NONEXPANSIVE,
    false_step="printed-reason",
    control=Control(
        "the same span in other coordinates",
        instances=chains(extra=_start, positive_gamma=True, rewards="distinct", coverage="positive"),
        sides=lambda case: _closer(case, _other_coordinates(case)),
    ),
    uses=("rkhs-contraction",),
    pressure=Pressure(_nonexpansive),
)


def _other_coordinates(case: Case) -> Any:
    mix = floats(case.given["mix"])
    if case.exact:
        return independent_columns(case.K)
    Phi = kernel_features(case)
    return Phi @ mix[: Phi.shape[1], : Phi.shape[1]]


STATEMENTS = (LSPE_STABLE, DEFINITION, THEOREM_1, NONEXPANSIVE)
