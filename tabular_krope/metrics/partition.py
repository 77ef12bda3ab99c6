r"""Coarsest bisimulations by partition refinement.

A partition of the states of an MDP is a *bisimulation* when two states of one block have the same actions and, for each
of them, the same reward, the same probability that the episode ends, and the same probability of moving into each
block. It is a *lax bisimulation* (Taylor, Precup and Panangaden, 2008) when for each action of either state the other
has some action with the same reward, end and probabilities: names of actions do not matter, nor how many do the same.
Model checkers call it action-blind. On the pairs of
a reward process the same words, with $P_\pi$ and without the actions, define a *$\pi$-bisimulation*. There is a
coarsest one. It is found by starting from the level sets of the rewards and ends and splitting blocks whose members
disagree on the probability of some block, until none does (Kanellakis and Smolka, 1990).

The discount factor is no part of the definition: at ``gamma = 0`` only the rewards matter to values, and the
partition is finer than the level sets of the rewards that the metrics then see.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.looks import Tabled
from tabular_krope.metrics.refinement import (
    refine_behaviors,
    refine_chain,
    refine_exact,
    refine_exact_mdp,
    refine_mdp,
)
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.notebook_tables import MOST_ROWS, Grid


@dataclass(frozen=True, slots=True, eq=False)
class Partition(Tabled):
    """Blocks of ``n`` elements, numbered in the order of their first members.

    Args:
        labels: the block of each element, [n]; any integers, which are renumbered.

    >>> partition = Partition([7, 3, 7])
    >>> partition.labels.tolist(), partition.blocks, len(partition)
    ([0, 1, 0], ((0, 2), (1,)), 2)
    """

    labels: NDArray[np.intp]

    def __post_init__(self) -> None:
        given = np.asarray(self.labels)
        if given.ndim != 1 or given.size == 0 or not np.issubdtype(given.dtype, np.integer):
            raise KropeError(f"labels must be a vector of integers; got {given.dtype} with shape {given.shape}")
        _, first, inverse = np.unique(given, return_index=True, return_inverse=True)
        number = np.empty(len(first), dtype=np.intp)
        number[np.argsort(first)] = np.arange(len(first))
        labels = number[inverse]
        labels.flags.writeable = False
        object.__setattr__(self, "labels", labels)

    def _table(self) -> tuple[str, dict[str, Any], Grid]:
        blocks = self.blocks
        rows = [[k, ", ".join(map(str, block[:100]))] for k, block in enumerate(blocks[:MOST_ROWS])]
        more = len(blocks) - len(rows)
        note = f"{more} more block{'s' * (more != 1)}" if more else ""
        grid = Grid(["block", "members"], rows, note=note)
        return "partition", {"elements": len(self.labels), "blocks": len(blocks)}, grid

    @property
    def n_blocks(self) -> int:
        """Number of blocks."""
        return int(self.labels.max()) + 1

    @property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """Members of each block, in increasing order."""
        order = np.argsort(self.labels, kind="stable")
        cuts = np.flatnonzero(np.diff(self.labels[order])) + 1
        return tuple(tuple(block.tolist()) for block in np.split(order, cuts))

    def indicator(self) -> sparse.csr_array:
        """The map from elements to blocks, [n, n_blocks]: one 1 in each row.

        >>> Partition([0, 1, 0]).indicator().toarray()
        array([[1., 0.],
               [0., 1.],
               [1., 0.]])
        """
        n = len(self.labels)
        return sparse.csr_array((np.ones(n), self.labels.copy(), np.arange(n + 1)), shape=(n, self.n_blocks))

    def __len__(self) -> int:
        return self.n_blocks


#: How the actions of two states are compared: each with the one of its name, or as sets of behaviors.
COMPARED = ("name", "set")


def require_compared(actions: object) -> str:
    """How actions are compared, "name" or "set"; KropeError otherwise."""
    if actions not in COMPARED:
        raise unknown_name("actions", str(actions), COMPARED)
    return str(actions)


def bisimulation_partition(
    model: MDP | ExactMDP | MRP | ExactMRP, tolerance: float | None = None, actions: str = "name"
) -> Partition:
    r"""The coarsest bisimulation of a model: on states for an MDP, on pairs (a $\pi$-bisimulation) for a chain.

    Args:
        model: an exact one (ExactMDP, ExactMRP) is decided over the rationals, with no tolerance at all.
        tolerance: floats whose sorted neighbors differ by no more than this count as equal. If None,
            ``2 eps max|r|`` for rewards (each was rounded once) and ``2 eps (n + m + 1)`` for probabilities of
            blocks, where ``n`` and ``m`` are the most successors of a pair and the most actions of a state: the
            rounding of two sums of that many terms of total 1.
        actions: for an MDP, "name" compares the actions of two states each with the one of its name, "set" as sets of
            behaviors (lax bisimulation, action-blind).

    Returns:
        Elements with equal labels are bisimilar.

    >>> mrp = MRP.from_matrix([[0, 1, 0], [1, 0, 0], [0.5, 0.5, 0]], r=[1.0, 1.0, 0.0], gamma=0.9)
    >>> bisimulation_partition(mrp).blocks
    ((0, 1), (2,))
    >>> mdp = MDP([[[1, 0], [0, 1]], [[0, 1], [1, 0]]], r=[[1.0, 2.0], [2.0, 1.0]], gamma=0.9)
    >>> bisimulation_partition(mdp).n_blocks, bisimulation_partition(mdp, actions="set").n_blocks
    (2, 1)
    """
    by_name = require_compared(actions) == "name"
    if isinstance(model, ExactMRP | ExactMDP):
        if tolerance is not None:
            raise KropeError(f"tolerance must be None for an exact model; got {tolerance!r}")
        return Partition(refine_exact(model) if isinstance(model, ExactMRP) else refine_exact_mdp(model, by_name))
    if tolerance is not None and not (np.isfinite(tolerance) and tolerance >= 0):
        raise KropeError(f"tolerance must be finite and non-negative; got {tolerance!r}")
    if isinstance(model, MDP):
        return Partition(refine_mdp(model, tolerance) if by_name else refine_behaviors(model, tolerance))
    if isinstance(model, MRP):
        return Partition(refine_chain(model, tolerance))
    raise KropeError(f"model must be an MDP, an ExactMDP, an MRP or an ExactMRP; got {type(model).__name__}")
