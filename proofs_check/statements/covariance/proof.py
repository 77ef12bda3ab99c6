"""Proofs about features of full rank under positive weights (C5), and about pairs of bad transitions."""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import flint_matrix, floats, identity, solve
from proofs_check.arithmetic.regression import iteration, radius
from proofs_check.chains.case import Case
from proofs_check.statements.relation import Relation, at_most, below, equal
from proofs_check.statements.statement import Step
from tabular_krope.exact.spectra import is_stable


def _fit(case: Case) -> Any:
    """``B^+ Phi' D``, [d, X]; with full row rank and positive weights the least-norm fit does not depend on them."""
    Phi = case.given["phi"]
    return Phi.T @ solve(Phi @ Phi.T, identity(case.X, case.exact))


def _size(Phi: Any) -> float:
    return max(1.0, float(floats(np.max(np.abs(Phi)))))


def _projector(case: Case) -> list[Relation]:
    Phi = case.given["phi"]
    return [
        equal(Phi @ _fit(case), identity(case.X, case.exact)),
        equal(iteration(case, Phi).L, case.gamma * (_fit(case) @ case.P_pi @ Phi)),
    ]


def intertwined(case: Case) -> Relation:
    """``Phi L = gamma P_pi Phi``."""
    Phi = case.given["phi"]
    return equal(Phi @ iteration(case, Phi).L, case.gamma * (case.P_pi @ Phi), _size(Phi))


def _spectrum(case: Case) -> list[Relation]:
    """``det(x - L) = x^(d - X) det(x - gamma P_pi)`` over the rationals; traces of three powers for floats."""
    Phi = case.given["phi"]
    L, A = iteration(case, Phi).L, case.gamma * case.P_pi
    if not case.exact:
        powers = [(np.linalg.matrix_power(L, n), np.linalg.matrix_power(A, n)) for n in (1, 2, 3)]
        return [equal(np.trace(left), np.trace(right), _size(Phi)) for left, right in powers]
    left, right = flint_matrix(L).charpoly(), flint_matrix(A).charpoly()
    more = Phi.shape[1] - case.X
    found = [left[k] for k in range(Phi.shape[1] + 1)]
    wanted = [right[k - more] if k >= more else right[0] * 0 for k in range(Phi.shape[1] + 1)]
    return [equal(np.array(found, dtype=object), np.array(wanted, dtype=object))]


def _stable(case: Case) -> list[Relation]:
    """The rows of ``P_pi`` sum to at most 1, so ``rho(gamma P_pi) <= gamma``."""
    out = [at_most(-case.P_pi, 0), at_most(case.P_pi.sum(axis=1), 1)]
    L = iteration(case, case.given["phi"]).L
    if case.exact:
        return [*out, equal(int(is_stable(flint_matrix(L))), 1)]
    return [*out, below(radius(L), 1)]


FULL_RANK = (
    Step("projector", "Phi B^+ Phi' D is the identity: every function is reproduced", _projector),
    Step("intertwined", "so Phi L = gamma P_pi Phi", lambda case: [intertwined(case)]),
    Step("spectrum", "and the non-zero eigenvalues of L are those of gamma P_pi", _spectrum),
    Step("stable", "which are at most gamma in modulus: no instance is unstable", _stable),
)


def _factored(case: Case) -> list[Relation]:
    p = case.given["p"]
    return [equal(2 * p * (1 - p) - p * p, p * (2 - 3 * p))]


def _sign(case: Case) -> list[Relation]:
    p = case.given["p"]
    return [at_most(0, p * (2 - 3 * p))] if p[0] * 3 <= 2 else [at_most(p * (2 - 3 * p), 0)]


def _equality(case: Case) -> list[Relation]:
    p = (1 + 0 * case.given["p"]) * 2 / 3
    return [equal(2 * p * (1 - p), p * p), at_most(4, 9 * p * p)]


BAD_PAIRS = (
    Step("difference", "2p(1-p) - p^2 = p (2 - 3p)", _factored, kind="algebra"),
    Step("sign", "p >= 0, so its sign is that of 2 - 3p", _sign, kind="algebra"),
    Step("equality", "both are 4/9 at p = 2/3", _equality, kind="algebra"),
)
