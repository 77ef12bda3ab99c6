r"""The KROPE kernel: the fixed point of $K = K_1 + \gamma\,P_\pi K P_\pi^\top$.

The equation lives on states. With $M = \Pi K \Pi^\top$,

$$K = K_1 + \gamma\,P M P^\top, \qquad M = \Pi K_1 \Pi^\top + \gamma\,Q M Q^\top, \qquad Q = \Pi P,$$

so ``method="reduced"`` solves an S-by-S equation and keeps ``K`` in that form: entries, rows and products need no
X-by-X array. ``matrix-free`` forms no S-by-S array either: it keeps what products, entries and rows need, and sums
the series of ``M`` anew for each. The other methods check them: ``iterate`` applies the operator on pairs until its
error bound is met, ``doubling`` solves the equation on pairs, ``exact`` solves it over the rationals.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from tabular_krope.arrays import is_sparse
from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.kernels.forms import DenseForm, StateForm
from tabular_krope.kernels.kernel import MATRIX_BYTES, Evidence, Kernel
from tabular_krope.kernels.matrix_free import matrix_free_bound, matrix_free_form, measured_residual
from tabular_krope.kernels.operator import iterate
from tabular_krope.kernels.products import BLOCK, cheapest
from tabular_krope.kernels.reward import RewardKernel
from tabular_krope.kernels.series import MOST_TERMS, SeriesTooLong
from tabular_krope.kernels.state_rewards import state_rewards
from tabular_krope.kernels.stein import solve_stein
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mrp import MRP, require_mrp

#: Bytes of one S-by-S array above which "auto" is matrix-free: 5792 states. The dense solve holds five such arrays.
DENSE_STATE_BYTES = 2**28
#: Terms above which "matrix-free" solves on states after all, if an S-by-S array has at most so many bytes (S = 2048).
LONG_SERIES, SMALL_STATE_BYTES = 1000, 2**25
METHODS = ("auto", "iterate", "doubling", "reduced", "matrix-free", "exact")


def krope_kernel(
    mrp: MRP | ExactMRP,
    method: str = "auto",
    reward_range: tuple[Any, Any] | None = None,
    tolerance: float | None = None,
) -> Kernel:
    """The KROPE kernel of a reward process.

    Args:
        mrp: the process; an ExactMRP is solved over the rationals.
        method: "iterate" (on pairs), "doubling" (on pairs), "reduced" (on states), "matrix-free" (products only),
            "exact" (over Q), or "auto": "exact" for an ExactMRP, otherwise "reduced" up to 5792 states (an S-by-S array
            of 256 MB) and "matrix-free" above; from 2048 states on also where the pairs are too many for a matrix.
        reward_range: (r_min, r_max) covering the rewards; their own range if None.
        tolerance: wanted bound on the sup-norm error of the float methods; what rounding allows if None.

    Returns:
        The kernel, with `Kernel.evidence`. Raises KropeError if the tolerance is not met.

    >>> mrp = MRP.from_matrix([[0.5, 0.5], [0.0, 1.0]], r=[1.0, 0.0], gamma=0.5)
    >>> np.round(krope_kernel(mrp).matrix(), 6)
    array([[1.619048, 0.666667],
           [0.666667, 2.      ]])
    """
    require_mrp(mrp, exact=True)
    if method not in METHODS:
        raise unknown_name("method", str(method), METHODS)
    if tolerance is not None and not (isinstance(tolerance, int | float) and tolerance > 0):
        raise KropeError(f"tolerance must be positive; got {tolerance!r}")
    if isinstance(mrp, ExactMRP) or method == "exact":
        if method not in ("auto", "exact"):
            raise KropeError(f"method must be 'exact' or 'auto' for an ExactMRP; got {method!r} (use mrp.to_float())")
        return _exact_kernel(mrp, reward_range)
    reward = RewardKernel.of(mrp.r, reward_range)
    if method == "auto":
        method = "reduced" if _fits(mrp) else "matrix-free"
    if method == "reduced":
        return _reduced_kernel(mrp, reward, tolerance)
    if method == "matrix-free":
        return _matrix_free_kernel(mrp, reward, tolerance)
    K1 = reward.matrix()
    if method == "iterate":
        solution = iterate(mrp, K1, tolerance)
    else:
        solution = solve_stein(mrp.P_pi, K1, mrp.gamma, mrp.horizon, tolerance)
    evidence = Evidence(method, solution.iterations, solution.residual, solution.error_bound)
    return Kernel(mrp, reward, evidence, DenseForm(solution.matrix))


def _fits(mrp: MRP) -> bool:
    """Whether "auto" solves on states: for a matrix of all pairs, or where states are few whatever the pairs."""
    most = DENSE_STATE_BYTES if 8 * mrp.n_pairs**2 <= MATRIX_BYTES else SMALL_STATE_BYTES
    return 8 * mrp.n_states**2 <= most


def _reduced_kernel(mrp: MRP, reward: RewardKernel, tolerance: float | None) -> Kernel:
    C = state_rewards(mrp.Pi, reward)
    # A large array is searched for zeros once, for Q and for the matrix.
    thin = cheapest(mrp.P) if mrp.n_states > BLOCK and not is_sparse(mrp.P) else None
    Q = mrp.Pi @ thin if is_sparse(thin) else mrp.Q
    solution = solve_stein(Q, C, mrp.gamma, mrp.horizon, tolerance)
    evidence = Evidence("reduced", solution.iterations, mrp.gamma * solution.residual, solution.error_bound)
    return Kernel(mrp, reward, evidence, StateForm(reward, mrp.P, solution.matrix, mrp.gamma, thin))


def _matrix_free_kernel(mrp: MRP, reward: RewardKernel, tolerance: float | None) -> Kernel:
    size = 8 * mrp.n_states**2
    longest = LONG_SERIES if size <= SMALL_STATE_BYTES else MOST_TERMS
    try:
        form = matrix_free_form(mrp, reward, longest)
    except SeriesTooLong:
        if size > DENSE_STATE_BYTES:
            raise
        K = _reduced_kernel(mrp, reward, tolerance)
        plan = f"doubling on states, since the series would take more than {longest} terms"
        return replace(K, evidence=replace(K.evidence, method="matrix-free", plan=plan))
    bound = matrix_free_bound(form)
    if tolerance is not None and bound > tolerance:
        raise KropeError(f"the series must reach an error of {tolerance:.3g}; got {bound:.3g} in float64")
    residual = mrp.gamma * measured_residual(form)
    return Kernel(mrp, reward, Evidence("matrix-free", form.series.terms, residual, bound, form.plan), form)


def _exact_kernel(mrp: MRP | ExactMRP, reward_range: tuple[Any, Any] | None) -> Kernel:
    from tabular_krope.exact.exact_kernel import exact_krope_kernel, exact_range
    from tabular_krope.exact.rationals import float_matrix, float_vector

    chain = mrp if isinstance(mrp, ExactMRP) else mrp.exact()
    K = exact_krope_kernel(chain, reward_range)
    matrix = float_matrix(K)
    model = mrp.to_float() if isinstance(mrp, ExactMRP) else mrp
    floats = None if reward_range is None else tuple(float_vector(exact_range(reward_range)))
    rounding = float(np.abs(np.spacing(matrix)).max()) / 2
    evidence = Evidence("exact", 0, 0.0, rounding)
    return Kernel(model, RewardKernel.of(model.r, floats), evidence, DenseForm(matrix), K)
