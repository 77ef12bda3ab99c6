r"""Least-squares policy evaluation (LSPE) and its stability.

With data weights ``D``, $B = \Phi^\top D \Phi$ and $C = \Phi^\top D P_\pi \Phi$, LSPE iterates

$$\theta_{t+1} = B^+ \Phi^\top D (r + \gamma P_\pi \Phi\,\theta_t) = b + L\,\theta_t, \qquad L = \gamma B^+ C,$$

and converges to one limit from every start iff $\rho(L) < 1$. Three ways to compute ``L``:

- ``svd``: $B^+ \Phi^\top D = (D^{1/2}\Phi)^+ D^{1/2}$ by a singular value decomposition of $D^{1/2}\Phi$. The
  covariance ``B``, whose condition number is the square, is never formed.
- ``covariance``: the paper's route, a pseudo-inverse of ``B`` in float64 or float32; it is here because what it gets
  wrong is the thing to be shown.
- ``exact``: floats read as rationals, ``L`` without rounding, and a certified enclosure of its spectral radius.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array, distribution, frozen_array, refuse_where, require_count
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.iteration import (
    DTYPES,
    by_covariance,
    by_svd,
    fixed_point,
    iterates,
    largest_feature,
    rank_and_condition,
    require_route,
)
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mrp import MRP, require_mrp

SOLVERS = ("svd", "covariance", "exact")


@dataclass(frozen=True, slots=True, eq=False)
class LSPE:
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
        An `LSPE` value.

    >>> mrp = MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], gamma=0.9)
    >>> out = lspe(mrp, [[1.0], [2.0]], weights=[1.0, 0.0])  # Tsitsiklis and Van Roy: w -> 2w
    >>> round(out.spectral_radius, 12), out.stable
    (1.8, False)
    """
    require_mrp(mrp, exact=True)
    require_route(solver, dtype, rcond, SOLVERS)
    if solver == "exact":
        from tabular_krope.evaluation.exact_lspe import exact_inputs, exact_lspe

        inputs = exact_inputs(mrp, phi, weights)
        phi, weights = inputs.rounded()
    X = mrp.n_pairs
    Phi = require_features(phi, "phi", X)
    d = Phi.shape[1]
    root = np.sqrt(distribution(weights, X))[:, None]
    steps = require_count(steps, "steps", least=0)
    start = frozen_array(np.zeros(d) if theta0 is None else theta0, "theta0", (d,))
    rank, condition = rank_and_condition(scipy.linalg.svdvals(root * Phi), Phi.shape)
    if solver == "exact":
        return exact_lspe(inputs, steps, start, condition)
    chain = mrp.to_float() if isinstance(mrp, ExactMRP) else mrp
    require_size(Phi, "phi", dtype)
    Phi_cast, root_cast = Phi.astype(DTYPES[dtype]), root.astype(DTYPES[dtype])
    if solver == "svd":
        r = root_cast[:, 0] * chain.r.astype(DTYPES[dtype])
        route = by_svd(root_cast * Phi_cast, r, chain.gamma, _Chain(chain, Phi_cast, root_cast), Phi_cast.shape)
    else:
        route = _covariance(chain, Phi_cast, root_cast, rcond)
    return judged(*route, Phi, rank, condition, steps, start, solver, dtype)


def require_features(value: Any, name: str, rows: int | None = None) -> Array:
    """Features [rows, d] with at least one column."""
    Phi = frozen_array(value, name, (rows, None))
    if Phi.shape[1] == 0:
        raise KropeError(f"{name} must have at least one column; got shape {Phi.shape}")
    return Phi


def require_size(Phi: Array, name: str, dtype: str) -> None:
    """Features whose squares can be summed in the arithmetic ``dtype``."""
    largest = largest_feature(dtype, Phi.shape)
    refuse_where(~(np.abs(Phi) <= largest), Phi, name, f"be at most {largest:.3g} in size for {dtype}")


def judged(
    L: Array,
    b: Array,
    core: Array,
    Phi: Array,
    rank: int,
    condition: float,
    steps: int,
    theta0: Array,
    solver: str,
    dtype: str,
) -> LSPE:
    """The verdict on an iteration whose matrix ``L`` has the non-zero eigenvalues of ``core``."""
    theta = fixed_point(L, b)
    radius = float(np.abs(np.linalg.eigvals(core)).max(initial=0.0))
    norm = float(np.linalg.norm(L, 2))
    trace = iterates(L, b, theta0, steps)
    return LSPE(L, b, radius, norm, radius < 1, theta, Phi @ theta, rank, condition, trace, solver, dtype)


@dataclass(frozen=True, slots=True, eq=False)
class _Chain:
    """What comes after each pair of a reward process."""

    mrp: MRP
    Phi: Array
    root: Array

    def weighted(self) -> Array:
        return self.root * _after(self.mrp, self.Phi)

    def rescaled(self, U: Array, sigma: Array, Vt: Array) -> Array:
        unscaled = (self.Phi @ Vt.T) / sigma
        seen = self.root[:, 0] > 0
        unscaled[seen] = U[seen] / self.root[seen]  # the same numbers, without the division by small singular values
        return self.root * _after(self.mrp, unscaled)


def _covariance(mrp: MRP, Phi: Array, root: Array, rcond: float | None) -> tuple[Array, Array, Array]:
    weighted = root * root * Phi  # D Phi, [X, d]
    B = Phi.T @ weighted
    C = weighted.T @ _after(mrp, Phi)
    return by_covariance(B, C, weighted.T @ mrp.r.astype(Phi.dtype), mrp.gamma, rcond)


def _after(mrp: MRP, Phi: Array) -> Array:
    """``P_pi Phi`` in the arithmetic of ``Phi``, [X, d]."""
    return np.asarray(mrp.P.astype(Phi.dtype) @ (mrp.Pi.astype(Phi.dtype) @ Phi))
