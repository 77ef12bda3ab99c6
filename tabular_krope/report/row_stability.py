r"""LSPE on rows of data by every solver, and what the rows say about why it would diverge.

In a basis $Q = \Phi E$ that is orthonormal on the data ($Q^\top D Q = I$), LSPE's matrix is $T = \gamma\,Q^\top D Q'$,
so $\rho(T) \le \gamma\sqrt\kappa$ with the *growth* $\kappa = \lambda_{max}(Q'^\top D Q')$: the largest ratio of mean
squares, of the successors' features to the data's, over all directions. If the successors were distributed like the
data, kappa would be 1. Hence $\rho \ge 1$ in exact arithmetic needs $\kappa \ge 1/\gamma^2$: only a shift between the
data and what follows them under the target policy makes LSPE diverge.
"""

from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array, Matrix
from tabular_krope.data.offline import OfflineProblem
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.lspe_on_data import compressed, rows_with_caveat, weighted_rows
from tabular_krope.evaluation.value_estimate import orthonormal_basis

#: How LSPE is computed. The first is the one to believe, the last what a float32 program does.
ROUTES = (("svd", "float64"), ("svd", "float32"), ("covariance", "float64"), ("covariance", "float32"))
#: Iterations that are kept for the picture.
STEPS = 60
#: Angles of eigenvalues at which the unit circle is looked at, and as many others.
ANGLES = 8


@dataclass(frozen=True, slots=True, eq=False)
class RowRoute:
    """LSPE on the rows by one solver.

    Attributes:
        solver, dtype: how.
        spectral_radius, norm, stable: of its matrix.
        value: of the starts at its fixed point.
        condition: of what the solver inverts: the weighted features, or their covariance.
        errors: what is left of an error after 0, 1, ... steps, root mean square over the data and over errors in all
            directions alike, [steps + 1].
        failure: why the solver could not be used; then the numbers are NaN.
        caveat: what float64 does not determine of it, in words; empty if nothing.
    """

    solver: str
    dtype: str
    spectral_radius: float
    norm: float
    stable: bool
    value: float
    condition: float
    errors: Array
    failure: str = ""
    caveat: str = ""

    @property
    def name(self) -> str:
        """For instance ``svd float64``."""
        return f"{self.solver} {self.dtype}"


def row_routes(problem: OfflineProblem, facts: "RowFacts") -> tuple[RowRoute, ...]:
    """LSPE on the rows by each of `ROUTES`."""
    return tuple(_route(problem, facts, solver, dtype) for solver, dtype in ROUTES)


def _route(p: OfflineProblem, facts: "RowFacts", solver: str, dtype: str) -> RowRoute:
    try:
        out = rows_with_caveat(p.Phi, p.Phi_next, p.r, p.gamma, solver=solver, dtype=dtype, steps=0)
    except (KropeError, np.linalg.LinAlgError) as error:
        nan = float("nan")
        return RowRoute(solver, dtype, nan, nan, False, nan, nan, np.full(STEPS + 1, nan), str(error))
    start = p.start_weights @ p.starts
    condition = out.condition if solver == "svd" else float(np.square(out.condition))
    value, errors = float(start @ out.theta), _errors(out.L, facts)
    numbers = (out.spectral_radius, out.norm, out.stable, value, condition, errors)
    return RowRoute(solver, dtype, *numbers, caveat=out.caveat)


def _errors(L: Array, facts: "RowFacts") -> Array:
    left, V = np.empty(STEPS + 1), facts.E
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(STEPS + 1):
            left[t] = np.linalg.norm(facts.R @ V) / np.sqrt(facts.rank)
            V = L @ V
    return left


@dataclass(frozen=True, slots=True, eq=False)
class RowFacts:
    """What the features and the data look like, before any iteration.

    Attributes:
        transitions, episodes, d: numbers of rows, episodes and features.
        rank: numerical rank of the features on the data.
        condition: largest over smallest singular value within it.
        singular_values: of the weighted features, decreasing, [rank].
        growth: kappa, mean square of the successors' features over the data's in the worst direction.
        margin: the smallest change of T that puts an eigenvalue on the unit circle.
        rounding: what rounding may have changed that matrix by; only a larger margin decides.
        E, T: the basis [d, rank] and LSPE's matrix in it; sparse where the features are.
        R: few rows with the products of the weighted features, ``R' R = Phi' D Phi``, [<= 2d + 1, d].
    """

    transitions: int
    episodes: int
    d: int
    rank: int
    condition: float
    singular_values: Array
    growth: float
    margin: float
    rounding: float
    E: Matrix
    T: Matrix
    R: Matrix


def row_facts(p: OfflineProblem) -> RowFacts:
    """The facts of the rows of ``p``."""
    n, d = p.Phi.shape
    D = np.full(n, 1.0 / n)
    E = orthonormal_basis(p.Phi, p.Phi_next, p.r, D)
    rows = compressed(weighted_rows(p.Phi, p.Phi_next, p.r, D), d)
    Q, Q_next = rows.Phi @ E, rows.Phi_next @ E
    T = p.gamma * (Q.T @ Q_next)
    sigma = 1.0 / np.linalg.norm(E, axis=0)
    growth = float(np.linalg.norm(Q_next, 2)) ** 2
    condition = float(sigma[0] / sigma[-1])
    relative = (2 * d + 1 + isqrt(n)) * float(np.finfo(float).eps) * condition
    rounding = relative * p.gamma * float(np.sqrt(growth))
    many = len(np.unique(p.episodes))
    margin = distance_to_the_circle(T)
    return RowFacts(n, many, d, E.shape[1], condition, sigma, growth, margin, rounding, E, T, rows.Phi)


def distance_to_the_circle(T: Array) -> float:
    r"""How small a change of ``T`` puts an eigenvalue on the unit circle: $\min_{|z| = 1} \sigma_{min}(z I - T)$.

    No smaller change moves an eigenvalue from one side of the circle to the other. The minimum is looked for at the
    angles of the eigenvalues nearest to the circle, and at a few others.

    >>> round(distance_to_the_circle(np.array([[0.5, 0.0], [0.0, -3.0]])), 12)
    0.5
    """
    shifted = (np.exp(1j * angle) * np.eye(len(T)) - T for angle in angles_to_look_at(np.linalg.eigvals(T)))
    return min(float(scipy.linalg.svdvals(matrix)[-1]) for matrix in shifted)


def angles_to_look_at(eigenvalues: Any) -> Array:
    """Angles of the eigenvalues nearest to the unit circle, and a few others, between 0 and pi."""
    near = np.argsort(np.abs(np.abs(eigenvalues) - 1.0))[:ANGLES]
    return np.unique(np.concatenate([np.abs(np.angle(eigenvalues[near])), np.linspace(0.0, np.pi, ANGLES)]))
