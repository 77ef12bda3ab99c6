"""Do pairs with different values have different features?"""

from typing import Any

import numpy as np

from tabular_krope.arrays import frozen_array
from tabular_krope.models.mrp import MRP, require_mrp


def orthogonality_correlation(mrp: MRP, phi: Any) -> float:
    r"""Pearson correlation, over pairs $x < y$, of $1 - |\cos(\phi_x, \phi_y)|$ with $|q(x) - q(y)|$.

    A zero feature vector is orthogonal to everything. NaN when either side does not vary (or X < 3): there is then no
    correlation to speak of.

    >>> mrp = MRP.from_matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0.0, 0.0, 1.0], 0.5)
    >>> round(orthogonality_correlation(mrp, [[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]]), 12)
    1.0
    """
    require_mrp(mrp)
    Phi = frozen_array(phi, "phi", (mrp.n_pairs, None))
    lengths = np.linalg.norm(Phi, axis=1)
    unit = np.divide(Phi, lengths[:, None], out=np.zeros_like(Phi), where=lengths[:, None] > 0)
    x, y = np.triu_indices(mrp.n_pairs, k=1)
    apart = 1 - np.abs((unit @ unit.T)[x, y])
    gaps = np.abs(mrp.q[x] - mrp.q[y])
    a, b = apart - (apart.mean() if len(x) else 0.0), gaps - (gaps.mean() if len(x) else 0.0)
    # A side that varies by rounding alone is constant: its correlation would be noise.
    flat = 16 * np.finfo(np.float64).eps * np.sqrt(max(len(x), 1))
    if np.linalg.norm(a) <= flat or np.linalg.norm(b) <= flat * max(float(np.abs(mrp.q).max()), 1e-300):
        return float("nan")
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))
