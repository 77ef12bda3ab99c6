r"""The reward kernel on pairs or on states by one compiled loop over the rewards in order; no array of levels.

With masses $y_l$ at the rewards in order, $F_l$ their sums up to ``l`` and $H_l = \sum_{j<l} \Delta_j F_j$,

$$\sum_l |r_k - r_l|\,y_l = 2 H_k - H_{end} + (r_{max} - r_k)\,F_{end},$$

as in `levels`, which does the same with numpy. Here ``C u`` reads a mass and adds an integral where it is due, entry by
entry of ``Pi``; equal rewards are a step of 0 apart and need no level in common.
"""

from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Array, row_sums
from tabular_krope.kernels.inner import inner
from tabular_krope.kernels.reward import RewardKernel


@dataclass(frozen=True, slots=True, eq=False)
class SortedRewards:
    """``C = Pi K1 Pi'`` as an operator, ``K1`` itself where ``Pi`` is the identity.

    Attributes:
        loops: `compiled_loops`.
        reward: the kernel.
        where, weights: row and entry of ``Pi`` for each of its entries, in the order of rewards, [n].
        steps: minus twice what the next reward has in addition, divided by R, [n].
        mass: sums of the rows of ``Pi``, [m].
        near: means, by the rows of ``Pi``, of the similarity to the highest reward, [m].
        block: terms of a short sum.
        roundings: additions that a number passes through, at most.
    """

    loops: ModuleType
    reward: RewardKernel
    where: NDArray[Any]
    weights: Array
    steps: Array
    mass: Array
    near: Array
    block: int
    roundings: int

    @classmethod
    def of(cls, reward: RewardKernel, loops: ModuleType) -> "SortedRewards":
        """The operator on pairs: one sort.

        >>> from tabular_krope.kernels import compiled_loops
        >>> K1 = SortedRewards.of(RewardKernel.of([0.0, 1.0, 0.5]), compiled_loops)
        >>> K1.product(np.array([1.0, 0.0, 0.0]))
        array([1. , 0. , 0.5])
        """
        X = len(reward.r)
        order = np.argsort(reward.r, kind="stable").astype(np.uint32 if X < 2**32 else np.uint64)
        near = 1.0 - reward.slope * (reward.r[order[-1]] - reward.r)
        block = _block(X)
        ones = np.ones(X)
        return cls(loops, reward, order, ones, _falls(reward, reward.r[order]), ones, near, block, 3 * (block + 1))

    def on(self, Pi: sparse.csr_array) -> "SortedRewards":
        """The operator on the rows of ``Pi`` [m, X], from that on pairs."""
        by_pair = Pi.T.tocsr()[self.where]
        kind = self.where.dtype
        steps = _falls(self.reward, np.repeat(self.reward.r[self.where], np.diff(by_pair.indptr)))
        block = _block(by_pair.nnz)
        return replace(
            self,
            where=by_pair.indices.astype(kind),
            weights=by_pair.data,
            steps=steps,
            mass=row_sums(Pi),
            near=np.asarray(Pi @ self.near),
            block=block,
            roundings=3 * (block + 1) + int(np.diff(Pi.indptr).max(initial=0)),
        )

    def product(self, U: Array, balanced: bool = False) -> Array:
        """``C U`` for U [m] or [m, k]; masses that are ``balanced`` sum to zero."""
        if U.ndim == 2:
            columns = [self.product(np.ascontiguousarray(u), balanced) for u in U.T]
            return np.stack(columns, axis=1) if columns else np.zeros(U.shape)
        out = np.zeros(len(U))
        end, total = self.loops.add_integrals(self.where, self.weights, self.steps, U, out, self.block)
        out -= (end / 2) * self.mass
        if not balanced:
            out += total * self.near
        return out

    def squares(self, U: Array) -> Array:
        """``u' C u`` for the columns of U [m, k], each a sum of squares, [k]."""
        margin = max(1.0 + float(self.steps.sum()) / 2, 0.0)  # of a reward range wider than the rewards
        found = []
        for u in U.T:
            e = np.ascontiguousarray(u)
            total = float(inner(self.mass, e))
            twice = self.loops.squared_integral(self.where, self.weights, self.steps, e, total, self.block)
            found.append(margin * total**2 - twice / 2)
        return np.array(found)


def _falls(reward: RewardKernel, ordered: Array) -> Array:
    return np.asarray(-2 * reward.slope * np.diff(ordered, append=ordered[-1:]))


def _block(n: int) -> int:
    return max(1, int(np.ceil(n ** (1 / 3))))
