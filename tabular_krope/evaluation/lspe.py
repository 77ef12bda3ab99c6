r"""Least-squares policy evaluation (LSPE) and its stability.

With data weights ``D``, $B = \Phi^\top D \Phi$ and $C = \Phi^\top D P_\pi \Phi$, LSPE iterates

$$\theta_{t+1} = B^+ \Phi^\top D (r + \gamma P_\pi \Phi\,\theta_t) = b + L\,\theta_t, \qquad L = \gamma B^+ C,$$

and converges to one limit from every start iff $\rho(L) < 1$. Three ways to compute ``L``:

- ``svd``: $B^+ \Phi^\top D = (D^{1/2}\Phi)^+ D^{1/2}$ by a singular value decomposition of $D^{1/2}\Phi$, or in
  layers where the weights differ by more than a million. The covariance ``B``, whose condition number is the square, is
  never formed, no positive weight is too small to count, and columns of any sizes are evened out first. Where double
  precision does not determine the spectral radius to 1e-7, small problems are solved exactly, and results of large
  ones say so (``caveat``), as do all whose rank it does not determine.
- ``covariance``: the paper's route, a pseudo-inverse of ``B`` in float64 or float32; it is here because what it gets
  wrong is the thing to be shown.
- ``exact``: floats read as rationals, ``L`` without rounding, and a certified enclosure of its spectral radius.
"""

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array, distribution, frozen_array, require_count, roots_of_weights
from tabular_krope.errors import KropeError, PrecisionWarning
from tabular_krope.evaluation.determined import settled
from tabular_krope.evaluation.iteration import (
    Iteration,
    by_covariance,
    conditions,
    fixed_point,
    iterates,
    rank_and_condition,
)
from tabular_krope.evaluation.lspe_on_chain import chain_iteration, features_after
from tabular_krope.evaluation.solvers import DTYPES, cast_roots, require_route, require_size
from tabular_krope.evaluation.spectral import radius_and_norm
from tabular_krope.looks import Tabled
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mrp import MRP, require_mrp
from tabular_krope.representations.layers import column_scales, eliminated, graded, graded_svd

SOLVERS = ("svd", "covariance", "exact")


@dataclass(frozen=True, slots=True, eq=False)
class LSPE(Tabled):
    """What LSPE does on given features and data.

    Attributes:
        L: the iteration matrix, [d, d].
        b: the constant of the iteration, [d].
        spectral_radius: largest modulus of the eigenvalues of ``L``.
        norm: 2-norm of ``L`` in the coordinates of the given features.
        stable: whether the spectral radius is below 1; certified for ``solver="exact"``.
        theta: the fixed point (of least norm if there are several), [d]; the limit of the iteration when stable.
        q_hat: ``Phi theta``, [X].
        rank: numerical rank of ``D^1/2 Phi``; exact for ``solver="exact"``.
        condition: ratio of the largest to the smallest non-null singular value of ``D^1/2 Phi``.
        trace: iterates from ``theta0``, [steps + 1, d].
        solver: "svd", "covariance" or "exact".
        dtype: arithmetic of the solver.
        enclosure: certified interval that contains the spectral radius; None unless ``solver="exact"``.
        caveat: what float64 does not determine, in words: the rank, or digits of the spectral radius. Empty if nothing.
    """

    L: Array
    b: Array
    spectral_radius: float
    norm: float
    stable: bool
    theta: Array
    q_hat: Array
    rank: int
    condition: float
    trace: Array
    solver: str
    dtype: str
    enclosure: tuple[float, float] | None = None
    caveat: str = ""

    def _table(self) -> tuple[str, dict[str, Any]]:
        sizes = {"spectral radius": float(self.spectral_radius), "norm": float(self.norm)}
        sizes |= {"features": len(self.b), "rank": self.rank, "condition": float(self.condition)}
        facts = {"stable": bool(self.stable), **sizes, "solver": f"{self.solver}, {self.dtype}"}
        return "LSPE", facts | ({"but": self.caveat} if self.caveat else {})


def lspe(
    mrp: MRP | ExactMRP,
    phi: Any,
    weights: Any = None,
    solver: str = "svd",
    dtype: str = "float64",
    steps: int = 100,
    theta0: Any = None,
    rcond: float | None = None,
) -> LSPE:
    """LSPE on features ``phi``: iteration matrix, stability, limit and the first iterates.

    Args:
        mrp: the reward process. For an ExactMRP with ``solver="exact"`` features and weights may be fractions (strings
            such as "1/3") too; the other solvers round it.
        phi: features, [X, d]; an array or Features.
        weights: data distribution over pairs, [X]; uniform if None. Zeros are legal: the least-squares solution of
            least norm is taken.
        solver: "svd", "covariance" or "exact".
        dtype: "float64" or "float32", for the first two solvers.
        steps: iterations to record in the trace.
        theta0: where the trace starts, [d]; zero if None.
        rcond: relative cut-off of the pseudo-inverse, in [0, 1), for ``solver="covariance"`` only; numpy's default
            1e-15 if None. (torch's is ``d * eps``, which drops directions where numpy keeps noise.)

    Returns:
        An `LSPE` value. One with a ``caveat`` comes with a `PrecisionWarning`. A problem of up to 2048 entries and 24
        features whose spectral radius float64 does not determine is solved exactly (``solver`` tells).

    >>> mrp = MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], gamma=0.9)
    >>> out = lspe(mrp, [[1.0], [2.0]], weights=[1.0, 0.0])  # Tsitsiklis and Van Roy: w -> 2w
    >>> round(out.spectral_radius, 12), out.stable
    (1.8, False)
    """
    return told(lspe_with_caveat(mrp, phi, weights, solver, dtype, theta0, rcond, steps=steps))


