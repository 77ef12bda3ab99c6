r"""Finite Markov decision processes $(S, A, P, r, \gamma, d_0)$ whose episodes may end.

Row ``(s, a)`` of ``P`` and ``end[s, a]`` sum to 1: ``end`` is the probability that the episode ends after the reward
``r[s, a]``, so that the next value counts as zero. ``gamma = 1`` is allowed when the episode can end from every state;
that it surely ends is a matter of the policy, and is checked on the chain (`MRP`).

Where every action can be taken in every state, the fields are arrays over states and actions. Where action sets differ
by state, they are lists over the pairs that there are: ``P`` [X, S], ``r`` [X], ``end`` [X], with the state and the
action of each pair. `r_pairs`, `end_pairs` and `P_pairs` are lists over pairs in both forms.
"""

from dataclasses import InitVar, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import (
    Array,
    Matrix,
    distribution,
    is_sparse,
    refuse_rounding,
    refuse_where,
    require_gamma,
    rows_to_one,
    shape_of,
    substochastic,
)
from tabular_krope.errors import KropeError
from tabular_krope.looks import WRITTEN_OUT, Tabled, call_text, print_on, summary, unless_default
from tabular_krope.models.mdp_fields import fields_of_pairs, require_an_end
from tabular_krope.models.model_grids import decision_grid
from tabular_krope.models.pairs import Indices, action_names
from tabular_krope.notebook_tables import Grid


