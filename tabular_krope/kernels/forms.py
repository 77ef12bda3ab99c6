"""Two ways to hold a kernel: the matrix, or its part on states."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Array, Matrix, dense
from tabular_krope.kernels.levels import RewardLevels
from tabular_krope.kernels.products import cheapest, lower_blocks
from tabular_krope.kernels.reward import RewardKernel, apart

#: Rows handled at once, so that asking for many entries needs no large temporary array.
BLOCK = 2048


@dataclass(frozen=True, slots=True, eq=False)
class DenseForm:
    """A kernel held as its matrix, [X, X]."""

    K: Array

    def matrix(self) -> Array:
        """The matrix itself, as a copy."""
        return self.K.copy()

    def product(self, V: Array) -> Array:
        """``K @ V``."""
        return self.K @ V

    def entries(self, i: Any, j: Any) -> Array:
        """``K[i, j]``."""
        value: Array = self.K[i, j]
        return value

    def rows(self, i: Any) -> Array:
        """``K[i, :]``."""
        value: Array = self.K[i]
        return value


@dataclass(frozen=True, slots=True, eq=False)
class StateForm:
    """``K = K1 + gamma P M P'`` held as its parts: X numbers, ``P`` and an S-by-S matrix."""

    reward: RewardKernel
    P: Matrix  # [X, S]
    M: Array  # [S, S]
    gamma: float
    thin: Matrix = None  # ``P`` in the form that is the fastest to multiply by; made when it is needed if None

    def matrix(self) -> Array:
        """The matrix, [X, X]: the only X-by-X array that is ever made, and each of its entries is written once."""
        P, r = cheapest(self.P) if self.thin is None else self.thin, self.reward.scaled

        def begin(start: int, stop: int, out: Array) -> None:
            apart(r[start:], r[start:stop], out)

        W, K = P @ (-self.gamma * self.M), np.empty((P.shape[0],) * 2)
        for start, stop, block in lower_blocks(P, W, begin):  # 1 - K, in blocks that stay in the cache
            np.subtract(1.0, block, out=block)
            K[start:, start:stop] = block
            K[start:stop, stop:] = block[stop - start :].T  # from the cache, not from K
        return K

    def product(self, V: Array) -> Array:
        """``K @ V`` from right to left."""
        return np.asarray(self.reward.product(V) + self.gamma * (self.P @ (self.M @ (self.P.T @ V))))

    def entries(self, i: Any, j: Any) -> Array:
        """``K[i, j]`` for broadcastable index arrays."""
        i, j = np.broadcast_arrays(i, j)
        flat_i, flat_j, after = i.reshape(-1), j.reshape(-1), np.empty(i.size)
        for start in range(0, i.size, BLOCK):
            part = slice(start, start + BLOCK)
            after[part] = (self.P[flat_i[part]] @ self.M * dense(self.P[flat_j[part]])).sum(axis=1)
        return self.reward.entries(i, j) + self.gamma * after.reshape(i.shape)

    def rows(self, i: Any) -> Array:
        """``K[i, :]``."""
        index = np.atleast_1d(i)
        smoothed = np.asarray(self.P[index] @ self.M)  # [k, S]
        K1 = self.reward.entries(index[:, None], np.arange(self.P.shape[0])[None, :])
        K = K1 + self.gamma * np.asarray((self.P @ smoothed.T).T)
        return K[0] if np.ndim(i) == 0 else K

    def squares(self, V: Array) -> Array:
        """``v' K v`` for the columns of V [X, k], right to rounding and never negative, [k]."""
        levels = RewardLevels.of(self.reward)
        masses = levels.spread(sparse.eye_array(len(V), format="csr")).T @ V
        return levels.squares(masses) + self.gamma * self._forms(np.asarray(self.P.T @ V).T)

    def distances(self, i: NDArray[Any], j: NDArray[Any]) -> Array:
        """``d(i, j)`` for index vectors of one length, right to rounding and never negative, [k]."""
        after = np.empty(len(i))
        for start in range(0, len(i), BLOCK):
            part = slice(start, start + BLOCK)
            after[part] = self._forms(dense(self.P[i[part]] - self.P[j[part]]))
        return np.asarray(2 * (1 - self.reward.entries(i, j)) + self.gamma * after)

    def _forms(self, U: Array) -> Array:
        """``u M u'`` for the rows of U [k, S]; rounding below zero is cut off."""
        return np.asarray(np.maximum(np.einsum("ks,ks->k", U @ self.M, U), 0.0))
