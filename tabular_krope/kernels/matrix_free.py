r"""A kernel held as what its products need: $K v = K_1 v + \gamma P\,(M\,(P^\top v))$; memory: P and a few vectors.

``K1 v`` is two cumulative sums over the sorted rewards (`levels`), ``M u`` a series cut by a proven bound (`series`).
Rows and entries are products with unit vectors, one for each distinct pair asked for. Quadratic forms, and with them
diagonal entries and distances, are series of squares that need the forward pass only.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Array, dense
from tabular_krope.kernels.level_maps import LevelMaps
from tabular_krope.kernels.mixing import CUT
from tabular_krope.kernels.reward import RewardKernel
from tabular_krope.kernels.series import LIGHT, MOST_TERMS, Series
from tabular_krope.kernels.series_maps import pair_rewards
from tabular_krope.kernels.sorted_rewards import SortedRewards
from tabular_krope.kernels.stein import EPS
from tabular_krope.kernels.striped import Striped, compact
from tabular_krope.kernels.threads import later, together
from tabular_krope.models.mrp import MRP

#: Bytes of a block of columns.
BLOCK_BYTES = 2**27
#: Columns of the residual that are measured.
RESIDUAL_STATES = 2


@dataclass(frozen=True, slots=True, eq=False)
class MatrixFreeForm:
    """``K`` as an operator; made by `matrix_free_form`.

    Attributes:
        reward: the reward kernel.
        P: next-state probabilities of the pairs, CSR.
        after, before: the same and its transpose, for products.
        similar: the reward kernel on pairs, for products.
        series: products with ``M``.
    """

    reward: RewardKernel
    P: sparse.csr_array
    after: Striped
    before: Striped
    similar: LevelMaps | SortedRewards
    series: Series

    @property
    def plan(self) -> str:
        """How the series is summed, in words."""
        kind = "full series" if self.series.forgets is None else "stationary part closed"
        return f"{kind}, at most {self.series.terms} terms"

    def product(self, V: Array, terms: int | None = None) -> Array:
        """``K @ V`` for V [X] or [X, k]; of the series no more than the first ``terms``."""
        own = later(partial(self.similar.product, V))
        K = self.after @ self.series.product(self.before @ V, terms)
        K *= self.series.gamma
        K += own.result()
        return K

    def squares(self, V: Array) -> Array:
        """``v' K v`` for the columns of V [X, k], each a sum of squares, [k]."""
        own = self.similar.squares(V)
        return own + self.series.gamma * self.series.squares(self.before @ V)

    def matrix(self) -> Array:
        """The matrix, [X, X], from X products."""
        K = np.vstack([self.rows(block) for block in self._blocks(np.arange(len(self.reward.r)))])
        return (K + K.T) / 2

    def rows(self, i: Any) -> Array:
        """``K[i, :]``: one product for each row."""
        index = np.atleast_1d(i)
        found = [self.product(self._units(block)).T for block in self._blocks(index)]
        K = np.vstack(found) if found else np.zeros((0, len(self.reward.r)))
        return K[0] if np.ndim(i) == 0 else K

    def entries(self, i: Any, j: Any) -> Array:
        """``K[i, j]`` for broadcastable index arrays: a product for each distinct index on the side that has fewer."""
        i, j = np.broadcast_arrays(i, j)
        a, b = i.reshape(-1), j.reshape(-1)
        if np.array_equal(a, b):
            return self.diagonal(a).reshape(i.shape)
        if len(np.unique(b)) < len(np.unique(a)):
            a, b = b, a
        distinct, which = np.unique(a, return_inverse=True)
        found, start = np.empty(len(a)), 0
        for block in self._blocks(distinct):
            K = self.product(self._units(block))
            asked = np.flatnonzero((which >= start) & (which < start + len(block)))
            found[asked] = K[b[asked], which[asked] - start]
            start += len(block)
        return found.reshape(i.shape)

    def diagonal(self, x: NDArray[Any]) -> Array:
        """``K[x, x]`` for the pairs asked for, [k]."""
        distinct, which = np.unique(x, return_inverse=True)
        found = [self.series.squares(self._after(block)) for block in self._blocks(distinct)]
        return (1.0 + self.series.gamma * np.concatenate([*found, np.zeros(0)]))[which]

    def distances(self, i: NDArray[Any], j: NDArray[Any]) -> Array:
        """``d(i, j)`` for index vectors of one length, [k]: non-negative, and zero only for equal marginals."""
        pairs = np.stack([i, j], axis=1)
        found = [
            self.series.squares(self._after(block[:, 0]) - self._after(block[:, 1])) for block in self._blocks(pairs)
        ]
        apart = 2 * (1 - self.reward.entries(i, j))
        return np.asarray(apart + self.series.gamma * np.concatenate([*found, np.zeros(0)]))

    def _blocks(self, index: NDArray[Any]) -> Iterator[NDArray[Any]]:
        width = max(1, BLOCK_BYTES // (8 * len(self.reward.r)))
        for start in range(0, len(index), width):
            yield index[start : start + width]

    def _units(self, index: NDArray[Any]) -> Array:
        V = np.zeros((len(self.reward.r), len(index)))
        V[index, np.arange(len(index))] = 1.0
        return V

    def _after(self, index: NDArray[Any]) -> Array:
        return np.ascontiguousarray(dense(self.P[index]).T)


def matrix_free_form(mrp: MRP, reward: RewardKernel, longest: int = MOST_TERMS) -> MatrixFreeForm:
    """The form for a chain: one sort, the transposes, and the plan of the series, of at most ``longest`` terms.

    >>> mrp = MRP.from_matrix([[0.5, 0.5], [0.0, 1.0]], r=[1.0, 0.0], gamma=0.5)
    >>> matrix_free_form(mrp, RewardKernel.of(mrp.r)).product(np.array([0.0, 1.0])).round(6)
    array([0.666667, 2.      ])
    """
    P, similar = compact(mrp.P), pair_rewards(reward)
    series = Series.of(mrp, similar, longest)
    return MatrixFreeForm(reward, P, Striped.of(P), Striped.of(P.T.tocsr()), similar, series)


def measured_residual(form: MatrixFreeForm) -> float:
    """Sup norm of ``M - C - gamma Q M Q'`` on the columns of a few states, drawn at random."""
    series, maps = form.series, form.series.maps
    S = maps.Q.shape[0]
    states = np.random.default_rng(0).choice(S, size=min(RESIDUAL_STATES, S), replace=False)
    found: dict[int, float] = {}

    def measure(state: int) -> None:
        unit = np.zeros(S)
        unit[state] = 1.0
        after = maps.Q @ series.product(maps.Qt @ unit)
        left = series.product(unit) - maps.similar(unit) - series.gamma * after
        found[state] = float(np.abs(left).max())

    together([partial(measure, int(state)) for state in states])
    return max(found.values())


def matrix_free_bound(form: MatrixFreeForm) -> float:
    r"""Bound on the error of every entry of ``K``: the cut, and rounding.

    The cut leaves ``CUT h`` in an entry of ``M``. A product with ``Q`` rounds by its longest row, a cumulative sum by
    the additions of its stretches; each of these happens to every term, and the terms' weights sum to ``h``. Errors of
    a term stay in the later ones, which costs another factor: ``h``, or the number of terms where that is smaller.
    What is summed in float32 rounds alike, relative to a share `LIGHT` of one entry.
    """
    series, maps = form.series, form.series.maps
    longest = sum(part.roundings for part in (form.after, maps.Q, maps.Qt, maps.rewards))
    each = longest + 8
    rounding = 2 * each * min(series.horizon, series.terms)
    light = LIGHT * float(np.finfo(np.float32).eps) * rounding
    return series.gamma * (series.horizon * (CUT + EPS * rounding) + light) + each * EPS
