"""Pairs as they are drawn, one word each, and the rows of transition probabilities that are made of them.

A pair is drawn alike whatever the number of states: a successor beyond the last state counts from the first again. A
state is drawn alike whatever the number of actions: of more words than actions the last are taken (Hypothesis sorts
them, the simplest first). So an example keeps its meaning when a state or an action is taken away, and shrinks to the
least model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeAlias

from hypothesis import strategies as st

from proofs_check.strategies.wanted import LARGEST_WEIGHT, Wanted
from proofs_check.strategies.words import sequences, words

#: A word is the weight in the policy, that of the end, the way home; after these three each successor with its weight,
#: less one. Rewards are words of their own: so they can be equal, and become smaller together.
HEAD = 3
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
    """What the pairs have in common and the sizes, then state by state a word for each action, then rewards."""
    gamma = draw(st.integers(0, len(wish.gammas) - 1))
    stops = draw(st.booleans()) if wish.ending is None else wish.ending
    spreads = draw(st.booleans())  # else every pair has one successor
    loops = not wish.irreducible or wish.branching < wish.states[1] or draw(st.booleans())
    A, S = (least + draw(st.integers(0, most - least)) for least, most in (wish.actions, wish.states))
    word = words(max(wish.states[1], 256), HEAD + 2 * wish.branching)  # a letter has 256 values, and more do no harm
    state = _state(word, wish.actions[1])
    pairs = [(s, piece) for s in range(S) for piece in draw(state)[-A:]]
    forced = _forced(wish, [piece for _, piece in pairs[::A]], loops)
    return Drawn(
        S,
        A,
        gamma,
        draw(sequences(range(len(wish.rewards)), S * A, repeats=True)),
        [_row(wish, s, forced, stops, piece if spreads else piece[: HEAD + 1]) for s, piece in pairs],
        [piece[0] % (LARGEST_WEIGHT + 1) for _, piece in pairs],
    )


@st.composite
def _state(draw: st.DrawFn, word: st.SearchStrategy[list[int]], actions: int) -> list[list[int]]:
    """The words of a state, which can be taken away as a whole."""
    drawn = [draw(word) for _ in range(actions)]
    return [numbers + [0] * (HEAD - len(numbers)) for numbers in drawn]


def _forced(wish: Wanted, first: Sequence[list[int]], loop: bool) -> list[set[int]]:
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
        parent = first[s][2] % s
        ahead[s].add(parent)
        ahead[parent].add(s)
    return ahead if S > 1 else [{0}]


def _row(wish: Wanted, s: int, forced: list[set[int]], stops: bool, piece: list[int]) -> Row:
    end, home, successors = piece[1] % (LARGEST_WEIGHT + 1) if stops else 0, piece[2], piece[HEAD:]
    weights = dict.fromkeys(sorted(forced[s]), 1)
    if wish.ending:  # every pair may end at once or reach a lower state, so that every episode surely ends
        before = home % (s + 1)
        if before == 0 or (before - 1 not in weights and len(weights) >= wish.branching):
            end = max(end, 1)
        else:
            weights.setdefault(before - 1, 1)
    for target, part in zip_longest(successors[::2], successors[1::2], fillvalue=0):
        target %= len(forced)
        if target in weights or len(weights) < wish.branching:
            weights[target] = weights.get(target, 0) + 1 + part % LARGEST_WEIGHT
    if wish.deterministic:
        weights, end = (weights, 0) if weights and (forced[s] or not end) else ({}, end)
    if not weights and not end:
        weights = {0: 1}
    return weights, end
