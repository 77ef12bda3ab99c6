"""A behavioral metric as a value: the distances with the evidence for them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.looks import Tabled
from tabular_krope.notebook_tables import MOST_ROWS, Grid


@dataclass(frozen=True, slots=True, eq=False)
class BehavioralMetric(Tabled):
    """Distances between the states of an MDP or the pairs of a chain; usable as an array.

    Attributes:
        matrix: distances, [n, n]; symmetric, zero on the diagonal, non-negative.
        to_end: distances to the end of the episode, [n]; None when no episode ends.
        iterations: steps of the iteration, one linear system each (one more where there was nothing to solve).
        residual: sup norm of the fixed-point equation, with duality gaps of the transport problems counted in.
        error_bound: bound on the sup-norm distance to the true metric, rounding included.

    >>> np.asarray(BehavioralMetric(np.zeros((1, 1)), None, 0, 0.0, 0.0))
    array([[0.]])
    """

    matrix: Array
    to_end: Array | None
    iterations: int
    residual: float
    error_bound: float

    def _table(self) -> tuple[str, dict[str, Any], Grid | None]:
        n = len(self.matrix)
        facts = {"elements": n, "iterations": self.iterations, "error at most": float(self.error_bound)}
        if n > MOST_ROWS:
            return "behavioral metric", facts, None
        rows = [[x, *(f"{v:.4g}" for v in row)] for x, row in enumerate(self.matrix.tolist())]
        shades = (self.matrix / (self.matrix.max() or 1.0)).tolist()
        return "behavioral metric", facts, Grid(["", *map(str, range(n))], rows, shades)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.matrix, dtype=dtype, copy=copy)
