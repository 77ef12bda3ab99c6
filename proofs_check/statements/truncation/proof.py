r"""Proof that truncated representations are stable (B3).

Over the rationals the steps are taken on every union of rational eigenspaces of the data's covariance operator, with
features $\Psi V$ and Gram matrix $V^\top G V$ where the floats have orthonormal ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from proofs_check.arithmetic.eigenspaces import eigenspaces, unions
from proofs_check.arithmetic.linear_algebra import floats, identity, indefiniteness, outside, rationals, solve
from proofs_check.arithmetic.regression import Iteration, iteration, norm, seen, top_features
from proofs_check.chains.case import Case
from proofs_check.chains.rational_spectra import odd_features, tight_norm, tight_radius
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Step
from tabular_krope.evaluation.iteration import regression_matrix


@dataclass(frozen=True, slots=True, eq=False)
class Truncated:
    """Features of some eigenpairs.

    Attributes:
        Phi: the features, [X, d].
        gram: their Gram matrix in the RKHS, the identity for floats, [d, d].
        inner: RKHS inner products of the features with the kernel functions ``k_x``, [d, X].
        fit: their regression under the data's weights, from functions to coefficients, [d, X].
        L: LSPE's matrix, [d, d].
        limit: LSPE's limit, [d].
    """

    Phi: Any
    gram: Any
    inner: Any
    fit: Any
    L: Any
    limit: Any

    def dual(self, M: Any) -> Any:
        """``gram^-1 M``."""
        return solve(self.gram, M)


def _regression(case: Case, Phi: Any) -> Any:
    D = case.weights
    if case.exact:
        return solve(Phi.T @ (D[:, None] * Phi), Phi.T * D)
    return regression_matrix(np.asarray(Phi, np.float64), np.sqrt(D))


def truncated(case: Case, Phi: Any, gram: Any, known: Iteration | None = None) -> Truncated:
    """LSPE on features that are eigenfunctions; its map may be ``known``."""
    it = known or iteration(case, Phi)
    return Truncated(Phi, gram, Phi.T, _regression(case, Phi), it.L, it.limit())


def truncations(case: Case) -> list[Truncated]:
    """Every rational union of eigenspaces, or about half of the features of a float instance and all of them."""

    def build() -> list[Truncated]:
        if case.exact:
            here = seen(case)
            return [truncated(case, here.Psi @ V, V.T @ here.gram @ V) for V in unions(case)]
        Phi, _ = top_features(case)
        kept = sorted({max(1, Phi.shape[1] // 2), Phi.shape[1]})
        return [truncated(case, Phi[:, :d], np.eye(d)) for d in kept]

    return case.once("truncations", build)


def _largest(M: Any) -> float:
    return max(1.0, float(floats(np.max(np.abs(M)))))


def _eigenfunctions(case: Case) -> list[Relation]:
    if not case.exact:
        Phi, values = top_features(case)
        return [equal(case.K @ (case.weights[:, None] * Phi), Phi * values, case.horizon)]
    here = seen(case)
    own = equal(case.K @ (case.weights[:, None] * here.Psi), here.Psi @ here.N)
    return [own, *(equal(outside(V, here.N @ V), 0) for V in unions(case))]


def _projection(case: Case) -> list[Relation]:
    return [equal(part.gram @ (part.fit @ case.K), part.inner, _largest(part.fit)) for part in truncations(case)]


def _compression(case: Case) -> list[Relation]:
    """``gram L = gamma <Phi, P Phi>_H``: the second from the expansion of Phi in kernel functions of data pairs."""
    if not case.exact:
        Phi, _ = top_features(case)
        L = iteration(case, Phi).L
        return [equal(part.L, L[: len(part.L), : len(part.L)]) for part in truncations(case)]
    here = seen(case)
    return [
        equal(part.L, part.dual(V.T @ here.gram @ here.L @ V))
        for V, part in zip(unions(case), truncations(case), strict=True)
    ]


def _slack(case: Case) -> list[Relation]:
    out = []
    for part in truncations(case):
        ahead = case.gamma * (part.fit @ case.P_pi)
        unit = part.dual(identity(len(part.L), case.exact))
        left = case.gamma * unit - part.L @ part.dual(part.L.T)
        lost = case.K - part.Phi @ part.dual(part.Phi.T)
        right = case.gamma * (part.fit @ case.K1 @ part.fit.T) + ahead @ lost @ ahead.T
        out.append(equal(left, right, _largest(part.fit) ** 2))
    return out


def _both_definite(case: Case) -> list[Relation]:
    out = [at_most(indefiniteness(case.K1), 0)]
    for part in truncations(case):
        out.append(at_most(indefiniteness(case.K - part.Phi @ part.dual(part.Phi.T)), 0, case.horizon))
    return out


def norm_excess(case: Case, part: Truncated) -> Relation:
    """``norm2(L)^2 <= gamma`` in the coordinates of orthonormal features."""
    if not case.exact:
        return at_most(norm(part.L) ** 2, case.gamma)
    unit = part.dual(identity(len(part.L), True))
    return at_most(indefiniteness(case.gamma * unit - part.L @ part.dual(part.L.T)), 0)


def _top_measures(case: Case) -> Iterator[tuple[Any, Any]]:
    """``D phi`` for the top feature, where it is known, and LSPE's factor on it."""
    if not case.exact:
        Phi = top_features(case)[0][:, :1]
        yield case.weights * Phi[:, 0], iteration(case, Phi).L[0, 0]
        return
    for V in eigenspaces(case):
        w = case.weights * (seen(case).Psi @ V)[:, 0]
        if V.shape[1] == 1 and (np.all(w >= 0) or np.all(w <= 0)):  # Perron: a feature of one sign is the top one
            yield w, iteration(case, seen(case).Psi @ V).L[0, 0]


