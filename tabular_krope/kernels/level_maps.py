"""The reward kernel on pairs or on states by its levels: masses onto the levels, two cumulative sums, and back."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Array
from tabular_krope.kernels.levels import RewardLevels
from tabular_krope.kernels.striped import Striped


@dataclass(frozen=True, slots=True, eq=False)
class LevelMaps:
    """``C = Pi K1 Pi'`` as an operator, ``K1`` itself where ``Pi`` is the identity; `sorted_rewards` compiles the same.

    Attributes:
        levels: the reward kernel on its levels.
        T: the map from levels to states; None for pairs, which take the value at their place.
        Tt: the map from states or pairs to levels.
        places: the level of each pair; empty for states.

    Arrays that a product is done with are kept for the next one, as many as threads have used at a time.

    >>> from tabular_krope.kernels.reward import RewardKernel
    >>> LevelMaps.of(RewardLevels.of(RewardKernel.of([0.0, 1.0, 0.5]))).product(np.array([1.0, 0.0, 0.0]))
    array([1. , 0. , 0.5])
    """

    levels: RewardLevels
    T: Striped | None
    Tt: Striped
    places: NDArray[np.intp]
    _spare: list[Array] = field(default_factory=list, repr=False)

    @classmethod
    def of(cls, levels: RewardLevels) -> "LevelMaps":
        """The operator on pairs."""
        E = levels.spread(sparse.eye_array(len(levels.places), format="csr"))
        return cls(levels, None, Striped.of(E.T.tocsr()), levels.places.astype(np.intp))

    def on(self, Pi: sparse.csr_array) -> "LevelMaps":
        """The operator on the rows of ``Pi``, from that on pairs."""
        T = self.levels.spread(Pi)
        return LevelMaps(self.levels, Striped.of(T), Striped.of(T.T.tocsr()), self.places[:0])

    def light(self) -> "LevelMaps":
        """The same in float32; indices are shared."""
        T = None if self.T is None else self.T.light()
        return LevelMaps(self.levels.light(), T, self.Tt.light(), self.places)

    @property
    def roundings(self) -> int:
        """Additions that a number passes through, at most."""
        return self.levels.roundings + (0 if self.T is None else self.T.roundings)

    def product(self, U: Array, balanced: bool = False) -> Array:
        """``C U`` for U [m] or [m, k]; masses that are ``balanced`` sum to zero."""
        if U.ndim == 2:
            return self._back(self.levels.smooth(self.Tt @ U, balanced))
        # Masses on the levels of ten million pairs take 80 MB, and new memory is slower to come by than to fill.
        try:
            masses = self._spare.pop()
        except IndexError:  # to look first would not do: another thread may take it in between
            masses = np.empty(self.levels.size, dtype=self.levels.steps.dtype)
        masses.fill(0.0)
        found = self._back(self.levels.smooth(self.Tt.add_to(masses, U), balanced))
        self._spare.append(masses)
        return found

    def squares(self, U: Array) -> Array:
        """``u' C u`` for the columns of U [m, k], each a sum of squares, [k]."""
        return self.levels.squares(self.Tt @ U)

    def _back(self, values: Array) -> Array:
        return np.take(values, self.places, axis=0) if self.T is None else np.asarray(self.T @ values)
