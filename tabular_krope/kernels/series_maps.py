"""What a term of the kernel's series needs: transitions and the reward kernel on its levels, in float64 or float32."""

from dataclasses import dataclass, field

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.kernels.levels import RewardLevels
from tabular_krope.kernels.striped import Striped, compact
from tabular_krope.models.mrp import MRP


@dataclass(frozen=True, slots=True, eq=False)
class Maps:
    """What a term of the series needs, all in float64 or all in float32.

    Attributes:
        Q, Qt: state-to-state transitions and their transpose.
        levels, T, Tt: the reward kernel on its levels; the maps from levels to states and back.

    Arrays that `similar` is done with are kept for the next one, as many as threads have used at a time.
    """

    Q: Striped
    Qt: Striped
    levels: RewardLevels
    T: Striped
    Tt: Striped
    _spare: list[Array] = field(default_factory=list, repr=False)

    @classmethod
    def of(cls, mrp: MRP, levels: RewardLevels) -> "Maps":
        """The maps of a chain."""
        Q, T = compact(mrp.Q), levels.spread(mrp.Pi)
        return cls(Striped.of(Q), Striped.of(Q.T.tocsr()), levels, Striped.of(T), Striped.of(T.T.tocsr()))

    def light(self) -> "Maps":
        """The same in float32; indices are shared."""
        return Maps(self.Q.light(), self.Qt.light(), self.levels.light(), self.T.light(), self.Tt.light())

    def similar(self, U: Array, balanced: bool = False) -> Array:
        """``C U``, the reward kernel on states."""
        if U.ndim == 2:
            return np.asarray(self.T @ self.levels.smooth(self.Tt @ U, balanced))
        # Masses on the levels of ten million pairs take 80 MB, and new memory is slower to come by than to fill.
        try:
            masses = self._spare.pop()
        except IndexError:  # to look first would not do: another thread may take it in between
            masses = np.empty(self.levels.size, dtype=self.levels.steps.dtype)
        masses.fill(0.0)
        found = self.T @ self.levels.smooth(self.Tt.add_to(masses, U), balanced)
        self._spare.append(masses)
        return np.asarray(found)
