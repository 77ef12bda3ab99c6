"""Policies: for each state a distribution over actions."""

from dataclasses import InitVar, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from tabular_krope.arrays import Array, frozen_array, refuse_rounding, refuse_where, rows_to_one, substochastic
from tabular_krope.errors import KropeError
from tabular_krope.looks import WRITTEN_OUT, Tabled, call_text, print_on
from tabular_krope.models.mdp import require_mdp
from tabular_krope.notebook_tables import MOST_ROWS, Grid


@dataclass(frozen=True, slots=True, eq=False)
class Policy(Tabled):
    """Action probabilities, [S, A]; rows are non-negative and sum to 1.

    Args:
        probs: the probabilities.
        normalize: divide each row by its sum, as probabilities in float32 need.

    >>> Policy([[0.5, 0.5], [1.0, 0.0]]).matrix().toarray()
    array([[0.5, 0.5, 0. , 0. ],
           [0. , 0. , 1. , 0. ]])
    """

    probs: Array
    normalize: InitVar[bool] = False

    def __post_init__(self, normalize: bool) -> None:
        refuse_rounding(self.probs, "probs")
        probs = frozen_array(self.probs, "probs", (None, None))
        if probs.size == 0:
            raise KropeError(f"probs must have at least one state and one action; got shape {probs.shape}")
        if normalize:
            probs, _ = rows_to_one(probs, np.zeros(len(probs)))
        probs = substochastic(probs, np.zeros(len(probs)), "probs", [f"s={s}" for s in range(len(probs))])
        object.__setattr__(self, "probs", probs)

    _repr_pretty_ = print_on

    def _table(self) -> tuple[str, dict[str, Any], Grid]:
        rows = [[s, *row] for s, row in enumerate(self.probs[:MOST_ROWS].tolist())]
        more = self.n_states - len(rows)
        shades = self.probs[:MOST_ROWS].tolist()
        grid = Grid(
            ["state", *(f"action {a}" for a in range(self.n_actions))], rows, shades, f"{more} more" * (more > 0)
        )
        return "policy", {"states": self.n_states, "actions": self.n_actions}, grid

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

    def matrix(self, pair_state: Any = None, pair_action: Any = None) -> sparse.csr_array:
        """The policy as a map from states to pairs, ``Pi`` [S, X]: ``Pi[s, s*A + a] = probs[s, a]``.

        Where pairs are a list, their states and actions are given, in the order of the states.
        """
        S, A = self.probs.shape
        if pair_state is not None:
            indptr = np.concatenate([[0], np.cumsum(np.bincount(pair_state, minlength=S))])
            X = len(pair_state)
            Pi = sparse.csr_array((self.probs[pair_state, pair_action], np.arange(X), indptr), shape=(S, X))
            Pi.eliminate_zeros()
            return Pi
        indptr = np.arange(0, S * A + 1, A)
        Pi = sparse.csr_array((self.probs.reshape(-1).copy(), np.arange(S * A), indptr), shape=(S, S * A))
        if not self.probs.all():
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


def policy_of(mdp: Any, policy: Any) -> Policy:
    """A Policy, an array [S, A], or the action of each state [S], as a Policy on an MDP; KropeError otherwise.

    >>> from tabular_krope.models.mdp import MDP
    >>> mdp = MDP(P=[[[1.0], [1.0]]], r=[[0.0, 1.0]], gamma=0.5)
    >>> policy_of(mdp, [[0.25, 0.75]]), policy_of(mdp, [1])
    (Policy([[0.25, 0.75]]), Policy([[0.0, 1.0]]))
    """
    require_mdp(mdp)
    if not isinstance(policy, Policy):
        if not isinstance(policy, np.ndarray | list | tuple):
            raise KropeError(f"policy must be a Policy; got {type(policy).__name__}")
        array = np.asarray(policy)
        chosen = array.ndim == 1 and array.dtype.kind in "iu"
        policy = Policy.deterministic(array, mdp.n_actions) if chosen else Policy(array)
    checked: Policy = policy
    shape = (mdp.n_states, mdp.n_actions)
    if checked.probs.shape != shape:
        raise KropeError(f"policy must have shape {shape} like the model's rewards; got {checked.probs.shape}")
    if mdp.listed:
        refuse_where(~mdp.allowed & (checked.probs > 0), checked.probs, "policy", "be 0 for an action the state lacks")
    return checked
