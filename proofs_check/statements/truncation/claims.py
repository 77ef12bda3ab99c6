r"""Truncated representations: the top ``d`` features under the data's weights, their stability and their error."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from flint import arb

from proofs_check.arithmetic.eigenspaces import decided, enclosed_errors, enclosed_norms
from proofs_check.arithmetic.linear_algebra import flint_matrix, floats, identity, indefiniteness, rank
from proofs_check.arithmetic.regression import iteration, norm, radius, regression_rounding, top_features, top_norms
from proofs_check.arithmetic.regression_at_once import iterations
from proofs_check.chains.case import EPS, Case
from proofs_check.chains.generators import Maker, chains, fixed, mixture
from proofs_check.chains.rational_spectra import tight_norm, tight_radius, two_data_pairs
from proofs_check.chains.stacked_garnets import truncation_norms
from proofs_check.chains.witness import case_from_witness, float_case
from proofs_check.statements.relation import Relation, at_most, below, equal, undecided
from proofs_check.statements.statement import SMALL_MODELS, Constant, Control, Cost, Pressure, Statement, Step
from proofs_check.statements.truncation import error_proof as truncated_error
from proofs_check.statements.truncation import identities
from proofs_check.statements.truncation import proof as proofs
from tabular_krope.exact.spectra import is_stable

#: x and y lead to z, z to y. The top eigenvector of K is (w, t, 1) with t = (1+g)/(1-g), w^2 = t^2 + 1; this gamma
#: makes it rational: t = 63/16, w = 65/16.
UNWEIGHTED = {
    "P_pi": [["0", "0", "1"], ["0", "0", "1"], ["0", "1", "0"]],
    "r": ["0", "-1", "1"],
    "gamma": "47/79",
    "weights": ["0", "0", "1"],
    "phi": [["65"], ["63"], ["16"]],
}


def _some_columns(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    return {"kept": rng.random(case.X) < 0.5}


_rational = mixture(chains(), chains(rewards="tied"), two_data_pairs, tight_norm, tight_radius)


def _truncatable(floats: Maker) -> Maker:
    """Float chains of every kind; rational ones among which truncations are rational, and attain their bounds."""
    return Maker(lambda rng, exact: _rational(rng, True) if exact else floats(rng, False), floats.extra)


def _truncated(case: Case) -> list[Relation]:
    g = case.gamma
    if case.exact:
        balls = [(norm, d) for d, norm in enclosed_norms(case)]
        shown = [(norm, g) for norm, _ in balls] + [(norm, g * (1 + g) / 2) for norm, d in balls if d == 1]
        sides = [decided(norm, arb(bound)) for norm, bound in shown]
        exactly = [proofs.norm_excess(case, part) for part in proofs.truncations(case)]
        return [*exactly, *(undecided() if side is None else at_most(*side) for side in sides)]
    Phi, _ = top_features(case)
    norms = top_norms(case)
    out = [at_most(norms**2, g), at_most(norms[0] ** 2, g * (1 + g) / 2)]
    kept = case.given["kept"][: Phi.shape[1]]
    if kept.any():
        out.append(at_most(norm(iteration(case, Phi[:, kept]).L) ** 2, g))
    return out


def _strictly_truncated(case: Case) -> list[Relation]:
    """Only ``d`` below the rank: at the rank the bound is attained whenever rewards are tied."""
    norms = top_norms(case)[:-1]
    return [at_most(norms, np.sqrt(case.gamma))] if norms.size else []


TRUNCATION = Statement(
    slug="truncation-stable",
    title="Top d weighted features: |L| <= sqrt(gamma)",
    identities=identities.TRUNCATION_STABLE,
    claim="The top d features under the data's own weights keep norm2(L) <= sqrt(gamma), for every d, every weights, "
    "and every subset of eigenpairs; one feature keeps |L| <= sqrt(gamma (1 + gamma) / 2).",
    formula=r"\|L_d\|_2 \le \sqrt\gamma",
    source="B3",
    assumes="L_d is that of eigenfeatures under the weights: `norm_data` in conjectures, and `norm` with --dim; "
    "in floats directions below 1e-8 of the largest singular value are left out; over the rationals subsets "
    "of eigenpairs that are rational are decided, the top d for every d enclosed in balls",
    instances=_truncatable(chains(extra=_some_columns)),
    sides=_truncated,
    tolerance=regression_rounding,
    steps=proofs.TRUNCATION,
    control=Control(
        "features truncated under other weights",
        instances=fixed(lambda: float_case(UNWEIGHTED)),
        sides=lambda case: [at_most(radius(iteration(case, _unweighted(case, 1)).L) ** 2, case.gamma)],
    ),
    uses=("rkhs-contraction",),
    many=truncation_norms,
    pressure=Pressure(
        _strictly_truncated, constant=Constant("c in norm2(L_d) <= c sqrt(gamma), d below the rank", proven=1.0)
    ),
    cost=Cost(most_exact=8, most_pairs=SMALL_MODELS),
)


def _unweighted(case: Case, d: int) -> Any:
    uniform = np.full(case.X, 1 / case.X)
    return case.once("unweighted features", lambda: top_features(case, uniform)[0])[:, :d]


def _is_top_feature(case: Case) -> bool:
    """Whether the given feature is the eigenvector of K for its largest eigenvalue, decided over the rationals.

    That eigenvalue has to be simple: otherwise the top feature is a matter of choice.
    """
    if not case.exact:
        return True
    phi = case.given["phi"][:, 0]
    image = case.K @ phi
    top = image[0] / phi[0]
    below_top = top * identity(case.X, True) - case.K
    return bool(np.all(image == top * phi)) and indefiniteness(below_top) == 0 and rank(below_top) == case.X - 1


def _unweighted_stable(case: Case) -> list[Relation]:
    if case.exact:
        return [equal(int(is_stable(flint_matrix(iteration(case, case.given["phi"]).L))), 1)]

    def build(cases: list[Case]) -> list[list[float]]:
        weights = [one.weights for one in cases]
        maps = [iterations(cases, [_unweighted(one, d) for one in cases], weights) for d in (1, 2) if d <= case.X]
        return [[radius(L) for L, _, _ in found] for found in zip(*maps, strict=True)]

    return [below(size, 1.0) for size in case.shared("unweighted radii", lambda: build([case])[0], build)]


def _theory_witness(case: Case) -> list[Relation]:
    """At gamma = 9/10: K - 10 I joins pair 0 with 1 and 2 only, so every top eigenvector has ratio K_10 / K_20."""
    if not case.exact:
        return []
    same = case_from_witness({**UNWEIGHTED, "gamma": "9/10"})
    K, g = same.K, same.gamma
    return [equal(np.diagonal(K), K[0, 0]), equal(K[1, 2], 0), equal(g * K[1, 0] / K[2, 0] * 10, 171)]


UNWEIGHTED_TRUNCATION = Statement(
    slug="truncation-unweighted-stable",
    title="The top d features need no weights",
    claim="The top d features of the unweighted kernel are stable under any data weights.",
    formula=r"\rho(L_d) < 1",
    source="C4",
    instances=chains(positive_gamma=True),
    sides=_unweighted_stable,
    premise=_is_top_feature,
    tolerance=lambda case: 64 * EPS * max(case.X, 4) * case.horizon,
    steps=(
        Step("ratio", "with gamma = 9/10 on the same chain rho is 171/10 exactly", _theory_witness, kind="example"),
        Step("stable", "rho(L_d) < 1", _unweighted_stable),
    ),
    expected="refuted",
    true_instead="truncation-stable",
    false_step="stable",
    rational=False,
    witnesses=(UNWEIGHTED,),
    control=Control(
        "norm2(L_d) <= sqrt(gamma)",
        instances=fixed(lambda: float_case(UNWEIGHTED)),
        sides=lambda case: [at_most(norm(iteration(case, _unweighted(case, 1)).L) ** 2, case.gamma)],
    ),
    pressure=Pressure(_unweighted_stable),
)


def _error_bounds(case: Case) -> list[Relation]:
    share, out = 1 - case.gamma, []
    for found in truncated_error.approximations(case):
        size = max(1.0, float(floats(found.wrong)))
        out += [
            at_most(share * found.wrong, found.rest, size),
            at_most(share * share * np.max(found.error**2), found.rest, size),
        ]
    return [*out, *_enclosed_bounds(case)] if case.exact else out


def _enclosed_bounds(case: Case) -> list[Relation]:
    """The same for the top ``d`` features of every ``d``, in balls; where these overlap it is undecided."""
    share, out = arb(1 - case.gamma), []
    for rest, wrong, largest in enclosed_errors(case):
        sides = (decided(share * wrong, rest), decided(share * share * largest, rest))
        out += [undecided() if side is None else at_most(*side) for side in sides]
    return out


def _optimal_error(case: Case) -> list[Relation]:
    return [at_most(found.wrong, found.rest) for found in truncated_error.approximations(case)]


TRUNCATED_ERROR = Statement(
    slug="truncated-lspe-error",
    title="LSPE's error on the top d features",
    identities=identities.TRUNCATED_LSPE_ERROR,
    claim="LSPE on the top d features errs by at most 1/sqrt(1-gamma) times the best approximation in H, and by "
    "1/(1-gamma) times it at every pair.",
    formula=r"\|q - \hat q\|_H \le \|q - q_d\|_H / \sqrt{1-\gamma},\quad "
    r"\|q - \hat q\|_\infty \le \|q - q_d\|_H / (1-\gamma)",
    source="B14",
    assumes="gamma < 1",
    instances=_truncatable(chains(rewards="distinct")),
    sides=_error_bounds,
    tolerance=lambda case: regression_rounding(case) * case.horizon,
    steps=truncated_error.TRUNCATED_ERROR,
    control=Control("the best approximation itself", sides=_optimal_error),
    uses=("truncation-stable", "sharp-spectral"),
    pressure=Pressure(_error_bounds),
    cost=Cost(most_exact=8, most_pairs=SMALL_MODELS),
)

STATEMENTS = (TRUNCATION, UNWEIGHTED_TRUNCATION, TRUNCATED_ERROR)
