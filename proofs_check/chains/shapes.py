"""Shapes of chains: who follows whom, as integers in proportion to probabilities; the last column is the end.

A claim that is false on long chains only is false on one of these as a rule: what happens far ahead matters on paths,
who meets whom on cycles, how many come together on stars and trees.
"""

from collections.abc import Callable, Mapping
from math import isqrt
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: Where each pair leads, in proportion to the probabilities, [n, n + 1].
Moves = NDArray[np.int64]


def _arrows(n: int, targets: ArrayLike) -> Moves:
    """One successor for each of ``n`` pairs; ``n`` stands for the end."""
    return np.asarray(np.eye(n + 1, dtype=np.int64)[np.asarray(targets)])


def cycle(n: int) -> Moves:
    """Each pair leads to the next one, the last one to the first."""
    return _arrows(n, (np.arange(n) + 1) % n)


def lazy_cycle(n: int) -> Moves:
    """Stay or go on along a cycle, with equal chance: doubly stochastic, and aperiodic."""
    return cycle(n) + _arrows(n, np.arange(n))


def swaps(n: int) -> Moves:
    """Circles of two side by side; of an odd number the last pair leads into the last circle.

    >>> swaps(5)[:, :5].argmax(axis=1).tolist()
    [1, 0, 3, 2, 3]
    """
    partner = np.arange(n) ^ 1
    return _arrows(n, np.where(partner < n, partner, max(0, n - 2)))


def absorbing(n: int) -> Moves:
    """Every pair keeps to itself."""
    return _arrows(n, np.arange(n))


def path(n: int) -> Moves:
    """Each pair leads to the one before; the first is absorbing.

    >>> path(3)
    array([[1, 0, 0, 0],
           [1, 0, 0, 0],
           [0, 1, 0, 0]])
    """
    return _arrows(n, np.maximum(np.arange(n) - 1, 0))


def ending_path(n: int) -> Moves:
    """Each pair leads to the one before; after the first the episode ends."""
    return _arrows(n, (np.arange(n) - 1) % (n + 1))


def lazy_path(n: int) -> Moves:
    """Stay or lead to the pair before, with equal chance; the first is absorbing."""
    return path(n) + _arrows(n, np.arange(n))


def walk(n: int) -> Moves:
    """One pair up or down with equal chance, staying at both ends: symmetric."""
    return path(n) + _arrows(n, np.minimum(np.arange(n) + 1, n - 1))


def star(n: int) -> Moves:
    """All pairs lead to the first, which is absorbing."""
    return _arrows(n, np.zeros(n, dtype=np.int64))


def ending_star(n: int) -> Moves:
    """All pairs lead to the first, and after it the episode ends."""
    return _arrows(n, np.where(np.arange(n) == 0, n, 0))


def fan(n: int) -> Moves:
    """The first pair leads to all others alike, and they keep to themselves."""
    moves = absorbing(n)
    if n > 1:
        moves[0, :n] = np.arange(n) > 0
    return moves


def ending_fan(n: int) -> Moves:
    """The first pair leads to all others alike, and they end the episode."""
    moves = _arrows(n, np.full(n, n))
    if n > 1:
        moves[0] = 0
        moves[0, 1:n] = 1
    return moves


def hub(n: int) -> Moves:
    """The first pair leads to all others alike, and they come back to it: reversible, of period two."""
    moves = star(n)
    if n > 1:
        moves[0, :n] = np.arange(n) > 0
    return moves


