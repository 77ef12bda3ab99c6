"""Reward processes of one size, stacked."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tabular_krope.arrays import Array, dense
from tabular_krope.errors import KropeError
from tabular_krope.models.mrp import MRP


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """``n`` reward processes with ``X`` pairs and ``S`` states each.

    Attributes:
        P: next-state probabilities of each pair, [n, X, S].
        Pi: pairs that follow each state, [n, S, X].
        r: rewards, [n, X].
        gamma: discount factors below 1, [n].
        d0: initial distributions over pairs, [n, X].
        members: the processes themselves, for what cannot be done for all at once; made when asked for if empty.
    """

    P: Array
    Pi: Array
    r: Array
    gamma: Array
    d0: Array
    members: tuple[MRP, ...] = ()

    @classmethod
    def stack(cls, mrps: Sequence[MRP]) -> "Chains":
        """The given processes, which must have one size and gamma below 1.

        >>> Chains.stack([MRP.from_matrix([[1.0]], [1.0], 0.5)] * 3).q
        array([[2.],
               [2.],
               [2.]])
        """
        sizes = {(mrp.n_pairs, mrp.n_states) for mrp in mrps}
        if len(sizes) != 1:
            raise KropeError(f"mrps must be at least one, all of one size; got (pairs, states) in {sorted(sizes)}")
        if (bad := next((k for k, mrp in enumerate(mrps) if mrp.gamma == 1.0), None)) is not None:
            raise KropeError(f"mrps[{bad}] must have gamma below 1; got 1")
        return cls(
            P=np.stack([dense(mrp.P) for mrp in mrps]),
            Pi=np.stack([mrp.Pi.toarray() for mrp in mrps]),
            r=np.stack([mrp.r for mrp in mrps]),
            gamma=np.array([mrp.gamma for mrp in mrps]),
            d0=np.stack([mrp.d0 for mrp in mrps]),
            members=tuple(mrps),
        )

    def __len__(self) -> int:
        return len(self.r)

    def take(self, index: Sequence[int]) -> "Chains":
        """Some of the chains, in the given order."""
        at = list(index)
        members = tuple(self.members[k] for k in at) if self.members else ()
        return Chains(self.P[at], self.Pi[at], self.r[at], self.gamma[at], self.d0[at], members)

    def member(self, k: int) -> MRP:
        """Process ``k`` alone; what its rows lack of 1 beyond rounding is the chance of an end.

        >>> chains = Chains(np.ones((1, 1, 1)), np.ones((1, 1, 1)), np.ones((1, 1)), np.array([0.5]), np.ones((1, 1)))
        >>> chains.member(0).q
        array([2.])
        """
        if self.members:
            return self.members[k]
        end = 1 - self.P[k].sum(axis=1)
        end = np.where(end > len(end) * np.finfo(np.float64).eps, end, 0.0)
        return MRP(self.P[k], self.Pi[k], self.r[k], float(self.gamma[k]), end, self.d0[k])

    def after(self, F: Array) -> Array:
        """``P_pi F`` for F [n, X, d], by two thin products."""
        return np.asarray(self.P @ (self.Pi @ F))

    @property
    def q(self) -> Array:
        r"""Action values $q = r + \gamma P_\pi q$, [n, X], by a direct solve on states."""
        gamma, r = self.gamma[:, None, None], self.r[:, :, None]
        system = np.eye(self.P.shape[2]) - gamma * (self.Pi @ self.P)
        return np.asarray((r + gamma * (self.P @ np.linalg.solve(system, self.Pi @ r)))[:, :, 0])
