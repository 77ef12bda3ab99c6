r"""Spectral radius and norm of LSPE's matrix, together: $\rho(L) \le \|L\|_2$ in every result, or an error.

The radius comes from the core, the norm from ``L`` in the coordinates of the given features. Rounding may put them in
the wrong order by what it can explain; anything beyond that is a wrong number somewhere, and is refused.
"""

from typing import Any

import numpy as np
import scipy.linalg

from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.iteration import Iteration

EPS = float(np.finfo(np.float64).eps)
#: Relative error of the spectral radius above which it is not given.
COARSE = 1e-3
#: Relative error that every float64 radius may have: one this close to 1 is judged as it came out.
ROUNDING = 1e-12


def radius_and_norm(found: Iteration, eps: float = EPS) -> tuple[Array, Array]:
    """The spectral radii and 2-norms [...] of iterations in an arithmetic with rounding ``eps``.

    >>> one = np.array([[0.5]])
    >>> [float(number) for number in radius_and_norm(Iteration(one, np.zeros(1), one, 1, 1.0))]
    [0.5, 0.5]
    """
    radius = np.abs(np.linalg.eigvals(found.core)).max(axis=-1, initial=0.0)
    norm = np.linalg.norm(found.L, 2, axis=(-2, -1))
    condition = np.where(np.isfinite(found.condition), found.condition, 1.0)
    # In layers the condition number is that of the weights: what matters there is the doubt.
    magnified, doubt = (1.0, found.doubt) if found.layered else (condition, 0.0)
    allowed = 64 * max(found.L.shape[-1], 4) * eps * magnified + 1e3 * doubt
    wrong = ~(radius <= norm * (1 + allowed) + eps)
    if np.any(wrong):
        at = tuple(np.argwhere(wrong)[0])
        raise KropeError(
            f"the spectral radius must be at most the norm of L; got {float(radius[at]):.10g} above "
            f"{float(norm[at]):.10g}: the features are too ill-conditioned ({float(condition[at]):.3g}) for float64"
        )
    return radius, np.asarray(np.maximum(norm, radius))


def radius_of(found: Iteration) -> float:
    """Spectral radius of one iteration."""
    return float(np.abs(np.linalg.eigvals(found.core)).max(initial=0.0))


def radius_doubt(core: Array, doubt: float) -> float:
    """What a relative error ``doubt`` of the core can make of its spectral radius, relative to ``max(1, radius)``.

    The first-order bound: the size of the matrix times the condition number of its largest eigenvalue.

    >>> radius_doubt(np.diag([0.5, 0.25]), 1e-9)
    5e-10
    """
    if core.size == 0 or doubt == 0:
        return 0.0
    found: Any = scipy.linalg.eig(core, left=True, right=True)
    values, left, right = found
    k = int(np.abs(values).argmax())
    across = float(np.abs(left[:, k].conj() @ right[:, k]))
    size = float(np.abs(core).sum(axis=1).max())
    return float("inf") if across == 0 else doubt * size / across / max(1.0, float(np.abs(values[k])))


def undecided(radius: float, doubt: float) -> bool:
    """Whether a relative error ``doubt`` leaves the radius too coarse, or on both sides of 1.

    >>> undecided(0.9999, 1e-3), undecided(0.9, 1e-3)
    (True, False)
    """
    return not (doubt <= COARSE and abs(radius - 1) > doubt * max(1.0, radius))