def tree(n: int) -> Moves:
    """A binary tree: each pair leads to its parent, the root is absorbing.

    >>> tree(6)[:, :6].argmax(axis=1).tolist()
    [0, 0, 0, 1, 1, 2]
    """
    return _arrows(n, np.maximum((np.arange(n) - 1) // 2, 0))


def legs(n: int) -> Moves:
    """About as many paths as they are long, side by side, which meet in an absorbing pair, the first.

    >>> legs(7)[:, :7].argmax(axis=1).tolist()
    [0, 0, 0, 1, 2, 3, 4]
    """
    return _arrows(n, np.maximum(np.arange(n) - max(1, isqrt(n)), 0))


def fork(n: int) -> Moves:
    """A path with two heads: the last two pairs lead to the same one; the first is absorbing.

    >>> fork(4)[:, :4].argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """
    return _arrows(n, np.maximum(np.minimum(np.arange(n) - 1, n - 3), 0))


def ending_fork(n: int) -> Moves:
    """A path with two heads, after whose first pair the episode ends."""
    return _arrows(n, np.where(np.arange(n) == 0, n, np.maximum(np.minimum(np.arange(n) - 1, n - 3), 0)))


def twins(n: int) -> Moves:
    """Two paths side by side, of odd and of even pairs, into two absorbing ones; the last pair chooses by a coin.

    >>> twins(5)[:, :5].tolist()[2:]
    [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 1, 0]]
    """
    return _with_coin(_arrows(n, np.where(np.arange(n) < 2, np.arange(n), np.arange(n) - 2)))


def ending_twins(n: int) -> Moves:
    """Two paths side by side that end; the last pair chooses between them by a coin."""
    return _with_coin(_arrows(n, np.where(np.arange(n) < 2, n, np.arange(n) - 2)))


def _with_coin(moves: Moves) -> Moves:
    n = len(moves)
    if n > 2:
        moves[-1] = 0
        moves[-1, n - 3 : n - 1] = 1
    return moves


def blends(n: int) -> Moves:
    """Pairs lead to the first two, with chances of their own; these are absorbing. The last leads to the middle one.

    >>> blends(6)[2:, :6].tolist()
    [[1, 3, 0, 0, 0, 0], [2, 2, 0, 0, 0, 0], [3, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0]]
    """
    moves = absorbing(n)
    blended = max(0, n - 2 - (n > 3))
    for k in range(blended):
        moves[2 + k] = 0
        moves[2 + k, :2] = k + 1, blended - k
    if n > 3:
        moves[-1] = 0
        moves[-1, 2 + (blended - 1) // 2] = 1
    return moves


def ending_blends(n: int) -> Moves:
    """Each pair leads to the first, with a chance of its own, or the episode ends; after the first it does.

    >>> ending_blends(4).tolist()
    [[0, 0, 0, 0, 4], [1, 0, 0, 0, 3], [2, 0, 0, 0, 2], [3, 0, 0, 0, 1]]
    """
    moves = np.zeros((n, n + 1), dtype=np.int64)
    moves[:, 0], moves[:, n] = np.arange(n), n - np.arange(n)
    return moves


def layered(n: int) -> Moves:
    """Layers of three: each pair leads to all of the layer before, alike; the first layer is absorbing."""
    moves = absorbing(n)
    layer = np.arange(n) // 3
    for x in range(3, n):
        moves[x, :n] = layer == layer[x] - 1
        moves[x, n] = 0
    return moves


def mixing(n: int) -> Moves:
    """Every pair leads to all pairs alike."""
    moves = np.ones((n, n + 1), dtype=np.int64)
    moves[:, n] = 0
    return moves


def forgetting(n: int) -> Moves:
    """F1 with more levels: each pair leads two places back; the first two forget which of them they are."""
    moves = _arrows(n, np.maximum(np.arange(n) - 2, 0))
    moves[: min(n, 2), : min(n, 2)] = 1
    return moves


def tight(n: int, root: tuple[int, int] = (9, 10)) -> Moves:
    """F2: two pairs ``z`` look ahead to two paths of equal length, which end in an absorbing pair, the last.

    Args:
        n: pairs, odd from 7 on; others are filled up with absorbing pairs.
        root: numerator and denominator of the root of gamma that the shares are made for.

    >>> tight(7)[0].tolist()
    [0, 0, 9, 0, 10, 0, 0, 0]
    """
    moves = absorbing(n).astype(object)
    N = (n - 5) // 2
    if N < 0:
        return moves
    last, (p, q) = 2 * N + 4, root
    chance = [round(1000 * np.sin((m + 1) * np.pi / (N + 2))) * q**m * p ** (N - m) for m in range(N + 1)]
    common = int(np.gcd.reduce(np.array(chance, dtype=object)))
    moves[: last + 1] = 0
    for sign in (0, 1):
        for m in range(N + 1):
            moves[sign, 2 + 2 * m + sign] = chance[m] // common
            moves[2 + 2 * m + sign, last if m == 0 else 2 * m + sign] = 1
    moves[last, last] = 1
    return moves


SHAPES: Mapping[str, Callable[[int], Moves]] = MappingProxyType(
    {
        "cycle": cycle,
        "path": path,
        "ending path": ending_path,
        "star": star,
        "absorbing": absorbing,
        "fan": fan,
        "tree": tree,
        "legs": legs,
        "layered": layered,
        "hub": hub,
        "walk": walk,
        "swaps": swaps,
        "lazy cycle": lazy_cycle,
        "lazy path": lazy_path,
        "ending star": ending_star,
        "ending fan": ending_fan,
        "fork": fork,
        "ending fork": ending_fork,
        "twins": twins,
        "ending twins": ending_twins,
        "blends": blends,
        "ending blends": ending_blends,
        "mixing": mixing,
        "F1": forgetting,
    }
)
#: Shapes in which episodes end.
ENDING = frozenset(("ending path", "ending star", "ending fan", "ending fork", "ending twins", "ending blends"))
