"""LSPE's map on the features of a reward process: the door of the float core for chains."""

from dataclasses import dataclass

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.evaluation.iteration import Factored, Iteration, by_layers, by_svd, factored
from tabular_krope.models.mrp import MRP
from tabular_krope.representations.layers import graded


def chain_iteration(mrp: MRP, Phi: Array, root: Array, null: float | None = None) -> Iteration:
    """LSPE's map on features [X, d] of a chain under roots of weights [X], in the arithmetic of ``Phi``.

    Directions of less than a share ``null`` of the largest do not count; ``max(X, d) eps`` if None.
    """
    after, r = features_after(mrp, Phi), mrp.r.astype(Phi.dtype)
    if graded(root):
        return by_layers(Phi, root, r, mrp.gamma, after, lambda F: features_after(mrp, F), null)
    column = root[:, None]
    rows = factored(column * Phi, Phi.shape, null)
    return by_svd(rows, root * r, mrp.gamma, _Chain(mrp, Phi, after, column))


def features_after(mrp: MRP, Phi: Array) -> Array:
    """``P_pi Phi`` in the arithmetic of ``Phi``, [X, d]."""
    # A copy of a sparse matrix, which astype makes even of its own kind, takes longer than a small product.
    P, Pi = (part if part.dtype == Phi.dtype else part.astype(Phi.dtype) for part in (mrp.P, mrp.Pi))
    return np.asarray(P @ (Pi @ Phi))


@dataclass(frozen=True, slots=True, eq=False)
class _Chain:
    """What comes after each pair of a reward process; weights of even sizes, so that they can be divided by."""

    mrp: MRP
    Phi: Array
    after: Array
    root: Array

    def weighted(self) -> Array:
        return self.root * self.after

    def rescaled(self, rows: Factored) -> Array:
        unscaled = self.Phi @ rows.over
        seen = self.root[:, 0] > 0
        unscaled[seen] = rows.U[seen] / self.root[seen]  # the same, without the division by small singular values
        return self.root * features_after(self.mrp, unscaled)
