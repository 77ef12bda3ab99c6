r"""The reward kernel $K_1(x, y) = 1 - |r_x - r_y| / R$: whole, by entries, as an operator, and factored.

With the rewards in $[a, b]$ and $R = b - a$, $R\,K_1$ is a sum of two min-kernels,

$$R - |r_x - r_y| = \min(r_x - a, r_y - a) + \min(b - r_x, b - r_y),$$

and a min-kernel is a sum over the sorted levels of rank-one step functions. That gives ``K1 = Z Z'`` with entries that
are square roots of reward increments: a factor whose small singular values are accurate, which no factorization of the
matrix ``K1`` itself could deliver.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tabular_krope.arrays import Array, frozen_array
from tabular_krope.errors import KropeError


def reward_kernel(r: Any, reward_range: tuple[float, float] | None = None) -> Array:
    r"""Similarity of rewards, $K_1(x, y) = 1 - |r_x - r_y| / R$.

    Args:
        r: rewards of the pairs, [X].
        reward_range: (r_min, r_max) covering ``r``; the actual range if None.

    Returns:
        [X, X], symmetric, unit diagonal, positive semidefinite. All ones if every reward is equal.

    >>> reward_kernel([0.0, 1.0, 0.5])[0]
    array([1. , 0. , 0.5])
    """
    return RewardKernel.of(r, reward_range).matrix()


def apart(x: Array, y: Array, out: Array) -> Array:
    """``|x_i - y_j|`` written to ``out``, which is returned.

    >>> apart(np.array([0.0, 3.0]), np.array([1.0]), np.empty((2, 1)))
    array([[1.],
           [2.]])
    """
    np.subtract(x[:, None], y, out=out)
    return np.abs(out, out=out)


@dataclass(frozen=True, slots=True, eq=False)
class RewardKernel:
    """``K1`` as an operator: products in O(X) after one sort, no X-by-X array unless `matrix` is called.

    Attributes:
        r: rewards, [X].
        low: lower end of the reward range.
        high: upper end of the reward range.

    >>> K1 = RewardKernel.of([0.0, 1.0, 0.5])
    >>> K1.product(np.array([1.0, 1.0, 0.0]))
    array([1., 1., 1.])
    """

    r: Array
    low: float
    high: float

    @classmethod
    def of(cls, r: Any, reward_range: tuple[float, float] | None = None) -> "RewardKernel":
        """The kernel of rewards ``r`` on ``reward_range``, which must cover them; their own range if None."""
        rewards = frozen_array(r, "r", (None,))
        if rewards.size == 0:
            raise KropeError("r must have at least one reward; got an empty array")
        least, most = float(rewards.min()), float(rewards.max())
        if 0 < most - least < np.finfo(np.float64).tiny:
            raise KropeError(
                f"r must be equal or differ by at least {np.finfo(np.float64).tiny:.3g}; got {most - least:g}"
            )
        if reward_range is None:
            return cls(rewards, least, most)
        low, high = frozen_array(reward_range, "reward_range", (2,))
        if not (low <= least and most <= high):
            raise KropeError(
                f"reward_range must cover the rewards [{least:.10g}, {most:.10g}]; got ({low:.10g}, {high:.10g})"
            )
        return cls(rewards, float(low), float(high))

    @property
    def divisor(self) -> float:
        """The range R that differences are divided by; 0 when every reward is equal."""
        return self.high - self.low

    @property
    def slope(self) -> float:
        """``1 / R``, or 0 when R = 0 so that the kernel is all ones."""
        return 1.0 / self.divisor if self.divisor > 0 else 0.0

    @property
    def scaled(self) -> Array:
        """The rewards in units of R from the lower end of the range: distances of these are ``1 - K1``, [X]."""
        return (self.r - self.low) * self.slope

    def matrix(self) -> Array:
        """The whole kernel, [X, X]."""
        K1 = apart(self.r, self.r, np.empty((len(self.r), len(self.r))))
        K1 *= -self.slope
        K1 += 1.0
        return K1

    def entries(self, i: Any, j: Any) -> Array:
        """``K1[i, j]`` for broadcastable index arrays."""
        value: Array = 1.0 - self.slope * np.abs(self.r[i] - self.r[j])
        return value

    def product(self, V: Array) -> Array:
        r"""``K1 @ V`` for V [X] or [X, k], from cumulative sums of ``V`` and ``r V`` in the order of the rewards.

        $\sum_j |r_i - r_j| v_j = r_i (2 S_i - S) - (2 T_i - T)$ with $S_i, T_i$ the sums of $v$ and of $r v$ over the
        rewards up to $r_i$. Rewards are measured from the middle of their range, so that nothing large cancels.
        """
        order = np.argsort(self.r, kind="stable")
        centered = self.r - (self.r[order[0]] + self.r[order[-1]]) / 2
        column = centered if V.ndim == 1 else centered[:, None]
        below = np.empty_like(V, dtype=np.float64)
        below[order] = np.cumsum(V[order], axis=0)
        moment = np.empty_like(below)
        moment[order] = np.cumsum((column * V)[order], axis=0)
        total, total_moment = V.sum(axis=0), (column * V).sum(axis=0)
        spread = column * (2 * below - total) - (2 * moment - total_moment)
        value: Array = total - self.slope * spread
        return value

    def factor(self) -> Array:
        """``Z`` [X, m] with ``Z Z' = K1``, m at most twice the number of distinct rewards."""
        return np.hstack(list(self.factor_blocks(len(self.r))))

    def factor_blocks(self, width: int) -> Iterator[Array]:
        """The columns of `factor` in blocks of at most ``2 * width``, each [X, <= 2 * width]."""
        if self.slope == 0.0:
            yield np.ones((len(self.r), 1))
            return
        ordered = np.sort(self.r)
        levels = ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))]
        steps = np.sqrt(np.diff(levels) * self.slope)
        margins = np.array([levels[0] - self.low, self.high - levels[-1]]) * self.slope
        yield np.broadcast_to(np.sqrt(margins[margins > 0]), (len(self.r), int((margins > 0).sum())))
        for start in range(0, len(steps), width):
            block = slice(start, start + width)
            above = self.r[:, None] > levels[None, :-1][:, block]
            yield np.hstack([above * steps[block], ~above * steps[block]])