def _one_feature(case: Case) -> list[Relation]:
    out = []
    for w, L in _top_measures(case):
        size = np.abs(w)
        mass, near, all_ = size.sum(), size @ case.K1 @ size, size @ case.K @ size
        out += [
            equal(w @ case.K @ w, all_),
            at_most(mass * mass, 2 * near),
            at_most((1 - case.gamma) * all_, mass * mass),
            at_most(L * L * all_, case.gamma * (all_ - near)),
        ]
    return out


def _norm_attained(case: Case) -> list[Relation]:
    """F1: two odd eigenfunctions on which LSPE is a shift by ``sqrt(gamma)``."""
    if not case.exact:
        return []
    f1 = tight_norm(np.random.default_rng(0))
    Phi = odd_features(f1)
    L = iteration(f1, Phi).L
    images = f1.K @ (f1.weights[:, None] * Phi)
    return [
        equal(outside(Phi[:, :1], images[:, 0]), 0),
        equal(outside(Phi[:, 1:], images[:, 1]), 0),
        equal(L @ L.T, f1.gamma * rationals([[0, 0], [0, 1]])),
    ]


def _radius_approached(case: Case) -> list[Relation]:
    """F2: the odd eigenfunction has ``L = sqrt(gamma) sum b_m b_{m+1} / sum b_m^2``."""
    if not case.exact:
        return []
    f2 = tight_radius(np.random.default_rng(0))
    b = f2.given["b"]
    odd = (f2.K[:, 0] - f2.K[:, 1])[:, None]
    ratio = iteration(f2, odd).L[0, 0] * (b @ b) / (b[:-1] @ b[1:])
    return [equal(ratio * ratio, f2.gamma), equal(outside(odd, f2.K @ (f2.weights[:, None] * odd)), 0)]


TRUNCATION = (
    Step("eigenfunctions", "the features are eigenfunctions of K D", _eigenfunctions),
    Step("projection", "regression under D is the RKHS projection: k_x gets the coefficients phi(x)", _projection),
    Step("compression", "so L_d is gamma P compressed to the features: a block of L", _compression),
    Step("slack", "gamma I - L_d L_d' = gamma F K1 F' + gamma^2 F P (K - Phi Phi') P' F', F the fit", _slack),
    Step("definite", "K1 and K - Phi_d Phi_d' are positive semidefinite", _both_definite),
    Step(
        "norm",
        "hence norm2(L_d)^2 <= gamma",
        lambda case: [norm_excess(case, part) for part in truncations(case)],
    ),
    Step(
        "one-feature", "top: w >= 0, w'K1w >= mass^2/2, w'Kw <= mass^2/(1-gamma), L^2 <= gamma(1-ratio)", _one_feature
    ),
    Step("norm-attained", "F1: norm2(L) = sqrt(gamma) exactly", _norm_attained, kind="example"),
    Step(
        "radius-approached",
        "F2: L = sqrt(gamma) sum b_m b_{m+1} / sum b_m^2 exactly",
        _radius_approached,
        kind="example",
    ),
)
