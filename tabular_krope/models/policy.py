"""Policies: for each state a distribution over actions."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from tabular_krope.arrays import Array, frozen_array, substochastic
from tabular_krope.errors import KropeError
from tabular_krope.models.written import WRITTEN_OUT, call_text, print_on


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """Action probabilities, [S, A]; rows are non-negative and sum to 1.

    >>> Policy([[0.5, 0.5], [1.0, 0.0]]).matrix().toarray()
    array([[0.5, 0.5, 0. , 0. ],
           [0. , 0. , 1. , 0. ]])
    """

    probs: Array

    def __post_init__(self) -> None:
        probs = frozen_array(self.probs, "probs", (None, None))
        if probs.size == 0:
            raise KropeError(f"probs must have at least one state and one action; got shape {probs.shape}")
        probs = substochastic(probs, np.zeros(len(probs)), "probs", [f"s={s}" for s in range(len(probs))])
        object.__setattr__(self, "probs", probs)

    _repr_pretty_ = print_on

    def __repr__(self) -> str:
        """The Python that makes it; only its size if it is large."""
        if self.probs.size > WRITTEN_OUT:
            return f"<Policy on {self.n_states} states and {self.n_actions} actions>"
        return call_text("Policy", self.probs.tolist(), {})

    @property
    def n_states(self) -> int:
        """Number of states, S."""
        return int(self.probs.shape[0])

    @property
    def n_actions(self) -> int:
        """Number of actions, A."""
        return int(self.probs.shape[1])

    def matrix(self) -> sparse.csr_array:
        """The policy as a map from states to pairs, ``Pi`` [S, X]: ``Pi[s, s*A + a] = probs[s, a]``."""
        S, A = self.probs.shape
        indptr = np.arange(0, S * A + 1, A)
        Pi = sparse.csr_array((self.probs.reshape(-1).copy(), np.arange(S * A), indptr), shape=(S, S * A))
        Pi.eliminate_zeros()
        return Pi

    @classmethod
    def deterministic(cls, actions: ArrayLike, n_actions: int) -> "Policy":
        """The policy that takes ``actions[s]`` in state ``s``.

        >>> Policy.deterministic([1, 0], 2).probs
        array([[0., 1.],
               [1., 0.]])
        """
        chosen = np.asarray(actions)
        if chosen.ndim != 1 or not np.issubdtype(chosen.dtype, np.integer):
            raise KropeError(f"actions must be a vector of integers; got {chosen.dtype} with shape {chosen.shape}")
        bad = (chosen < 0) | (chosen >= n_actions)
        if bad.any():
            s = int(np.argmax(bad))
            raise KropeError(f"actions[{s}] must lie in 0..{n_actions - 1}; got {chosen[s]}")
        return cls(np.eye(n_actions)[chosen])

    @classmethod
    def uniform(cls, n_states: int, n_actions: int) -> "Policy":
        """Every action with the same probability.

        >>> Policy.uniform(1, 4).probs
        array([[0.25, 0.25, 0.25, 0.25]])
        """
        return cls(np.full((n_states, n_actions), 1.0 / n_actions))
