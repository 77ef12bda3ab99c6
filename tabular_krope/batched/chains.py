"""Reward processes of one size, stacked: their values and kernels in a few array operations."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tabular_krope.arrays import Array, dense
from tabular_krope.errors import KropeError
from tabular_krope.kernels.stein import stein_solutions

if TYPE_CHECKING:
    from tabular_krope.models.mrp import MRP


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """``n`` reward processes with ``X`` pairs and ``S`` states each.

    Attributes:
        P: next-state probabilities of each pair, [n, X, S].
        r: rewards, [n, X].
        gamma: discount factors below 1, [n].
        end: probabilities that the episode ends, [n, X].
        Pi: pairs that follow each state, [n, S, X]; if None the pairs are the states, and everything is solved on them.
        d0: initial distributions over pairs, [n, X]; uniform if None.
        members: the processes themselves, for what cannot be done for all at once; made when asked for if empty.
    """

    P: Array
    r: Array
    gamma: Array
    end: Array
    Pi: Array | None = None
    d0: Array | None = None
    members: "tuple[MRP, ...]" = ()

    @classmethod
    def stack(cls, mrps: "Sequence[MRP]") -> "Chains":
        """The given processes, which must have one size and gamma below 1.

        >>> from tabular_krope.models.mrp import MRP
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
            r=np.stack([mrp.r for mrp in mrps]),
            gamma=np.array([mrp.gamma for mrp in mrps]),
            end=np.stack([mrp.end for mrp in mrps]),
            Pi=np.stack([mrp.Pi.toarray() for mrp in mrps]),
            d0=np.stack([mrp.d0 for mrp in mrps]),
            members=tuple(mrps),
        )

    def __len__(self) -> int:
        return len(self.r)

    @property
    def X(self) -> int:
        """Number of pairs."""
        return int(self.r.shape[1])

    def take(self, index: Sequence[int]) -> "Chains":
        """Some of the chains, in the given order."""
        at = list(index)
        Pi, d0 = (None if part is None else part[at] for part in (self.Pi, self.d0))
        members = tuple(self.members[k] for k in at) if self.members else ()
        return Chains(self.P[at], self.r[at], self.gamma[at], self.end[at], Pi, d0, members)

    def member(self, k: int) -> "MRP":
        """Process ``k`` alone.

        >>> chains = Chains(np.ones((1, 1, 1)), np.ones((1, 1)), np.array([0.5]), np.zeros((1, 1)))
        >>> chains.member(0).q
        array([2.])
        """
        if self.members:
            return self.members[k]
        from tabular_krope.models.mrp import MRP

        return MRP(self.P[k], self.choices[k], self.r[k], float(self.gamma[k]), self.end[k], self.starts[k])

    @property
    def choices(self) -> Array:
        """Pairs that follow each state, [n, S, X]."""
        return np.broadcast_to(np.eye(self.X), self.P.shape) if self.Pi is None else self.Pi

    @property
    def starts(self) -> Array:
        """Initial distributions over pairs, [n, X]."""
        return np.full(self.r.shape, 1 / self.X) if self.d0 is None else self.d0

    @property
    def q(self) -> Array:
        r"""Action values $q = r + \gamma P_\pi q$, [n, X]."""
        return self.value_of(self.r)

    def after(self, F: Array) -> Array:
        """``P_pi F`` for F [n, X, d], by two thin products."""
        return np.asarray(self.P @ (F if self.Pi is None else self.Pi @ F))

    def value_of(self, reward: Array) -> Array:
        """``sum_n gamma^n P_pi^n reward`` for rewards [n, X], by a direct solve on states."""
        gamma, r = self.gamma[:, None, None], reward[:, :, None]
        one = np.eye(self.P.shape[2])
        if self.Pi is None:
            return np.asarray(np.linalg.solve(one - gamma * self.P, r)[:, :, 0])
        v = np.linalg.solve(one - gamma * (self.Pi @ self.P), self.Pi @ r)
        return np.asarray((r + gamma * (self.P @ v))[:, :, 0])

    def kernel_of(self, C: Array) -> Array:
        """The solutions of ``K = C + gamma P_pi K P_pi'`` for symmetric ``C`` [n, X, X], solved on states."""
        if self.Pi is None:
            return stein_solutions(self.P, C, self.gamma)
        M = stein_solutions(self.Pi @ self.P, self.Pi @ C @ self.Pi.transpose(0, 2, 1), self.gamma)
        ahead = self.P @ M @ self.P.transpose(0, 2, 1)
        K = ahead + ahead.transpose(0, 2, 1)
        K *= self.gamma[:, None, None] / 2
        K += C
        return np.asarray(K)

    def kernel(self, R: Array | None = None) -> Array:
        """The KROPE kernels, [n, X, X], with the divisors ``R`` [n] of `reward_kernels`.

        >>> Chains(np.eye(2)[None], np.array([[0.0, 1.0]]), np.array([0.5]), np.zeros((1, 2))).kernel()
        array([[[2., 0.],
                [0., 2.]]])
        """
        return self.kernel_of(reward_kernels(self.r, R))


