"""Proofs about the spectrum and the norm of LSPE's map on KROPE representations: B1 and B2."""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import (
    flint_matrix,
    floats,
    identity,
    indefiniteness,
    independent_columns,
    outside,
    rank,
    rationals,
    solve,
)
from proofs_check.arithmetic.regression import iteration, kernel_iteration, kernel_radius, norm, seen, top_features
from proofs_check.chains.case import Case
from proofs_check.statements.relation import Relation, at_most, below, equal, float_only
from proofs_check.statements.stability.proof import norm_step
from proofs_check.statements.statement import Step
from tabular_krope.errors import KropeError
from tabular_krope.exact.exact_stein import solve_stein_exactly
from tabular_krope.exact.psd import is_pd, rational_ldl


def span(case: Case) -> Any:
    """A basis of the range of ``K``: rational columns of it, or float features that are orthonormal in the RKHS."""
    uniform = None if case.exact else np.full(case.X, 1 / case.X)
    return case.once("span", lambda: independent_columns(case.K) if case.exact else top_features(case, uniform)[0])


def level_sets(case: Case) -> Any:
    """Indicators of the reward's level sets, [X, m]."""
    values = sorted(set(case.r))
    return np.column_stack([np.where(case.r == value, 1 + 0 * case.r, 0 * case.r) for value in values])


def powers_of_levels(case: Case) -> Any:
    """The level sets' indicators and their images under powers of the chain."""
    out = [level_sets(case)]
    for _ in range(case.X - 1):
        out.append(case.P_pi @ out[-1])
    return np.hstack(out)


def _coordinates(case: Case, V: Any, f: Any) -> Any:
    return solve(V.T @ V, V.T @ f) if case.exact else np.linalg.lstsq(V, f, rcond=None)[0]


def _ranges(case: Case) -> list[Relation]:
    inside = equal(outside(span(case), powers_of_levels(case)), 0, case.horizon)
    return [inside, equal(rank(powers_of_levels(case)), rank(case.K))] if case.exact else [inside]


def _contains(case: Case) -> list[Relation]:
    return [equal(outside(span(case), np.column_stack([1 + 0 * case.r, case.r, case.q])), 0, case.horizon)]


def invariant(case: Case) -> list[Relation]:
    """``P_pi`` maps the range of ``K`` into itself."""
    return [equal(outside(span(case), case.P_pi @ span(case)), 0, case.horizon)] if case.gamma > 0 else []


def _scale(L: Any) -> float:
    return max(1.0, float(floats(np.max(np.abs(L)))))


def _restriction(case: Case) -> list[Relation]:
    L = iteration(case, span(case)).L
    return [equal(span(case) @ L, case.gamma * (case.P_pi @ span(case)), _scale(L))]


def _at_least(case: Case) -> list[Relation]:
    one = 1 + 0 * case.r
    w, L = _coordinates(case, span(case), one), iteration(case, span(case)).L
    return [equal(span(case) @ w, one), equal(L @ w, case.gamma * w, _scale(L))]


def _at_most(case: Case) -> list[Relation]:
    later = np.abs(case.P_pi @ span(case)).max(axis=0)
    return [at_most(-case.P_pi, 0), equal(case.P_pi.sum(axis=1), 1), at_most(later, np.abs(span(case)).max(axis=0))]


def _fixed_point(case: Case) -> list[Relation]:
    it = iteration(case, span(case))
    theta = _coordinates(case, span(case), case.q)
    return [equal(it.b, theta - it.L @ theta, _scale(it.L) * _scale(theta))]


SHARP = (
    Step("ranges", "range K = sum of P^n range K1: powers of the chain on functions of the reward", _ranges),
    Step("contains", "so it contains 1, r and q", _contains),
    Step("invariant", "and P_pi Phi = Phi M", invariant),
    Step("restriction", "B is invertible, so L = gamma M: Phi L = gamma P_pi Phi", _restriction),
    Step("at-least", "1 = Phi w gives L w = gamma w, so rho(L) >= gamma", _at_least),
    Step("at-most", "max |P f| <= max |f|, so powers of P stay bounded and rho(L) <= gamma", _at_most),
    Step("fixed-point", "q = Phi theta gives b = theta - L theta: LSPE's limit is q", _fixed_point),
)


def _gap(case: Case) -> list[Relation]:
    return [equal(case.K - case.gamma * case.after, case.K1), at_most(indefiniteness(case.K1), 0)]


def _factored(case: Case) -> tuple[Any, Any, Any]:
    """``K = G T G'`` over the rationals and ``M`` with ``P G = G M``."""
    factor = rational_ldl(flint_matrix(case.K))
    G, T = rationals(factor.G), 0 * identity(factor.rank, True)
    np.fill_diagonal(T, list(factor.T))
    return G, T, _coordinates(case, G, case.P_pi @ G)


def _modulus(case: Case) -> list[Relation]:
    if case.gamma == 0:
        return []
    if case.exact:
        G, T, M = _factored(case)
        gap = T - case.gamma * (M @ T @ M.T)
        return [equal(G @ M, case.P_pi @ G), equal(G @ gap @ G.T, case.K1), at_most(indefiniteness(gap), 0)]
    it = iteration(case, span(case), np.full(case.X, 1 / case.X))
    wider = max(1.0, it.condition / kernel_iteration(case).condition)
    return [at_most(norm(it.L) ** 2, case.gamma, wider)]


def _multiplicity(case: Case) -> list[Relation]:
    if not case.exact or case.gamma == 0:
        return []
    _, T, M = _factored(case)
    gap = T - case.gamma * (M @ T @ M.T)
    return [equal(rank(gap), rank(case.K1)), equal(rank(case.K1), len(set(case.r)))]


def _strict(case: Case) -> list[Relation]:
    """Over the rationals by Lyapunov: ``X = I + L' X L / gamma`` has a positive definite solution iff rho^2 < gamma."""
    if case.gamma == 0:
        return []
    if not case.exact:
        return [float_only(below(kernel_radius(case) ** 2, case.gamma))]
    L = flint_matrix(seen(case).L)
    try:
        found = is_pd(solve_stein_exactly(L.transpose(), flint_matrix(identity(L.nrows(), True)), 1 / case.gamma))
    except KropeError:
        found = False
    return [below(-1 if found else 1, 0)]  # the sign of rho^2 - gamma


RKHS = (
    Step("gap", "K - gamma P K P' = K1, which is positive semidefinite", _gap),
    Step("invariant", "P_pi G = G M for K = G G' (gamma > 0)", invariant),
    Step("modulus", "so G (I - gamma M M') G' = K1 >= 0 and norm2(gamma M)^2 <= gamma", _modulus),
    Step("norm", "residual-identity with E = 0: L L' <= gamma B B^+, any weights", norm_step),
    Step("multiplicity", "I - gamma M M' has the rank of K1, the number of distinct rewards", _multiplicity),
    Step("strict", "rho(L)^2 < gamma: an eigenvector of modulus sqrt(gamma) would be one of gamma P", _strict),
)
