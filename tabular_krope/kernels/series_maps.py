"""What a term of the kernel's series needs: transitions and the reward kernel on states, in float64 or float32."""

from dataclasses import dataclass

from tabular_krope.arrays import Array
from tabular_krope.kernels.compiling import loops_for
from tabular_krope.kernels.level_maps import LevelMaps
from tabular_krope.kernels.levels import RewardLevels
from tabular_krope.kernels.reward import RewardKernel
from tabular_krope.kernels.sorted_rewards import SortedRewards
from tabular_krope.kernels.striped import Striped, compact
from tabular_krope.models.mrp import MRP


def pair_rewards(reward: RewardKernel) -> LevelMaps | SortedRewards:
    """The reward kernel on pairs as an operator, compiled where that is worth while.

    >>> import numpy as np
    >>> float(pair_rewards(RewardKernel.of([0.0, 1.0])).product(np.array([1.0, 1.0]))[0])
    1.0
    """
    loops = loops_for(len(reward.r))
    return LevelMaps.of(RewardLevels.of(reward)) if loops is None else SortedRewards.of(reward, loops)


@dataclass(frozen=True, slots=True, eq=False)
class Maps:
    """What a term of the series needs, all in float64 or all in float32.

    Attributes:
        Q, Qt: state-to-state transitions and their transpose.
        rewards: the reward kernel on states.
    """

    Q: Striped
    Qt: Striped
    rewards: LevelMaps | SortedRewards

    @classmethod
    def of(cls, mrp: MRP, rewards: LevelMaps | SortedRewards) -> "Maps":
        """The maps of a chain, given the reward kernel on its pairs."""
        Q = compact(mrp.Q)
        return cls(Striped.of(Q), Striped.of(Q.T.tocsr()), rewards.on(mrp.Pi))

    def light(self) -> "Maps | None":
        """The same in float32; indices are shared. None where loops are compiled: they are no faster in float32."""
        if isinstance(self.rewards, SortedRewards):
            return None
        return Maps(self.Q.light(), self.Qt.light(), self.rewards.light())

    def similar(self, U: Array, balanced: bool = False) -> Array:
        """``C U``, the reward kernel on states."""
        return self.rewards.product(U, balanced)