@dataclass(frozen=True, slots=True, eq=False)
class MDP(Tabled):
    """A validated, immutable MDP.

    Args:
        P: transition probabilities, dense [S, A, S] or CSR [X, S] with pair index ``x = s*A + a``; [X, S], dense or
            CSR, for a list of pairs.
        r: rewards, [S, A]; [X] for a list of pairs.
        gamma: discount factor in [0, 1].
        d0: initial distribution over states, [S]; uniform if None.
        end: probability that the episode ends, like ``r``; zero if None.
        pair_state, pair_action: state and action of each pair, [X], if the pairs are a list, in any order (they are
            sorted by state and action). Every state must have at least one action.
        action_names: names of the actions, if they have some.
        normalize: divide each row of ``P`` (with its ``end``) by its sum, as models in float32 need.

    >>> mdp = MDP(P=[[[0.5, 0.5]], [[0.0, 1.0]]], r=[[1.0], [0.0]], gamma=0.9)
    >>> mdp.n_states, mdp.n_actions, mdp.n_pairs
    (2, 1, 2)
    >>> mdp = MDP([[1, 0], [0, 1], [0, 1]], r=[0, 1, 2], gamma=0.9, pair_state=[0, 0, 1], pair_action=[0, 1, 1])
    >>> mdp.allowed
    array([[ True,  True],
           [False,  True]])
    """

    P: Matrix
    r: Array
    gamma: float
    d0: Array = None  # type: ignore[assignment]
    end: Array = None  # type: ignore[assignment]
    pair_state: Indices = None  # type: ignore[assignment]
    pair_action: Indices = None  # type: ignore[assignment]
    action_names: tuple[str, ...] | None = None
    normalize: InitVar[bool] = False
    _pairs: Matrix = field(init=False, repr=False, default=None)

    def __post_init__(self, normalize: bool) -> None:
        for name in ("P", "r", "end"):
            refuse_rounding(getattr(self, name), name)
        pairs, r, end, state, action = fields_of_pairs(
            self.P, self.r, self.end, self.pair_state, self.pair_action, self.action_names
        )
        S, A = pairs.shape[1], int(action.max()) + 1
        names = action_names(self.action_names, A, exactly=r.ndim == 2)
        refuse_where(~((end >= 0) & (end <= 1)), end, "end", "lie in [0, 1]")
        flat = end.reshape(-1)
        if normalize:
            pairs, flat = rows_to_one(pairs, flat)
            end = flat.reshape(end.shape)
        labels = [f"s={s}, a={a}" for s, a in zip(state, action, strict=True)] if len(state) <= 10_000 else None
        pairs = substochastic(pairs, flat, "P", labels)
        gamma = require_gamma(self.gamma)
        if gamma == 1.0:
            require_an_end(pairs, flat, state)
        P = pairs if r.ndim == 1 or is_sparse(pairs) else pairs.reshape(S, A, S)
        put = object.__setattr__
        for name, value in (("P", P), ("_pairs", pairs), ("r", r), ("end", end), ("gamma", gamma)):
            put(self, name, value)
        put(self, "d0", distribution(self.d0, S, "d0"))
        for name, value in (("pair_state", state), ("pair_action", action), ("action_names", names)):
            put(self, name, value)

    @classmethod
    def from_mask(cls, P: Any, r: Any, gamma: float, allowed: Any, d0: Any = None, end: Any = None) -> "MDP":
        """The model in which ``allowed`` [S, A] says which actions each state has; others are not read.

        >>> MDP.from_mask([[[1.0], [0.0]]], [[2.0, -np.inf]], 0.5, allowed=[[True, False]]).r_pairs
        array([2.])
        """
        r, mask = np.asarray(r, dtype=np.float64), np.asarray(allowed)
        if r.ndim != 2 or mask.shape != r.shape or not np.isin(mask, (0, 1)).all():
            raise KropeError(f"allowed must be true or false, [S, A] like r {r.shape}; got {mask.dtype} {mask.shape}")
        mask = mask.astype(np.bool_)
        S, A = mask.shape
        kept = np.flatnonzero(mask.reshape(-1))
        rows: Any = P if is_sparse(P) else np.asarray(P, dtype=np.float64)
        if shape_of(rows, "P") not in ((S, A, S), (S * A, S)):
            raise KropeError(f"P must have shape {(S, A, S)} or {(S * A, S)}; got {rows.shape}")
        if mask.all():
            return cls(rows if is_sparse(rows) else rows.reshape(S, A, S), r, gamma, d0, end)
        rows = sparse.csr_array(rows)[kept] if is_sparse(rows) else rows.reshape(S * A, S)[kept]
        ends: Any = None if end is None else np.asarray(end, dtype=np.float64).reshape(-1)[kept]
        return cls(rows, r.reshape(-1)[kept], gamma, d0, ends, kept // A, kept % A)

    _repr_pretty_ = print_on

    def _table(self) -> tuple[str, dict[str, Any], Grid]:
        sizes = {"states": self.n_states, "actions": self.n_actions, "pairs": self.n_pairs, "gamma": float(self.gamma)}
        return "decision process", sizes, decision_grid(self)

    def __repr__(self) -> str:
        """The Python that makes it; only its size if it is large or sparse."""
        if self.n_pairs * self.n_states > WRITTEN_OUT or is_sparse(self.P):
            return summary("MDP", self.n_pairs, self.n_states, self.gamma)
        d0, end = unless_default(self.d0, 1 / self.n_states), unless_default(self.end, 0)
        fields: dict[str, Any] = {"r": self.r.tolist(), "gamma": self.gamma, "d0": d0, "end": end}
        if self.listed:
            fields |= {"pair_state": self.pair_state.tolist(), "pair_action": self.pair_action.tolist()}
        return call_text("MDP", np.asarray(self.P).tolist(), fields | {"action_names": self.action_names})

    @property
    def listed(self) -> bool:
        """Whether ``r``, ``end`` and ``P`` are lists over pairs; arrays over states and actions otherwise."""
        return self.r.ndim == 1

    @property
    def n_states(self) -> int:
        """Number of states, S."""
        return int(self._pairs.shape[1])

    @property
    def n_actions(self) -> int:
        """Number of actions, A: of different ones, over all states."""
        if not self.listed:
            return int(self.r.shape[1])
        return len(self.action_names) if self.action_names else int(self.pair_action.max()) + 1

    @property
    def n_pairs(self) -> int:
        """Number of state-action pairs, X, at most S*A."""
        return int(self.r.size)

    @property
    def P_pairs(self) -> Matrix:
        """Transition probabilities with one row for each pair, [X, S]."""
        return self._pairs

    @property
    def r_pairs(self) -> Array:
        """Rewards of the pairs, [X]."""
        return self.r.reshape(-1)

    @property
    def end_pairs(self) -> Array:
        """Probabilities that the episode ends after the pairs, [X]."""
        return self.end.reshape(-1)

    @property
    def allowed(self) -> NDArray[np.bool_]:
        """Which actions each state has, [S, A]."""
        mask = np.zeros((self.n_states, self.n_actions), dtype=np.bool_)
        mask[self.pair_state, self.pair_action] = True
        return mask

    def table(self, values: Any, fill: float) -> Array:
        """Numbers of the pairs [X] as an array over states and actions [S, A], ``fill`` where there is no pair.

        >>> mdp = MDP([[1, 0], [0, 1], [0, 1]], [0, 1, 2], 0.9, pair_state=[0, 0, 1], pair_action=[0, 1, 1])
        >>> mdp.table(mdp.r_pairs, -np.inf)
        array([[  0.,   1.],
               [-inf,   2.]])
        """
        if not self.listed:
            return np.asarray(values).reshape(self.r.shape)
        out = np.full((self.n_states, self.n_actions), fill)
        out[self.pair_state, self.pair_action] = values
        return out

    def pairs_of(self, actions: Any) -> Indices:
        """The pair of each state's given action, [S].

        >>> MDP([[1.0], [1.0]], [0, 1], 0.9, pair_state=[0, 0], pair_action=[1, 3]).pairs_of([3])
        array([1])
        """
        A = self.n_actions
        wanted = np.arange(self.n_states) * A + np.asarray(actions, dtype=np.int64)
        if not self.listed:
            return wanted
        keys = self.pair_state * A + self.pair_action
        at = np.minimum(np.searchsorted(keys, wanted), self.n_pairs - 1)
        refuse_where(keys[at] != wanted, actions, "actions", "be one that the state has")
        return at.astype(np.int64)


def require_mdp(mdp: Any) -> None:
    """An MDP; KropeError otherwise.

    >>> require_mdp([[1.0]])
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: mdp must be an MDP; got list
    """
    if not isinstance(mdp, MDP):
        raise KropeError(f"mdp must be an MDP; got {type(mdp).__name__}")
