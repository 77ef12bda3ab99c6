"""Pairs as they are drawn, one piece each, and the rows of transition probabilities that are made of them.

A pair is drawn alike whatever the number of states: a successor beyond the last state counts from the first again. A
state is drawn alike whatever the number of actions: of more pieces than actions the last are taken (Hypothesis sorts
them, the simplest first). So an example keeps its meaning when a state or an action is taken away, and shrinks to the
least model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from hypothesis import strategies as st

from proofs_check.strategies.wanted import LARGEST_WEIGHT, Wanted

#: Reward (its number among the values), weight in the policy, successors with weights, weight of the end, way home.
Piece: TypeAlias = tuple[int, int, list[tuple[int, int]], int, int]
#: Weights of the successors by state, and that of the end.
Row: TypeAlias = tuple[dict[int, int], int]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A model in integers.

    Attributes:
        S, A: sizes.
        gamma, rewards: numbers among the values that were wanted; one reward for each pair.
        rows: for each pair the weights of its successors.
        choices: weight of each pair in the policy.
    """

    S: int
    A: int
    gamma: int
    rewards: list[int]
    rows: list[Row]
    choices: list[int]


@st.composite
def drawn(draw: st.DrawFn, wish: Wanted) -> Drawn:
    """The sizes, then state by state: whatever a state needs is one piece, which can be taken away as a whole."""
    gamma = draw(st.integers(0, len(wish.gammas) - 1))
    stops = draw(st.booleans()) if wish.ending is None else wish.ending
    loops = not wish.irreducible or wish.branching < wish.states[1] or draw(st.booleans())
    A, S = draw(st.integers(*wish.actions)), draw(st.integers(*wish.states))
    state = st.tuples(*[_pieces(wish, stops)] * wish.actions[1])
    pieces = [piece for _ in range(S) for piece in draw(state)[-A:]]
    forced = _forced(wish, [pieces[s * A] for s in range(S)], loops)
    rows = [_row(wish, k // A, S, forced[k // A], piece) for k, piece in enumerate(pieces)]
    return Drawn(S, A, gamma, [piece[0] for piece in pieces], rows, [piece[1] for piece in pieces])


@cache
def _pieces(wish: Wanted, stops: bool) -> st.SearchStrategy[Piece]:
    most = wish.states[1]
    states, parts = st.integers(0, most - 1), st.integers(1, LARGEST_WEIGHT)
    nothing = st.just(0)
    return st.tuples(
        st.integers(0, len(wish.rewards) - 1),
        st.integers(0, LARGEST_WEIGHT),
        st.lists(st.tuples(states, parts), max_size=wish.branching),
        st.integers(0, LARGEST_WEIGHT) if stops else nothing,
        st.integers(0, most * most - 1) if wish.ending or wish.irreducible else nothing,
    )


def _forced(wish: Wanted, first: Sequence[Piece], loop: bool) -> list[set[int]]:
    """States that must be reached from each state, by every action, so that a chain is irreducible.

    Either the states form a loop, or a tree with the root 0 whose edges go both ways.
    """
    S = len(first)
    ahead: list[set[int]] = [set() for _ in range(S)]
    if not wish.irreducible:
        return ahead
    if loop:
        return [{(s + 1) % S} for s in range(S)]
    for s in range(1, S):
        parent = first[s][4] % s
        ahead[s].add(parent)
        ahead[parent].add(s)
    return ahead if S > 1 else [{0}]


def _row(wish: Wanted, s: int, S: int, forced: set[int], piece: Piece) -> Row:
    _, _, successors, end, home = piece
    weights = dict.fromkeys(sorted(forced), 1)
    if wish.ending:  # every pair may end at once or reach a lower state, so that every episode surely ends
        before = home % (s + 1)
        if before == 0 or (before - 1 not in weights and len(weights) >= wish.branching):
            end = max(end, 1)
        else:
            weights.setdefault(before - 1, 1)
    for target, part in successors:
        target %= S
        if target in weights or len(weights) < wish.branching:
            weights[target] = weights.get(target, 0) + part
    if wish.deterministic:
        weights, end = (weights, 0) if weights and (forced or not end) else ({}, end)
    if not weights and not end:
        weights = {0: 1}
    return weights, end
