"""How much of the true action values the features can express."""

from typing import Any

import numpy as np

from tabular_krope.arrays import frozen_array
from tabular_krope.models.mrp import MRP, require_mrp
from tabular_krope.representations.layers import column_scales


def realizability_error(mrp: MRP, phi: Any) -> float:
    r"""The paper's $\min_w \|\Phi w - q\|_2^2 \,/\, \frac1X \sum_x |q(x)|$; zero iff ``q`` lies in the span.

    When every value is zero the numerator is zero too, and so is the result.

    >>> mrp = MRP.from_matrix([[0.0, 1.0], [1.0, 0.0]], [2.0, 0.0], 0.0)
    >>> realizability_error(mrp, [[1.0], [1.0]])
    2.0
    """
    require_mrp(mrp)
    Phi = frozen_array(phi, "phi", (mrp.n_pairs, None))
    scale = column_scales(Phi)
    even = Phi if scale is None else Phi * scale
    w = np.linalg.lstsq(even, mrp.q, rcond=None)[0]
    error = float(np.sum((even @ w - mrp.q) ** 2))
    size = float(np.mean(np.abs(mrp.q)))
    return error / size if size > 0 else 0.0
