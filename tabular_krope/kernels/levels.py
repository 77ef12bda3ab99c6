r"""The reward kernel as an operator on reward levels: two cumulative sums, no matrix.

Let $y_l$ be the mass on the l-th smallest of the distinct rewards, $F_l = y_1 + \dots + y_l$ and
$\Delta_l = r_{l+1} - r_l$. With $H_k = \sum_{l<k} \Delta_l F_l$ (the integral of the distribution function up to $r_k$)

$$\sum_l |r_k - r_l|\,y_l = 2 H_k - H_{end} + (r_{max} - r_k)\,F_{end},$$

so ``K1 y`` costs two cumulative sums. The quadratic form is a sum of squares, never a difference of large numbers:

$$R\,y^\top K_1 y = \sum_l \Delta_l \bigl(F_l^2 + (F_{end} - F_l)^2\bigr) + (R - \rho_0) F_{end}^2 .$$

A cumulative sum is a chain of additions that each wait for the one before. So the levels are laid out as a table whose
columns are consecutive stretches of the sorted rewards: adding row to row sums all stretches at once, four times faster
on a million levels, and what each stretch has to start from is added last. What they start from is summed in stretches
again, so that a sum of ten million levels has passed through a thousand additions.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Array
from tabular_krope.kernels.reward import RewardKernel

#: Columns for each row of the table: a row must be long enough to be added in one go.
WIDE = 16


@dataclass(frozen=True, slots=True, eq=False)
class RewardLevels:
    """The reward kernel on its levels, in the order of the table.

    Attributes:
        reward: the kernel.
        places: the place in the table of each pair's level, [X].
        steps: what the next level has in addition, divided by R; 0 for the last level and for padding, [n, m].
        falls: minus twice the steps, [n, m].
        near: similarity of each level to the highest, [n, m].

    >>> levels = RewardLevels.of(RewardKernel.of([0.0, 1.0, 0.5]))
    >>> levels.smooth(np.array([1.0, 0.0, 1.0]))[levels.places]  # mass on the first and the last of three levels
    array([1., 1., 1.])
    """

    reward: RewardKernel
    places: NDArray[Any]
    steps: Array
    falls: Array
    near: Array

    @classmethod
    def of(cls, reward: RewardKernel) -> "RewardLevels":
        """The levels of a reward kernel: one sort."""
        values, index = np.unique(reward.r, return_inverse=True)
        L = len(values)
        n = max(1, int(np.sqrt(L / WIDE)))
        m = -(-L // n)
        padded = np.concatenate([values, np.full(n * m - L, values[-1])])
        place = np.arange(n * m).reshape(n, m).T.reshape(-1)  # of the sorted levels, stretch by stretch
        steps = reward.slope * np.diff(padded, append=values[-1])
        near = 1.0 - reward.slope * (values[-1] - padded)
        tables = (np.ascontiguousarray(column.reshape(m, n).T) for column in (steps, -2 * steps, near))
        return cls(reward, place[index].astype(np.int32), *tables)

    def light(self) -> "RewardLevels":
        """The same in float32."""
        return replace(self, **{name: getattr(self, name).astype(np.float32) for name in ("steps", "falls", "near")})

    @property
    def size(self) -> int:
        """Places in the table."""
        return int(self.steps.size)

    @property
    def roundings(self) -> int:
        """Additions that a number passes through on its way into a cumulative sum, at most."""
        rows, columns = self.steps.shape
        return int(rows + 2 * (int(np.sqrt(columns)) + 1))

    def spread(self, Pi: sparse.csr_array) -> sparse.csr_array:
        """The matrix ``T`` [k, size] that takes values on the levels to means under the rows of ``Pi`` [k, X]."""
        parts = (Pi.data.copy(), self.places[Pi.indices], Pi.indptr.astype(np.int32))
        T = sparse.csr_array(parts, shape=(Pi.shape[0], self.size))
        T.sum_duplicates()
        return T

    def smooth(self, Y: Array, balanced: bool = False) -> Array:
        """``K1`` applied to masses on the levels, [size] or [size, k], which are overwritten.

        ``balanced`` masses sum to zero.
        """
        if Y.ndim == 2:
            return np.stack([self.smooth(column.copy(), balanced) for column in Y.T], axis=1)
        F, total = self._distribution(Y)
        running, step = np.zeros_like(F[0]), np.empty_like(F[0])
        for row, falls in zip(F, self.falls, strict=True):  # exclusive: a level's own step lies above it
            np.multiply(row, falls, out=step)
            row[:] = running
            running += step
        starts, end = _starts(running)
        F += starts - end / 2
        if not balanced:
            F += self.near * total
        return F.reshape(-1)

    def squares(self, Y: Array) -> Array:
        """``y' K1 y`` for the columns of ``Y`` [size, k], each a sum of squares, [k]."""
        margin = max(1.0 - float(self.steps.sum()), 0.0)  # of a reward range wider than the rewards
        found = []
        for column in Y.T:
            F, total = self._distribution(column.copy())
            square = float(np.einsum("nm,nm,nm->", self.steps, F, F)) + margin * total**2
            F -= total
            found.append(square + float(np.einsum("nm,nm,nm->", self.steps, F, F)))
        return np.array(found)

    def _distribution(self, y: Array) -> tuple[Array, float]:
        """``F`` in the order of the table, [n, m], in the place of the masses, and the total mass."""
        F = y.reshape(self.steps.shape)
        starts, total = _starts(F.sum(axis=0))
        F[0] += starts
        for i in range(1, len(F)):
            np.add(F[i - 1], F[i], out=F[i])
        return F, total


def _starts(sums: Array) -> tuple[Array, float]:
    """What each stretch starts from, given the stretches' own sums [m]; and the sum of all."""
    width = int(np.sqrt(len(sums))) + 1
    table = np.zeros((-(-len(sums) // width), width), dtype=sums.dtype)
    table.reshape(-1)[: len(sums)] = sums
    inside = np.cumsum(table, axis=1)
    ends = np.cumsum(inside[:, -1])
    starts = inside - table
    starts[1:] += ends[:-1, None]
    return starts.reshape(-1)[: len(sums)], float(ends[-1])
