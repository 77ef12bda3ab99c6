"""Markov decision processes over the rationals: no rounding, no tolerance; action sets may differ by state."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from flint import fmpq, fmpq_mat
from scipy import sparse

from tabular_krope.arrays import dense
from tabular_krope.errors import KropeError
from tabular_krope.exact.rationals import float_vector, nearest_float, rational, rational_vector
from tabular_krope.looks import WRITTEN_OUT, Tabled, call_text, print_on, summary, unless_default
from tabular_krope.models.garnet import DENSE_ENTRIES
from tabular_krope.models.mdp import MDP
from tabular_krope.models.model_grids import decision_grid
from tabular_krope.models.pairs import action_names, listed_pairs
from tabular_krope.notebook_tables import Grid

#: Next states and their probabilities, those that are not zero.
Row: TypeAlias = Mapping[int, fmpq]


@dataclass(frozen=True, slots=True, eq=False)
class ExactMDP(Tabled):
    """A validated, immutable MDP with rational entries, kept by its non-zero probabilities.

    Args:
        P: next-state probabilities of each pair: lists over states of lists over their actions of rows, or, with
            ``pair_state`` and ``pair_action``, a list of rows. A row is a sequence of S entries, or a mapping of states
            to probabilities. Entries may be integers, fractions, strings such as "3/4", or floats, which stand for the
            rationals they are.
        r: rewards, nested as ``P`` is without its rows.
        gamma: discount factor in [0, 1].
        d0: initial distribution over states, [S]; uniform if None.
        end: probability that the episode ends, like ``r``; zero if None.
        pair_state, pair_action: state and action of each pair, if the pairs are a list.
        action_names: names of the actions, if they have some.

    >>> mdp = ExactMDP([[["1/3", "2/3"], [1, 0]], [[0, 1]]], r=[[1, 0], ["1/2"]], gamma="9/10")
    >>> mdp.n_states, mdp.n_pairs, mdp.P[0], mdp.r
    (2, 3, {0: 1/3, 1: 2/3}, (1, 0, 1/2))
    """

    P: tuple[Row, ...]
    r: tuple[fmpq, ...]
    gamma: fmpq
    d0: tuple[fmpq, ...] = None  # type: ignore[assignment]
    end: tuple[fmpq, ...] = None  # type: ignore[assignment]
    pair_state: tuple[int, ...] = None  # type: ignore[assignment]
    pair_action: tuple[int, ...] = None  # type: ignore[assignment]
    action_names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        rows, r, end, state, action = _listed(self)
        X, S = len(rows), int(max(state, default=-1)) + 1
        if X == 0:
            raise KropeError("r must have at least one pair; got none")
        if len(r) != X or len(end) != X:
            raise KropeError(f"r and end must have one entry for each of {X} pairs; got {len(r)} and {len(end)}")
        states, actions, order = listed_pairs(np.array(state), np.array(action), X, S, self.action_names)
        rewards, ends = rational_vector(r, "r"), rational_vector(end, "end")
        d0 = rational_vector([fmpq(1, S)] * S if self.d0 is None else self.d0, "d0")
        if len(d0) != S or any(p < 0 for p in d0) or sum(d0, fmpq(0)) != 1:
            raise KropeError(f"d0 must be {S} non-negative rationals of sum 1; got {list(map(str, d0))}")
        gamma = rational(self.gamma, "gamma")
        if not 0 <= gamma <= 1:
            raise KropeError(f"gamma must lie in [0, 1]; got {gamma}")
        labels = [f"s={s}, a={a}" for s, a in zip(state, action, strict=True)]
        P = [_row(row, S, e, label) for row, e, label in zip(rows, ends, labels, strict=True)]
        put = object.__setattr__
        put(self, "P", tuple(P[x] for x in order))
        put(self, "r", tuple(rewards[x] for x in order))
        put(self, "end", tuple(ends[x] for x in order))
        put(self, "pair_state", tuple(states.tolist()))
        put(self, "pair_action", tuple(actions.tolist()))
        put(self, "action_names", action_names(self.action_names, int(actions.max()) + 1))
        put(self, "gamma", gamma)
        put(self, "d0", d0)

    @classmethod
    def from_float(cls, mdp: MDP) -> "ExactMDP":
        """A float model read as rationals, with each row divided by its exact sum.

        >>> ExactMDP.from_float(MDP(P=[[[0.5, 0.5]], [[0.0, 1.0]]], r=[[1.0], [0.0]], gamma=0.5)).P[0]
        {0: 1/2, 1: 1/2}
        """
        P, ends = sparse.csr_array(mdp.P_pairs), rational_vector(mdp.end_pairs)
        rows, scaled = [], []
        for x, e in enumerate(ends):
            part = slice(P.indptr[x], P.indptr[x + 1])
            row = {int(t): rational(p) for t, p in zip(P.indices[part], P.data[part], strict=True) if p != 0}
            total = sum(row.values(), e)
            rows.append({t: p / total for t, p in row.items()})
            scaled.append(e / total)
        start = rational_vector(mdp.d0)
        total = sum(start, fmpq(0))
        d0, where = [p / total for p in start], (mdp.pair_state.tolist(), mdp.pair_action.tolist())
        gamma = rational(mdp.gamma)
        return cls(rows, rational_vector(mdp.r_pairs), gamma, d0, scaled, *where, mdp.action_names)  # type: ignore[arg-type]

    _repr_pretty_ = print_on

    def _table(self) -> tuple[str, dict[str, Any], Grid]:
        sizes = {"states": self.n_states, "actions": self.n_actions, "pairs": self.n_pairs, "gamma": self.gamma}
        return "decision process over the rationals", sizes, decision_grid(self)

    def __repr__(self) -> str:
        """The Python that makes it, with fractions as text; only its size if it is large."""
        if self.n_pairs * self.n_states > WRITTEN_OUT:
            return summary("ExactMDP", self.n_pairs, self.n_states, self.gamma)
        P, r, gamma, d0, end, *where = self._texts()
        fields = {"r": r, "gamma": gamma, "d0": d0 if unless_default(self.d0, fmpq(1, self.n_states)) else None}
        fields |= {"end": end if unless_default(self.end, 0) else None}
        return call_text(
            "ExactMDP", P, fields | dict(zip(("pair_state", "pair_action", "action_names"), where, strict=True))
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied and sent to other processes as fraction strings: python-flint's numbers cannot be."""
        return ExactMDP, self._texts()

    def _texts(self) -> tuple[Any, ...]:
        P = [{t: str(p) for t, p in row.items()} for row in self.P]
        r, d0, end = ([str(v) for v in vector] for vector in (self.r, self.d0, self.end))
        return P, r, str(self.gamma), d0, end, list(self.pair_state), list(self.pair_action), self.action_names

    @property
    def n_states(self) -> int:
        """Number of states, S."""
        return len(self.d0)

    @property
    def n_actions(self) -> int:
        """Number of different actions, A."""
        return len(self.action_names) if self.action_names else max(self.pair_action) + 1

    @property
    def n_pairs(self) -> int:
        """Number of state-action pairs, X."""
        return len(self.r)

    @property
    def P_pairs(self) -> fmpq_mat:
        """Transition probabilities as a matrix, [X, S]."""
        matrix = fmpq_mat(self.n_pairs, self.n_states)
        for x, row in enumerate(self.P):
            for t, p in row.items():
                matrix[x, t] = p
        return matrix

    def to_float(self) -> MDP:
        """The model with every entry rounded to the nearest float64; sparse if it is large."""
        X, S, A = self.n_pairs, self.n_states, self.n_actions
        at = [(x, t) for x, row in enumerate(self.P) for t in row]
        mass = float_vector(p for row in self.P for p in row.values())
        rows, columns = np.array(at, dtype=np.int64).reshape(-1, 2).T
        P = sparse.csr_array((mass, (rows, columns)), shape=(X, S))
        r, end, small = float_vector(self.r), float_vector(self.end), X * S <= DENSE_ENTRIES
        gamma, d0 = nearest_float(self.gamma), float_vector(self.d0)
        if X < S * A:
            where = np.array(self.pair_state), np.array(self.pair_action)
            return MDP(dense(P) if small else P, r, gamma, d0, end, *where, self.action_names)
        return MDP(
            dense(P).reshape(S, A, S) if small else P,
            r.reshape(S, A),
            gamma,
            d0,
            end.reshape(S, A),
            action_names=self.action_names,
        )


