r"""LSPE over the rationals: a float64 array is a rational array, so any features can be arbitrated without rounding.

The non-zero eigenvalues of $L = \gamma\,(B^+ \Phi^\top D P)(\Pi \Phi)$ are those of the product in the other order, so
the spectral radius is enclosed on whichever of the two is smaller, [d, d] or [S, S].
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from tabular_krope.arrays import Array, frozen_array
from tabular_krope.evaluation.iteration import fixed_point, iterates
from tabular_krope.evaluation.lspe import LSPE
from tabular_krope.exact.rationals import (
    column,
    diagonal,
    entries,
    float_matrix,
    float_vector,
    identity,
    rational,
    rational_matrix,
    rational_vector,
)
from tabular_krope.exact.spectra import is_stable, radius_enclosure
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mrp import MRP


@dataclass(frozen=True, slots=True, eq=False)
class ExactIteration:
    """LSPE's iteration ``theta <- b + L theta`` over the rationals.

    Attributes:
        L: iteration matrix, [d, d].
        b: constant, [d, 1].
        core: a matrix with the non-zero eigenvalues of ``L``, [d, d] or [S, S].
        rank: rank of ``D^1/2 Phi``.
    """

    L: fmpq_mat
    b: fmpq_mat
    core: fmpq_mat
    rank: int


def exact_iteration(mrp: ExactMRP, Phi: fmpq_mat, D: tuple[fmpq, ...]) -> ExactIteration:
    """LSPE's iteration matrix and constant, exactly, with the Moore-Penrose inverse of the covariance.

    Args:
        mrp: the process over the rationals.
        Phi: features, [X, d].
        D: non-negative weights, [X]; only their ratios matter.

    >>> from tabular_krope.exact.rationals import rational_matrix
    >>> mrp = ExactMRP.from_matrix([[0, 1], [0, 1]], [0, 0], "9/10")
    >>> exact_iteration(mrp, rational_matrix([[1], [2]]), (fmpq(1), fmpq(0))).L.table()
    [[9/5]]
    """
    weighted = Phi.transpose() * diagonal(D)  # [d, X]
    B_pinv, rank = _pseudo_inverse(Phi, D)
    regression = B_pinv * weighted  # B^+ Phi' D, [d, X]
    ahead = mrp.gamma * (regression * mrp.P)  # [d, S]
    back = mrp.Pi * Phi  # [S, d]
    L = ahead * back
    core = back * ahead if mrp.n_states < L.nrows() else L
    return ExactIteration(L, regression * column(mrp.r), core, rank)


def exact_rows(Phi: Array, Phi_next: Array, r: Array, gamma: float, D: Array, penalty: Array | None) -> ExactIteration:
    """The same on rows of data, all floats read as the rationals they are; the weights are made to sum to 1.

    >>> one = np.array([[1.0]])
    >>> exact_rows(one, 2 * one, np.zeros(1), 0.75, np.ones(1), None).L.table()
    [[3/2]]
    >>> exact_rows(one, 2 * one, np.zeros(1), 0.75, np.ones(1), penalty=one).L.table()  # the penalty leads nowhere
    [[3/4]]
    """
    shares = rational_vector(D)
    total = sum(shares, fmpq(0))
    if penalty is not None:
        Phi, Phi_next = np.concatenate([Phi, penalty]), np.concatenate([Phi_next, 0 * penalty])
        r = np.concatenate([r, np.zeros(len(penalty))])
    weights = (*(share / total for share in shares), *[fmpq(1)] * (len(Phi) - len(D)))
    rows = rational_matrix(Phi)
    B_pinv, rank = _pseudo_inverse(rows, weights)
    regression = B_pinv * (rows.transpose() * diagonal(weights))  # [d, n]
    L = rational(gamma) * (regression * rational_matrix(Phi_next))
    return ExactIteration(L, regression * column(rational_vector(r)), L, rank)


@dataclass(frozen=True, slots=True, eq=False)
class ExactInputs:
    """What LSPE is given, over the rationals: the chain, features [X, d] and weights [X] (not normalized)."""

    mrp: ExactMRP
    Phi: fmpq_mat
    D: tuple[fmpq, ...]

    def rounded(self) -> tuple[Array, Array]:
        """Features and weights as floats."""
        return float_matrix(self.Phi), float_vector(self.D)


def exact_inputs(mrp: MRP | ExactMRP, phi: Any, weights: Any) -> ExactInputs:
    """Floats read as the rationals they are, fractions as they are written; weights None are uniform."""
    floats = isinstance(mrp, MRP)
    X = mrp.n_pairs
    # For a float chain the float checks come first, with their messages.
    table = phi if isinstance(phi, list | tuple | fmpq_mat) else np.asarray(phi)
    Phi = rational_matrix(frozen_array(phi, "phi", (X, None)) if floats else table, "phi")
    if weights is None:
        D = (fmpq(1),) * X
    else:
        D = rational_vector(frozen_array(weights, "weights", (X,)) if floats else weights, "weights")
    return ExactInputs(mrp.exact() if isinstance(mrp, MRP) else mrp, Phi, D)


def exact_lspe(inputs: ExactInputs, steps: int, theta0: Array, condition: float) -> LSPE:
    """`lspe` with ``solver="exact"``: no rounding until the results are turned into floats."""
    return certified(exact_iteration(inputs.mrp, inputs.Phi, inputs.D), inputs.rounded()[0], steps, theta0, condition)


def certified(iteration: ExactIteration, Phi: Array, steps: int, theta0: Array, condition: float) -> LSPE:
    """The verdict on an exact iteration; ``Phi`` are the rounded features."""
    low, high = radius_enclosure(iteration.core)
    L, b = float_matrix(iteration.L), float_vector(iteration.b.entries())
    radius = (low + high) / 2
    theta = _fixed_point(iteration)
    return LSPE(
        L=L,
        b=b,
        spectral_radius=radius,
        norm=max(float(np.linalg.norm(L, 2)), radius),  # they differ by rounding at most
        stable=is_stable(iteration.core),
        theta=theta,
        q_hat=Phi @ theta,
        rank=iteration.rank,
        condition=condition,
        trace=iterates(L, b, theta0, steps),
        solver="exact",
        dtype="rational",
        enclosure=(low, high),
    )


def _independent_rows(Phi: fmpq_mat, D: tuple[fmpq, ...]) -> list[int]:
    """Rows of ``Phi`` with positive weight that are a basis of all such rows."""
    support = [x for x, weight in enumerate(D) if weight > 0]
    seen = fmpq_mat(len(support), Phi.ncols(), [Phi[x, k] for x in support for k in range(Phi.ncols())])
    reduced, _, rank = seen.transpose().numer_denom()[0].rref()
    pivots = [next(j for j in range(len(support)) if reduced[i, j] != 0) for i in range(rank)]
    return [support[j] for j in pivots]


def _pseudo_inverse(Phi: fmpq_mat, D: tuple[fmpq, ...]) -> tuple[fmpq_mat, int]:
    """Moore-Penrose inverse of ``B = Phi' D Phi``, and its rank.

    With the columns of ``Y`` a basis of the range of ``B``, it is ``Y (Y'BY)^-1 Y'``; rows of ``Phi`` make a basis
    whose entries are as short as the features themselves.
    """
    d = Phi.ncols()
    B = Phi.transpose() * diagonal(D) * Phi
    basis = _independent_rows(Phi, D)
    if len(basis) == d:
        return B.inv(), d
    Y = fmpq_mat(len(basis), d, [Phi[x, k] for x in basis for k in range(d)]).transpose()
    if not basis:
        return fmpq_mat(d, d), 0
    return Y * (Y.transpose() * B * Y).solve(Y.transpose()), len(basis)


def _fixed_point(iteration: ExactIteration) -> Array:
    d = iteration.L.nrows()
    try:
        return float_vector(entries((identity(d) - iteration.L).solve(iteration.b)))
    except ZeroDivisionError:  # eigenvalue 1: no unique fixed point, take the least-squares one of least norm
        return fixed_point(float_matrix(iteration.L), float_vector(iteration.b.entries()))
