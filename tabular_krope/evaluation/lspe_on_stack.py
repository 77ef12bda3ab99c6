"""LSPE on stacks of chains of one size: the third door to the core, for weights of even sizes.

Chains whose weights differ by more than a million are not for a stack: they go through `lspe`, one by one.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.evaluation.iteration import Factored, Iteration, by_svd, factored


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """Chains with features and data.

    Attributes:
        Phi: features, [n, X, d].
        root: roots of the weights, [n, X, 1], even in each chain, so that they can be divided by.
        r: rewards, [n, X].
        gamma: discount factors, [n].
        push: from functions on the pairs [n, X, k] to those after each pair, ``P_pi F``.
        after: ``P_pi Phi``, [n, X, d].
    """

    Phi: Array
    root: Array
    r: Array
    gamma: Array
    push: Callable[[Array], Array]
    after: Array

    def weighted(self) -> Array:
        """``D^1/2 P_pi Phi``, [n, X, d]."""
        return np.asarray(self.root * self.after)

    def rescaled(self, rows: Factored) -> Array:
        """``D^1/2 P_pi (Phi V S^-1)``, [n, X, k]."""
        U, root = rows.U, self.root
        if root.all():
            unscaled = U / root
        else:
            unscaled = np.divide(U, root, out=self.Phi @ rows.over, where=np.broadcast_to(root > 0, U.shape))
        return np.asarray(root * self.push(unscaled))

    def iterations(self) -> tuple[Factored, Iteration]:
        """The factored features and LSPE's maps.

        >>> both = np.array([[[0.0, 1.0], [0.0, 1.0]]])
        >>> Phi, root = np.array([[[1.0], [2.0]]]), np.array([[[1.0], [0.0]]])
        >>> stack = Stack(Phi, root, np.zeros((1, 2)), np.array([0.9]), lambda F: both @ F, both @ Phi)
        >>> stack.iterations()[1].L  # Tsitsiklis and Van Roy: w -> 2w
        array([[[1.8]]])
        """
        rows = factored(self.root * self.Phi, self.Phi.shape[1:])
        return rows, by_svd(rows, self.root[:, :, 0] * self.r, self.gamma[:, None, None], self)