def reward_kernels(r: Array, R: Array | None = None) -> Array:
    """``1 - |r_i - r_j| / R``, [n, X, X]; all ones where ``R = 0``.

    Args:
        r: rewards, [n, X].
        R: divisors, [n]; each process's own range of rewards if None.

    >>> reward_kernels(np.array([[0.0, 1.0, 0.5], [2.0, 2.0, 2.0]]))[:, 0]
    array([[1. , 0. , 0.5],
           [1. , 1. , 1. ]])
    """
    divisor = (np.ptp(r, axis=1) if R is None else R)[:, None, None]
    K = r[:, :, None] - r[:, None, :]
    np.abs(K, out=K)
    K /= np.where(divisor > 0, divisor, 1.0)
    return np.asarray(np.subtract(1, K, out=K))


def weighted_spectra(K: Array, D: Array, top: int | None = None) -> tuple[Array, Array]:
    """The ``top`` eigenvalues, decreasing, and eigenvectors of ``D^1/2 K D^1/2``, [n, top] and [n, X, top].

    All if ``top`` is None.

    >>> weighted_spectra(2 * np.eye(2)[None], np.array([[0.25, 0.75]]))[0]
    array([[1.5, 0.5]])
    """
    root = np.sqrt(D)
    W = root[:, :, None] * K
    W *= root[:, None, :]
    if top is None:
        values, vectors = np.linalg.eigh(W)
        return values[:, ::-1], vectors[:, :, ::-1]
    from tabular_krope.batched.top_spectra import top_spectra

    return top_spectra(W, top)


def krope_features(K: Array, D: Array, top: int | None = None) -> tuple[Array, Array]:
    r"""Features $\Phi = K D^{1/2} U \Lambda^{-1/2}$ of the ``top`` eigenvalues, and these, [n, X, top] and [n, top].

    All if ``top`` is None; the first ``d`` columns are the top ``d`` features. Columns of eigenvalues that are not
    positive are zero.

    >>> Phi, values = krope_features(2 * np.eye(2)[None], np.array([[0.25, 0.75]]))
    >>> np.abs(Phi @ Phi.transpose(0, 2, 1)).round(12), values
    (array([[[2., 0.],
            [0., 2.]]]), array([[1.5, 0.5]]))
    """
    values, U = weighted_spectra(K, D, top)
    sigma = np.sqrt(np.maximum(values, 0.0))[:, None, :]
    root = np.sqrt(D)[:, :, None]
    inverse = np.divide(1.0, sigma, out=np.zeros_like(sigma), where=sigma > 0)
    # U S D^-1/2 is the same where there are data. Each entry is taken from the form that divides by less rounding.
    size = np.sqrt(np.diagonal(K, axis1=1, axis2=2)[:, :, None] * np.maximum(values[:, None, :1], 0.0))
    return np.divide(U * sigma, root, out=(K @ (root * U)) * inverse, where=root * size > sigma**2), values
