r"""KROPE inside the span of given base features, in closed form from data (no chain is known)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.linalg

from proofs_check.arithmetic.linear_algebra import flint_matrix, floats, indefiniteness, rationals, solve
from proofs_check.arithmetic.regression import norm
from proofs_check.chains.case import EPS, Case
from proofs_check.chains.generators import chains, fixed, numbers
from proofs_check.chains.witness import case_from_witness
from proofs_check.statements.feature_space import identities
from proofs_check.statements.relation import Relation, at_most, equal, float_only
from proofs_check.statements.statement import Control, Statement, Step
from tabular_krope.exact.stein import solve_stein_exactly

#: One sample with psi = 1 and psi' = 2.
ONE_SAMPLE = {
    "P_pi": [["1"]],
    "r": ["0"],
    "gamma": "9/10",
    "psi": [["1"]],
    "psi_next": [["2"]],
}


def _base_features(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    """Features of the samples and of their successors, scaled so that the kernel in their span exists."""
    seen = int(np.sum(case.weights > 0))
    p = int(rng.integers(1, min(seen, 2 if case.exact else 5) + 1))
    psi, psi_next = numbers(rng, case.exact, case.X, p), numbers(rng, case.exact, case.X, p)
    for k, x in enumerate(np.flatnonzero(case.weights > 0)[:p]):  # full column rank on the data
        psi[x] = 0 * psi[x]
        psi[x, k] = psi[x, k] + 1
    A = _regression(psi, psi_next, case.weights)
    size = (A * A).sum() * case.gamma
    while size >= 1:  # the Frobenius norm bounds the spectral radius
        psi_next, size = psi_next / 2, size / 4
    return {"psi": psi, "psi_next": psi_next}


def _regression(psi: Any, target: Any, D: Any, ridge: Any = 0) -> Any:
    """``(Psi' D Psi + ridge)^-1 Psi' D target``."""
    G = psi.T @ (D[:, None] * psi)
    shift = 0 * G
    np.fill_diagonal(shift, shift[0, 0] + ridge)
    return solve(G + shift, psi.T @ (D[:, None] * target))


def _kernel_matrix(case: Case, A: Any) -> Any:
    """``M = M1 + gamma A M A'`` with ``M1`` the projected reward kernel, [p, p]."""
    psi = case.given["psi"]
    half = _regression(psi, case.K1, case.weights)  # [p, X]
    M1 = _regression(psi, half.T, case.weights)
    if case.exact:
        return rationals(solve_stein_exactly(flint_matrix(A), flint_matrix(M1), case.gamma))
    return scipy.linalg.solve_discrete_lyapunov(np.sqrt(case.gamma) * A, (M1 + M1.T) / 2)


def _stable_in_span(case: Case, ridge: Any = 0) -> list[Relation]:
    psi, psi_next, D = case.given["psi"], case.given["psi_next"], case.weights
    M = _kernel_matrix(case, _regression(psi, psi_next, D, ridge))
    L = case.gamma * _regression(psi, psi_next, D)  # LSPE in the coordinates of psi
    scale = max(1.0, float(floats(np.max(np.abs(M)))))
    out = [at_most(indefiniteness(M), 0, scale), at_most(indefiniteness(case.gamma * M - L @ M @ L.T), 0, scale)]
    if case.exact:
        return out
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


def _norm_on(case: Case, W: Any) -> float:
    """``norm2(L)`` of LSPE on the features ``Psi W`` of this very data set."""
    root = np.sqrt(case.weights)[:, None]
    return case.gamma * norm(np.linalg.pinv(root * (case.given["psi"] @ W)) @ (root * (case.given["psi_next"] @ W)))


def _rounding(case: Case) -> float:
    if case.exact:
        return 0.0
    condition = float(np.linalg.cond(np.sqrt(case.weights)[:, None] * case.given["psi"]))
    return 64 * EPS * max(case.X, 4) * condition**2


def _slack(case: Case) -> list[Relation]:
    psi, D = case.given["psi"], case.weights
    A = _regression(psi, case.given["psi_next"], D)
    M, L = _kernel_matrix(case, A), case.gamma * A
    M1 = _regression(psi, _regression(psi, case.K1, D).T, D)
    scale = max(1.0, float(floats(np.max(np.abs(M)))))
    return [equal(case.gamma * M - L @ M @ L.T, case.gamma * M1, scale), at_most(indefiniteness(M1), 0, scale)]


def _gap_definite(case: Case) -> Relation:
    A = _regression(case.given["psi"], case.given["psi_next"], case.weights)
    M = _kernel_matrix(case, A)
    gap = M - case.gamma * (A @ M @ A.T)
    return at_most(indefiniteness(gap), 0, max(1.0, float(floats(np.max(np.abs(gap))))))


FEATURE_SPACE = Statement(
    slug="feature-space-krope",
    identities=identities.FEATURE_SPACE_KROPE,
    claim="The closed-form KROPE features inside the span of base features keep norm2(L_d) <= sqrt(gamma) on the very "
    "data they were made from, for every d.",
    formula=r"M = M_1 + \gamma A M A^\top,\quad \|L_d\|_2 \le \sqrt\gamma",
    source="B13",
    assumes="gamma rho(A)^2 < 1, base features of full rank on the data, one draw of the next features",
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
            "same-regression",
            "LSPE in the coordinates of psi is gamma A",
            lambda case: [
                equal(
                    case.gamma * (case.given["psi"].T @ (case.weights[:, None] * case.given["psi_next"])),
                    (case.given["psi"].T @ (case.weights[:, None] * case.given["psi"]))
                    @ (case.gamma * _regression(case.given["psi"], case.given["psi_next"], case.weights)),
                )
            ],
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
