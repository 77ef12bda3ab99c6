"""Members of classes by construction: a chain that is stationary, symmetric or periodic is drawn, not waited for.

A chain is made from a stream of numbers in [0, 1). Random numbers give random chains; and whoever changes the numbers a
little moves within the class, so that an adversary can climb where chains at random would leave it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from proofs_check.chains.blueprint import Blueprint
from proofs_check.chains.trait_values import RANGES, reward_range


class Stream:
    """Numbers that are used up one by one; zeros after the last."""

    def __init__(self, numbers: Any) -> None:
        self._numbers = iter(np.asarray(numbers, dtype=np.float64).tolist())

    def below(self, n: int) -> int:
        """A whole number from 0 to ``n - 1``.

        >>> Stream([0.5, 0.99]).below(4)
        2
        """
        return min(n - 1, int(next(self._numbers, 0.0) * n))

    def permutation(self, n: int) -> list[int]:
        """An order of ``n`` things."""
        left, order = list(range(n)), []
        while left:
            order.append(left.pop(self.below(len(left))))
        return order


def _anywhere(stream: Stream, n: int) -> Any:
    moves = np.zeros((n, n + 1), dtype=np.int64)
    for x in range(n):
        moves[x, :n] = [max(0, stream.below(6) - 2) for _ in range(n)]
        moves[x, stream.below(n)] += 1
    return moves


def _arrows(stream: Stream, n: int) -> Any:
    return np.eye(n + 1, dtype=np.int64)[[stream.below(n) for _ in range(n)]]


def _permutation(stream: Stream, n: int) -> Any:
    return np.eye(n + 1, dtype=np.int64)[stream.permutation(n)]


def _in_turn(stream: Stream, n: int) -> Any:
    """Groups that follow each other in a circle."""
    k = 2 + stream.below(max(1, n - 1))
    moves = _anywhere(stream, n)
    for x in range(n):
        turn = np.append(np.arange(n) % k == (x + 1) % k, False)
        moves[x] = np.where(turn, moves[x] + 1, 0) if turn.any() else np.eye(n + 1, dtype=np.int64)[n]
    return moves


def _symmetric(stream: Stream, n: int) -> Any:
    moves = _balanced(stream, n)
    inner = moves[:, :n]
    np.fill_diagonal(inner, 0)
    np.fill_diagonal(inner, inner.sum(axis=1).max() - inner.sum(axis=1) + (stream.below(3) if n > 1 else 1))
    return moves


def _balanced(stream: Stream, n: int) -> Any:
    moves = np.zeros((n, n + 1), dtype=np.int64)
    for x in range(n):
        for y in range(x + 1):
            moves[x, y] = moves[y, x] = max(0, stream.below(6) - 2)
    for x in range(n):  # along a path, so that no pair is alone
        y = max(0, x - 1)
        moves[x, y] += 1
        moves[y, x] += x != y
    return moves


def _doubly(stream: Stream, n: int) -> Any:
    parts = [(1 + stream.below(3)) * _permutation(stream, n) for _ in range(1 + stream.below(3))]
    return np.sum(parts, axis=0)


def _downwards(stream: Stream, n: int) -> Any:
    moves = _anywhere(stream, n)
    moves[0] = np.eye(n + 1, dtype=np.int64)[0]
    for x in range(1, n):
        moves[x, x + 1 :] = 0
        moves[x, stream.below(x)] += 1
    return moves


def _keeping(stream: Stream, n: int) -> Any:
    return np.eye(n + 1, dtype=np.int64)[:n]


def _to_the_end(stream: Stream, n: int) -> Any:
    moves = _downwards(stream, n) if stream.below(2) else _anywhere(stream, n)
    for x in range(n):
        moves[x, n] = stream.below(3) if x else 1 + stream.below(3)
        if x and not moves[x, n]:
            moves[x, stream.below(x)] += 1
    if stream.below(2):
        moves[0, :n] = 0
    return moves


LAWS: Mapping[str, Callable[[Stream, int], Any]] = {
    "any": _anywhere,
    "deterministic": _arrows,
    "permutation": _permutation,
    "in turn": _in_turn,
    "symmetric": _symmetric,
    "balanced": _balanced,
    "doubly stochastic": _doubly,
    "absorbing": _downwards,
    "keeping": _keeping,
    "ending": _to_the_end,
}
DATA = ("any", "stationary", "uniform", "one-hot")
REWARDS = ("any", "two", "one", "constant")


@dataclass(frozen=True, slots=True)
class Recipe:
    """Which kinds of transitions, data, rewards and reward range a chain is drawn from."""

    law: str
    data: str
    rewards: str
    range: str

    def make(self, numbers: Any, n: int, gammas: list[fmpq]) -> Blueprint:
        """The chain on ``n`` pairs that a stream of numbers stands for.

        >>> Recipe("doubly stochastic", "uniform", "two", "own").make([0.9] * 40, 3, [fmpq(1, 2)]).moves.sum(axis=0)
        array([9, 9, 9, 0])
        """
        stream = Stream(numbers)
        gamma = gammas[stream.below(len(gammas))]
        moves = LAWS[self.law](stream, n)
        r = self._rewards(stream, n)
        traits = {"shape": f"{self.law} (drawn)", "rewards": self.rewards, "R": self.range, "D": self.data}
        return Blueprint(moves, r, gamma, self._data(stream, moves, n), reward_range(self.range, r), 1, traits)

    def _rewards(self, stream: Stream, n: int) -> tuple[fmpq, ...]:
        if self.rewards == "one":
            at = stream.below(n)
            return tuple(fmpq(int(x == at)) for x in range(n))
        if self.rewards == "two":
            values = [stream.below(2) for _ in range(n)]
            return tuple(fmpq(value) for value in (values if len(set(values)) > 1 else [1 - values[0], *values[1:]]))
        if self.rewards == "constant":
            return (fmpq(stream.below(3) - 1),) * n
        return tuple(fmpq(stream.below(9) - 4) for _ in range(n))

    def _data(self, stream: Stream, moves: Any, n: int) -> list[Any]:
        if self.data == "stationary":
            return stationary(moves, self._any(stream, n))
        if self.data == "uniform":
            return [1] * n
        if self.data == "one-hot":
            at = stream.below(n)
            return [int(x == at) for x in range(n)]
        return self._any(stream, n)

    @staticmethod
    def _any(stream: Stream, n: int) -> list[int]:
        data = [max(0, stream.below(5) - 1) for _ in range(n)]
        data[stream.below(n)] += 1
        return data


RECIPES = tuple(
    Recipe(law, data, rewards, span)
    for span in list(RANGES)[:2]
    for rewards in REWARDS
    for data in DATA
    for law in LAWS
)


def stationary(moves: Any, data: Sequence[Any] = ()) -> list[fmpq]:
    """A stationary distribution, up to a factor: each closed set of pairs has the share of the data that it had.

    Args:
        moves: integers in proportion to the transitions, [X, X + 1].
        data: in proportion to the data before; even if none are given, and where no closed set has any.

    >>> stationary(np.array([[0, 1, 0], [1, 1, 0]]))
    [1/2, 1]
    >>> stationary(np.eye(3, 4, dtype=int), (1, 2, 0))
    [1/3, 2/3, 0]
    """
    n = len(moves)
    closed = _closed_sets(np.ascontiguousarray(moves, dtype=np.int64).tobytes(), n)
    if not closed:  # everything ends: no distribution is stationary
        return [fmpq(1)] * n
    if len(closed) == 1:
        return [*closed[0]]
    seen = [sum((fmpq(data[x]) if data else fmpq(1) for x in range(n) if law[x]), fmpq(0)) for law in closed]
    total = sum(seen, fmpq(0))
    shares = [part / total for part in seen] if total else [fmpq(1, len(closed))] * len(closed)
    sizes = [share / sum(law, fmpq(0)) for share, law in zip(shares, closed, strict=True)]
    return [sum((size * law[x] for size, law in zip(sizes, closed, strict=True)), fmpq(0)) for x in range(n)]


@lru_cache(maxsize=512)
def _closed_sets(moves: bytes, n: int) -> tuple[tuple[fmpq, ...], ...]:
    """A stationary law, up to a factor, on each closed set of pairs all of which lead to each other.

    The sets are disjoint. So each column without pivot in the reduced equations is the last pair of one of them.
    """
    rows = np.frombuffer(moves, dtype=np.int64).reshape(n, n + 1).tolist()
    balance = fmpq_mat(n, n, [fmpq(part, sum(row)) for row in rows for part in row[:n]]).transpose()
    for x in range(n):
        balance[x, x] -= 1
    reduced, rank = balance.rref()
    pivots = [next(j for j in range(n) if reduced[i, j] != 0) for i in range(rank)]
    laws = []
    for free in (j for j in range(n) if j not in pivots):
        law = [fmpq(int(x == free)) for x in range(n)]
        for i, j in enumerate(pivots):
            law[j] = -reduced[i, free]
        laws.append(tuple(law))
    return tuple(laws)
