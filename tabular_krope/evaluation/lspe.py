r"""Least-squares policy evaluation (LSPE) and its stability.

With data weights ``D``, $B = \Phi^\top D \Phi$ and $C = \Phi^\top D P_\pi \Phi$, LSPE iterates

$$\theta_{t+1} = B^+ \Phi^\top D (r + \gamma P_\pi \Phi\,\theta_t) = b + L\,\theta_t, \qquad L = \gamma B^+ C,$$

and converges to one limit from every start iff $\rho(L) < 1$. Three ways to compute ``L``:

- ``svd``: $B^+ \Phi^\top D = (D^{1/2}\Phi)^+ D^{1/2}$ by a singular value decomposition of $D^{1/2}\Phi$. The
covariance
  ``B``, whose condition number is the square, is never formed.
- ``covariance``: the paper's route, a pseudo-inverse of ``B`` in float64 or float32; it is here because what it gets
wrong
  is the thing to be shown.
- ``exact``: floats read as rationals, ``L`` without rounding, and a certified enclosure of its spectral radius.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array, distribution, frozen_array, refuse_where, require_count
from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mrp import MRP, require_mrp

SOLVERS = ("svd", "covariance", "exact")
DTYPES: dict[str, Any] = {"float64": np.float64, "float32": np.float32}


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
    _require_route(solver, dtype, rcond)
    if solver == "exact":
        from tabular_krope.evaluation.exact_lspe import exact_inputs, exact_lspe

        inputs = exact_inputs(mrp, phi, weights)
        phi, weights = inputs.rounded()
    X = mrp.n_pairs
    Phi = frozen_array(phi, "phi", (X, None))
    d = Phi.shape[1]
    if d == 0:
        raise KropeError(f"phi must have at least one column; got shape {Phi.shape}")
    root = np.sqrt(distribution(weights, X))[:, None]
    steps = require_count(steps, "steps", least=0)
    start = frozen_array(np.zeros(d) if theta0 is None else theta0, "theta0", (d,))
    sigma = scipy.linalg.svdvals(root * Phi)
    rank = numerical_rank(sigma, Phi.shape)
    condition = float(sigma[0] / sigma[rank - 1]) if rank else float("inf")
    if solver == "exact":
        return exact_lspe(inputs, steps, start, condition)
    chain = mrp.to_float() if isinstance(mrp, ExactMRP) else mrp
    largest = float(np.sqrt(np.finfo(DTYPES[dtype]).max) / max(Phi.shape))
    refuse_where(~(np.abs(Phi) <= largest), Phi, "phi", f"be at most {largest:.3g} in size for {dtype}")
    Phi_cast, root_cast = Phi.astype(DTYPES[dtype]), root.astype(DTYPES[dtype])
    if solver == "svd":
        L, b, core = _by_svd(chain, Phi_cast, root_cast)
    else:
        L, b, core = _by_covariance(chain, Phi_cast, root_cast, 1e-15 if rcond is None else float(rcond))
    theta = fixed_point(L, b)
    radius = float(np.abs(np.linalg.eigvals(core)).max(initial=0.0))
    norm = float(np.linalg.norm(L, 2))
    trace = iterates(L, b, start, steps)
    return LSPE(L, b, radius, norm, radius < 1, theta, Phi @ theta, rank, condition, trace, solver, dtype)


def _require_route(solver: str, dtype: str, rcond: Any) -> None:
    if solver not in SOLVERS:
        raise unknown_name("solver", str(solver), SOLVERS)
    dtypes = ["float64"] if solver == "exact" else list(DTYPES)
    if dtype not in dtypes:
        raise unknown_name("dtype", str(dtype), dtypes)
    if rcond is not None and solver != "covariance":
        raise KropeError(f"rcond must be None unless solver is 'covariance'; got {rcond!r}")
    if rcond is not None and not (isinstance(rcond, int | float | np.floating) and 0 <= rcond < 1):
        raise KropeError(f"rcond must be a number in [0, 1); got {rcond!r}")


def numerical_rank(sigma: Array, shape: tuple[int, ...]) -> int:
    """Singular values above ``max(shape) * eps`` of the largest, the rule of numpy's and torch's ``matrix_rank``.

    >>> numerical_rank(np.array([1.0, 1e-20]), (2, 2))
    1
    """
    if sigma.size == 0 or sigma[0] == 0:
        return 0
    return int(np.sum(sigma > max(shape) * np.finfo(sigma.dtype).eps * sigma[0]))


def fixed_point(L: Array, b: Array) -> Array:
    """The solution of ``theta = b + L theta`` (of least norm and least residual if there is not exactly one)."""
    return np.asarray(np.linalg.lstsq(np.eye(len(b)) - L, b, rcond=None)[0])


def iterates(L: Array, b: Array, theta0: Array, steps: int) -> Array:
    """``theta_0, ..., theta_steps`` of ``theta <- b + L theta``, [steps + 1, d]; overflow shows as inf.

    >>> iterates(np.array([[0.5]]), np.array([1.0]), np.array([0.0]), 3).tolist()
    [[0.0], [1.0], [1.5], [1.75]]
    """
    trace = np.empty((steps + 1, len(b)))
    trace[0] = theta0
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(steps):
            trace[t + 1] = b + L @ trace[t]
    return trace


def _by_svd(mrp: MRP, Phi: Array, root: Array) -> tuple[Array, Array, Array]:
    """``L``, ``b`` and a matrix with the non-zero eigenvalues of ``L`` that is as well conditioned as can be.

    With ``D^1/2 Phi = U S V'`` that matrix is ``T = gamma U' D^1/2 P_pi (Phi V S^-1)``: ``L = (V S^-1) T (S V')``, so
    the scales of the features, which would magnify rounding in the eigenvalues of ``L``, cancel from ``T``.
    """
    U, sigma, Vt = scipy.linalg.svd(root * Phi, full_matrices=False, check_finite=False)
    rank = numerical_rank(sigma, Phi.shape)
    U, sigma, Vt = U[:, :rank], sigma[:rank], Vt[:rank]
    unscaled = (Phi @ Vt.T) / sigma
    seen = root[:, 0] > 0
    unscaled[seen] = U[seen] / root[seen]  # the same numbers, without the division by small singular values
    gamma = Phi.dtype.type(mrp.gamma)
    pinv = (Vt.T / sigma) @ U.T  # (D^1/2 Phi)^+, [d, X]
    T = gamma * (U.T @ (root * _after(mrp, unscaled)))
    L = gamma * (pinv @ (root * _after(mrp, Phi)))
    b = pinv @ (root[:, 0] * mrp.r.astype(Phi.dtype))
    return L.astype(np.float64), b.astype(np.float64), T.astype(np.float64)


def _by_covariance(mrp: MRP, Phi: Array, root: Array, rcond: float) -> tuple[Array, Array, Array]:
    """``L`` and ``b`` as the paper computes them; the eigenvalues are those of ``L`` itself."""
    weighted = root * root * Phi  # D Phi, [X, d]
    B = Phi.T @ weighted
    C = weighted.T @ _after(mrp, Phi)
    B_pinv = np.linalg.pinv(B, rcond=rcond)
    L = (Phi.dtype.type(mrp.gamma) * (B_pinv @ C)).astype(np.float64)
    b = B_pinv @ (weighted.T @ mrp.r.astype(Phi.dtype))
    return L, b.astype(np.float64), L


def _after(mrp: MRP, Phi: Array) -> Array:
    """``P_pi Phi`` in the arithmetic of ``Phi``, [X, d]."""
    return np.asarray(mrp.P.astype(Phi.dtype) @ (mrp.Pi.astype(Phi.dtype) @ Phi))
