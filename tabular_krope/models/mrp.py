r"""The Markov reward process over state-action pairs: the object that everything downstream speaks.

With ``P`` [X, S] the next-state law of each pair and ``Pi`` [S, X] the policy,

$$P_\pi = P\,\Pi \in R^{X \times X}, \qquad Q = \Pi\,P \in R^{S \times S},$$

and both have the same non-zero spectrum. Linear equations on pairs are therefore solved on states:
$v = \Pi r + \gamma Q v$, then $q = r + \gamma P v$. ``P_pi`` is formed only when asked for.
"""

from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from scipy import sparse

from tabular_krope.arrays import (
    Array,
    Matrix,
    dense,
    distribution,
    frozen_array,
    frozen_csr,
    is_sparse,
    refuse_where,
    require_gamma,
    rows_to_one,
    shape_of,
    substochastic,
)
from tabular_krope.errors import KropeError
from tabular_krope.looks import WRITTEN_OUT, Tabled, call_text, print_on, summary, unless_default

if TYPE_CHECKING:
    from tabular_krope.models.exact_mrp import ExactMRP
    from tabular_krope.models.pairs import Indices
    from tabular_krope.notebook_tables import Grid


#: Rewards above this would overflow in values, kernels or their squares.
LARGEST_REWARD = 1e100
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, eq=False)
class MRP(Tabled):
    """A validated, immutable Markov reward process on pairs.

    Args:
        P: next-state probabilities of each pair, [X, S], dense or CSR.
        Pi: pairs that follow each state, [S, X]; kept as CSR.
        r: rewards, [X].
        gamma: discount factor in [0, 1]; 1 only when every chain surely ends.
        end: probability that the episode ends after the pair, [X]; zero if None.
        d0: initial distribution over pairs, [X]; uniform if None.
        weights: distribution of the data the model was estimated from, [X]; None for a model that was not.
        pair_state, pair_action: state and action of each pair, [X], where action sets differ by state; None otherwise.
        normalize: divide each row of ``P`` (with its ``end``) and of ``Pi`` by its sum, as models in float32 need.

    >>> mrp = MRP.from_matrix([[0.5, 0.5], [0.0, 1.0]], r=[1.0, 0.0], gamma=0.5)
    >>> mrp.q
    array([1.33333333, 0.        ])
    """

    P: Matrix
    Pi: Matrix
    r: Array
    gamma: float
    end: Array = None  # type: ignore[assignment]
    d0: Array = None  # type: ignore[assignment]
    weights: Array | None = None
    pair_state: "Indices | None" = None
    pair_action: "Indices | None" = None
    normalize: InitVar[bool] = False
    _cache: dict[str, Any] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self, normalize: bool) -> None:
        r = frozen_array(self.r, "r", (None,))
        X = len(r)
        if X == 0:
            raise KropeError("r must have at least one pair; got an empty array")
        refuse_where(~(np.abs(r) <= LARGEST_REWARD), r, "r", f"be at most {LARGEST_REWARD:g} in size")
        shape = shape_of(self.P, "P")
        if len(shape) != 2 or shape[0] != X or shape[1] == 0:
            raise KropeError(f"P must have shape ({X}, any) with at least one state; got {shape}")
        S = shape[1]
        P = frozen_csr(self.P, "P", (X, S)) if is_sparse(self.P) else frozen_array(self.P, "P", (X, S))
        given = self.Pi if is_sparse(self.Pi) else frozen_array(self.Pi, "Pi", (S, X))
        Pi = frozen_csr(given, "Pi", (S, X))
        end = frozen_array(np.zeros(X) if self.end is None else self.end, "end", (X,))
        refuse_where(~((end >= 0) & (end <= 1)), end, "end", "lie in [0, 1]")
        if normalize:
            (P, end), (Pi, _) = rows_to_one(P, end), rows_to_one(Pi, np.zeros(S))
        P, Pi = substochastic(P, end, "P"), substochastic(Pi, np.zeros(S), "Pi")
        gamma = require_gamma(self.gamma)
        put = object.__setattr__
        for name, value in (("P", P), ("Pi", Pi), ("r", r), ("end", end), ("gamma", gamma)):
            put(self, name, value)
        put(self, "d0", distribution(self.d0, X, "d0"))
        if self.weights is not None:
            put(self, "weights", distribution(self.weights, X))
        if self.pair_state is not None or self.pair_action is not None:
            from tabular_krope.models.pairs import listed_pairs

            state, action, order = listed_pairs(self.pair_state, self.pair_action, X, S)
            if np.any(order != np.arange(X)):
                raise KropeError("pair_state and pair_action must be sorted by state and action; got another order")
            put(self, "pair_state", state)
            put(self, "pair_action", action)
        if gamma == 1.0:
            from tabular_krope.models.recurrence import states_that_never_end

            stuck = states_that_never_end(self.Q, Pi @ end)
            if stuck.size:
                raise KropeError(
                    f"gamma must be below 1 unless every chain ends; got 1 and state {stuck[0]} never ends"
                )

    @classmethod
    def from_matrix(
        cls, P_pi: Any, r: Any, gamma: float, end: Any = None, d0: Any = None, normalize: bool = False
    ) -> "MRP":
        """The process with pair-to-pair transitions ``P_pi`` [X, X]; each pair is its own state (S = X, Pi = I)."""
        shape = shape_of(P_pi, "P_pi")
        if len(shape) != 2 or shape[0] != shape[1]:
            raise KropeError(f"P_pi must be a square matrix; got shape {shape}")
        return cls(P_pi, sparse.eye_array(shape[0], format="csr"), r, gamma, end, d0, normalize=normalize)

    @classmethod
    def _of_valid(cls, P: Matrix, Pi: sparse.csr_array, r: Array, gamma: float, end: Array, d0: Any) -> "MRP":
        """The process of parts that were checked when a model and a policy were made of them."""
        made = object.__new__(cls)
        known = {"P": P, "Pi": _frozen(Pi), "r": r, "gamma": gamma, "end": end, "d0": distribution(d0, len(r), "d0")}
        for name, value in {**known, "weights": None, "pair_state": None, "pair_action": None, "_cache": {}}.items():
            object.__setattr__(made, name, value)
        return made

    _repr_pretty_ = print_on

    def _table(self) -> "tuple[str, dict[str, Any], Grid]":
        from tabular_krope.models.model_grids import float_chain_grid

        sizes = {"pairs": self.n_pairs, "states": self.n_states, "gamma": float(self.gamma)}
        return "reward process", sizes, float_chain_grid(self)

    def __repr__(self) -> str:
        """The Python that makes it; only its size if it is large or sparse."""
        if self.n_pairs * self.n_states > WRITTEN_OUT or is_sparse(self.P):
            return summary("MRP", self.n_pairs, self.n_states, self.gamma)
        Pi = self.Pi.toarray()
        fields = {
            "r": self.r.tolist(),
            "gamma": self.gamma,
            "end": unless_default(self.end, 0),
            "d0": unless_default(self.d0, 1 / self.n_pairs),
        }
        if np.array_equal(Pi, np.eye(self.n_pairs)) and self.weights is None and self.pair_action is None:
            return call_text("MRP.from_matrix", dense(self.P).tolist(), fields)
        weights = None if self.weights is None else self.weights.tolist()
        listed = {n: None if (v := getattr(self, n)) is None else v.tolist() for n in ("pair_state", "pair_action")}
        return call_text("MRP", dense(self.P).tolist(), {"Pi": Pi.tolist(), **fields, "weights": weights, **listed})

    @property
    def n_pairs(self) -> int:
        """Number of state-action pairs, X."""
        return len(self.r)

    @property
    def n_states(self) -> int:
        """Number of states, S."""
        return int(self.P.shape[1])

    @property
    def n_actions(self) -> int:
        """Number of pairs for each state, X / S; where action sets differ, the number of different actions."""
        return self.n_pairs // self.n_states if self.pair_action is None else int(self.pair_action.max()) + 1

    @property
    def conservative(self) -> bool:
        """Whether no episode ever ends."""
        return not self.end.any()

    @property
    def P_pi(self) -> Matrix:
        """Pair-to-pair transitions ``P Pi``, [X, X]; dense or CSR as ``P`` is."""
        return self._once("P_pi", lambda: _frozen(self.P @ self.Pi))

    @property
    def Q(self) -> Matrix:
        """State-to-state transitions ``Pi P``, [S, S]; dense or CSR as ``P`` is."""
        return self._once("Q", lambda: _frozen(self.Pi @ self.P))

    @property
    def v(self) -> Array:
        """State values ``Pi q``, [S]."""
        return self._once("v", lambda: _frozen(self._on_states(self.Pi @ self.r)))

    @property
    def q(self) -> Array:
        r"""Action values $q = r + \gamma P_\pi q$, [X], by a direct solve on states."""
        return self._once("q", lambda: _frozen(self.bellman(None)))

    @property
    def lifetimes(self) -> Array:
        r"""Expected discounted length of an episode from each pair, $(I - \gamma P_\pi)^{-1} 1$, [X]."""
        return self._once("lifetimes", lambda: _frozen(self._lifetimes()))

    @property
    def horizon(self) -> float:
        r"""The longest of the lifetimes; $1/(1-\gamma)$ for a conservative chain.

        It is the sup norm of $(I - \gamma P_\pi)^{-1}$, and bounds that of the inverse of
        $K \mapsto K - \gamma P_\pi K P_\pi^\top$: every error bound in this package is a residual times it.
        """
        return float(self.lifetimes.max())

    def bellman(self, f: Any) -> Array:
        r"""The Bellman operator $(Tf)(x) = r(x) + \gamma E f(X')$, [X]; its fixed point ``q`` if ``f`` is None."""
        after = self.v if f is None else self.Pi @ frozen_array(f, "f", (self.n_pairs,))
        return np.asarray(self.r + self.gamma * (self.P @ after))

    def exact(self) -> "ExactMRP":
        """The same process over the rationals: floats read as the rationals they are, rows renormalized."""
        from tabular_krope.models.exact_mrp import ExactMRP

        return ExactMRP.from_float(self)

    def pair_label(self, x: int) -> str:
        """How pair ``x`` is written for a reader.

        >>> MRP.from_matrix([[1.0]], [0.0], 0.9).pair_label(0)
        '0'
        """
        A = self.n_actions
        if self.pair_state is not None and self.pair_action is not None:
            return f"({self.pair_state[x]},{self.pair_action[x]})"
        return str(x) if A == 1 else f"({x // A},{x % A})"

    def _lifetimes(self) -> Array:
        if self.conservative:
            return np.full(self.n_pairs, 1.0 / (1.0 - self.gamma))
        return np.asarray(1.0 + self.gamma * (self.P @ self._on_states(np.ones(self.n_states))))

    def _on_states(self, b: Array) -> Array:
        """The solution of ``v = b + gamma Q v``; scipy's sparse solvers are loaded when values are asked for."""
        from tabular_krope.models.linear import solve_discounted

        return solve_discounted(self.Q, b, self.gamma)

    def _once(self, name: str, compute: Callable[[], Value]) -> Value:
        if name not in self._cache:
            self._cache[name] = compute()
        found: Value = self._cache[name]
        return found


def require_mrp(mrp: Any, exact: bool = False) -> None:
    """An MRP (or, with ``exact``, an ExactMRP); KropeError otherwise, with the way to make one."""
    if isinstance(mrp, MRP):
        return
    from tabular_krope.models.exact_mrp import ExactMRP  # which is built on this module
    from tabular_krope.models.mdp import MDP

    if isinstance(mrp, ExactMRP) and exact:
        return
    hint = ""
    if isinstance(mrp, MDP):
        hint = " (induce(mdp, policy) makes one)"
    elif isinstance(mrp, ExactMRP):
        hint = " (mrp.to_float() makes one)"
    raise KropeError(f"mrp must be an MRP; got {type(mrp).__name__}{hint}")


def _frozen(value: Any) -> Any:
    if not is_sparse(value):
        value = np.ascontiguousarray(dense(value))
    for part in (value.data, value.indices, value.indptr) if is_sparse(value) else (value,):
        part.flags.writeable = False
    return value
