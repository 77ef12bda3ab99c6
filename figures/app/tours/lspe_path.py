"""How far LSPE's weights are from their fixed point, step by step: what all pages draw alike."""

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.evaluation.lspe import LSPE


def relative_path(out: LSPE) -> Array:
    """Distance of the weights from the fixed point after each step, relative to the first; zeros where it starts there.

    >>> from tabular_krope.evaluation.lspe import lspe
    >>> from tabular_krope.models.mrp import MRP
    >>> relative_path(lspe(MRP.from_matrix([[1.0]], [1.0], gamma=0.5), [[1.0]], steps=2))
    array([1.  , 0.5 , 0.25])
    >>> relative_path(lspe(MRP.from_matrix([[1.0]], [0.0], gamma=0.5), [[1.0]], steps=2))
    array([0., 0., 0.])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        apart = np.linalg.norm(out.trace - out.theta, axis=1)
        if not apart[0] > 0:
            return np.zeros(len(apart))
        return np.asarray(
            np.nan_to_num(apart / apart[0], nan=np.inf, posinf=np.inf)
        )  # a path beyond all floats has blown up