def lspe_with_caveat(
    mrp: MRP | ExactMRP,
    phi: Any,
    weights: Any,
    solver: str = "svd",
    dtype: str = "float64",
    theta0: Any = None,
    rcond: float | None = None,
    *,
    steps: int,
) -> LSPE:
    """`lspe` without a warning, for callers that read the caveat."""
    require_mrp(mrp, exact=True)
    require_route(solver, dtype, rcond, SOLVERS)
    steps = require_count(steps, "steps", least=0)
    if solver == "exact":
        return _exactly(mrp, phi, weights, steps, theta0)
    X = mrp.n_pairs
    Phi = require_features(phi, "phi", X)
    root, start = roots_of_weights(weights, X), _start(theta0, Phi.shape[1])
    require_size(Phi, "phi", dtype)
    chain = mrp.to_float() if isinstance(mrp, ExactMRP) else mrp
    if solver == "covariance":
        return judged(_covariance(chain, Phi.astype(DTYPES[dtype]), root, rcond), Phi, steps, start, solver, dtype)
    found = chain_iteration(chain, Phi.astype(DTYPES[dtype]), cast_roots(root, dtype))
    if dtype != "float64":
        return judged(in_float64(found, weighted_rank(Phi, root)), Phi, steps, start, solver, dtype)
    return settled(
        found,
        Phi,
        Phi[root > 0],
        again=lambda changed: chain_iteration(chain, changed(Phi), root),
        exactly=lambda: _exactly(mrp, phi, weights, steps, start),
        judge=lambda caveat: judged(found, Phi, steps, start, solver, dtype, caveat),
    )


def told(out: LSPE) -> LSPE:
    """The result, its caveat told as a warning at the line that called the caller."""
    if out.caveat:
        warnings.warn(out.caveat, PrecisionWarning, stacklevel=3)
    return out


def require_features(value: Any, name: str, rows: int | None = None) -> Array:
    """Features [rows, d] with at least one column."""
    Phi = frozen_array(value, name, (rows, None))
    if Phi.shape[1] == 0:
        raise KropeError(f"{name} must have at least one column; got shape {Phi.shape}")
    return Phi


def weighted_rank(Phi: Array, root: Array) -> tuple[int, float]:
    """Numerical rank and condition number of ``D^1/2 Phi`` in float64, for weights of any sizes.

    >>> weighted_rank(np.eye(2), np.array([1.0, 1e-100]))
    (2, 1e+100)
    """
    if not graded(root) and column_scales(root[:, None] * Phi) is None:
        return rank_and_condition(scipy.linalg.svdvals(root[:, None] * Phi), Phi.shape)
    layers = eliminated(Phi[root > 0], root[root > 0])
    return layers.rank, float(conditions(graded_svd(layers.weighted())[1]))


def in_float64(found: Iteration, measured: tuple[int, float]) -> Iteration:
    """An iteration of another arithmetic with the rank and the condition number that float64 sees."""
    return replace(found, rank=measured[0], condition=measured[1])


def judged(found: Iteration, Phi: Array, steps: int, theta0: Array, solver: str, dtype: str, caveat: str = "") -> LSPE:
    """The verdict on an iteration."""
    radius, norm = (float(size) for size in radius_and_norm(found, float(np.finfo(DTYPES[dtype]).eps)))
    theta = fixed_point(found.L, found.b)
    return LSPE(
        L=found.L,
        b=found.b,
        spectral_radius=radius,
        norm=norm,
        stable=radius < 1,
        theta=theta,
        q_hat=Phi @ theta,
        rank=int(found.rank),
        condition=float(found.condition),
        trace=iterates(found.L, found.b, theta0, steps),
        solver=solver,
        dtype=dtype,
        caveat=caveat,
    )


def _exactly(mrp: MRP | ExactMRP, phi: Any, weights: Any, steps: int, theta0: Any) -> LSPE:
    from tabular_krope.evaluation.exact_lspe import exact_inputs, exact_lspe

    inputs = exact_inputs(mrp, phi, weights)
    rounded, D = inputs.rounded()
    Phi = require_features(rounded, "phi", mrp.n_pairs)
    if not D.max(initial=0.0) > 0 or (D < 0).any():
        distribution(D, mrp.n_pairs)  # refuses, with its message
    _, condition = weighted_rank(Phi, np.sqrt(D / D.max()))
    return exact_lspe(inputs, steps, _start(theta0, Phi.shape[1]), condition)


def _start(theta0: Any, d: int) -> Array:
    return frozen_array(np.zeros(d) if theta0 is None else theta0, "theta0", (d,))


def _covariance(mrp: MRP, Phi: Array, root: Array, rcond: float | None) -> Iteration:
    rank, condition = weighted_rank(Phi.astype(np.float64), root)
    root = root.astype(Phi.dtype)[:, None]
    weighted = root * root * Phi  # D Phi, [X, d]
    B = Phi.T @ weighted
    C = weighted.T @ features_after(mrp, Phi)
    L, b = by_covariance(B, C, weighted.T @ mrp.r.astype(Phi.dtype), mrp.gamma, rcond)
    return Iteration(L, b, L, rank, condition)
