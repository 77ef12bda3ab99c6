r"""Finite Markov decision processes $(S, A, P, r, \gamma, d_0)$ whose episodes may end.

Row ``(s, a)`` of ``P`` and ``end[s, a]`` sum to 1: ``end`` is the probability that the episode ends after the reward
``r[s, a]``, so that the next value counts as zero. ``gamma = 1`` is allowed when the episode can end from every state;
that it surely ends is a matter of the policy, and is checked on the chain (`MRP`).
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from tabular_krope.arrays import (
    Array,
    Matrix,
    distribution,
    frozen_array,
    frozen_csr,
    is_sparse,
    refuse_where,
    require_gamma,
    substochastic,
)
from tabular_krope.errors import KropeError
from tabular_krope.models.chains import states_that_never_end
from tabular_krope.models.written import WRITTEN_OUT, call_text, print_on, summary, unless_default


@dataclass(frozen=True, slots=True, eq=False)
class MDP:
    """A validated, immutable MDP.

    Args:
        P: transition probabilities, dense [S, A, S] or CSR [X, S] with pair index ``x = s*A + a``.
        r: rewards, [S, A].
        gamma: discount factor in [0, 1].
        d0: initial distribution over states, [S]; uniform if None.
        end: probability that the episode ends, [S, A]; zero if None.

    >>> mdp = MDP(P=[[[0.5, 0.5]], [[0.0, 1.0]]], r=[[1.0], [0.0]], gamma=0.9)
    >>> mdp.n_states, mdp.n_actions, mdp.n_pairs
    (2, 1, 2)
    """

    P: Matrix
    r: Array
    gamma: float
    d0: Array = None  # type: ignore[assignment]
    end: Array = None  # type: ignore[assignment]
    _pairs: Matrix = field(init=False, repr=False, default=None)

    def __post_init__(self) -> None:
        _require_rewards_like(self.P, self.r)
        r = frozen_array(self.r, "r", (None, None))
        S, A = r.shape
        if S == 0 or A == 0:
            raise KropeError(f"r must have at least one state and one action; got shape {r.shape}")
        end = frozen_array(np.zeros((S, A)) if self.end is None else self.end, "end", (S, A))
        refuse_where(~((end >= 0) & (end <= 1)), end, "end", "lie in [0, 1]")
        P = _transitions(self.P, S, A)
        pairs = P if is_sparse(P) else P.reshape(S * A, S)
        labels = [f"s={x // A}, a={x % A}" for x in range(S * A)] if S * A <= 10_000 else None
        pairs = substochastic(pairs, end.reshape(-1), "P", labels)
        P = pairs if is_sparse(P) else pairs.reshape(S, A, S)
        gamma = require_gamma(self.gamma)
        if gamma == 1.0:
            anywhere = _union_over_actions(pairs, S, A)
            stuck = states_that_never_end(anywhere, end.max(axis=1))
            if stuck.size:
                raise KropeError(f"gamma must be below 1 unless episodes end; got 1 and no end after state {stuck[0]}")
        put = object.__setattr__
        put(self, "P", P)
        put(self, "_pairs", pairs)
        put(self, "r", r)
        put(self, "end", end)
        put(self, "gamma", gamma)
        put(self, "d0", distribution(self.d0, S, "d0"))

    _repr_pretty_ = print_on

    def __repr__(self) -> str:
        """The Python that makes it; only its size if it is large or sparse."""
        if self.n_pairs * self.n_states > WRITTEN_OUT or is_sparse(self.P):
            return summary("MDP", self.n_pairs, self.n_states, self.gamma)
        d0, end = unless_default(self.d0, 1 / self.n_states), unless_default(self.end, 0)
        fields = {"r": self.r.tolist(), "gamma": self.gamma, "d0": d0, "end": end}
        return call_text("MDP", np.asarray(self.P).tolist(), fields)

    @property
    def n_states(self) -> int:
        """Number of states, S."""
        return int(self.r.shape[0])

    @property
    def n_actions(self) -> int:
        """Number of actions, A."""
        return int(self.r.shape[1])

    @property
    def n_pairs(self) -> int:
        """Number of state-action pairs, X = S*A."""
        return int(self.r.size)

    @property
    def P_pairs(self) -> Matrix:
        """Transition probabilities with one row for each pair, [X, S]."""
        return self._pairs


def _require_rewards_like(P: Any, r: Any) -> None:
    """Where transitions are of one number of states throughout, rewards of another shape are what is wrong."""
    try:
        of_P, of_r = tuple(np.shape(P)), tuple(np.shape(r))
    except ValueError:  # rows of different lengths, which are told when they are copied
        return
    if len(of_P) == 3 and of_P[0] == of_P[2] and of_r != of_P[:2]:
        raise KropeError(f"r must have shape [S, A] = {of_P[:2]}, as P [S, A, S] has; got {of_r}")


def _transitions(P: Any, S: int, A: int) -> Matrix:
    if is_sparse(P):
        return frozen_csr(P, "P", (S * A, S))
    return frozen_array(P, "P", (S, A, S))


def _union_over_actions(pairs: Matrix, S: int, A: int) -> sparse.csr_array:
    """Which states can follow which under some action, [S, S]."""
    choose = sparse.csr_array((np.ones(S * A), (np.arange(S * A) // A, np.arange(S * A))), shape=(S, S * A))
    return sparse.csr_array(choose @ sparse.csr_array(pairs))
