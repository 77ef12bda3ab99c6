r"""Value learning as people run it, step by step on rows: fitted Q evaluation and temporal differences.

With $B = \Phi^\top D \Phi$, $C = \Phi^\top D \Phi'$ and $b = \Phi^\top D r$,

- linear FQE regresses $r + \gamma\Phi'\theta_k$ on the features, $\theta_{k+1} = B^+(b + \gamma C\theta_k)$: LSPE;
- TD(0) takes the mean of its updates over the data, $\theta_{k+1} = \theta_k + \alpha\,(b - (B - \gamma C)\theta_k)$.
  It converges for small steps if all eigenvalues of $B - \gamma C$ on the span of the features have positive real
  parts, and for no step at all if one of them is negative.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import sparse

from tabular_krope.arrays import Array, require_count
from tabular_krope.data.offline import OfflineProblem
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.iteration import fixed_point, iterates, numerical_rank
from tabular_krope.evaluation.lspe_on_data import rows_with_caveat
from tabular_krope.evaluation.pair_rows import PairModel
from tabular_krope.evaluation.pair_spectrum import leading_eigenvalues, radius_of_pairs

#: Steps that are taken, unless asked for otherwise.
STEPS = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Iterated:
    """An iteration on rows.

    Attributes:
        values: of the starts after 0, 1, ... steps, [steps + 1]; inf or NaN once they overflow. The first weights are
            all 1: from zeros nothing would move where rewards are zero.
        limit: value at the fixed point.
        spectral_radius: of the iteration's matrix on the span of the features.
        stable: whether that is below 1.
        step: of TD; 1 for FQE.
        ever: whether some step makes it stable; for FQE the same as ``stable``.
    """

    values: Array
    limit: float
    spectral_radius: float
    stable: bool
    step: float
    ever: bool


def fqe(p: OfflineProblem, steps: int = STEPS) -> Iterated:
    """Linear fitted Q evaluation.

    >>> from tabular_krope.data.dataset import Dataset
    >>> from tabular_krope.data.offline import offline_problem
    >>> data = Dataset([0, 1], [0, 0], [0.0, 1.0], [1, 1], [False, True], n_states=2, n_actions=1, gamma=0.5)
    >>> fqe(offline_problem(data), steps=3).values
    array([1. , 0.5, 0.5, 0.5])
    """
    count = require_count(steps, "steps", least=0)
    if p.pairs is not None:
        model = p.pairs.model
        return _on_pairs(model, partial(_backup, model), radius_of_pairs(model), 1.0, count)
    out = rows_with_caveat(p.Phi, p.Phi_next, p.r, p.gamma, steps=0)
    start = p.start_weights @ p.starts
    theta = iterates(out.L, out.b, np.ones(len(out.b)), count)
    limit = float(start @ fixed_point(out.L, out.b))
    return Iterated(_values(theta, start), limit, out.spectral_radius, out.stable, 1.0, out.stable)


def td(p: OfflineProblem, step: float | None = None, steps: int = STEPS) -> Iterated:
    """TD(0) with a constant step size; each step is the mean of its updates over all rows.

    Args:
        p: the rows.
        step: step size; one over the largest squared norm of a row's features if None.
        steps: how many.

    >>> from tabular_krope.data.dataset import Dataset
    >>> from tabular_krope.data.offline import offline_problem
    >>> data = Dataset([0, 1], [0, 0], [0.0, 1.0], [1, 1], [False, True], n_states=2, n_actions=1, gamma=0.5)
    >>> out = td(offline_problem(data), step=2.0, steps=3)  # each of two rows has weight 1/2: as FQE
    >>> out.values, out.stable
    (array([1. , 0.5, 0.5, 0.5]), True)
    """
    count = require_count(steps, "steps", least=0)
    Phi, Phi_next = p.Phi, p.Phi_next
    size = 1.0 if p.pairs is not None else float((Phi**2).sum(axis=1).max())
    if not size > 0:
        raise KropeError("Phi must have a non-zero row; got zeros only")
    alpha = 1.0 / size if step is None else step
    if isinstance(alpha, bool) or not isinstance(alpha, int | float) or not 0 < alpha < np.inf:
        raise KropeError(f"step must be a positive number; got {step!r}")
    if p.pairs is not None:
        return _td_on_pairs(p.pairs.model, float(alpha), count)
    # Steps stay in the span of the rows of Phi: V is an orthonormal basis of it
    _, sigma, Vt = np.linalg.svd(Phi, full_matrices=False)
    V = Vt[: numerical_rank(sigma, Phi.shape)].T
    whole, c = Phi.T @ (Phi - p.gamma * Phi_next) / len(Phi), Phi.T @ p.r / len(Phi)
    H = V.T @ whole @ V
    radius = float(np.abs(np.linalg.eigvals(np.eye(len(H)) - alpha * H)).max(initial=0.0))
    start = p.start_weights @ p.starts
    theta = iterates(np.eye(len(c)) - alpha * whole, alpha * c, np.ones(len(c)), count)
    limit = float(start @ V @ np.linalg.lstsq(H, V.T @ c, rcond=None)[0])
    ever = bool(np.linalg.eigvals(H).real.min(initial=np.inf) > 0)
    return Iterated(_values(theta, start), limit, radius, radius < 1, float(alpha), ever)


def _values(theta: Array, start: Array) -> Array:
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(theta @ start)


def _backup(model: PairModel, q: Array) -> Array:
    return np.asarray(model.rewards + model.gamma * (model.P @ (model.Pi @ q)))


def _td_on_pairs(model: PairModel, alpha: float, steps: int) -> Iterated:
    """TD on sparse one-hot features: each pair moves by its share of the step toward its backup."""
    share = alpha * model.shares
    M = sparse.csr_array(model.gamma * (model.P @ model.Pi) - sparse.eye_array(len(share)))
    M = sparse.csr_array(sparse.eye_array(len(share)) + sparse.diags_array(share) @ M)
    radius = float(np.abs(leading_eigenvalues(M, 1)).max(initial=0.0))
    return _on_pairs(model, lambda q: q + share * (_backup(model, q) - q), radius, alpha, steps)


def _on_pairs(model: PairModel, step: Callable[[Array], Array], radius: float, alpha: float, count: int) -> Iterated:
    q, values = np.ones(len(model.shares)), np.full(count + 1, model.start.sum())
    with np.errstate(over="ignore", invalid="ignore"):
        for k in range(count):
            q = step(q)
            values[k + 1] = model.start @ q
    return Iterated(values, float(model.start @ model.values()[0]), radius, radius < 1, alpha, True)
