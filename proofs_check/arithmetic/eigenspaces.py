r"""The data's covariance operator over the rationals, its eigenspaces, and LSPE on them.

Features truncated under the data's weights are eigenfunctions of $f \mapsto \sum_x D_x f(x) k_x$. On the span of the
kernel functions of the data's pairs, with $\Psi = K_{\cdot I}$ a basis of it and $G = K_{II}$ its Gram matrix in the
RKHS, the operator is $N = G^{-1}\Psi^\top D \Psi$. An irreducible factor of its characteristic polynomial over the
rationals has a rational eigenspace, although the single eigenvectors are irrational as a rule; every union of such
spaces is a subset of eigenpairs on which everything is rational. The top ``d`` for every ``d`` are enclosed in balls.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from proofs_check.arithmetic.linear_algebra import flint_matrix, identity, null_space, pivot_columns, rationals, solve
from proofs_check.arithmetic.regression import seen
from proofs_check.chains.case import Case

if TYPE_CHECKING:
    from proofs_check.arithmetic.truncated import Truncation

#: Bits of the balls.
PRECISION = 256


def eigenspaces(case: Case) -> list[Any]:
    """Rational bases of the eigenspaces of the irreducible factors, in the coordinates of ``Psi``, [n, .] each."""

    def build() -> list[Any]:
        N = flint_matrix(seen(case).N)
        return [null_space(rationals(_value(factor, N))) for factor, _ in N.charpoly().numer().factor()[1]]

    return case.once("eigenspaces", build)


def unions(case: Case) -> list[Any]:
    """Every union of them, that is every subset of eigenpairs that is defined over the rationals."""
    spaces = eigenspaces(case)
    chosen = (some for k in range(1, len(spaces) + 1) for some in combinations(spaces, k))
    return case.once("unions", lambda: [np.hstack(some) for some in chosen])


def enclosed(case: Case) -> "Iterator[Truncation]":
    """LSPE on the top ``d`` eigenfunctions in balls, for each ``d`` below the rank at which they are defined."""
    from proofs_check.arithmetic.truncated import truncation

    here = seen(case)
    N, gram, L = (flint_matrix(M) for M in (here.N, here.gram, here.L))
    for d in range(1, len(here.points)):
        found = truncation(N, gram, L, d)
        if found is not None:
            yield found


def enclosed_norms(case: Case) -> list[tuple[int, arb]]:
    """``norm2(L_d)^2`` in balls, with its ``d``."""
    with ctx.workprec(PRECISION):
        return [(found.W.ncols(), found.norm() * found.norm()) for found in enclosed(case)]


def enclosed_errors(case: Case) -> list[tuple[arb, arb, arb]]:
    """Squared RKHS norms of ``q - q_d`` and of ``q - q_hat`` and the largest ``(q - q_hat)^2``, in balls.

    A number of features is left out where the balls are too wide to solve with: it says nothing, for or against.
    """
    here = seen(case)
    value, reward = (_column(here.coordinates(f)) for f in (case.q, case.r))
    size = squared_norm(case, case.q)
    out = []
    with ctx.workprec(PRECISION):
        for found in enclosed(case):
            V, G = found.basis(), arb_mat(flint_matrix(here.gram))
            dual, gram = V.transpose() * G, V.transpose() * G * V
            try:
                best, b = gram.solve(dual * value), gram.solve(dual * reward)
                A = gram.solve(dual * arb_mat(flint_matrix(here.L)) * V)
                theta = (arb_mat(flint_matrix(identity(V.ncols(), True))) - A).solve(b)
            except ZeroDivisionError:
                continue  # flint's word for a ball that may hold zero where a pivot must not
            apart = best - theta
            rest = arb(size) - (best.transpose() * gram * best)[0, 0]
            wrong = rest + (apart.transpose() * gram * apart)[0, 0]
            error = _column(case.q) - arb_mat(flint_matrix(here.Psi)) * V * theta
            largest = arb(0)
            for entry in error.entries():
                largest = largest.max(entry * entry)
            out.append((rest, wrong, largest))
    return out


def squared_norm(case: Case, f: Any) -> Any:
    """``|f|^2`` in the RKHS, for a rational ``f`` [X] in the range of ``K``.

    >>> from proofs_check.chains.witness import case_from_witness
    >>> case = case_from_witness({"P_pi": [["1", "0"], ["0", "1"]], "r": ["0", "1"], "gamma": "1/2"})
    >>> squared_norm(case, rationals([2, 4]))
    10
    """
    points = case.once("points", lambda: pivot_columns(case.K))
    return f[points] @ solve(case.K[np.ix_(points, points)], f[points])


def decided(ball: arb, bound: arb) -> tuple[fmpq, fmpq] | None:
    """Rational sides of ``ball <= bound`` as far apart as the balls prove; None if they overlap.

    >>> decided(arb(1), arb(3)), decided(arb(1, 1), arb(2))
    ((-2, 0), None)
    """
    with ctx.workprec(PRECISION):
        difference = ball - bound
        if not difference.is_finite() or difference.contains(0):
            return None
        nearest = difference.upper() if difference < 0 else difference.lower()
        return nearest.fmpq(), fmpq(0)


def _value(polynomial: Any, N: fmpq_mat) -> fmpq_mat:
    """A polynomial of a matrix."""
    out = fmpq_mat(N.nrows(), N.nrows())
    one = flint_matrix(identity(N.nrows(), True))
    for coefficient in reversed(polynomial.coeffs()):
        out = out * N + fmpq(coefficient) * one
    return out


def _column(values: Any) -> arb_mat:
    return arb_mat(flint_matrix(values[:, None]))
