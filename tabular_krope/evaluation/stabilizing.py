r"""Data weights under which given features are stable.

If $\begin{pmatrix} B & \gamma C^\top \\ \gamma C & B \end{pmatrix} \succeq 0$ then
$\|B^{-1/2}\,\gamma C\,B^{-1/2}\|_2 \le 1$, and ``L``, which is similar to that matrix, has $\rho(L) \le 1$. Both
$B = \Phi^\top D \Phi$ and $C = \Phi^\top D P_\pi \Phi$ are linear in ``D``, so the search for weights is a semidefinite
program. On-policy (stationary) weights always satisfy it; the program looks for the ones with the most room.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tabular_krope.arrays import Array, distribution, frozen_array
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.looks import Tabled
from tabular_krope.models.mrp import MRP, require_mrp
from tabular_krope.notebook_tables import Grid


@dataclass(frozen=True, slots=True, eq=False)
class StabilizingWeights(Tabled):
    """Weights under which LSPE on the given features is stable.

    Attributes:
        weights: distribution over pairs, [X].
        room: smallest eigenvalue of the block matrix for features orthonormal under uniform weights; positive.
        spectral_radius: of LSPE under these weights, computed by `lspe`; below 1.
    """

    weights: Array
    room: float
    spectral_radius: float

    def _table(self) -> tuple[str, dict[str, Any], Grid]:
        grid = Grid(["pair", "weight"], list(enumerate(self.weights.tolist())))
        return "stabilizing weights", {"spectral radius": self.spectral_radius, "room": self.room}, grid


def stabilizing_weights(mrp: MRP, phi: Any, least: float = 0.0) -> StabilizingWeights:
    """Search for data weights that make LSPE on ``phi`` stable.

    Args:
        mrp: the reward process.
        phi: features of full column rank, [X, d].
        least: smallest weight allowed for any pair, at most 1/X.

    Returns:
        The weights with the largest room. Raises KropeError when no weights satisfy the matrix inequality strictly
        (which does not prove that none is stable), or when the answer fails the independent check by `lspe`.

    >>> mrp = MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], gamma=0.9)
    >>> stabilizing_weights(mrp, [[1.0], [2.0]]).spectral_radius < 1  # unstable when all data is at the first pair
    True
    """
    require_mrp(mrp)
    import cvxpy as cp

    X = mrp.n_pairs
    Phi = frozen_array(phi, "phi", (X, None))
    if not 0 <= least <= 1 / X:
        raise KropeError(f"least must lie in [0, 1/{X}]; got {least!r}")
    U, sigma, _ = np.linalg.svd(Phi, full_matrices=False)
    if not (sigma.size and sigma[-1] > X * np.finfo(np.float64).eps * sigma[0]):
        raise KropeError(f"phi must have full column rank; got singular values down to {sigma.min(initial=0.0):.3g}")
    basis = U * np.sqrt(X)  # the same span; stability does not depend on the coordinates
    after = mrp.gamma * np.asarray(mrp.P @ (mrp.Pi @ basis))
    D, room = cp.Variable(X), cp.Variable()
    B, C = basis.T @ cp.diag(D) @ basis, basis.T @ cp.diag(D) @ after
    block = cp.bmat([[B, C.T], [C, B]])
    symmetric = (block + block.T) / 2
    constraints = [least <= D, cp.sum(D) == 1, symmetric - room * np.eye(2 * basis.shape[1]) >> 0]
    problem = cp.Problem(cp.Maximize(room), constraints)
    problem.solve(solver=cp.CLARABEL)
    if D.value is None or not float(room.value) > 0:
        found = "no solution" if D.value is None else f"a room of {float(room.value):.3g}"
        raise KropeError(f"phi must be stable under some weights by the matrix inequality; got {found}")
    weights = distribution(np.maximum(D.value, least), X)
    radius = lspe(mrp, Phi, weights=weights, steps=0).spectral_radius
    if not radius < 1:
        raise KropeError(f"the weights found must make LSPE stable; got a spectral radius of {radius:.10g}")
    return StabilizingWeights(weights, float(room.value), radius)


#: Their names before the spelling was American; they stay.
StabilisingWeights, stabilising_weights = StabilizingWeights, stabilizing_weights
