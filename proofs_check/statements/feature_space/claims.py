r"""KROPE inside the span of given base features, in closed form from data (no chain is known)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.linalg
from flint import arb, ctx

from proofs_check.arithmetic.eigenspaces import PRECISION, decided
from proofs_check.arithmetic.linear_algebra import (
    flint_matrix,
    floats,
    identity,
    indefiniteness,
    rank,
    rationals,
    solve,
)
from proofs_check.arithmetic.regression import norm
from proofs_check.arithmetic.truncated import truncation
from proofs_check.chains.case import EPS, Case
from proofs_check.chains.generators import chains, fixed, numbers
from proofs_check.chains.witness import case_from_witness
from proofs_check.statements.feature_space import identities
from proofs_check.statements.relation import Relation, at_most, equal, float_only, undecided
from proofs_check.statements.statement import Control, Statement, Step
from tabular_krope.exact.exact_stein import solve_stein_exactly

#: One sample with psi = 1 and psi' = 2.
ONE_SAMPLE = {
    "P_pi": [["1"]],
    "r": ["0"],
    "gamma": "9/10",
    "psi": [["1"]],
    "psi_next": [["2"]],
}


def _base_features(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    """Features of the samples and of their successors: with a small regression matrix, with one of large norm and small
    eigenvalues, or with an eigenvalue for which no kernel exists, where the features are restricted."""
    seen = int(np.sum(case.weights > 0))
    p = int(rng.integers(1, min(seen, 3 if case.exact else 5) + 1))
    psi, psi_next = numbers(rng, case.exact, case.X, p), numbers(rng, case.exact, case.X, p)
    for k, x in enumerate(np.flatnonzero(case.weights > 0)[:p]):  # full column rank on the data
        psi[x] = 0 * psi[x]
        psi[x, k] = psi[x, k] + 1
    if p > 1 and rng.random() < 2 / 3:
        return _slow_features(rng, case, psi, psi_next)
    A = _regression(psi, psi_next, case.weights)
    size = (A * A).sum() * case.gamma
    while size >= 1:  # the Frobenius norm bounds the spectral radius
        psi_next, size = psi_next / 2, size / 4
    return {"psi": psi, "psi_next": psi_next}


def _slow_features(rng: np.random.Generator, case: Case, psi: Any, noise: Any) -> Mapping[str, Any]:
    """Successors whose regression matrix is triangular in other coordinates: rates up to 3/4, large entries beside
    them, and sometimes a last rate of 2, which the restriction to the others, given as ``kept``, leaves out."""
    p, unit = psi.shape[1], identity(psi.shape[1], case.exact)
    beside = np.triu(numbers(rng, case.exact, p, p), 1) * 4
    rates = rng.integers(-3, 4, size=p)
    A = beside + unit * (rationals(rates) if case.exact else rates.astype(np.float64)) / 4
    turn = unit + np.tril(numbers(rng, case.exact, p, p) / 2, -1)
    kept = p - int(rng.random() < 0.5)
    if kept < p:
        A[-1, -1] = 0 * A[-1, -1] + 2
    A = solve(turn, A @ turn)
    left_over = noise - psi @ _regression(psi, noise, case.weights)  # what the regression does not see
    return {"psi": psi, "psi_next": psi @ A + left_over, "kept": solve(turn, unit)[:, :kept]}


def _features(case: Case) -> tuple[Any, Any]:
    """Base features and those of the successors, restricted to an invariant subspace where that is needed."""
    psi, psi_next = case.given["psi"], case.given["psi_next"]
    kept = case.given.get("kept")
    return (psi, psi_next) if kept is None else (psi @ kept, psi_next @ kept)


def _regression(psi: Any, target: Any, D: Any, ridge: Any = 0) -> Any:
    """``(Psi' D Psi + ridge)^-1 Psi' D target``."""
    G = psi.T @ (D[:, None] * psi)
    shift = 0 * G
    np.fill_diagonal(shift, shift[0, 0] + ridge)
    return solve(G + shift, psi.T @ (D[:, None] * target))


def _kernel_matrix(case: Case, A: Any) -> Any:
    """``M = M1 + gamma A M A'`` with ``M1`` the projected reward kernel, [p, p]."""
    psi, _ = _features(case)
    half = _regression(psi, case.K1, case.weights)  # [p, X]
    M1 = _regression(psi, half.T, case.weights)
    if case.exact:
        return rationals(solve_stein_exactly(flint_matrix(A), flint_matrix(M1), case.gamma))
    return scipy.linalg.solve_discrete_lyapunov(np.sqrt(case.gamma) * A, (M1 + M1.T) / 2)


def _stable_in_span(case: Case, ridge: Any = 0) -> list[Relation]:
    (psi, psi_next), D = _features(case), case.weights
    M = _kernel_matrix(case, _regression(psi, psi_next, D, ridge))
    L = case.gamma * _regression(psi, psi_next, D)  # LSPE in the coordinates of psi
    scale = max(1.0, float(floats(np.max(np.abs(M)))))
    out = [at_most(indefiniteness(M), 0, scale), at_most(indefiniteness(case.gamma * M - L @ M @ L.T), 0, scale)]
    if case.exact:
        return [*out, *_top_features(case, M, L)]
    eigenvalues, V = np.linalg.eigh((M + M.T) / 2)
    root = np.sqrt(D)[:, None]
    Phi = V * np.sqrt(np.maximum(eigenvalues, 0.0))
    _, sigma, Wt = np.linalg.svd(root * (psi @ Phi), full_matrices=False)
    kept = sigma[sigma > 1e-6 * sigma[0]]  # squares of smaller ones are rounding in M
    maps = Phi @ Wt[: len(kept)].T
    # A direction is known to the rounding in M over its own share of M.
    shares = (kept[0] / kept) ** 2
    norms = [_norm_on(case, maps[:, : d + 1]) for d in range(len(kept))]
    return out + [float_only(at_most(size**2, case.gamma, shares[d])) for d, size in enumerate(norms)]


def _top_features(case: Case, M: Any, L: Any) -> list[Relation]:
    """``norm2(L_d)^2 <= gamma`` for the top ``d`` features of every ``d`` below the rank, in balls.

    In the coordinates of ``psi`` the RKHS has the Gram matrix ``M^-1`` and the data's covariance operator is ``M G``.
    """
    if rank(M) < len(M):
        return []
    psi, _ = _features(case)
    N = flint_matrix(M @ (psi.T @ (case.weights[:, None] * psi)))
    gram, step, out = flint_matrix(M).inv(), flint_matrix(L), []
    with ctx.workprec(PRECISION):
        for d in range(1, len(M)):
            found = truncation(N, gram, step, d)
            if found is not None:
                side = decided(found.norm() ** 2, arb(case.gamma))
                out.append(undecided() if side is None else at_most(*side))
    return out


def _norm_on(case: Case, W: Any) -> float:
    """``norm2(L)`` of LSPE on the features ``Psi W`` of this very data set."""
    (psi, psi_next), root = _features(case), np.sqrt(case.weights)[:, None]
    return float(case.gamma * norm(np.linalg.pinv(root * (psi @ W)) @ (root * (psi_next @ W))))


def _rounding(case: Case) -> float:
    if case.exact:
        return 0.0
    condition = float(np.linalg.cond(np.sqrt(case.weights)[:, None] * _features(case)[0]))
    size = max(1.0, norm(_regression(*_features(case), case.weights)))
    return 64 * EPS * max(case.X, 4) * condition**2 * size**2


def _slack(case: Case) -> list[Relation]:
    (psi, psi_next), D = _features(case), case.weights
    A = _regression(psi, psi_next, D)
    M, L = _kernel_matrix(case, A), case.gamma * A
    M1 = _regression(psi, _regression(psi, case.K1, D).T, D)
    scale = max(1.0, float(floats(np.max(np.abs(M)))))
    return [equal(case.gamma * M - L @ M @ L.T, case.gamma * M1, scale), at_most(indefiniteness(M1), 0, scale)]


def _gap_definite(case: Case) -> Relation:
    A = _regression(*_features(case), case.weights)
    M = _kernel_matrix(case, A)
    gap = M - case.gamma * (A @ M @ A.T)
    return at_most(indefiniteness(gap), 0, max(1.0, float(floats(np.max(np.abs(gap))))))


def _restriction(case: Case) -> list[Relation]:
    """``A T = T A_T`` with ``A_T`` the restricted features' own regression matrix."""
    kept = case.given.get("kept")
    if kept is None:
        return []
    whole = _regression(case.given["psi"], case.given["psi_next"], case.weights)
    size = max(1.0, float(floats(np.max(np.abs(whole)))))
    return [equal(whole @ kept, kept @ _regression(*_features(case), case.weights), size)]


FEATURE_SPACE = Statement(
    slug="feature-space-krope",
    title="Closed-form features: |L| <= sqrt(gamma)",
    identities=identities.FEATURE_SPACE_KROPE,
    claim="The closed-form KROPE features inside the span of base features keep norm2(L_d) <= sqrt(gamma) on the very "
    "data they were made from, for every d.",
    formula=r"M = M_1 + \gamma A M A^\top,\quad \|L_d\|_2 \le \sqrt\gamma",
    source="B13",
    assumes="gamma rho(A)^2 < 1, or restricted to an invariant subspace of A where it is; base features of full rank "
    "on the data, one draw of the next features; over the rationals the top d for every d are enclosed in balls",
    instances=chains(extra=_base_features),
    sides=_stable_in_span,
    tolerance=_rounding,
    steps=(
        Step(
            "equation",
            "M = M1 + gamma A M A' with M1 positive semidefinite",
            lambda case: [_gap_definite(case)],
        ),
        Step(
            "restriction",
            "on an invariant subspace T of A the features Psi T have A T = T A_T",
            _restriction,
            kind="algebra",
        ),
        Step(
            "same-regression",
            "LSPE in the coordinates of psi is gamma A",
            lambda case: [
                equal(
                    case.gamma * (case.given["psi"].T @ (case.weights[:, None] * case.given["psi_next"])),
                    (case.given["psi"].T @ (case.weights[:, None] * case.given["psi"]))
                    @ (case.gamma * _regression(case.given["psi"], case.given["psi_next"], case.weights)),
                )
            ],
            kind="algebra",
        ),
        Step("slack", "so gamma M - L M L' = gamma M1, which is positive semidefinite", _slack),
    ),
    control=Control(
        "a ridge of 3/2 in A alone",
        instances=fixed(lambda: case_from_witness(ONE_SAMPLE)),
        sides=lambda case: _stable_in_span(case, rationals(["3/2"])[0]),
    ),
    uses=("truncation-stable",),
)


STATEMENTS = (FEATURE_SPACE,)