def _listed(mdp: ExactMDP) -> tuple[list[Any], list[Any], list[Any], list[int], list[int]]:
    """Rows, rewards, ends, states and actions of the pairs, as they were given."""
    P, r = list(mdp.P), list(mdp.r)
    if mdp.pair_state is not None or mdp.pair_action is not None:
        state, action = list(mdp.pair_state or ()), list(mdp.pair_action or ())
        if not len(state) == len(action) == len(P):
            raise KropeError(
                f"pair_state and pair_action must have one entry for each row of P, {len(P)}; "
                f"got {len(state)} and {len(action)}"
            )
        return P, r, [0] * len(P) if mdp.end is None else list(mdp.end), state, action
    try:
        flat = [(s, a, row) for s, rows in enumerate(P) for a, row in enumerate(rows)]
        flat_r = [v for rewards in r for v in rewards]
        ends = [0] * len(flat) if mdp.end is None else [e for there in mdp.end for e in there]
        sizes = [len(rewards) for rewards in r] == [len(rows) for rows in P]
    except TypeError:
        raise KropeError("P and r must be nested by state and action, or have pair_state and pair_action") from None
    if not sizes:
        raise KropeError("r must have one reward for each action of P; got other numbers of actions")
    return [row for *_, row in flat], flat_r, ends, [s for s, *_ in flat], [a for _, a, _ in flat]


def _row(row: Any, S: int, end: fmpq, label: str) -> Row:
    given = row.items() if isinstance(row, Mapping) else enumerate(row)
    values = {int(t): rational(p, f"P[{label}, {t}]") for t, p in given}
    if not isinstance(row, Mapping) and len(values) != S:
        raise KropeError(f"P[{label}] must have {S} entries, one for each state; got {len(values)}")
    for t, p in values.items():
        if not 0 <= t < S:
            raise KropeError(f"P[{label}] must lead to states 0..{S - 1}; got {t}")
        if p < 0:
            raise KropeError(f"P[{label}, {t}] must be non-negative; got {p}")
    total = sum(values.values(), end)
    if end < 0 or total != 1:
        raise KropeError(f"P[{label}, :] must sum to 1 with a non-negative end; got {total} with end {end}")
    return {t: values[t] for t in sorted(values) if values[t] != 0}
